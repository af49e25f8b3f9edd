"""What a reader process does: check a PDF, read one page, analyse all pages, draw a page; and its own limits.

These functions run in processes of their own, never in the bot's; each opens the file anew and closes it, so
that nothing of a paper stays behind and a deleted file is gone. A process limits its memory and threads before it
opens anything, so that a hostile file can take down that process and nothing else.
"""

import math
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.config import ReadingConfig
from core.domain.errors import FootnoteError, NotInScope, ReadingStopped
from core.domain.model import Box, Reading
from core.reading import intake
from core.reading.blocks import PageContent
from core.reading.page import ocr
from core.reading.page.inspection import extract_page_text
from core.reading.page.rotation import UprightPage, keep_orientation, load_upright_page
from core.telemetry_optout import disable_telemetry

if TYPE_CHECKING:
    import pymupdf

Result = TypeVar("Result")
OUT_OF_TIME = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else 0
"""Exit code of a process that worked for longer than it may."""


def init_worker(memory_megabytes: int) -> None:
    """Bound this process before its first task."""
    _limit_threads()
    _limit_memory(memory_megabytes)


def run_limited(task: Callable[..., Result], seconds: float, *args: object) -> Result:
    """The task's result; a task that works longer than ``seconds`` of processor time ends the process."""
    with _limit_processor_time(seconds):
        return task(*args)


def inspect_document(pdf: Path, config: ReadingConfig) -> intake.DocumentInfo:
    """See ``intake.inspect_document``. Raises ``PaperRejected`` or, short of memory, ``ReadingStopped``."""
    with _translate_memory_errors(config.memory_megabytes):
        return intake.inspect_document(pdf, config)


def read_page(pdf: Path, number: int, config: ReadingConfig, ligatures: bool) -> PageContent:
    """Page ``number`` (from 1) with its blocks. Raises ``ReadingStopped`` where memory ran out."""
    with _translate_memory_errors(config.memory_megabytes):
        document = intake.open_pdf(pdf)
        try:
            of_picture = ocr.detect_orientation if config.ocr else keep_orientation
            return _read_upright_page(load_upright_page(document, number, of_picture), number, config, ligatures)
        except (FootnoteError, MemoryError):
            raise
        except Exception as error:
            if _is_memory_error(error):
                raise MemoryError from error
            return unreadable_page(number, "it is damaged")
        finally:
            document.close()


def unreadable_page(number: int, why: str, width: float = 0.0, height: float = 0.0) -> PageContent:
    """A page that is in the paper and could not be read."""
    note = f"Page {number:,} could not be read: {why}."
    return PageContent(number=number, width=width, height=height, kind="unreadable", notes=(note,))


def _read_upright_page(turned: UprightPage, number: int, config: ReadingConfig, ligatures: bool) -> PageContent:
    from core.reading.page import layout

    seen = extract_page_text(turned, number, config, ligatures=ligatures)
    page = turned.page
    return PageContent(
        number=number,
        width=page.rect.width,
        height=page.rect.height,
        kind=seen.kind,
        blocks=layout.segment_page(page, seen.lines) if seen.lines else (),
        from_ocr=seen.from_ocr,
        notes=seen.notes,
        confidence=seen.confidence,
        layer=seen.layer,
    )


def analyse_paper(pages: Sequence[PageContent], paper_id: str, file_metadata: Mapping[str, str]) -> Reading:
    """All pages of a paper as one reading; pure, but long enough to be kept off the event loop."""
    from core.reading.paper import structure

    return structure.analyse_paper(pages, paper_id=paper_id, file_metadata=file_metadata)


def render_page(pdf: Path, number: int, boxes: Sequence[Box], dpi: int) -> bytes:
    """PNG of the page as it was read, its boxes marked. Raises ``NotInScope`` where there is no such page."""
    import pymupdf

    document = intake.open_pdf(pdf)
    try:
        if number > document.page_count:
            raise NotInScope(f"The paper ends with page {document.page_count:,}; there is no page {number:,}.")
        page = load_upright_page(document, number, ocr.detect_orientation).page
        pymupdf.TOOLS.set_aa_level(8)  # the layout model turns smoothing off for the whole process
        picture = page.get_pixmap(dpi=dpi, alpha=False, annots=False)
        return bytes(_highlight_boxes(picture, boxes, dpi / 72).tobytes("png"))
    finally:
        document.close()


def _highlight_boxes(picture: "pymupdf.Pixmap", boxes: Sequence[Box], scale: float) -> "pymupdf.Pixmap":
    """The picture with a yellow ground under each box, as a text marker leaves it: letters stay dark."""
    import numpy as np
    import pymupdf

    dots = np.frombuffer(picture.samples, dtype=np.uint8).reshape(picture.height, picture.width, picture.n).copy()
    for box in boxes:
        x0, x1 = (max(0, int(x * scale)) for x in (box.x0 - 1, box.x1 + 2))
        y0, y1 = (max(0, int(y * scale)) for y in (box.y0 - 1, box.y1 + 2))
        dots[y0:y1, x0:x1, 2] = (dots[y0:y1, x0:x1, 2].astype(np.uint16) * 2 // 5).astype(np.uint8)
    return pymupdf.Pixmap(pymupdf.csRGB, picture.width, picture.height, dots.tobytes(), False)


@contextmanager
def _limit_processor_time(seconds: float) -> Iterator[None]:
    """Have the system end this process with ``OUT_OF_TIME`` after ``seconds`` more of work, where it can."""
    try:
        import resource
    except ImportError:  # Windows: the wall clock alone counts
        yield
        return
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))


def _limit_memory(megabytes: int) -> None:
    """Let this process grow by at most ``megabytes`` of address space from now on, where the system can."""
    try:
        import resource
    except ImportError:  # Windows: time and page limits still hold
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = _address_space() + megabytes * intake.MEGABYTE
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _address_space() -> int:
    import resource

    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0
    return int(statm.read_text().split()[0]) * resource.getpagesize()


def _limit_threads() -> None:
    """Hold the numeric libraries of this process to one thread: the pages run side by side already.

    onnxruntime takes no default from the environment, and the layout models make their own sessions, so
    the options they start from are narrowed before those models load.
    """
    disable_telemetry()
    import onnxruntime

    original = onnxruntime.SessionOptions

    class OneThread(original):  # type: ignore[misc,valid-type]
        def __init__(self) -> None:
            super().__init__()
            self.intra_op_num_threads = 1
            self.inter_op_num_threads = 1

    onnxruntime.SessionOptions = OneThread


def _is_memory_error(error: BaseException) -> bool:
    """Whether a native library's own exception means that memory ran out."""
    words = str(error).lower()
    return isinstance(error, MemoryError) or any(mark in words for mark in ("bad_alloc", "malloc", "out of memory"))


@contextmanager
def _translate_memory_errors(megabytes: int) -> Iterator[None]:
    """Give running out of memory the words of the limit."""
    try:
        yield
    except MemoryError as error:
        raise ReadingStopped(
            f"Reading this file needs more than the {megabytes:,} MB of memory that a reader may use."
        ) from error
