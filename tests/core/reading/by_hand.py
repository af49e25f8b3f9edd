"""Lines, blocks and pages made by hand, so that understanding a paper is tested without a PDF or a model."""

from core.domain.model import Reading
from core.reading.blocks import Block, BlockKind, Grid, Line, PageContent, Span, union
from core.reading.paper.structure import analyse_paper

PAPER = "ab" * 32
LEADING = 12.0


def span(
    text: str, x: float = 72, y: float = 100, *, size: float = 10, bold: bool = False, italic: bool = False
) -> Span:
    font = "Serif" + ("-Bold" if bold else "") + ("-Italic" if italic else "")
    rect = (x, y, x + 0.5 * size * len(text), y + size)
    return Span(text=text, rect=rect, size=size, font=font, bold=bold, italic=italic)


def line(
    text: str, x: float = 72, y: float = 100, *, size: float = 10, bold: bool = False, italic: bool = False
) -> Line:
    own = span(text, x, y, size=size, bold=bold, italic=italic)
    return Line(text=text, rect=own.rect, spans=(own,))


def block(
    kind: BlockKind,
    text: str,
    x: float = 72,
    y: float = 100,
    *,
    size: float = 10,
    bold: bool = False,
    italic: bool = False,
) -> Block:
    """A block of the lines of ``text``."""
    lines = tuple(
        line(row, x, y + LEADING * n, size=size, bold=bold, italic=italic) for n, row in enumerate(text.split("\n"))
    )
    return Block(kind=kind, rect=union(own.rect for own in lines), lines=lines)


def run_in(title: str, text: str, x: float = 72, y: float = 100, *, bold: bool = True) -> Block:
    """A paragraph that opens with a heading in another weight."""
    first, *rest = text.split("\n")
    head = span(title + " ", x, y, bold=bold, italic=not bold)
    tail = span(first, head.rect[2], y)
    top = Line(text=head.text + tail.text, rect=union((head.rect, tail.rect)), spans=(head, tail))
    lines = (top, *(line(row, x, y + LEADING * n) for n, row in enumerate(rest, start=1)))
    return Block(kind="text", rect=union(own.rect for own in lines), lines=lines)


def table(rows: list[list[str]], x: float = 72, y: float = 100, *, step: float = 80) -> Block:
    lines = tuple(
        line(cell, x + step * c, y + LEADING * r) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell
    )
    right = x + step * len(rows[0])
    rects = tuple((x, y + LEADING * r - 1, right, y + LEADING * (r + 1) - 1) for r in range(len(rows)))
    grid = Grid(cells=tuple(tuple(row) for row in rows), row_rects=rects)
    return Block(kind="table", rect=(x, y, right, y + LEADING * len(rows)), lines=lines, grid=grid)


def page(number: int, *blocks: Block, width: float = 600, height: float = 800) -> PageContent:
    return PageContent(number=number, width=width, height=height, kind="text", blocks=blocks)


def read(*pages: PageContent, characters: int = 800) -> Reading:
    return analyse_paper(
        pages,
        paper_id=PAPER,
        characters=characters,
        file_metadata={},
    )
