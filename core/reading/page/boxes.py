"""Puts the visible lines of a page into the typed boxes that the layout model saw; nothing is lost.

Pure, so that it is tested without a model: pieces of one baseline become printed lines, lines that no box
covers become text blocks of their own, and a table's lines become a grid.
"""

import itertools
import re
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

_MIN_BOX_SCORE = 0.25
"""Score above which a piece of text belongs to a box."""
_SPACES = (" ", "\u00a0")
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
    owned: list[list[Line]] = [[] for _ in boxes]
    unowned: list[Line] = []
    for part in (part for line in lines for part in _split_across_boxes(line, boxes)):
        owner = _best_box(part.rect, boxes)
        (unowned if owner is None else owned[owner]).append(part)
    middle = find_column_gutter(lines)
    filled = ((box, own) for box, own in zip(boxes, owned, strict=True) if own or box.kind == "picture")
    blocks = [block for box, own in filled for block in _build_blocks(box, own, middle)]
    return (*blocks, *(_build_unassigned_block(group) for group in _cluster_lines(unowned)))


def _best_box(rect: Rect, boxes: Sequence[LayoutBox]) -> int | None:
    """The box that took most of this piece of text; text pieces weigh more than the box around them."""
    scores = [_box_score(rect, box) for box in boxes]
    best = max(scores, default=0.0)
    return scores.index(best) if best > _MIN_BOX_SCORE else None


def _box_score(rect: Rect, box: LayoutBox) -> float:
    """The share of a piece of text, 0 to 1, that a box's own pieces cover, else half of the share within the box."""
    middle, width = (rect[1] + rect[3]) / 2, max(rect[2] - rect[0], 0.1)
    is_beside = horizontal_overlap(rect, box.rect) < -2
    if is_beside or not box.rect[1] - 2 <= middle <= box.rect[3] + 2:
        return 0.0
    on_line = (piece for piece in box.pieces if piece[1] - 1 <= middle <= piece[3] + 1)
    covered = min(1.0, sum(max(0.0, horizontal_overlap(rect, piece)) for piece in on_line) / width)
    return covered if covered > 0.4 else 0.5 * contained_fraction(rect, box.rect)


def _split_across_boxes(line: Line, boxes: Sequence[LayoutBox]) -> Iterable[Line]:
    """The line itself, or its spans dealt out where it runs over more than one box."""
    if len(line.spans) < 2 or not _touches_several(line.rect, boxes):
        return (line,)
    owners = [_best_box(span.rect, boxes) for span in line.spans]
    if len(set(owners)) < 2:
        return (line,)
    runs = itertools.groupby(zip(owners, line.spans, strict=True), key=lambda pair: pair[0])
    return tuple(build_line([span for _, span in run], vertical=line.vertical) for _, run in runs)


def _touches_several(rect: Rect, boxes: Sequence[LayoutBox]) -> bool:
    least = 0.1 * max(area(rect), 1e-6)
    return sum(intersection_area(rect, box.rect) > least for box in boxes) > 1


def build_line(spans: Sequence[Span], *, vertical: bool = False) -> Line:
    """A line of these spans, with a space where there is a gap between two of them."""
    spans = spans if vertical else mark_superscripts(spans)
    text = spans[0].text
    for last, span in itertools.pairwise(spans):
        has_space = text.endswith(_SPACES) or span.text.startswith(_SPACES)
        lacks_space = not has_space and _is_apart(last, span, vertical=vertical)
        text += " " + span.text if lacks_space else span.text
    return Line(text=text, rect=union(span.rect for span in spans), spans=tuple(spans), vertical=vertical)


def _is_apart(last: Span, span: Span, *, vertical: bool) -> bool:
    """Whether there is a gap as wide as a space between two spans."""
    if vertical and abs(span.rect[1] - last.rect[3]) > 1:
        return True
    return span.rect[0] - last.rect[2] > 0.12 * max(span.size, 1.0)


def merge_printed_lines(pieces: Sequence[Line]) -> tuple[Line, ...]:
    """Pieces that stand on one baseline joined to printed lines, from top to bottom."""
    if any(piece.vertical for piece in pieces):
        return tuple(pieces)
    rows: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda piece: (piece.rect[1] + piece.rect[3]) / 2):
        row = next((row for row in reversed(rows[-3:]) if _continues_row(piece, row)), None)
        if row is None:
            rows.append([piece])
        else:
            row.append(piece)
    return tuple(_join_row(row) for row in sorted(map(_sort_row, rows), key=_row_bottom))


def _continues_row(piece: Line, row: Sequence[Line]) -> bool:
    """Whether a piece stands on the baseline of all pieces of a row and over none of them."""
    return all(
        is_on_same_line(piece.rect, other.rect) and horizontal_overlap(piece.rect, other.rect) < 1.5 for other in row
    )


def _sort_row(row: Sequence[Line]) -> list[Line]:
    return sorted(row, key=lambda piece: piece.rect[0], reverse=_is_right_to_left_row(row))


def _row_bottom(row: Sequence[Line]) -> float:
    return min(piece.rect[3] for piece in row)


def _join_row(row: Sequence[Line]) -> Line:
    return row[0] if len(row) == 1 else build_line([span for piece in row for span in piece.spans])


def find_column_gutter(lines: Sequence[Line]) -> float | None:
    """The x between two columns of text, if the page is set in two: hardly a line crosses it."""
    rects = [line.rect for line in lines if len(line.text) > 20 and not line.vertical]
    if len(rects) < 12:
        return None
    left, right = min(rect[0] for rect in rects), max(rect[2] for rect in rects)
    candidates = [left + percent / 100 * (right - left) for percent in range(35, 66)]
    crossing = [_count_crossing(rects, x) for x in candidates]
    fewest = min(crossing)
    return candidates[crossing.index(fewest)] if fewest < 0.15 * len(rects) else None


def _count_crossing(rects: Sequence[Rect], x: float) -> int:
    """How many lines cross ``x``; all of them where it parts no two columns."""
    before, behind = sum(rect[2] <= x for rect in rects), sum(rect[0] >= x for rect in rects)
    has_columns = min(before, behind) >= 0.25 * len(rects)
    return len(rects) - before - behind if has_columns else len(rects)


def _build_blocks(box: LayoutBox, lines: Sequence[Line], middle: float | None) -> Iterable[Block]:
    """One block, or two where the model drew one box over lines of both columns."""
    if middle is None or box.kind in ("table", "picture", "title") or len(lines) < 4:
        return (_build_block(box, lines),)
    columns = _split_at(middle, lines)
    if columns is None:
        return (_build_block(box, lines),)
    boxes = (LayoutBox(kind=box.kind, rect=union(line.rect for line in column)) for column in columns)
    return tuple(map(_build_block, boxes, columns))


def _split_at(x: float, lines: Sequence[Line]) -> tuple[list[Line], list[Line]] | None:
    """The lines left and right of ``x``; None where one crosses it or all are on one side."""
    left = [line for line in lines if line.rect[2] <= x + 2]
    right = [line for line in lines if line.rect[0] >= x - 2]
    is_complete = len(left) + len(right) >= len(lines)
    return (left, right) if left and right and is_complete else None


def _is_right_to_left_row(row: Sequence[Line]) -> bool:
    """Whether the pieces of a line are read from the right, as in Hebrew and Arabic."""
    letters = [char for piece in row for char in piece.text if char.isalpha()]
    return 2 * sum(map(_is_right_to_left, letters)) > len(letters)


def _is_right_to_left(char: str) -> bool:
    return "\u0590" <= char <= "\u08ff" or "\ufb1d" <= char <= "\ufefc"


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
    for line in (line for line in lines if line.text.strip()):
        group = next((group for group in reversed(groups[-_LOOK_BACK:]) if _is_near(line, group)), None)
        if group is None:
            groups.append([line])
        else:
            group.append(line)
    return groups


def _is_near(line: Line, group: Sequence[Line]) -> bool:
    """Whether a line stands close to the last lines of a group and runs in their direction."""
    height = max(line.rect[3] - line.rect[1], 1.0)
    last = union(piece.rect for piece in group[-3:])
    is_close = vertical_overlap(line.rect, last) > -0.8 * height
    is_beside = horizontal_overlap(line.rect, last) <= -1.5 * height
    return is_close and not is_beside and line.vertical == group[-1].vertical


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
            is_touching = last == (row, column) and rect[0] - right < 0.1 * (rect[3] - rect[1])
            needs_space = not is_touching and cells[row][column]
            cells[row][column] += " " + word if needs_space else word
            right, last = rect[2], (row, column)
    rects = tuple((box.rect[0], top, box.rect[2], bottom) for top, bottom in itertools.pairwise(rows))
    return Grid(cells=tuple(map(tuple, cells)), row_rects=rects)


def _cell_index(value: float, edges: Sequence[float]) -> int:
    """The index of the cell, between two ``edges``, that holds a value; the first or last for one outside."""
    index = 0
    while index < len(edges) - 2 and value >= edges[index + 1]:
        index += 1
    return index


def split_words(line: Line) -> Iterable[tuple[str, Rect]]:
    """Words with their rectangles, estimated by the share of characters in their span."""
    for span in line.spans:
        x0, y0, x1, y1 = span.rect
        width = (x1 - x0) / max(len(span.text), 1)
        for word in re.finditer(r"\S+", span.text):
            yield word.group(), (x0 + word.start() * width, y0, x0 + word.end() * width, y1)
