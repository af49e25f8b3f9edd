"""Character errors of recognised pages, line by line, so that a moved table or column is not counted as noise. Pure.

Each printed line is aligned with the place on the read page that fits it best; running heads and feet are left
out, because a right reading drops them. Order is measured apart.
"""

import bisect
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.metrics import norm

_SHORTEST = 8
"""Shorter lines (page numbers, table cells) fit by chance and are left out."""
_RECURS = 3
_FITS = 0.2
_SLACK = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """Edits of all lines, their length, and how many of the lines that were found stand in printed order."""

    edits: int = 0
    length: int = 0
    found: int = 0
    in_order: int = 0


def compare(read: Sequence[str], truth: Sequence[str]) -> Aligned:
    """Compare page texts; both lists are by page. A page that was not read has lost all its lines."""
    furniture = recurring(truth)
    total = Aligned()
    for number, page in enumerate(truth):
        text = norm(read[number]) if number < len(read) else ""
        total = _add(total, _page(text, [line for line in _lines(page) if _shape(line) not in furniture]))
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


def _page(text: str, lines: Sequence[str]) -> Aligned:
    edits, places = 0, []
    for line in lines:
        errors, place = _best(line, text)
        edits += errors
        if errors <= _FITS * len(line):
            places.append(place)
    length = sum(len(line) for line in lines)
    return Aligned(edits=edits, length=length, found=len(places), in_order=_increasing(places))


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


def _increasing(places: Sequence[int]) -> int:
    """Length of the longest run of places, not needing to be adjacent, that never goes back."""
    tails: list[int] = []
    for place in places:
        at = bisect.bisect_right(tails, place)
        tails[at : at + 1] = [place]
    return len(tails)


def _add(left: Aligned, right: Aligned) -> Aligned:
    return Aligned(
        edits=left.edits + right.edits,
        length=left.length + right.length,
        found=left.found + right.found,
        in_order=left.in_order + right.in_order,
    )
