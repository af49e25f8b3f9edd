"""Rectangles on a page: overlaps, unions, and turning a page whose text was set sideways.

Pure arithmetic that layout, reading order, tables and figures all share; rectangles are (x0, y0, x1, y1) in
points, y downwards.
"""

from collections.abc import Iterable

from core.reading.blocks import Rect

QuarterTurns = int
"""Quarter turns clockwise that bring text upright: 0, 1 (it reads upwards) or 3 (it reads downwards)."""


def area(rect: Rect) -> float:
    """Area in square points; 0 for an empty rectangle."""
    return max(0.0, rect[2] - rect[0]) * max(0.0, rect[3] - rect[1])


def union(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all of ``rects`` (at least one)."""
    each = list(rects)
    return (min(r[0] for r in each), min(r[1] for r in each), max(r[2] for r in each), max(r[3] for r in each))


def intersection_area(one: Rect, other: Rect) -> float:
    """Area that two rectangles share."""
    return max(0.0, min(one[2], other[2]) - max(one[0], other[0])) * max(
        0.0, min(one[3], other[3]) - max(one[1], other[1])
    )


def contained_fraction(inner: Rect, outer: Rect) -> float:
    """Which share of ``inner`` lies in ``outer``, 0 to 1."""
    size = area(inner)
    if size == 0:
        x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
        return 1.0 if outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3] else 0.0
    return intersection_area(inner, outer) / size


def horizontal_overlap(one: Rect, other: Rect) -> float:
    """Length of the common stretch on the x axis; negative is the gap between them."""
    return min(one[2], other[2]) - max(one[0], other[0])


def vertical_overlap(one: Rect, other: Rect) -> float:
    """Length of the common stretch on the y axis; negative is the gap between them."""
    return min(one[3], other[3]) - max(one[1], other[1])


def is_on_same_line(one: Rect, other: Rect) -> bool:
    """Whether two pieces stand on one printed line: they share most of the lower one's height."""
    low = min(one[3] - one[1], other[3] - other[1])
    return vertical_overlap(one, other) > 0.5 * low


def rotate_rect(rect: Rect, turn: QuarterTurns, width: float, height: float) -> Rect:
    """``rect`` on the page (``width`` by ``height``) after ``turn`` quarter turns clockwise."""
    x0, y0, x1, y1 = rect
    if turn == 1:
        return (height - y1, x0, height - y0, x1)
    if turn == 2:
        return (width - x1, height - y1, width - x0, height - y0)
    if turn == 3:
        return (y0, width - x1, y1, width - x0)
    return rect
