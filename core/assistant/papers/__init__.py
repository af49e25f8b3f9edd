"""Papers in and out of a library: taken in, recognised, shown, corrected, forgotten."""
