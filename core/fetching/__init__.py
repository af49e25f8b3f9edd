"""Downloads the open PDF of a paper that is named by arXiv id, DOI or address; reading it is another package's."""

from core.fetching.fetcher import Fetcher
from core.fetching.identifiers import FetchTarget, find_fetch_targets

__all__ = ["FetchTarget", "Fetcher", "find_fetch_targets"]
