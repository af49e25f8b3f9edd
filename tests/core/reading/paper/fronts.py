"""First pages made by hand in the ways that papers are set."""

from core.reading.blocks import Block, BlockKind, Line, PageContent, Rect, Span
from core.reading.paper.metadata import extract_metadata

BODY = "We follow the cover of lichens over ten years and find that shade speeds their recovery after fire. " * 6


def span(text: str, x: float, y: float, size: float, *, bold: bool = False, high: bool = False) -> Span:
    """A run of characters, half as wide as high."""
    width = 0.5 * size * len(text)
    font = "Serif-Bold" if bold else "Serif"
    rect = (x, y - (3 if high else 0), x + width, y + size)
    return Span(text=text, rect=rect, size=size, font=font, bold=bold, superscript=high)


def line(text: str, y: float, *, x: float = 100, size: float = 10, bold: bool = False) -> Line:
    """A line; what stands between carets is set high."""
    spans, at = [], x
    for number, piece in enumerate(text.split("^")):
        if piece:
            spans.append(span(piece, at, y, size * (0.7 if number % 2 else 1), bold=bold, high=number % 2 == 1))
            at = spans[-1].rect[2]
    rect: Rect = (x, y, at, y + size)
    return Line(text=text.replace("^", ""), rect=rect, spans=tuple(spans))


def block(kind: BlockKind, *lines: Line) -> Block:
    """A block of these lines."""
    rects = [line.rect for line in lines]
    rect = (
        min(r[0] for r in rects),
        min(r[1] for r in rects),
        max(r[2] for r in rects),
        max(r[3] for r in rects),
    )
    return Block(kind=kind, rect=rect, lines=lines)


def body(y: float) -> Block:
    """A long paragraph of running text."""
    words = BODY.split()
    lines = [" ".join(words[n : n + 12]) for n in range(0, len(words), 12)]
    return block("text", *(line(text, y + 12 * n, x=80) for n, text in enumerate(lines)))


def page(*blocks: Block, number: int = 1) -> PageContent:
    """A page of these blocks."""
    return PageContent(number=number, width=600, height=800, kind="text", blocks=blocks)


def read(*blocks: Block, file: dict[str, str] | None = None) -> tuple[str, tuple[str, ...]]:
    """Title and authors of a paper of one page."""
    found = extract_metadata([page(*blocks)], [], file or {})
    return found.title, found.authors
