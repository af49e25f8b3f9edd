"""The order in which a reader goes through the blocks of a page: bands from the top, columns within a band.

A recursive cut by white space (Nagy and Seth's X-Y cut), with one change: neighbouring bands that share a
gutter are read as one set of columns, so that a gap that runs across both columns does not cut them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from core.reading.blocks import Block, Line, QuarterTurns, Rect, rotate_rect, union
from core.text import CJK

_GUTTER = 5.0


def sort_reading_order(blocks: Sequence[Block], width: float, height: float) -> tuple[Block, ...]:
    """``blocks`` of one page, first to last; pages whose text is set sideways are read sideways."""
    turn = _dominant_turn(blocks)
    rects = [rotate_rect(block.rect, turn, width, height) for block in blocks]
    middle = _page_gutter(blocks, rects)
    return tuple(blocks[number] for number in _xy_cut(list(range(len(blocks))), rects, middle))


def _dominant_turn(blocks: Sequence[Block]) -> QuarterTurns:
    lines = [line for block in blocks for line in block.lines]
    vertical = [line for line in lines if line.vertical and not CJK.match(line.text)]
    letters, vertical_letters = (sum(len(line.text) for line in group) for group in (lines, vertical))
    if 2 * vertical_letters <= letters:
        return 0
    directions = Counter(map(_vertical_direction, vertical))
    return 3 if directions["down"] > directions["up"] else 1


def _vertical_direction(line: Line) -> str:
    """Whether the spans of a vertical line run "down" or "up" the page; "" where it has only one."""
    first, last = line.spans[0].rect[1], line.spans[-1].rect[1]
    if first == last:
        return ""
    return "down" if first < last else "up"


def _page_gutter(blocks: Sequence[Block], rects: Sequence[Rect]) -> float | None:
    """The x where two columns of running text meet, if the page has them."""
    pairs = zip(blocks, rects, strict=True)
    texts = [rect for block, rect in pairs if block.kind in ("text", "list-item") and block.lines]
    if len(texts) < 2:
        return None
    left, _, right, _ = union(texts)
    nearest, furthest = left + 0.2 * (right - left), left + 0.8 * (right - left)
    best, best_height = None, 0.0
    for x in sorted({round(rect[0]) - 3 for rect in texts}):
        if not nearest < x < furthest:
            continue
        height = _column_height(texts, x)
        if height > best_height:
            best, best_height = float(x), height
    return best


def _column_height(texts: Sequence[Rect], x: float) -> float:
    """Height of the lower one of two columns that meet at ``x``; 0 where too much text crosses it."""
    before = _total_height(rect for rect in texts if rect[2] <= x + 1)
    behind = _total_height(rect for rect in texts if rect[0] >= x - 1)
    crossing = _total_height(rect for rect in texts if rect[0] < x - 1 and rect[2] > x + 1)
    height = min(before, behind)
    return height if height > max(30.0, 0.5 * crossing) else 0.0


def _total_height(rects: Iterable[Rect]) -> float:
    return sum(rect[3] - rect[1] for rect in rects)


def _xy_cut(numbers: list[int], rects: Sequence[Rect], middle: float | None) -> list[int]:
    if len(numbers) < 2:
        return numbers
    groups = _merge_bands(_bands(numbers, rects), rects, middle)
    if len(groups) == 1:
        groups = _columns(numbers, rects)
    if len(groups) == 1:
        return _split_without_gap(numbers, rects, middle)
    return [number for group in groups for number in _xy_cut(group, rects, middle)]


def _split_without_gap(numbers: list[int], rects: Sequence[Rect], middle: float | None) -> list[int]:
    """No white space cuts them all: by column where the page has two, otherwise from the top."""
    if middle is not None and _is_two_columns(numbers, rects, middle, tolerance=12):
        is_right = {n: rects[n][0] + rects[n][2] >= 2 * middle for n in numbers}
        return sorted(numbers, key=lambda n: (is_right[n], rects[n][1]))
    return sorted(numbers, key=lambda n: (rects[n][1], rects[n][0]))


def _is_two_columns(numbers: Sequence[int], rects: Sequence[Rect], middle: float, *, tolerance: float) -> bool:
    """Whether every block lies on one side of ``middle``, give or take ``tolerance`` points."""
    return all(rects[n][2] <= middle + tolerance or rects[n][0] >= middle - tolerance for n in numbers)


def _bands(numbers: Sequence[int], rects: Sequence[Rect]) -> list[list[int]]:
    """Blocks grouped by the horizontal gaps that run across all of them, from top to bottom."""
    spans = {number: (rects[number][1], rects[number][3] - 1) for number in numbers}
    return _split_at_gaps(spans)


def _merge_bands(bands: list[list[int]], rects: Sequence[Rect], middle: float | None) -> list[list[int]]:
    """Bands that two columns of the page run through, taken together."""
    if middle is None:
        return bands
    joined: list[list[int]] = []
    last_is_columns = False
    for band in bands:
        is_columns = _is_two_columns(band, rects, middle, tolerance=4)
        if is_columns and last_is_columns:
            joined[-1].extend(band)
        else:
            joined.append(band)
        last_is_columns = is_columns
    return joined


def _columns(numbers: Sequence[int], rects: Sequence[Rect]) -> list[list[int]]:
    """Blocks grouped by the vertical gaps that run down all of them, from left to right."""
    spans = {number: (rects[number][0], rects[number][2] + _GUTTER - 4) for number in numbers}
    return _split_at_gaps(spans)


def _split_at_gaps(spans: Mapping[int, tuple[float, float]]) -> list[list[int]]:
    """The keys of intervals (start, end) in order of start, a new group wherever none reaches over."""
    groups: list[list[int]] = []
    reach = float("-inf")
    for number, (start, end) in sorted(spans.items(), key=lambda item: item[1][0]):
        if groups and start < reach:
            groups[-1].append(number)
        else:
            groups.append([number])
        reach = max(reach, end)
    return groups
