"""What one reading may cost: memory, threads and time, and the words for a file that goes beyond.

A reader process bounds itself before it opens anything, so that a hostile file can take down that process
and nothing else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.domain.errors import ReadingStopped
from core.telemetry_optout import disable_telemetry

MEGABYTE = 1 << 20


def limit_memory(megabytes: int) -> None:
    """Let this process grow by at most ``megabytes`` of address space from now on, where the system can."""
    try:
        import resource
    except ImportError:  # Windows: time and page limits still hold
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = _address_space() + megabytes * MEGABYTE
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _address_space() -> int:
    import resource

    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0
    return int(statm.read_text().split()[0]) * resource.getpagesize()


def limit_threads() -> None:
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


def memory_limit_error(megabytes: int) -> ReadingStopped:
    """The refusal for a file that needs more memory than the setting allows."""
    return ReadingStopped(f"Reading this file needs more than the {megabytes:,} MB of memory that a reader may use.")


def time_limit_error(seconds: float, pages: int) -> ReadingStopped:
    """The refusal for a paper that takes longer than the setting allows."""
    return ReadingStopped(f"Reading {_page_count(pages)} took longer than the limit of {seconds:,.0f} seconds.")


def page_time_limit_error(seconds: float, page: int) -> ReadingStopped:
    """The refusal for a page that takes longer than the setting allows."""
    return ReadingStopped(f"Page {page:,} could not be read within the limit of {seconds:,.0f} seconds.")


def opening_out_of_time(seconds: float) -> ReadingStopped:
    """The refusal for a file that takes longer to open and check than the setting allows."""
    return ReadingStopped(f"The PDF could not be opened within the limit of {seconds:,.0f} seconds.")


def reader_died_on_page(page: int) -> ReadingStopped:
    """The refusal for page ``page`` (from 1) on which the native reader crashed or was ended from outside."""
    return ReadingStopped(f"The PDF reader crashed on page {page:,}; only this file is affected.")


def reader_died_opening() -> ReadingStopped:
    """The refusal for a file on whose opening the native reader crashed or was ended from outside."""
    return ReadingStopped("The PDF reader crashed while opening the file; only this file is affected.")


def reader_died_joining(pages: int) -> ReadingStopped:
    """The refusal for a paper whose pages were read and whose reader crashed while it put them together."""
    read = _page_count(pages)
    return ReadingStopped(f"The PDF reader crashed after {read} had been read; only this file is affected.")


def _page_count(pages: int) -> str:
    return f"its {pages:,} pages" if pages != 1 else "its one page"


def is_memory_error(error: BaseException) -> bool:
    """Whether a native library's own exception means that memory ran out."""
    words = str(error).lower()
    return isinstance(error, MemoryError) or any(sign in words for sign in ("bad_alloc", "malloc", "out of memory"))


@contextmanager
def translate_memory_errors(megabytes: int) -> Iterator[None]:
    """Give running out of memory the words of the limit."""
    try:
        yield
    except MemoryError as error:
        raise memory_limit_error(megabytes) from error
