"""What a reader process does: look a PDF over, read one page, make sense of all pages, draw a page.

These functions run in processes of their own, never in the bot's; each opens the file anew and closes it, so
that nothing of a paper stays behind and a deleted file is gone.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.config import ReadingConfig
from core.domain.errors import FootnoteError, NotInScope
from core.domain.model import Box, Reading
from core.reading import intake, limits
from core.reading.blocks import PageRead
from core.reading.page import ocr
from core.reading.page.inspection import look
from core.reading.page.rotation import Upright, as_shown, upright

if TYPE_CHECKING:
    import pymupdf


def prepare(memory_megabytes: int) -> None:
    """Bound this process before its first task."""
    limits.confine_threads()
    limits.confine_memory(memory_megabytes)


def survey(pdf: Path, config: ReadingConfig) -> intake.Survey:
    """See ``intake.survey``. Raises ``PaperRejected`` or, short of memory, ``ReadingStopped``."""
    with limits.memory_named(config.memory_megabytes):
        return intake.survey(pdf, config)


def read_page(pdf: Path, number: int, config: ReadingConfig, ligatures: bool) -> PageRead:
    """Page ``number`` (from 1) with its blocks. Raises ``ReadingStopped`` where memory ran out."""
    with limits.memory_named(config.memory_megabytes):
        document = intake.open_pdf(pdf)
        try:
            of_picture = ocr.turn_of if config.ocr else as_shown
            return _page(upright(document, number, of_picture), number, config, ligatures)
        except (FootnoteError, MemoryError):
            raise
        except Exception as error:
            if limits.is_memory(error):
                raise MemoryError from error
            return unread(number, "it is damaged")
        finally:
            document.close()


def unread(number: int, why: str, width: float = 0.0, height: float = 0.0) -> PageRead:
    """A page that is in the paper and could not be read."""
    note = f"Page {number:,} could not be read: {why}."
    return PageRead(number=number, width=width, height=height, kind="unreadable", notes=(note,))


def _page(turned: Upright, number: int, config: ReadingConfig, ligatures: bool) -> PageRead:
    from core.reading.page import layout

    seen = look(turned, number, config, ligatures=ligatures)
    page = turned.page
    return PageRead(
        number=number,
        width=page.rect.width,
        height=page.rect.height,
        kind=seen.kind,
        blocks=layout.page_blocks(page, seen.lines) if seen.lines else (),
        from_ocr=seen.from_ocr,
        notes=seen.notes,
        sureness=seen.sureness,
        layer="" if seen.from_ocr else turned.layer,
    )


def understand(pages: Sequence[PageRead], paper_id: str, file_metadata: Mapping[str, str]) -> Reading:
    """All pages of a paper as one reading; pure, but long enough to be kept off the event loop."""
    from core.reading.paper import structure

    return structure.understand(pages, paper_id=paper_id, file_metadata=file_metadata)


def draw(pdf: Path, number: int, boxes: Sequence[Box], dpi: int) -> bytes:
    """PNG of the page as it was read, its boxes marked. Raises ``NotInScope`` where there is no such page."""
    import pymupdf

    document = intake.open_pdf(pdf)
    try:
        if number > document.page_count:
            raise NotInScope(f"The paper ends with page {document.page_count:,}; there is no page {number:,}.")
        page = upright(document, number, ocr.turn_of).page
        pymupdf.TOOLS.set_aa_level(8)  # the layout model turns smoothing off for the whole process
        picture = page.get_pixmap(dpi=dpi, alpha=False, annots=False)
        return bytes(_marked(picture, boxes, dpi / 72).tobytes("png"))
    finally:
        document.close()


def _marked(picture: "pymupdf.Pixmap", boxes: Sequence[Box], scale: float) -> "pymupdf.Pixmap":
    """The picture with a yellow ground under each box, as a text marker leaves it: letters stay dark."""
    import numpy as np
    import pymupdf

    dots = np.frombuffer(picture.samples, dtype=np.uint8).reshape(picture.height, picture.width, picture.n).copy()
    for box in boxes:
        x0, x1 = (max(0, int(x * scale)) for x in (box.x0 - 1, box.x1 + 2))
        y0, y1 = (max(0, int(y * scale)) for y in (box.y0 - 1, box.y1 + 2))
        dots[y0:y1, x0:x1, 2] = (dots[y0:y1, x0:x1, 2].astype(np.uint16) * 2 // 5).astype(np.uint8)
    return pymupdf.Pixmap(pymupdf.csRGB, picture.width, picture.height, dots.tobytes(), False)
