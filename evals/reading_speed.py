"""What reading a page costs as a multiple of the layout library's own call on the same page.

    python -m evals.reading_speed PAPER.pdf …

Both are measured in one process on one thread, in seconds of processor time, page by page and turn about, so
that a busy machine slows both alike. Pages that need OCR are left out: the library's call does not read them.
So are blank ones, and PDFs that reading refuses.
"""

import argparse
import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from core.config import ReadingConfig
from core.domain.errors import PaperRejected
from core.reading import worker

Result = TypeVar("Result")
CONFIG = ReadingConfig(ocr=False, max_pages=10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Seconds of processor time for the pages of one paper: the library's layout call, and the whole reading."""

    paper: str
    pages: int
    layout: float
    reading: float

    @property
    def ratio(self) -> float:
        """Reading over layout; 1.0 would be a reading that costs nothing of its own."""
        return self.reading / self.layout if self.layout else 0.0


def measured(pdf: Path, every: int) -> Cost:
    """The cost of every ``every``-th page of a paper. Raises ``PaperRejected``."""
    survey = worker.survey(pdf, CONFIG)
    layout = reading = 0.0
    count = 0
    for number in range(1, survey.pages + 1, every):
        read = partial(worker.read_page, pdf, number, CONFIG, survey.ligatures)
        before = 0.0 if count % 2 else _seconds(partial(_layout, pdf, number))[0]
        seconds, page = _seconds(read)
        if page.kind != "text":
            continue
        reading += seconds
        layout += before or _seconds(partial(_layout, pdf, number))[0]
        count += 1
    return Cost(paper=pdf.name, pages=count, layout=layout, reading=reading)


def _layout(pdf: Path, number: int) -> None:
    import pymupdf

    document = pymupdf.open(pdf)
    document[number - 1].get_layout(return_raw=True)
    document.close()


def _seconds(call: Callable[[], Result]) -> tuple[float, Result]:
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def costs(papers: Sequence[Path], every: int = 1) -> Iterator[Cost]:
    """The cost of each paper, after the models have been loaded by a first page that is not counted."""
    worker.prepare(CONFIG.memory_megabytes)
    _layout(papers[0], 1)
    for pdf in papers:
        with contextlib.suppress(PaperRejected):
            yield measured(pdf, every)


def main() -> int:
    """Print a line a paper and the ratio over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, help="measure every n-th page only")
    chosen = parser.parse_args()
    all_costs = []
    for cost in costs(chosen.papers, chosen.every):
        if not cost.pages:
            continue
        all_costs.append(cost)
        each = f"{cost.layout / cost.pages:6.3f} {cost.reading / cost.pages:6.3f} {cost.ratio:5.2f}"
        sys.stdout.write(f"{cost.paper[:48]:48} {cost.pages:4} pages {each}\n")
    total = sum(c.reading for c in all_costs) / max(sum(c.layout for c in all_costs), 1e-9)
    sys.stdout.write(f"reading costs {total:.2f} times the layout call\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
