"""Leaves out marks that are set across the text ("DRAFT"), before the layout model builds columns around them."""

from collections.abc import Sequence
from statistics import median

from core.reading.blocks import Rect, intersection_area
from core.reading.page.lines import RawLine, line_text

MIN_SIZE = 1.5
"""Of the size of most lines, from which a line can be a mark."""
MIN_LETTERS = 4
"""Letters of a mark; brackets and initials are large as well."""
MIN_CROSSED = 3
"""Lines of text that a mark lies across."""


def remove_watermarks(lines: Sequence[RawLine]) -> Sequence[RawLine]:
    """The lines without those that are much larger than the text and lie across several lines of it."""
    if not lines:
        return lines
    usual = median(map(_size, lines))
    large = [line for line in lines if _size(line) >= MIN_SIZE * usual and _letters(line) >= MIN_LETTERS]
    text = [line["bbox"] for line in lines if _size(line) < MIN_SIZE * usual]
    marks = [id(line) for line in large if sum(_crosses(line["bbox"], other) for other in text) >= MIN_CROSSED]
    return [line for line in lines if id(line) not in marks] if marks else lines


def _size(line: RawLine) -> float:
    return max(span["size"] for span in line["spans"])


def _letters(line: RawLine) -> int:
    return sum(map(str.isalpha, line_text(line)))


def _crosses(mark: Rect, other: Rect) -> bool:
    return intersection_area(mark, other) > 0
