"""What stands on a page without belonging to the text: running heads and feet, page numbers, margin line numbers."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from core.reading.blocks import HEADER_FOOTER_KINDS, Block, Line, PageContent
from core.reading.geometry import union, vertical_overlap
from core.reading.paper.captions import parse_caption_label
from core.reading.paper.heading_text import is_common_heading

_MARGIN = 0.13
"""Share of the page height, from either end, in which running heads and feet stand."""
_FEWEST_NUMBERS = 6
_PROSE = 30
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
    prose = sorted(len(line.text) for line in others)[len(others) // 2] >= _PROSE
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
