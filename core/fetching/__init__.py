"""Brings a paper that was named by arXiv id, DOI or address: found, checked and written down, never read here."""

from core.fetching.fetcher import FetchedPaper, Fetcher
from core.fetching.identifiers import FetchTarget, find_fetch_targets

__all__ = ["FetchTarget", "FetchedPaper", "Fetcher", "find_fetch_targets"]
