"""What looks into a PDF, as ports: its reader, pictures of its pages, and who reads pages that OCR can hardly read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from core.domain.model import Box, Reading
from core.domain.progress import Progress

PICTURE_DPI = 150
"""Resolution of page pictures where none is asked for."""


class Transcriber(Protocol):
    """Reads the pictures of pages that OCR can hardly read."""

    @property
    def identity(self) -> str:
        """The name of the model that reads; empty for the null object."""

    async def transcribed(self, picture: bytes) -> str:
        """The words on a page, given as PNG: headings behind ``#``, cells of a table parted by ``|``.

        Raises ``ModelUnavailable``.
        """


class NoTranscriber:
    """The null object: such pages stay as they are."""

    identity = ""

    async def transcribed(self, picture: bytes) -> str:
        """No words."""
        return ""


NO_TRANSCRIBER = NoTranscriber()


class PdfReader(Protocol):
    """Turns a PDF into passages, in a process of its own."""

    async def read(
        self,
        pdf: Path,
        *,
        paper_id: str,
        progress: Progress,
        transcriber: Transcriber = NO_TRANSCRIBER,
    ) -> Reading:
        """Read ``pdf``. Raises ``PaperRejected`` (its subclass says why) or ``ReadingStopped``.

        ``transcriber`` is shown the pages that OCR can hardly read.
        """

    async def close(self) -> None:
        """End the reader's processes."""


class PageImages(Protocol):
    """Shows a page as a picture."""

    async def render(self, pdf: Path, *, page: int, boxes: Sequence[Box] = (), dpi: int | None = None) -> bytes:
        """PNG of ``page`` (from 1) with ``boxes`` marked, as fine as configured where ``dpi`` is not given.

        Raises ``ReadingStopped`` or ``NotInScope``.
        """
