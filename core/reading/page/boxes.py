"""Puts the visible lines of a page into the typed boxes that the layout model saw; nothing is lost.

Pure, so that it is tested without a model: pieces of one baseline become printed lines, lines that no box
covers become text blocks of their own, and a table's lines become a grid.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.reading.blocks import (
    Block,
    BlockKind,
    Grid,
    Line,
    Rect,
    Span,
    area,
    contained_fraction,
    horizontal_overlap,
    intersection_area,
    is_on_same_line,
    union,
    vertical_overlap,
)
from core.reading.page.lines import mark_superscripts

_LOOK_BACK = 40
"""Groups that a loose line may still join; more would make a page of thousands of scattered words slow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutBox:
    """A box of the layout model. ``pieces`` are the text pieces it took; edges are those between grid cells."""

    kind: BlockKind
    rect: Rect
    pieces: tuple[Rect, ...] = ()
    row_edges: tuple[float, ...] = ()
    column_edges: tuple[float, ...] = ()


def assign_lines_to_boxes(boxes: Sequence[LayoutBox], lines: Sequence[Line]) -> tuple[Block, ...]:
    """Blocks in the order of ``boxes``, each with its lines; then blocks of lines that no box covers."""
    taken: list[list[Line]] = [[] for _ in boxes]
    left: list[Line] = []
    for line in lines:
        for part in _split_across_boxes(line, boxes):
            owner = _best_box(part.rect, boxes)
            (left if owner is None else taken[owner]).append(part)
    middle = find_column_gutter(lines)
    blocks = [
        block
        for box, own in zip(boxes, taken, strict=True)
        if own or box.kind == "picture"
        for block in _build_blocks(box, own, middle)
    ]
    return (*blocks, *(_build_unassigned_block(group) for group in _cluster_lines(left)))


def _best_box(rect: Rect, boxes: Sequence[LayoutBox]) -> int | None:
    """The box that took most of this piece of text; text pieces weigh more than the box around them."""
    best, score = None, 0.25
    middle = (rect[1] + rect[3]) / 2
    width = max(rect[2] - rect[0], 0.1)
    for number, box in enumerate(boxes):
        if not box.rect[1] - 2 <= middle <= box.rect[3] + 2 or horizontal_overlap(rect, box.rect) < -2:
            continue
        on_line = [piece for piece in box.pieces if piece[1] - 1 <= middle <= piece[3] + 1]
        own = min(1.0, sum(max(0.0, horizontal_overlap(rect, piece)) for piece in on_line) / width)
        here = own if own > 0.4 else 0.5 * contained_fraction(rect, box.rect)
        if here > score:
            best, score = number, here
    return best


def _split_across_boxes(line: Line, boxes: Sequence[LayoutBox]) -> Iterable[Line]:
    """The line itself, or its spans dealt out where it runs over more than one box."""
    if len(line.spans) < 2:
        return (line,)
    touched = [box for box in boxes if intersection_area(line.rect, box.rect) > 0.1 * max(area(line.rect), 1e-6)]
    if len(touched) < 2:
        return (line,)
    owners = [_best_box(span.rect, boxes) for span in line.spans]
    if len(set(owners)) < 2:
        return (line,)
    groups: list[list[Span]] = [[line.spans[0]]]
    for owner, last, span in zip(owners[1:], owners[:-1], line.spans[1:], strict=True):
        if owner == last:
            groups[-1].append(span)
        else:
            groups.append([span])
    return tuple(build_line(group, vertical=line.vertical) for group in groups)


def build_line(spans: Sequence[Span], *, vertical: bool = False) -> Line:
    """A line of these spans, with a space where there is a gap between two of them."""
    spans = spans if vertical else mark_superscripts(spans)
    text = spans[0].text
    for last, span in itertools.pairwise(spans):
        gap = span.rect[0] - last.rect[2]
        wide = gap > 0.12 * max(span.size, 1.0) or (vertical and abs(span.rect[1] - last.rect[3]) > 1)
        joined = not wide or text.endswith((" ", "\u00a0")) or span.text.startswith((" ", "\u00a0"))
        text += span.text if joined else " " + span.text
    return Line(text=text, rect=union(s.rect for s in spans), spans=tuple(spans), vertical=vertical)


def merge_printed_lines(pieces: Sequence[Line]) -> tuple[Line, ...]:
    """Pieces that stand on one baseline joined to printed lines, from top to bottom."""
    if any(piece.vertical for piece in pieces):
        return tuple(pieces)
    rows: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda p: (p.rect[1] + p.rect[3]) / 2):
        for row in reversed(rows[-3:]):
            if all(is_on_same_line(piece.rect, p.rect) and horizontal_overlap(piece.rect, p.rect) < 1.5 for p in row):
                row.append(piece)
                break
        else:
            rows.append([piece])
    joined = [sorted(row, key=lambda p: p.rect[0], reverse=_is_right_to_left_row(row)) for row in rows]
    joined.sort(key=lambda row: min(p.rect[3] for p in row))
    return tuple(row[0] if len(row) == 1 else build_line([s for p in row for s in p.spans]) for row in joined)


def find_column_gutter(lines: Sequence[Line]) -> float | None:
    """The x between two columns of text, if the page is set in two: hardly a line crosses it."""
    rects = [line.rect for line in lines if len(line.text) > 20 and not line.vertical]
    if len(rects) < 12:
        return None
    left, right = min(r[0] for r in rects), max(r[2] for r in rects)
    best, fewest = None, 0.15 * len(rects)
    for step in range(35, 66):
        x = left + step / 100 * (right - left)
        before, behind = sum(r[2] <= x for r in rects), sum(r[0] >= x for r in rects)
        crossing = len(rects) - before - behind
        if min(before, behind) >= 0.25 * len(rects) and crossing < fewest:
            best, fewest = x, float(crossing)
    return best


def _build_blocks(box: LayoutBox, lines: Sequence[Line], middle: float | None) -> Iterable[Block]:
    """One block, or two where the model drew one box over lines of both columns."""
    if box.kind in ("table", "picture", "title") or middle is None:
        return (_build_block(box, lines),)
    left = [line for line in lines if line.rect[2] <= middle + 2]
    right = [line for line in lines if line.rect[0] >= middle - 2]
    if not left or not right or len(left) + len(right) < len(lines) or len(lines) < 4:
        return (_build_block(box, lines),)
    halves = (left, right)
    return tuple(_build_block(LayoutBox(kind=box.kind, rect=union(p.rect for p in half)), half) for half in halves)


def _is_right_to_left_row(row: Sequence[Line]) -> bool:
    """Whether the pieces of a line are read from the right, as in Hebrew and Arabic."""
    letters = [c for piece in row for c in piece.text if c.isalpha()]
    return 2 * sum("\u0590" <= c <= "\u08ff" or "\ufb1d" <= c <= "\ufefc" for c in letters) > len(letters)


def _build_block(box: LayoutBox, lines: Sequence[Line]) -> Block:
    if box.kind == "table":
        grid = build_grid(box, lines)
        return Block(kind="table", rect=box.rect, lines=tuple(lines), grid=grid)
    rect = box.rect if box.kind == "picture" or not lines else union([box.rect, *(line.rect for line in lines)])
    return Block(kind=box.kind, rect=rect, lines=merge_printed_lines(lines))


def _build_unassigned_block(lines: Sequence[Line]) -> Block:
    return Block(kind="text", rect=union(line.rect for line in lines), lines=merge_printed_lines(lines))


def _cluster_lines(lines: Sequence[Line]) -> list[list[Line]]:
    groups: list[list[Line]] = []
    for line in lines:
        if not line.text.strip():
            continue
        height = max(line.rect[3] - line.rect[1], 1.0)
        for group in reversed(groups[-_LOOK_BACK:]):
            last = union(piece.rect for piece in group[-3:])
            near = (
                vertical_overlap(line.rect, last) > -0.8 * height
                and horizontal_overlap(line.rect, last) > -1.5 * height
            )
            if near and line.vertical == group[-1].vertical:
                group.append(line)
                break
        else:
            groups.append([line])
    return groups


def build_grid(box: LayoutBox, lines: Sequence[Line]) -> Grid | None:
    """Cell texts by the model's edges; a word belongs to the cell that holds its centre."""
    rows = [box.rect[1], *box.row_edges, box.rect[3]]
    columns = [box.rect[0], *box.column_edges, box.rect[2]]
    if len(rows) < 3 and len(columns) < 3:
        return None
    cells = [["" for _ in columns[:-1]] for _ in rows[:-1]]
    for line in lines:
        right, last = float("-inf"), (-1, -1)
        for word, rect in split_words(line):
            row = _cell_index((rect[1] + rect[3]) / 2, rows)
            column = _cell_index((rect[0] + rect[2]) / 2, columns)
            touching = last == (row, column) and rect[0] - right < 0.1 * (rect[3] - rect[1])
            cells[row][column] += word if touching or not cells[row][column] else " " + word
            right, last = rect[2], (row, column)
    rects = tuple((box.rect[0], top, box.rect[2], bottom) for top, bottom in itertools.pairwise(rows))
    return Grid(cells=tuple(tuple(row) for row in cells), row_rects=rects)


def _cell_index(value: float, edges: Sequence[float]) -> int:
    slot = 0
    while slot < len(edges) - 2 and value >= edges[slot + 1]:
        slot += 1
    return slot


def split_words(line: Line) -> Iterable[tuple[str, Rect]]:
    """Words with their places, estimated by the share of characters in their span."""
    for span in line.spans:
        x0, y0, x1, y1 = span.rect
        each = (x1 - x0) / max(len(span.text), 1)
        start = 0
        for word in span.text.split():
            at = span.text.index(word, start)
            start = at + len(word)
            yield word, (x0 + at * each, y0, x0 + start * each, y1)
