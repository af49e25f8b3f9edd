"""Parts the notes at the foot of a column from the text above them, where the layout model took them for text.

Left in the running text, a note stands in the middle of a sentence that goes on in the next column, and the two make
a sentence that is printed nowhere. Type tells them apart: a note is set smaller than the paper's text.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.reading.blocks import HEADER_FOOTER_KINDS, Block, Line, PageContent, Rect
from core.reading.geometry import horizontal_overlap, union
from core.reading.paper.captions import parse_caption_label
from core.reading.paper.heading_text import parse_heading_number
from core.reading.paper.type_style import body_style, dominant_style

_SMALLER = 0.93
"""Of the size of the paper's text, below which type is that of notes."""
_PROSE = ("text", "list-item", "footnote")
_MARK = re.compile(
    r"\s*(?:[*†‡§¶‖⁎∗]+|[\u00b9\u00b2\u00b3\u2070-\u2079]+|[(\[]?\d{1,3}(?:[.)\]]|(?=\s*[^\W\d]))|[a-z][.)]\s)"
)


def separate_footnotes(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """The pages, small print at the foot of their columns as blocks of kind footnote.

    What OCR read is left as it is: the size of its letters is a guess.
    """
    printed = [page for page in pages if not page.from_ocr]
    lines = [line for page in printed for block in page.blocks if block.kind in _PROSE for line in block.lines]
    body = body_style(lines)
    if body is None:
        return tuple(pages)
    return tuple(
        page if page.from_ocr else replace(page, blocks=_separate_page_footnotes(page.blocks, body.size))
        for page in pages
    )


def _opens_with_mark(lines: Sequence[Line]) -> bool:
    """Whether the lines begin with a note's number or sign, raised or not."""
    first = next((span for line in lines for span in line.spans if span.text.strip()), None)
    return first is not None and (first.superscript or _MARK.match(lines[0].text) is not None)


def _separate_page_footnotes(blocks: Sequence[Block], body: float) -> tuple[Block, ...]:
    cut = [piece for block in blocks for piece in _split_footnote(block, body)]
    notes = _footnote_blocks(cut, body)
    return tuple(replace(block, kind="footnote") if number in notes else block for number, block in enumerate(cut))


def _split_footnote(block: Block, body: float) -> tuple[Block, ...]:
    """A paragraph's box without the note that it took in at its end."""
    if block.kind not in _PROSE:
        return (block,)
    start = len(block.lines)
    while start and _is_small(block.lines[start - 1 : start], body):
        start -= 1
    above, below = block.lines[:start], block.lines[start:]
    if not above or not below or not _opens_with_mark(below):
        return (block,)
    upper = "text" if block.kind == "footnote" else block.kind
    return (_block(replace(block, kind=upper), above), _block(block, below))


def _block(block: Block, lines: Sequence[Line]) -> Block:
    return Block(kind=block.kind, rect=union(line.rect for line in lines), lines=tuple(lines))


def _footnote_blocks(blocks: Sequence[Block], body: float) -> frozenset[int]:
    """Blocks in small print with nothing but notes and page feet below, and the text or a float above them."""
    notes: set[int] = set()
    for number in sorted(range(len(blocks)), key=lambda n: -blocks[n].rect[3]):
        block = blocks[number]
        if block.kind not in _PROSE or not _is_small(block.lines, body) or _is_heading_or_caption(block.lines):
            continue
        under = (n for n, other in enumerate(blocks) if _is_below(other, block.rect))
        if all(n in notes or blocks[n].kind == "footnote" for n in under):
            notes.add(number)
    return frozenset(n for n in notes if _is_under_text(n, notes, blocks, body))


def _is_under_text(number: int, notes: set[int], blocks: Sequence[Block], body: float) -> bool:
    rect = blocks[number].rect
    above = [
        n
        for n, other in enumerate(blocks)
        if n not in notes
        and other.kind not in HEADER_FOOTER_KINDS
        and other.rect[1] < rect[1]
        and horizontal_overlap(other.rect, rect) > 0
    ]
    if not above:
        return False
    nearest = blocks[max(above, key=lambda n: blocks[n].rect[3])]
    if nearest.kind in ("section-header", "title"):
        return False
    is_text = nearest.kind in (*_PROSE, "formula") and not _is_small(nearest.lines, body)
    return is_text or _opens_with_mark(blocks[number].lines)


def _is_below(other: Block, rect: Rect) -> bool:
    return (
        other.kind not in HEADER_FOOTER_KINDS
        and other.rect[1] >= rect[3] - 2
        and horizontal_overlap(other.rect, rect) > 0
    )


def _is_heading_or_caption(lines: Sequence[Line]) -> bool:
    """Whether small print is a heading ("2.3.1. Data", or words in bold) or a caption, and no note."""
    number = parse_heading_number(lines[0].text)
    style = dominant_style(span for line in lines for span in line.spans)
    numbered = number is not None and len(number.parts) > 1
    return numbered or (style is not None and style.bold) or parse_caption_label(lines[0].text) is not None


def _is_small(lines: Sequence[Line], body: float) -> bool:
    """Whether the lines are set in the type of notes; program code is small for other reasons."""
    style = dominant_style(span for line in lines for span in line.spans)
    return style is not None and not style.monospaced and max(line.size for line in lines) < _SMALLER * body
