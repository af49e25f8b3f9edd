"""Papers that are named by arXiv number, DOI or address: recognised in a message, and their PDFs fetched."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from core.config import FetchConfig
from core.domain.errors import PaperRejected
from core.fetching import FetchTarget, find_fetch_targets

if TYPE_CHECKING:
    from core.fetching.fetcher import Fetcher

__all__ = ["FetchTarget", "Fetching", "find_fetch_targets"]

MOST = 20
"""Papers that one request may name."""


class Fetching:
    """Fetches papers where that is switched on; nothing is sent anywhere before."""

    def __init__(self, config: FetchConfig) -> None:
        self._config = config

    @property
    def enabled(self) -> bool:
        """Whether papers may be fetched at all."""
        return self._config.enabled

    def wanted(self, words: str) -> Sequence[FetchTarget]:
        """The papers that ``words`` name by arXiv id, DOI or address. Raises ``PaperRejected`` for too many."""
        found = find_fetch_targets(words)
        if len(found) > MOST:
            raise PaperRejected(f"That names {len(found)} papers; at most {MOST} are fetched at a time.")
        return found

    async def fetch(self, wanted: FetchTarget, to: Path) -> None:
        """Write the open PDF of ``wanted`` to ``to``.

        Raises ``PaperRejected``, ``RateLimited`` or ``PlatformFailure``.
        """
        if not self.enabled:
            raise PaperRejected(
                "Fetching papers from the internet is switched off here (FOOTNOTE_FETCH_ENABLED); "
                "please upload the PDF."
            )
        await self._fetcher.fetch(wanted, to)

    @cached_property
    def _fetcher(self) -> "Fetcher":
        from core.fetching.fetcher import Fetcher

        return Fetcher()
