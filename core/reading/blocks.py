"""What one page looks like after it was read and before the paper is analysed: lines in typed boxes; and rectangles.

A worker process turns each page into a ``PageContent`` on its own, so that pages are read side by side; ``structure``
then takes all pages of a paper at once and needs no PDF. Rectangles are (x0, y0, x1, y1) in PDF points, from the top
left corner of the page as it is displayed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Rect: TypeAlias = tuple[float, float, float, float]
PageKind: TypeAlias = Literal["text", "text over scan", "scanned", "blank", "unreadable"]
BlockKind: TypeAlias = Literal[
    "title",
    "section-header",
    "text",
    "list-item",
    "table",
    "picture",
    "caption",
    "formula",
    "footnote",
    "page-header",
    "page-footer",
]
HEADER_FOOTER_KINDS: frozenset[BlockKind] = frozenset(["page-header", "page-footer"])
"""Kinds of blocks at a page's edges that belong to no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of characters in one style; ``superscript`` marks footnote marks and affiliations."""

    text: str
    rect: Rect
    size: float
    font: str
    bold: bool = False
    italic: bool = False
    superscript: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A printed line, its spans from left to right; ``vertical`` where it was set turned by 90 degrees."""

    text: str
    rect: Rect
    spans: tuple[Span, ...]
    vertical: bool = False

    @property
    def size(self) -> float:
        """Font size of most of the line's characters, in points."""
        weight: dict[float, int] = {}
        for span in self.spans:
            weight[span.size] = weight.get(span.size, 0) + len(span.text)
        return max(weight, key=lambda size: weight[size]) if weight else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table as the layout model saw it: rows of cell texts, one rectangle a row."""

    cells: tuple[tuple[str, ...], ...]
    row_rects: tuple[Rect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A typed box with its lines in reading order; ``image`` is the PNG crop of a picture."""

    kind: BlockKind
    rect: Rect
    lines: tuple[Line, ...] = ()
    grid: Grid | None = None
    image: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContent:
    """One page, from 1. ``notes`` are findings for the paper's warnings (hidden text left out, …).

    ``layer`` is the file's own text of the page, unrepaired and in the order of the file, against which a quote is
    checked; empty where the page was read by OCR. ``confidence`` is OCR's own, 0 to 1, in what it read, and
    ``read_by`` is the name of the vision model that read the page instead.
    """

    number: int
    width: float
    height: float
    kind: PageKind
    blocks: tuple[Block, ...] = ()
    from_ocr: bool = False
    notes: tuple[str, ...] = ()
    layer: str = ""
    confidence: float = 1.0
    read_by: str = ""


QuarterTurns = int
"""Quarter turns clockwise that bring text upright: 0, 1 (it reads upwards) or 3 (it reads downwards)."""


def area(rect: Rect) -> float:
    """Area in square points; 0 for an empty rectangle."""
    return max(0.0, rect[2] - rect[0]) * max(0.0, rect[3] - rect[1])


def union(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all of ``rects`` (at least one)."""
    each = list(rects)
    return (min(r[0] for r in each), min(r[1] for r in each), max(r[2] for r in each), max(r[3] for r in each))


def with_lines(kind: BlockKind, lines: Sequence[Line]) -> Block:
    """A block of ``lines`` (at least one), as large as they are."""
    return Block(kind=kind, rect=union(line.rect for line in lines), lines=tuple(lines))


def intersection_area(rect: Rect, other: Rect) -> float:
    """Area that two rectangles share."""
    return max(0.0, horizontal_overlap(rect, other)) * max(0.0, vertical_overlap(rect, other))


def contained_fraction(inner: Rect, outer: Rect) -> float:
    """Which share of ``inner`` lies in ``outer``, 0 to 1."""
    size = area(inner)
    if size == 0:
        x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
        return 1.0 if outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3] else 0.0
    return intersection_area(inner, outer) / size


def horizontal_overlap(rect: Rect, other: Rect) -> float:
    """Length of the common interval on the x axis; negative is the gap between them."""
    return min(rect[2], other[2]) - max(rect[0], other[0])


def vertical_overlap(rect: Rect, other: Rect) -> float:
    """Length of the common interval on the y axis; negative is the gap between them."""
    return min(rect[3], other[3]) - max(rect[1], other[1])


def is_on_same_line(rect: Rect, other: Rect) -> bool:
    """Whether two pieces are on the same printed line: they share most of the lower one's height."""
    low = min(rect[3] - rect[1], other[3] - other[1])
    return vertical_overlap(rect, other) > 0.5 * low


def rotate_rect(rect: Rect, turn: QuarterTurns, width: float, height: float) -> Rect:
    """``rect`` on the page (``width`` by ``height``) after ``turn`` quarter turns clockwise."""
    x0, y0, x1, y1 = rect
    if turn == 1:
        return (height - y1, x0, height - y0, x1)
    if turn == 2:
        return (width - x1, height - y1, width - x0, height - y0)
    if turn == 3:
        return (y0, width - x1, y1, width - x0)
    return rect
