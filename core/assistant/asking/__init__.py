"""Questions: the use case, what it is read against, and what is told beside its answer."""
