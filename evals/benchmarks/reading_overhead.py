"""What reading a page costs as a multiple of the layout library's own call on the same page.

Both are measured in one process on one thread, in seconds of processor time, page by page and in turns. Pages that
need OCR are left out, since the library's call does not read them; so are blank ones, and PDFs that reading refuses.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from core.config import ReadingConfig
from core.domain.errors import PaperRejected
from core.reading import worker
from evals.benchmarks.harness import Report, Row, distribution

Result = TypeVar("Result")
CONFIG = ReadingConfig(ocr=False, max_pages=10_000)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("papers", nargs="+", type=Path, metavar="PAPER.pdf")
    parser.add_argument("--every", type=int, default=1, help="measure every n-th page only")


def run(options: argparse.Namespace) -> Report:
    """A row a paper, the ratio over all, and its distribution over the papers."""
    worker.init_worker(CONFIG.memory_megabytes)
    _call_layout(options.papers[0], 1)  # loads the models; not counted
    report = {pdf.name: row for pdf in options.papers if (row := _measure(pdf, options.every))["pages"]}
    if report:
        layout = sum(row["layout_s"] for row in report.values())
        reading = sum(row["reading_s"] for row in report.values())
        spread = distribution("ratio", [row["ratio"] for row in report.values()], "min", "p50", "max")
        report["all papers"] = {"layout_s": layout, "reading_s": reading, "ratio": reading / layout, **spread}
    return report


def _measure(pdf: Path, every: int) -> Row:
    """Pages and seconds of processor time of every ``every``-th page; no page where reading refuses the paper."""
    layout: list[float] = []
    reading: list[float] = []
    try:
        survey = worker.inspect_document(pdf, CONFIG)
    except PaperRejected:
        return {"pages": 0}
    for number in range(1, survey.pages + 1, every):
        call = partial(_call_layout, pdf, number)
        read = partial(worker.read_page, pdf, number, CONFIG, survey.ligatures)
        layout_first = len(layout) % 2 == 0
        before = _seconds(call)[0] if layout_first else 0.0
        seconds, page = _seconds(read)
        if page.kind == "text":
            reading.append(seconds)
            layout.append(before if layout_first else _seconds(call)[0])
    return _row(layout, reading)


def _row(layout: Sequence[float], reading: Sequence[float]) -> Row:
    library, whole = sum(layout), sum(reading)
    ratio = whole / library if library else 0.0
    return {"pages": len(reading), "layout_s": library, "reading_s": whole, "ratio": ratio}


def _call_layout(pdf: Path, number: int) -> None:
    import pymupdf

    document = pymupdf.open(pdf)
    document[number - 1].get_layout(return_raw=True)
    document.close()


def _seconds(call: Callable[[], Result]) -> tuple[float, Result]:
    start = time.process_time()
    result = call()
    return time.process_time() - start, result
