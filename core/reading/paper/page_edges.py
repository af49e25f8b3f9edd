"""Text at the edges of a page that is not running text: running heads and feet, line numbers, footnotes.

A footnote left in the running text stands in the middle of a sentence that goes on in the next column. Type tells
them apart: a note is set smaller than the paper's text.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from statistics import median, median_high

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
_LINE_NUMBER = re.compile(r"\s*\d{1,4}\s*")
_PAGE_NUMBER = re.compile(r"\W*(?:page\s*)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d+)?\W*", re.IGNORECASE)
_FEWEST_NUMBERS = 6
_MIN_PROSE_LENGTH = 30
"""Characters that half the lines beside line numbers have at least; beside numbers in a table they are fewer."""


def find_margin_line_numbers(lines: Sequence[Line]) -> frozenset[int]:
    """Which of a page's lines are line numbers in its margin: they count up in even steps beside the text."""
    numbers = [index for index, line in enumerate(lines) if _LINE_NUMBER.fullmatch(line.text)]
    columns = (sorted(column, key=lambda index: lines[index].rect[1]) for column in _columns(numbers, lines))
    return frozenset(index for column in columns if _is_line_numbering(column, lines) for index in column)


def _is_line_numbering(column: Sequence[int], lines: Sequence[Line]) -> bool:
    if len(column) < _FEWEST_NUMBERS:
        return False
    steps = Counter(after - before for before, after in pairwise(int(lines[index].text) for index in column))
    step, times = steps.most_common(1)[0]
    is_even = step in (1, 5, 10) and times >= 0.8 * (len(column) - 1)
    return is_even and _in_margin(column, lines)


def _columns(numbers: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    columns: list[list[int]] = []
    for number in numbers:
        column = next((column for column in columns if _is_aligned(lines[number].rect, lines[column[0]].rect)), None)
        if column is None:
            columns.append([number])
        else:
            column.append(number)
    return columns


def _is_aligned(rect: Rect, other: Rect) -> bool:
    return abs(rect[0] - other[0]) < 8 or abs(rect[2] - other[2]) < 4


def _in_margin(column: Sequence[int], lines: Sequence[Line]) -> bool:
    """Set smaller than the text beside it, or further out than all other text of the page."""
    rect = union(lines[index].rect for index in column)
    others = [line for index, line in enumerate(lines) if index not in column]
    beside = [line for line in others if vertical_overlap(line.rect, rect) > 0]
    if not beside:
        return False
    largest = max(lines[index].size for index in column)
    if largest < 0.8 * median_high(line.size for line in beside):
        return True
    return _is_outside(rect, beside) and len(column) >= 0.4 * len(beside)


def _is_outside(rect: Rect, beside: Sequence[Line]) -> bool:
    """Whether the lines beside a column are prose that keeps to one side of it."""
    is_prose = median_high(len(line.text) for line in beside) >= _MIN_PROSE_LENGTH
    long = (line.rect for line in beside if len(line.text) > 8)
    return is_prose and all(_is_left_or_right(other, rect) for other in long)


def _is_left_or_right(rect: Rect, other: Rect) -> bool:
    return rect[0] > other[2] or rect[2] < other[0]


def mark_running_heads(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """Pages on which running heads and feet are marked as such, whatever the layout model took them for.

    A head that is not repeated and says something (a licence, a conference) is marked as a footnote: it is
    read by itself, between no two sentences. A title or heading that is also the running head stays: it is
    set larger.
    """
    sizes: dict[str, list[float]] = {}
    for page in pages:
        edges = {_key(block): _size(block) for block in page.blocks if _is_at_page_edge(block, page)}
        for key, size in edges.items():
            sizes.setdefault(key, []).append(size)
    fewest = min(3, max(2, len(pages)))
    heads = {key: median(own) for key, own in sizes.items() if key and len(own) >= fewest}
    return tuple(
        replace(page, blocks=tuple(_mark_block(block, page, heads) for block in page.blocks)) for page in pages
    )


def _mark_block(block: Block, page: PageContent, heads: Mapping[str, float]) -> Block:
    if block.kind in ("picture", "table") or not block.lines:
        return block
    if _is_at_page_edge(block, page) and (_is_page_number(block) or _is_repeated_head(block, heads)):
        return replace(block, kind="page-header")
    if block.kind not in HEADER_FOOTER_KINDS:
        return block
    if is_common_heading(_text(block)):
        return replace(block, kind="section-header")
    return replace(block, kind="footnote") if _is_informative(block) else block


def _is_repeated_head(block: Block, heads: Mapping[str, float]) -> bool:
    """Whether a block has the words of a running head, is set no larger, and is no caption."""
    size = heads.get(_key(block))
    if size is None or _size(block) >= 1.12 * size:
        return False
    return parse_caption_label(_text(block)) is None


def _text(block: Block) -> str:
    return " ".join(line.text for line in block.lines)


def _size(block: Block) -> float:
    return max(line.size for line in block.lines)


def _is_at_page_edge(block: Block, page: PageContent) -> bool:
    if not block.lines or len(block.lines) > 4:
        return False
    return block.rect[3] < _MARGIN * page.height or block.rect[1] > (1 - _MARGIN) * page.height


def _key(block: Block) -> str:
    """The letters of a head without page numbers and spaces, so that each page gives the same."""
    return re.sub(r"[\W\d_]+", "", _text(block)).casefold()


def _is_page_number(block: Block) -> bool:
    return _PAGE_NUMBER.fullmatch(_text(block)) is not None


def _is_informative(block: Block) -> bool:
    return len(re.findall(r"[^\W\d_]{2,}", _text(block))) >= 5


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
    return (_with_lines(replace(block, kind=upper), above), _with_lines(block, below))


def _with_lines(block: Block, lines: Sequence[Line]) -> Block:
    return Block(kind=block.kind, rect=union(line.rect for line in lines), lines=tuple(lines))


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
