"""Notes at the foot of a column, told from the running text by their type.

A note left in the running text stands in the middle of a sentence that goes on in the next column. It is set smaller
than the paper's text.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from core.reading.blocks import HEADER_FOOTER_KINDS, Block, Line, PageContent, Rect, horizontal_overlap, with_lines
from core.reading.paper.captions import parse_caption_label
from core.reading.paper.heading_text import parse_heading_number
from core.reading.paper.type_style import body_style, dominant_style

_MAX_NOTE_SIZE = 0.93
"""Of the size of the paper's text, below which type is that of notes."""
_PROSE_KINDS = ("text", "list-item", "footnote")
_NOTE_MARK = re.compile(
    r"\s*(?:[*†‡§¶‖⁎∗]+|[\u00b9\u00b2\u00b3\u2070-\u2079]+|[(\[]?\d{1,3}(?:[.)\]]|(?=\s*[^\W\d]))|[a-z][.)]\s)"
)


def separate_footnotes(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """The pages, small print at the foot of their columns as blocks of kind footnote.

    What OCR read is left as it is: the size of its letters is a guess.
    """
    blocks = [block for page in pages if not page.from_ocr for block in page.blocks]
    body = body_style([line for block in blocks if block.kind in _PROSE_KINDS for line in block.lines])
    if body is None:
        return tuple(pages)
    return tuple(page if page.from_ocr else _separate_page_footnotes(page, body.size) for page in pages)


def _opens_with_mark(lines: Sequence[Line]) -> bool:
    """Whether the lines begin with a note's number or mark, raised or not."""
    first = next((span for line in lines for span in line.spans if span.text.strip()), None)
    return first is not None and (first.superscript or _NOTE_MARK.match(lines[0].text) is not None)


def _separate_page_footnotes(page: PageContent, body: float) -> PageContent:
    pieces = [piece for block in page.blocks for piece in _split_footnote(block, body)]
    notes = _footnote_blocks(pieces, body)
    return replace(
        page,
        blocks=tuple(
            replace(block, kind="footnote") if index in notes else block for index, block in enumerate(pieces)
        ),
    )


def _split_footnote(block: Block, body: float) -> tuple[Block, ...]:
    """A paragraph's box without the note that it took in at its end."""
    if block.kind not in _PROSE_KINDS:
        return (block,)
    note = list(takewhile(lambda line: _is_small([line], body), reversed(block.lines)))
    start = len(block.lines) - len(note)
    above, below = block.lines[:start], block.lines[start:]
    if not above or not _opens_with_mark(below):
        return (block,)
    upper = "text" if block.kind == "footnote" else block.kind
    return (with_lines(upper, above), with_lines(block.kind, below))


def _footnote_blocks(blocks: Sequence[Block], body: float) -> frozenset[int]:
    """Blocks in small print with nothing but notes and page feet below, and the text or a float above them."""
    notes: set[int] = set()
    for index in sorted(range(len(blocks)), key=lambda index: -blocks[index].rect[3]):
        if _may_be_footnote(blocks[index], body) and _has_only_notes_below(index, notes, blocks):
            notes.add(index)
    return frozenset(index for index in notes if _is_under_text(index, notes, blocks, body))


def _has_only_notes_below(index: int, notes: set[int], blocks: Sequence[Block]) -> bool:
    below = (n for n, other in enumerate(blocks) if _is_below(other, blocks[index].rect))
    return all(n in notes or blocks[n].kind == "footnote" for n in below)


def _may_be_footnote(block: Block, body: float) -> bool:
    is_small_prose = block.kind in _PROSE_KINDS and _is_small(block.lines, body)
    return is_small_prose and not _is_heading_or_caption(block.lines)


def _is_under_text(index: int, notes: set[int], blocks: Sequence[Block], body: float) -> bool:
    note = blocks[index]
    others = [other for n, other in enumerate(blocks) if n not in notes and _is_above(other, note.rect)]
    nearest = max(others, key=_bottom, default=None)
    if nearest is None or nearest.kind in ("section-header", "title"):
        return False
    return _is_body_text(nearest, body) or _opens_with_mark(note.lines)


def _is_body_text(block: Block, body: float) -> bool:
    return block.kind in (*_PROSE_KINDS, "formula") and not _is_small(block.lines, body)


def _bottom(block: Block) -> float:
    return block.rect[3]


def _is_above(other: Block, rect: Rect) -> bool:
    return other.rect[1] < rect[1] and _is_in_text_column(other, rect)


def _is_below(other: Block, rect: Rect) -> bool:
    return other.rect[1] >= rect[3] - 2 and _is_in_text_column(other, rect)


def _is_in_text_column(other: Block, rect: Rect) -> bool:
    return other.kind not in HEADER_FOOTER_KINDS and horizontal_overlap(other.rect, rect) > 0


def _is_heading_or_caption(lines: Sequence[Line]) -> bool:
    """Whether small print is a heading ("2.3.1. Data", or words in bold) or a caption, and no note."""
    number = parse_heading_number(lines[0].text)
    style = dominant_style(span for line in lines for span in line.spans)
    has_section_number = number is not None and len(number.parts) > 1
    is_bold = style is not None and style.bold
    return has_section_number or is_bold or parse_caption_label(lines[0].text) is not None


def _is_small(lines: Sequence[Line], body: float) -> bool:
    """Whether the lines are set in the type of notes; program code is small for other reasons."""
    style = dominant_style(span for line in lines for span in line.spans)
    return style is not None and not style.monospaced and max(line.size for line in lines) < _MAX_NOTE_SIZE * body
