"""Brings a paper that was named by arXiv id, DOI or address: found, checked and written down, never read here."""

from core.fetching.fetcher import Fetched, Fetcher
from core.fetching.identifiers import Wanted, wanted_in

__all__ = ["Fetched", "Fetcher", "Wanted", "wanted_in"]
