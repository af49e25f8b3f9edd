"""Marked pages: does the mark on the page picture lie on the quoted words, by geometry.

For each piece of gold evidence, what would be quoted of it is sought in the library's passages and the boxes that
would be marked are compared with where the words are: by PyMuPDF's own words of the file, and on image papers by a
second OCR of the page at another resolution, line by line. A piece is covered when the middle of every printed word
(or part of a line) of it lies in a marked box.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from core.domain.model import Box, Passage
from core.grounding.quotes import PassageSpan, build_quote_spans
from core.text import alphanumeric_key_with_offsets
from evals.datasets import Corpus, Gold
from evals.metrics import squeeze
from evals.reports import OURS, Case, Json, Run, progress_bar
from evals.session import Session
from evals.statistics import mean, share

if TYPE_CHECKING:
    import pymupdf

Rect: TypeAlias = tuple[float, float, float, float]

OCR_DPI = 240
"""Another resolution than the product reads at, so that the two readings do not err together."""
MARGINS: Rect = (1.0, 1.0, 2.0, 2.0)
"""How far a mark reaches beyond its box, as it is drawn: left, above, right, below, in points."""
_FOUND = 85.0
"""Likeness from which the second OCR has found the evidence at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A piece of printed text with its place; ``letters`` are squeezed."""

    letters: str
    rect: Rect


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """What became of one piece of evidence. ``needed`` counts the marked boxes that hold a word of it."""

    question: str
    gold: Gold
    pieces: int = 0
    covered: int = 0
    boxes: int = 0
    needed: int = 0
    lost: str = ""

    @property
    def whole(self) -> bool:
        """Whether every piece of it is marked."""
        return not self.lost and self.pieces > 0 and self.covered == self.pieces


class Pages(Protocol):
    """Where printed pieces of a page are known from."""

    def __call__(self, path: Path, page: int) -> Sequence[Printed]:
        """The printed pieces of a page (from 1), in reading order."""


async def run(corpus: Corpus, session: Session, *, limit: int | None, settings: Mapping[str, Json]) -> Run:
    """Mark every piece of evidence and compare the marks with the words."""
    await session.ingest(corpus.papers)
    spans = [(question.id, gold) for question in corpus.answerable for gold in question.gold][:limit]
    ids = {name: paper_id for paper_id, name in session.names.items()}
    passages = {
        file: await session.engine.papers.passages(session.scope, ids[file])
        for file in sorted({gold.paper for _, gold in spans})
        if file in ids
    }
    found = []
    with progress_bar("evidence", len(spans)) as step:
        for question, gold in spans:
            step(question)
            scanned = gold.paper in corpus.image_papers
            path = corpus.path(gold.paper)
            pieces = await asyncio.to_thread(_read if scanned else _words, path, gold.page) if path else ()
            compare = asyncio.to_thread(judged, question, gold, passages.get(gold.paper, ()), pieces, scanned=scanned)
            found.append(await compare)
    return _report(corpus, found, settings)


def judged(
    question: str, gold: Gold, passages: Sequence[Passage], printed: Sequence[Printed], *, scanned: bool
) -> Marked:
    """One piece of evidence: what would be marked, and what of the printed words that covers."""
    wanted = squeeze(gold.evidence)
    boxes = marks(gold, passages, scanned=scanned)
    pieces = list(places(wanted, printed, scanned=scanned))
    if not pieces:
        return Marked(question=question, gold=gold, lost="the reference does not find it on the page")
    if not boxes:
        return Marked(question=question, gold=gold, pieces=len(pieces), lost="no passage of the page holds it")
    covered = sum(any(_holds(box, rect) for box in boxes) for rect in pieces)
    needed = sum(any(_holds(box, rect) for rect in pieces) for box in boxes)
    return Marked(question=question, gold=gold, pieces=len(pieces), covered=covered, boxes=len(boxes), needed=needed)


def marks(gold: Gold, passages: Sequence[Passage], *, scanned: bool) -> tuple[Box, ...]:
    """The boxes that a footnote with this evidence would mark on the gold page; none where it is not found.

    Evidence that the reader has in two passages is marked in both, as an answer that quotes both would.
    """
    here = sorted((item for item in passages if item.page == gold.page), key=lambda item: item.ordinal)
    letters = ""
    owners: list[tuple[Passage, int]] = []
    for passage in here:
        squeezed, offsets = alphanumeric_key_with_offsets(passage.text)
        letters += squeezed
        owners += [(passage, offset) for offset in offsets]
    position = _position(squeeze(gold.evidence), letters, scanned=scanned)
    if position is None or len(letters) != len(owners):
        return ()
    stretches: dict[str, tuple[Passage, int, int]] = {}
    for passage, offset in owners[position[0] : position[1]]:
        _, start, _ = stretches.get(passage.id, (passage, offset, offset))
        stretches[passage.id] = (passage, start, offset + 1)
    spans = build_quote_spans(
        PassageSpan(passage=passage, start=start, end=end) for passage, start, end in stretches.values()
    )
    return tuple(box for span in spans for box in span.boxes if box.page == gold.page)


def places(wanted: str, printed: Sequence[Printed], *, scanned: bool) -> Iterator[Rect]:
    """Where the printed pieces of ``wanted`` are; a piece that begins or ends inside a line is cut by its letters."""
    letters = "".join(piece.letters for piece in printed)
    position = _position(wanted, letters, scanned=scanned)
    at = 0
    for piece in printed:
        start, at = at, at + len(piece.letters)
        low, high = (max(position[0], start), min(position[1], at)) if position else (0, 0)
        if low < high:
            x0, y0, x1, y1 = piece.rect
            letter = (x1 - x0) / len(piece.letters)
            yield x0 + (low - start) * letter, y0, x1 - (at - high) * letter, y1


def _position(wanted: str, letters: str, *, scanned: bool) -> tuple[int, int] | None:
    from rapidfuzz import fuzz

    at = letters.find(wanted)
    if at >= 0 or not scanned:
        return (at, at + len(wanted)) if at >= 0 and wanted else None
    found = fuzz.partial_ratio_alignment(wanted, letters, score_cutoff=_FOUND)
    return (found.dest_start, found.dest_end) if found and len(letters) > len(wanted) else None


def _holds(box: Box, rect: Rect) -> bool:
    """Whether the middle of a printed piece lies under the mark."""
    x, y = (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2
    left, above, right, below = MARGINS
    return box.x0 - left <= x <= box.x1 + right and box.y0 - above <= y <= box.y1 + below


def _words(path: Path, number: int) -> Sequence[Printed]:
    """The file's own words, in its own order, as the page is displayed."""
    import pymupdf

    with pymupdf.open(path) as document:
        page = document[number - 1]
        return [
            Printed(letters=squeeze(word[4]), rect=tuple(pymupdf.Rect(word[:4]) * page.rotation_matrix))
            for word in page.get_text("words")
            if squeeze(word[4])
        ]


def _read(path: Path, number: int) -> Sequence[Printed]:
    """The lines of the page's picture, column by column."""
    import pymupdf

    with pymupdf.open(path) as document:
        page = document[number - 1]
        lines = _ocr(page)
        middle = page.rect.width / 2
    return sorted(lines, key=lambda line: ((line.rect[0] + line.rect[2]) / 2 > middle, line.rect[1]))


def _ocr(page: "pymupdf.Page") -> list[Printed]:
    import numpy as np

    picture = page.get_pixmap(dpi=OCR_DPI, alpha=False)
    dots = np.frombuffer(picture.samples, dtype=np.uint8).reshape(picture.height, picture.width, picture.n)
    found = _engine()(dots[:, :, ::-1])
    scale = 72 / OCR_DPI
    lines = []
    for corners, text in zip(found.boxes if found.boxes is not None else (), found.txts or (), strict=True):
        xs, ys = [float(x) * scale for x, _ in corners], [float(y) * scale for _, y in corners]
        if squeeze(text):
            lines.append(Printed(letters=squeeze(text), rect=(min(xs), min(ys), max(xs), max(ys))))
    return lines


@cache
def _engine() -> Any:  # the library has no types
    """One OCR engine a run; it takes a second to load."""
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "critical"})


def _report(corpus: Corpus, found: Sequence[Marked], settings: Mapping[str, Json]) -> Run:
    located = [item for item in found if item.pieces]
    scanned = [item for item in located if item.gold.paper in corpus.image_papers]
    measures = {
        "covered": share(item.whole for item in located),
        "covered_scanned": share(item.whole for item in scanned),
        "words_covered": mean(item.covered / item.pieces for item in located),
        "marks_needed": mean(item.needed / item.boxes for item in located if item.boxes),
        "located": share(bool(item.pieces) for item in found),
    }
    loud = [f"{item.question} {item.gold.paper} p. {item.gold.page}: {_why(item)}" for item in found if not item.whole]
    return Run(
        command="page-marks",
        corpus=str(corpus.root),
        settings=settings,
        systems={OURS: measures},
        cases=[_case(item) for item in found],
        loud=loud,
    )


def _why(item: Marked) -> str:
    return item.lost or f"{item.covered} of {item.pieces} words are marked"


def _case(item: Marked) -> Case:
    return {
        "question": item.question,
        "paper": item.gold.paper,
        "page": item.gold.page,
        "words": item.pieces,
        "covered": item.covered,
        "boxes": item.boxes,
        "needed": item.needed,
        "whole": item.whole,
        "lost": item.lost,
    }
