"""The order in which a reader goes through the blocks of a page: bands from the top, columns within a band.

A recursive cut by white space (Nagy and Seth's X-Y cut), with one change: neighbouring bands that share a
gutter are read as one set of columns, so that a gap that runs across both columns does not cut them.
"""

from collections.abc import Sequence

from core.reading.blocks import Block, Rect, rotate_rect, union

_GUTTER = 5.0


def sort_reading_order(blocks: Sequence[Block], width: float, height: float) -> tuple[Block, ...]:
    """``blocks`` of one page, first to last; pages whose text is set sideways are read sideways."""
    turn = _dominant_turn(blocks)
    rects = [rotate_rect(block.rect, turn, width, height) for block in blocks]
    middle = _page_gutter(blocks, rects)
    return tuple(blocks[number] for number in _xy_cut(list(range(len(blocks))), rects, middle))


def _dominant_turn(blocks: Sequence[Block]) -> int:
    lines = [line for block in blocks for line in block.lines]
    upright = sum(len(line.text) for line in lines if not line.vertical)
    sideways = [line for line in lines if line.vertical]
    if sum(len(line.text) for line in sideways) <= upright:
        return 0
    downwards = sum(1 for line in sideways if len(line.spans) > 1 and line.spans[0].rect[1] < line.spans[-1].rect[1])
    upwards = sum(1 for line in sideways if len(line.spans) > 1 and line.spans[0].rect[1] > line.spans[-1].rect[1])
    return 3 if downwards > upwards else 1


def _page_gutter(blocks: Sequence[Block], rects: Sequence[Rect]) -> float | None:
    """The x where two columns of running text meet, if the page has them."""
    texts = [r for block, r in zip(blocks, rects, strict=True) if block.kind in ("text", "list-item") and block.lines]
    if len(texts) < 2:
        return None
    left, _, right, _ = union(texts)
    best, best_height = None, 0.0
    for x in sorted({round(r[0]) - 3 for r in texts}):
        if not left + 0.2 * (right - left) < x < left + 0.8 * (right - left):
            continue
        before = sum(r[3] - r[1] for r in texts if r[2] <= x + 1)
        behind = sum(r[3] - r[1] for r in texts if r[0] >= x - 1)
        crossing = sum(r[3] - r[1] for r in texts if r[0] < x - 1 and r[2] > x + 1)
        both = min(before, behind)
        if both > max(30.0, 0.5 * crossing) and both > best_height:
            best, best_height = float(x), both
    return best


def _xy_cut(numbers: list[int], rects: Sequence[Rect], middle: float | None) -> list[int]:
    if len(numbers) < 2:
        return numbers
    bands = _merge_bands(_bands(numbers, rects), rects, middle)
    if len(bands) > 1:
        return [number for band in bands for number in _xy_cut(band, rects, middle)]
    columns = _columns(numbers, rects)
    if len(columns) > 1:
        return [number for column in columns for number in _xy_cut(column, rects, middle)]
    return _split_without_gap(numbers, rects, middle)


def _split_without_gap(numbers: list[int], rects: Sequence[Rect], middle: float | None) -> list[int]:
    """No white space cuts them all: by column where the page has two, otherwise from the top."""
    if middle is not None:
        sides = {n: 0 if rects[n][0] + rects[n][2] < 2 * middle else 1 for n in numbers}
        if all(rects[n][2] <= middle + 12 or rects[n][0] >= middle - 12 for n in numbers):
            return sorted(numbers, key=lambda n: (sides[n], rects[n][1]))
    return sorted(numbers, key=lambda n: (rects[n][1], rects[n][0]))


def _bands(numbers: Sequence[int], rects: Sequence[Rect]) -> list[list[int]]:
    bands: list[list[int]] = []
    bottom = float("-inf")
    for number in sorted(numbers, key=lambda n: rects[n][1]):
        if bands and rects[number][1] < bottom - 1:
            bands[-1].append(number)
        else:
            bands.append([number])
        bottom = max(bottom, rects[number][3])
    return bands


def _merge_bands(bands: list[list[int]], rects: Sequence[Rect], middle: float | None) -> list[list[int]]:
    """Bands that two columns of the page run through, taken together."""
    if middle is None:
        return bands
    joined: list[list[int]] = []
    last_is_columns = False
    for band in bands:
        is_columns = all(rects[n][2] <= middle + 4 or rects[n][0] >= middle - 4 for n in band)
        if joined and is_columns and last_is_columns:
            joined[-1].extend(band)
        else:
            joined.append(band)
        last_is_columns = is_columns
    return joined


def _columns(numbers: Sequence[int], rects: Sequence[Rect]) -> list[list[int]]:
    columns: list[list[int]] = []
    right = float("-inf")
    for number in sorted(numbers, key=lambda n: rects[n][0]):
        if columns and rects[number][0] < right + _GUTTER - 4:
            columns[-1].append(number)
        else:
            columns.append([number])
        right = max(right, rects[number][2])
    return columns
