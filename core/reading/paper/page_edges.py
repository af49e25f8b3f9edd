"""Text at the edges of a page that is not running text: running heads and feet, line numbers, footnotes.

A footnote left in the running text stands in the middle of a sentence that goes on in the next column. Type tells
them apart: a note is set smaller than the paper's text.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from core.reading.blocks import (
    HEADER_FOOTER_KINDS,
    Block,
    Line,
    PageContent,
    Rect,
    horizontal_overlap,
    union,
    vertical_overlap,
)
from core.reading.paper.captions import parse_caption_label
from core.reading.paper.heading_text import is_common_heading, parse_heading_number
from core.reading.paper.type_style import body_style, dominant_style

_MARGIN = 0.13
"""Share of the page height, from either end, in which running heads and feet stand."""
_FEWEST_NUMBERS = 6
_MIN_PROSE_LENGTH = 30
"""Characters that half the lines beside line numbers have at least; beside numbers in a table they are fewer."""


def find_margin_line_numbers(lines: Sequence[Line]) -> frozenset[int]:
    """Which of a page's lines are line numbers in its margin: they count up in even steps beside the text."""
    numbers = [n for n, line in enumerate(lines) if line.text.strip().isdecimal() and len(line.text.strip()) <= 4]
    found: set[int] = set()
    for column in _columns(numbers, lines):
        column.sort(key=lambda n: lines[n].rect[1])
        values = [int(lines[n].text) for n in column]
        steps = Counter(b - a for a, b in pairwise(values))
        step, often = steps.most_common(1)[0] if steps else (0, 0)
        even = step in (1, 5, 10) and often >= 0.8 * (len(column) - 1)
        if len(column) >= _FEWEST_NUMBERS and even and _in_margin(column, lines):
            found.update(column)
    return frozenset(found)


def _columns(numbers: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    columns: list[list[int]] = []
    for number in numbers:
        rect = lines[number].rect
        for column in columns:
            first = lines[column[0]].rect
            if abs(rect[0] - first[0]) < 8 or abs(rect[2] - first[2]) < 4:
                column.append(number)
                break
        else:
            columns.append([number])
    return columns


def _in_margin(column: Sequence[int], lines: Sequence[Line]) -> bool:
    """Set smaller than the text beside it, or further out than all other text of the page."""
    place = union(lines[n].rect for n in column)
    others = [line for n, line in enumerate(lines) if n not in set(column) and vertical_overlap(line.rect, place) > 0]
    if not others:
        return False
    sizes = sorted(line.size for line in others)
    small = max(lines[n].size for n in column) < 0.8 * sizes[len(sizes) // 2]
    outside = all(line.rect[0] > place[2] or line.rect[2] < place[0] for line in others if len(line.text) > 8)
    prose = sorted(len(line.text) for line in others)[len(others) // 2] >= _MIN_PROSE_LENGTH
    return small or (outside and prose and len(column) >= 0.4 * len(others))


def mark_running_heads(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """Pages on which running heads and feet are marked as such, whatever the layout model took them for.

    A head that is not repeated and says something (a licence, a conference) is marked as a footnote: it is
    read by itself, between no two sentences. A title or heading that is also the running head stays: it is
    set larger.
    """
    sizes: dict[str, list[float]] = {}
    for page in pages:
        for key, size in {_key(block): _size(block) for block in page.blocks if _is_at_page_edge(block, page)}.items():
            sizes.setdefault(key, []).append(size)
    heads = {key: median(own) for key, own in sizes.items() if key and len(own) >= min(3, max(2, len(pages)))}
    return tuple(
        replace(page, blocks=tuple(_mark_block(block, page, heads) for block in page.blocks)) for page in pages
    )


def _mark_block(block: Block, page: PageContent, heads: Mapping[str, float]) -> Block:
    if block.kind in ("picture", "table") or not block.lines:
        return block
    text = " ".join(line.text for line in block.lines)
    size = heads.get(_key(block)) if _is_at_page_edge(block, page) and parse_caption_label(text) is None else None
    if (size is not None and _size(block) < 1.12 * size) or (_is_at_page_edge(block, page) and _is_page_number(block)):
        return replace(block, kind="page-header")
    if block.kind in HEADER_FOOTER_KINDS:
        if is_common_heading(text):
            return replace(block, kind="section-header")
        return replace(block, kind="footnote") if _is_informative(block) else block
    return block


def _size(block: Block) -> float:
    return max(line.size for line in block.lines)


def _is_at_page_edge(block: Block, page: PageContent) -> bool:
    if not block.lines or len(block.lines) > 4:
        return False
    return block.rect[3] < _MARGIN * page.height or block.rect[1] > (1 - _MARGIN) * page.height


def _key(block: Block) -> str:
    """The letters of a head without page numbers and spaces, so that each page gives the same."""
    return re.sub(r"[\W\d_]+", "", " ".join(line.text for line in block.lines)).casefold()


def _is_page_number(block: Block) -> bool:
    text = " ".join(line.text for line in block.lines)
    return (
        re.fullmatch(r"\W*(?:page\s*)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d+)?\W*", text, re.IGNORECASE)
        is not None
    )


def _is_informative(block: Block) -> bool:
    words = re.findall(r"[^\W\d_]{2,}", " ".join(line.text for line in block.lines))
    return len(words) >= 5


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
    printed = [page for page in pages if not page.from_ocr]
    lines = [line for page in printed for block in page.blocks if block.kind in _PROSE_KINDS for line in block.lines]
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
    return first is not None and (first.superscript or _NOTE_MARK.match(lines[0].text) is not None)


def _separate_page_footnotes(blocks: Sequence[Block], body: float) -> tuple[Block, ...]:
    cut = [piece for block in blocks for piece in _split_footnote(block, body)]
    notes = _footnote_blocks(cut, body)
    return tuple(replace(block, kind="footnote") if number in notes else block for number, block in enumerate(cut))


def _split_footnote(block: Block, body: float) -> tuple[Block, ...]:
    """A paragraph's box without the note that it took in at its end."""
    if block.kind not in _PROSE_KINDS:
        return (block,)
    start = len(block.lines)
    while start and _is_small(block.lines[start - 1 : start], body):
        start -= 1
    above, below = block.lines[:start], block.lines[start:]
    if not above or not below or not _opens_with_mark(below):
        return (block,)
    upper = "text" if block.kind == "footnote" else block.kind
    return (_with_lines(replace(block, kind=upper), above), _with_lines(block, below))


def _with_lines(block: Block, lines: Sequence[Line]) -> Block:
    return Block(kind=block.kind, rect=union(line.rect for line in lines), lines=tuple(lines))


def _footnote_blocks(blocks: Sequence[Block], body: float) -> frozenset[int]:
    """Blocks in small print with nothing but notes and page feet below, and the text or a float above them."""
    notes: set[int] = set()
    for number in sorted(range(len(blocks)), key=lambda n: -blocks[n].rect[3]):
        block = blocks[number]
        if block.kind not in _PROSE_KINDS or not _is_small(block.lines, body) or _is_heading_or_caption(block.lines):
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
    is_text = nearest.kind in (*_PROSE_KINDS, "formula") and not _is_small(nearest.lines, body)
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
    return style is not None and not style.monospaced and max(line.size for line in lines) < _MAX_NOTE_SIZE * body
