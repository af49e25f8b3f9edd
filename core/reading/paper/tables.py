"""Tables: their printed rows, header rows, and rows as text for the search; blocks of numbers count as tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.model import Table
from core.reading.blocks import Block, Line, PageContent, Rect, is_on_same_line, union

_MOST_HEADER_ROWS = 3
_YEAR = re.compile(r"\W*(?:19|20)\d\d\W*")
_WHITE = 0.25
"""White between two printed rows, as a share of a line's height; lines of one cell stand closer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A printed row: its words in the order of the file (cell by cell where OCR read it), its cells, its rectangle."""

    text: str
    cells: tuple[str, ...]
    rect: Rect


def extract_rows(block: Block) -> tuple[TableRow, ...]:
    """The printed rows of a table block from top to bottom; without a grid a row is a printed line."""
    if block.grid is None:
        return tuple(_build_row([line], (line.text,)) for line in _lines_by_row(block.lines))
    rows: list[list[Line]] = [[] for _ in block.grid.row_rects]
    for line in block.lines:
        rows[_row_index(line.rect, block.grid.row_rects)].append(line)
    if _is_from_ocr(block.lines):
        rows = [_sort_by_band_and_cell(lines) for lines in rows]
    filled = ((lines, cells) for lines, cells in zip(rows, block.grid.cells, strict=True) if lines)
    return tuple(_build_row(lines, cells) for lines, cells in filled)


def _sort_by_band_and_cell(lines: Sequence[Line]) -> list[Line]:
    return [line for band in _bands(lines) for line in _sort_by_cell(band)]


def _is_from_ocr(lines: Sequence[Line]) -> bool:
    """Whether OCR read the lines: they know no typeface, and their order is that of the eye, not of a file."""
    return all(not span.font for line in lines for span in line.spans)


def _bands(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines parted where white runs across all columns: a row of the grid may hold two that are printed."""
    bands: list[list[Line]] = []
    for line in sorted(lines, key=_top):
        bottom = max((other.rect[3] for other in bands[-1]), default=0.0) if bands else 0.0
        if bands and line.rect[1] < bottom + _WHITE * (line.rect[3] - line.rect[1]):
            bands[-1].append(line)
        else:
            bands.append([line])
    return bands


def _top(line: Line) -> float:
    return line.rect[1]


def _sort_by_cell(lines: Sequence[Line]) -> list[Line]:
    """The lines of one row cell by cell, from left to right: a cell of several lines is read to its end."""
    columns: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.rect[0]):
        column = next((column for column in columns if line.rect[0] < _right(column) - 1), None)
        if column is None:
            columns.append([line])
        else:
            column.append(line)
    return [line for column in columns for line in sorted(column, key=_top)]


def _right(lines: Sequence[Line]) -> float:
    return max(line.rect[2] for line in lines)


def _build_row(lines: Sequence[Line], cells: Sequence[str]) -> TableRow:
    text = " ".join(" ".join(line.text.split()) for line in lines)
    return TableRow(text=text, cells=tuple(cells), rect=union(line.rect for line in lines))


def _row_index(rect: Rect, rows: Sequence[Rect]) -> int:
    middle = (rect[1] + rect[3]) / 2
    return next((index for index, row in enumerate(rows) if middle < row[3]), len(rows) - 1)


def _lines_by_row(lines: Sequence[Line]) -> list[Line]:
    rows: list[list[Line]] = []
    for line in lines:
        row = next((row for row in rows if is_on_same_line(line.rect, row[0].rect)), None)
        if row is None:
            rows.append([line])
        else:
            row.append(line)
    return [_join_row(row) for row in sorted(rows, key=lambda row: _top(row[0]))]


def _join_row(row: Sequence[Line]) -> Line:
    rect = union(piece.rect for piece in row)
    return Line(text=" ".join(piece.text for piece in row), rect=rect, spans=row[0].spans)


def count_header_rows(rows: Sequence[TableRow]) -> int:
    """How many rows from the top name the columns: one, and more where spanning names leave cells empty."""
    for index, row in enumerate(rows[: min(_MOST_HEADER_ROWS, len(rows) - 1)]):
        filled = [cell for cell in row.cells[1:] if cell.strip()]
        names_columns = index == 0 and _has_other_value_shape(row.cells, rows[1].cells)
        if _holds_values(filled) and not names_columns:
            return index
        is_complete = bool(filled) and len(filled) == len(row.cells) - 1
        if is_complete:
            return index + 1
    return max(0, min(_MOST_HEADER_ROWS, len(rows) - 1))


def _holds_values(cells: Sequence[str]) -> bool:
    return bool(cells) and 2 * sum(_value_shape(cell) is not None for cell in cells) >= len(cells)


def _has_other_value_shape(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether a first row of numbers names columns: "1 %, 5 %" over "0.59, 0.71", "2019, 2020" over "34, 29"."""
    pairs = [(a, b) for a, b in zip(first[1:], second[1:], strict=False) if a.strip() and b.strip()]
    are_years = all(_YEAR.fullmatch(a) for a, _ in pairs)
    differing = sum(_value_shape(a) != _value_shape(b) for a, b in pairs)
    return bool(pairs) and (are_years or differing > 0.7 * len(pairs))


def _value_shape(cell: str) -> str | None:
    """The form of a value (whole or decimal, with its unit), or None for words."""
    if not any(character.isalnum() for character in cell):
        return ""
    found = re.match(r"[^\w]*(?:[<>~≈±]\s*)?(\d[\d,]*)(\.\d+)?\s*([%A-Za-z]?)", cell)
    if found is None:
        return None
    return ("decimal" if found[2] else "whole") + found[3]


def has_same_columns(table: Block, other: Block) -> bool:
    """Whether two tables are set in the same columns, as the halves of one are."""
    if table.grid is None or other.grid is None:
        return False
    same_place = abs(table.rect[0] - other.rect[0]) < 15 and abs(table.rect[2] - other.rect[2]) < 15
    return same_place and len(table.grid.cells[0]) == len(other.grid.cells[0])


def build_table(header: Sequence[TableRow], rows: Sequence[TableRow]) -> Table | None:
    """Header and rows as data, or None where there are no columns."""
    columns = max((len(row.cells) for row in (*header, *rows)), default=0)
    if columns < 2 or not rows:
        return None
    names = zip(*(_pad(row.cells, columns) for row in header), strict=True) if header else [()] * columns
    return Table(
        header=tuple(" ".join(filter(None, cells)) for cells in names),
        rows=tuple(_pad(row.cells, columns) for row in rows),
    )


def _pad(cells: Sequence[str], columns: int) -> tuple[str, ...]:
    return (*cells, *[""] * (columns - len(cells)))


def linearise_table(table: Table, first: int = 1, groups: Sequence[str] = ()) -> str:
    """Rows with their header names, one a line: "Row 2: Upper harbour · Method = X; F1 = 98.7".

    Each row of a group carries its name, whether it stands above the rows in a row of its own or beside the first of
    them. ``groups`` are the names that the first row stands under.
    """
    is_grouped = bool(table.rows and table.rows[0][0].strip())
    group = ""
    lines = []
    for index, row in enumerate(table.rows):
        if is_group_name(row):
            continue
        group = row[0] if row[0].strip() or not is_grouped else group
        cells = _name_cells(table.header, (group, *row[1:]))
        if cells:
            above = names_above(table.rows[:index], tuple(groups))
            lines.append(f"Row {first + index}: " + " · ".join([*above, "; ".join(cells)]))
    return "\n".join(lines)


def is_group_name(row: Sequence[str]) -> bool:
    """Whether a row has only one cell that is filled, the first or one of many: the name of the rows below."""
    is_alone = sum(bool(cell.strip()) for cell in row) == 1
    return is_alone and len(row) > 1 and (bool(row[0].strip()) or len(row) > 2)


def names_above(rows: Sequence[Sequence[str]], above: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names of groups that a row under ``rows`` stands under; of two in a row the first holds the second."""
    was_name = False
    for row in rows:
        if not is_group_name(row):
            was_name = False
            continue
        name = next(cell for cell in row if cell.strip())
        above = (*above[-1:], name) if was_name else (name,)
        was_name = True
    return above


def _name_cells(header: Sequence[str], cells: Sequence[str]) -> list[str]:
    """The cells that are not empty, each behind the name of its column."""
    filled = ((name, cell) for name, cell in zip(header, cells, strict=True) if cell.strip())
    return [f"{name} = {cell}" if name else cell for name, cell in filled]


_MIN_LISTING_NUMBERS = 6
"""Numbers from which a block may be one of numbers."""
_MIN_LISTING_SHARE = 0.6
"""Of its words that are then numbers."""
_LISTED_NUMBER = re.compile(r"[(\[<]?[-+\u2212\u2013]?\d[\d.,:]*(?:[eE][-+]?\d+)?[%)\]*]*")


def mark_number_listings(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """The pages, their blocks of numbers as tables without a grid."""
    return tuple(replace(page, blocks=tuple(map(_mark_listing, page.blocks))) for page in pages)


def _mark_listing(block: Block) -> Block:
    return replace(block, kind="table") if block.kind in ("text", "list-item") and _is_listing(block) else block


def _is_listing(block: Block) -> bool:
    words = [word for line in block.lines for word in line.text.split()]
    numbers = sum(_LISTED_NUMBER.fullmatch(word) is not None for word in words)
    return numbers >= _MIN_LISTING_NUMBERS and numbers >= _MIN_LISTING_SHARE * len(words)
