"""Text that belongs to the page and not to the paper: running heads and feet, side panels, line numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median, median_high
from typing import TypeAlias

from core.reading.blocks import (
    HEADER_FOOTER_KINDS,
    Block,
    Line,
    PageContent,
    Rect,
    union,
    vertical_overlap,
    with_lines,
)
from core.reading.page.boxes import build_line
from core.reading.paper.captions import parse_caption_label
from core.reading.paper.heading_text import is_common_heading

_MARGIN = 0.13
"""Share of the page height, from either end, in which running heads and feet stand."""
_LINE_NUMBER = re.compile(r"\s*\d{1,4}\s*")
_PAGE_NUMBER = re.compile(r"\W*(?:page\s*)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d+)?\W*", re.IGNORECASE)
_FEWEST_NUMBERS = 6
_FEWEST_IN_LINES = 3
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


def _separate_line_numbers(page: PageContent) -> PageContent:
    """The page, line numbers that were read as the first words of their lines in a block of their own."""
    lines = [line for block in page.blocks for line in block.lines if line.spans]
    lefts = Counter(round(line.spans[0].rect[0]) for line in lines if not line.spans[0].text.strip().isdigit())
    left = lefts.most_common(1)[0][0] if lefts else 0
    size = median_high([line.size for line in lines] or [0.0])
    numbers = [line for line in lines if _opens_with_number_in_margin(line, left, size)]
    if len(numbers) < _FEWEST_IN_LINES:
        return page
    aside = [Line(text=line.spans[0].text, rect=line.spans[0].rect, spans=line.spans[:1]) for line in numbers]
    blocks = [own for block in page.blocks if (own := _without_line_numbers(block, {id(line) for line in numbers}))]
    return _with_blocks(page, (*blocks, with_lines("page-footer", aside)))


def _opens_with_number_in_margin(line: Line, left: float, size: float) -> bool:
    """Whether a line's first words are a number in smaller type than ``size``, left of where its page's lines begin."""
    number = line.spans[0]
    return number.text.strip().isdigit() and number.rect[2] < left and number.size < 0.8 * size


def _without_line_numbers(block: Block, numbers: set[int]) -> Block | None:
    """The block without the numbers before some of its lines; None where nothing else is in it."""
    if not any(id(line) in numbers for line in block.lines):
        return block
    lines = [line if id(line) not in numbers else _without_first_span(line) for line in block.lines]
    kept = tuple(line for line in lines if line is not None)
    return replace(block, lines=kept, rect=union(line.rect for line in kept)) if kept else None


def _without_first_span(line: Line) -> Line | None:
    return build_line(line.spans[1:]) if len(line.spans) > 1 else None


_Place: TypeAlias = tuple[str, int, int]
"""A line's words, and where it begins, in points."""
_FEWEST_PAGES = 3
_SHARE_OF_PAGES = 1 / 8
"""The same words at the same place on so many pages, and so large a share of them, belong to no page's text."""


def mark_running_heads(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """The pages, all that recurs on them as blocks of kind page-header, whatever the layout model took it for.

    It recurs at the same place anywhere (a panel of links, a stamp, the label of an axis that many figures share),
    or in the margin at the head and foot. A title or heading that is also the running head stays: it is set larger.
    """
    apart = _separate_repeated_lines([_separate_line_numbers(page) for page in pages])
    sizes: dict[str, list[float]] = defaultdict(list)
    for page in apart:
        for key, size in {_key(block): _size(block) for block in page.blocks if _is_at_page_edge(block, page)}.items():
            sizes[key].append(size)
    fewest = min(_FEWEST_PAGES, max(2, len(pages)))
    heads = {key: median(own) for key, own in sizes.items() if key and len(own) >= fewest}
    return tuple(_with_blocks(page, (_mark_block(block, page, heads) for block in page.blocks)) for page in apart)


def keep_informative_edges(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """The pages, what stands at their edges once and says something (a licence, a conference) as a footnote.

    It is read by itself, between no two sentences. A usual heading at the edge is a heading.
    """
    repeated = Counter(key for page in pages for key in {_key(block) for block in page.blocks})
    return tuple(_with_blocks(page, (_keep_edge(block, repeated) for block in page.blocks)) for page in pages)


def _keep_edge(block: Block, repeated: Mapping[str, int]) -> Block:
    if block.kind not in HEADER_FOOTER_KINDS or repeated[_key(block)] > 1:
        return block
    if is_common_heading(_text(block)):
        return replace(block, kind="section-header")
    return replace(block, kind="footnote") if _is_informative(block) else block


def _with_blocks(page: PageContent, blocks: Iterable[Block]) -> PageContent:
    return replace(page, blocks=tuple(blocks))


def _separate_repeated_lines(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """The pages, lines that recur at the same place as blocks of kind page-header."""
    where: dict[_Place, set[int]] = defaultdict(set)
    for page in pages:
        for line in (line for block in page.blocks for line in block.lines):
            where[_place(line)].add(page.number)
    fewest = max(_FEWEST_PAGES, _SHARE_OF_PAGES * len(pages))
    repeated = frozenset(place for place, numbers in where.items() if len(numbers) >= fewest)
    return tuple(_separate_repeated(page, repeated) for page in pages)


def _separate_repeated(page: PageContent, repeated: frozenset[_Place]) -> PageContent:
    """The page with what recurs set apart; a page that holds little else is a form, and that is its text."""
    places = [_place(line) for block in page.blocks for line in block.lines]
    letters = sum(len(place[0]) for place in places)
    if 2 * sum(len(place[0]) for place in places if place in repeated) > letters:
        return page
    return _with_blocks(page, (piece for block in page.blocks for piece in _split_repeated(block, repeated)))


def _place(line: Line) -> _Place:
    return "".join(line.text.split()).casefold(), round(line.rect[0]), round(line.rect[1])


def _split_repeated(block: Block, repeated: frozenset[_Place]) -> tuple[Block, ...]:
    """The block's own lines and those that recur; figures, captions and all but whole tables are left as they are."""
    own = tuple(line for line in block.lines if _place(line) not in repeated)
    is_whole = block.kind == "picture" or parse_caption_label(_text(block)) is not None
    if is_whole or len(own) == len(block.lines) or (own and block.kind == "table"):
        return (block,)
    if not own:
        return (replace(block, kind="page-header"),)
    return (with_lines(block.kind, own), with_lines("page-header", [line for line in block.lines if line not in own]))


def _mark_block(block: Block, page: PageContent, heads: Mapping[str, float]) -> Block:
    if block.kind in ("picture", "table") or not _is_at_page_edge(block, page):
        return block
    is_furniture = _PAGE_NUMBER.fullmatch(_text(block)) is not None or _is_repeated_head(block, heads)
    return replace(block, kind="page-header") if is_furniture else block


def _is_repeated_head(block: Block, heads: Mapping[str, float]) -> bool:
    """Whether a block has the words of a running head, is set no larger, and is no caption."""
    size = heads.get(_key(block))
    return size is not None and _size(block) < 1.12 * size and parse_caption_label(_text(block)) is None


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


def _is_informative(block: Block) -> bool:
    return len(re.findall(r"[^\W\d_]{2,}", _text(block))) >= 5
