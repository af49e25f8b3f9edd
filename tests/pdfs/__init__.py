"""PDFs that tests make for themselves: small papers of invented facts, in more than one template."""
