"""Measures of reading: headings, captions, reading order, evidence and character errors. Pure.

They work on a plain ``PaperRead``, so that a run can be scored again from its JSON.
"""

import bisect
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.datasets import Caption, Gold, Probe, Structure
from evals.metrics import TOLERANCE, Found, norm, squeeze, stands_in

_SHORTEST = 8
"""Shorter lines (page numbers, table cells) fit by chance and are left out."""
_RECURS = 3
_FITS = 0.2
_SLACK = 3
_CAPTION_LETTERS = 24
"""Letters of a caption's start that must agree; what is printed behind a short caption is not part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRead:
    """What a reader made of one paper. ``passages`` are (kind, passage) in reading order.

    ``captions`` are (page, text), from caption passages, figures and the first line of tables; ``labels`` name
    each table and figure once ("Table 3"). ``references`` are the entries of the reference list with their page.
    """

    paper: str
    title: str
    authors: tuple[str, ...]
    headings: tuple[tuple[str, int], ...]
    captions: tuple[tuple[int, str], ...]
    passages: tuple[tuple[str, Found], ...]
    tables: int
    figures: int
    kind: str = ""
    warnings: tuple[str, ...] = ()
    references: tuple[tuple[str, int], ...] = ()


def headings_in_order(read: Sequence[tuple[str, int]], printed: Sequence[tuple[str, int]]) -> int:
    """How many headings agree in letters, digits and page, in printed order (longest common subsequence)."""
    from rapidfuzz.distance import LCSseq

    left, right = ([(squeeze(text), page) for text, page in headings] for headings in (read, printed))
    return int(LCSseq.similarity(left, right))


def title_right(read: PaperRead, printed: Structure) -> bool:
    """The same letters and digits."""
    return squeeze(read.title) == squeeze(printed.title)


def authors_right(read: PaperRead, printed: Structure) -> bool:
    """The same names in the same order, letters and digits."""
    return [squeeze(name) for name in read.authors] == [squeeze(name) for name in printed.authors]


def caption_found(caption: Caption, read: PaperRead) -> bool:
    """Whether a caption on that page begins as the printed one does."""
    wanted = squeeze(caption.start)
    return any(page == caption.page and _same_start(wanted, squeeze(text)) for page, text in read.captions)


def _same_start(wanted: str, text: str) -> bool:
    letters = min(_CAPTION_LETTERS, len(wanted), max(len(text), 8))
    return text[:letters] == wanted[:letters]


def probe_adjacent(probe: Probe, body: str) -> bool:
    """Whether ``after`` comes directly behind ``before`` in the squeezed running text ``body``."""
    return squeeze(probe.before) + squeeze(probe.after) in body


def running_text(read: PaperRead) -> str:
    """The squeezed text of the body in reading order; what floats or stands apart is left out."""
    return squeeze("".join(found.text for kind, found in read.passages if kind in ("text", "list", "formula")))


def evidence_reachable(span: Gold, read: PaperRead, image_papers: frozenset[str]) -> bool:
    """Whether one passage of the page holds the evidence, or two of it that follow each other where it is cut."""
    words = squeeze(span.evidence)
    tolerance = TOLERANCE if span.paper in image_papers else 0.0
    on_page = [squeeze(found.text) for _, found in read.passages if found.covers(span)]
    return any(stands_in(words, text, tolerance=tolerance) for text in on_page)


def evidence_in_two(span: Gold, read: PaperRead) -> bool:
    """Whether the evidence starts at the end of a passage on its page and goes on at the start of a later one."""
    words = squeeze(span.evidence)
    texts = [(found, squeeze(found.text)) for _, found in read.passages if found.paper == span.paper]
    for number, (found, text) in enumerate(texts):
        if not found.covers(span):
            continue
        size = next((count for count in range(len(words) - 1, 0, -1) if text.endswith(words[:count])), 0)
        if size and any(other.startswith(words[size:]) for _, other in texts[number + 1 : number + 12]):
            return True
    return False


def page_text(read: PaperRead, page: int) -> str:
    """Everything that was read on a page, headings too, in reading order."""
    return "\n".join(found.text for _, found in read.passages if found.page == page)


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterErrors:
    """Edits of all lines, their length, and how many of the lines that were found stand in printed order."""

    edits: int = 0
    length: int = 0
    found: int = 0
    in_order: int = 0


def compare_characters(read: Sequence[str], truth: Sequence[str]) -> CharacterErrors:
    """Character errors, line by line. Both lists are by page; a page that was not read has lost all its lines.

    Each printed line is aligned with the stretch of the read page that fits it best, so that a moved table or column
    is not counted as noise; order is counted apart. Running heads and feet are left out: a right reading drops them.
    """
    furniture = recurring(truth)
    total = CharacterErrors()
    for number, page in enumerate(truth):
        text = norm(read[number]) if number < len(read) else ""
        total = _add(total, _align_page(text, [line for line in _lines(page) if _shape(line) not in furniture]))
    return total


def recurring(pages: Sequence[str]) -> frozenset[str]:
    """Lines that recur, but for their digits, on at least three pages: running heads and feet."""
    counts = Counter(shape for page in pages for shape in {_shape(line) for line in _lines(page)})
    return frozenset(shape for shape, times in counts.items() if times >= _RECURS)


def _lines(page: str) -> Iterator[str]:
    for line in page.splitlines():
        words = norm(line)
        if len(words) >= _SHORTEST:
            yield words


def _shape(line: str) -> str:
    return re.sub(r"\d+", "#", line)


def _align_page(text: str, lines: Sequence[str]) -> CharacterErrors:
    edits, positions = 0, []
    for line in lines:
        errors, position = _best(line, text)
        edits += errors
        if errors <= _FITS * len(line):
            positions.append(position)
    length = sum(len(line) for line in lines)
    return CharacterErrors(edits=edits, length=length, found=len(positions), in_order=_increasing(positions))


def _best(line: str, text: str) -> tuple[int, int]:
    """Least edits that turn some stretch of ``text`` into ``line``, and where that stretch begins."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import Levenshtein

    if line in text:
        return 0, text.index(line)
    if len(text) < len(line):
        return min(len(line), Levenshtein.distance(line, text)), 0
    near = fuzz.partial_ratio_alignment(line, text)
    if near is None:
        return len(line), 0
    starts = range(max(0, near.dest_start - _SLACK), near.dest_start + _SLACK + 1)
    ends = range(near.dest_end - _SLACK, near.dest_end + _SLACK + 1)
    least = min(Levenshtein.distance(line, text[start:end]) for start in starts for end in ends if end > start)
    return min(least, len(line)), near.dest_start


def _increasing(positions: Sequence[int]) -> int:
    """Length of the longest run of places, not needing to be adjacent, that never goes back."""
    tails: list[int] = []
    for position in positions:
        at = bisect.bisect_right(tails, position)
        tails[at : at + 1] = [position]
    return len(tails)


def _add(left: CharacterErrors, right: CharacterErrors) -> CharacterErrors:
    return CharacterErrors(
        edits=left.edits + right.edits,
        length=left.length + right.length,
        found=left.found + right.found,
        in_order=left.in_order + right.in_order,
    )
