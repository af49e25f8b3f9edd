"""Shows a page of a stored paper as a picture, with the quoted lines marked."""

from collections.abc import Sequence
from pathlib import Path

from core.config import ReadingConfig
from core.domain.errors import NotInScope, ReadingStopped
from core.domain.model import Box
from core.domain.readers import PICTURE_DPI
from core.reading import worker
from core.reading.pool import ReaderCrashed, ReaderPool, ReaderTimedOut

"""Small print can be read on a screen, and a page is some hundred kilobytes."""


class PageRenderer:
    """Draws pages in the reader processes; implements ``PageImages``."""

    def __init__(self, config: ReadingConfig, readers: ReaderPool) -> None:
        self._config = config
        self._readers = readers

    async def render(self, pdf: Path, *, page: int, boxes: Sequence[Box] = (), dpi: int | None = None) -> bytes:
        """PNG of ``page`` (from 1) with ``boxes`` marked, in ``PICTURE_DPI`` where ``dpi`` is not given.

        Raises ``ReadingStopped`` or ``NotInScope``.
        """
        if page < 1:
            raise NotInScope("There is no such page.")
        seconds = self._config.seconds_per_page
        fine = dpi or PICTURE_DPI
        try:
            return await self._readers.run(worker.render_page, pdf, page, tuple(boxes), fine, seconds=seconds)
        except (ReaderTimedOut, ReaderCrashed) as error:
            raise ReadingStopped(f"Page {page:,} could not be drawn.") from error
