"""What one page looks like after it was read and before it is understood: lines in typed boxes.

This is the seam inside the reading room: a worker process turns each page into a ``PageRead`` on its own,
so pages can be read side by side; ``structure`` then sees all pages of a paper at once and needs no PDF.
Coordinates are PDF points from the top left corner of the page as it is displayed.
"""

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
"""Kinds of what stands at a page's edges and belongs to no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of characters in one style; ``superscript`` marks footnote signs and affiliations."""

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

    ``layer`` is the file's own text of the page, unmended and in its own order, against which a quote is checked;
    empty where the page was read by OCR. ``sureness`` is OCR's own confidence, 0 to 1, in what it read, and
    ``read_by`` names the vision model that read the page instead.
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
