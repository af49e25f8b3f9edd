"""Tables: their printed rows, header rows, and rows as text for the search; blocks of numbers count as tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.model import Table
from core.reading.blocks import Block, Line, PageContent, Rect, is_on_same_line, union

_MOST_HEADER_ROWS = 3
_WHITE = 0.25
"""White between two printed rows, as a share of a line's height; lines of one cell stand closer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A printed row: its words in the order of the file (cell by cell where OCR read it), its cells, its place."""

    text: str
    cells: tuple[str, ...]
    rect: Rect


def extract_rows(block: Block) -> tuple[Row, ...]:
    """The printed rows of a table block from top to bottom; without a grid a row is a printed line."""
    if block.grid is None:
        return tuple(_build_row([line], (line.text,)) for line in _lines_by_row(block.lines))
    taken: list[list[Line]] = [[] for _ in block.grid.row_rects]
    for line in block.lines:
        taken[_row_index(line.rect, block.grid.row_rects)].append(line)
    if _is_from_ocr(block.lines):
        taken = [[line for band in _bands(lines) for line in _sort_by_cell(band)] for lines in taken]
    return tuple(_build_row(lines, cells) for lines, cells in zip(taken, block.grid.cells, strict=True) if lines)


def _is_from_ocr(lines: Sequence[Line]) -> bool:
    """Whether OCR read the lines: they know no typeface, and their order is that of the eye, not of a file."""
    return all(not span.font for line in lines for span in line.spans)


def _bands(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines parted where white runs across all columns: a row of the grid may hold two that are printed."""
    bands: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: one.rect[1]):
        floor = max((one.rect[3] for one in bands[-1]), default=0.0) if bands else 0.0
        if bands and line.rect[1] < floor + _WHITE * (line.rect[3] - line.rect[1]):
            bands[-1].append(line)
        else:
            bands.append([line])
    return bands


def _sort_by_cell(lines: Sequence[Line]) -> list[Line]:
    """The lines of one row cell by cell, from left to right: a cell of several lines is read to its end."""
    columns: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: one.rect[0]):
        column = next((one for one in columns if line.rect[0] < max(other.rect[2] for other in one) - 1), None)
        if column is None:
            columns.append([line])
        else:
            column.append(line)
    return [line for column in columns for line in sorted(column, key=lambda one: one.rect[1])]


def _build_row(lines: Sequence[Line], cells: Sequence[str]) -> Row:
    text = " ".join(" ".join(line.text.split()) for line in lines)
    return Row(text=text, cells=tuple(cells), rect=union(line.rect for line in lines))


def _row_index(rect: Rect, rows: Sequence[Rect]) -> int:
    middle = (rect[1] + rect[3]) / 2
    for number, row in enumerate(rows):
        if middle < row[3]:
            return number
    return len(rows) - 1


def _lines_by_row(lines: Sequence[Line]) -> list[Line]:
    rows: list[list[Line]] = []
    for line in lines:
        for row in rows:
            if is_on_same_line(line.rect, row[0].rect):
                row.append(line)
                break
        else:
            rows.append([line])
    rows.sort(key=lambda row: row[0].rect[1])
    return [
        Line(text=" ".join(p.text for p in row), rect=union(p.rect for p in row), spans=row[0].spans) for row in rows
    ]


def header_rows(rows: Sequence[Row]) -> int:
    """How many rows from the top name the columns: one, and more where spanning names leave cells empty."""
    top = 0
    while top < min(_MOST_HEADER_ROWS, len(rows) - 1):
        cells = rows[top].cells
        filled = [cell for cell in cells[1:] if cell.strip()]
        if _holds_values(filled) and not (top == 0 and _has_other_value_shape(cells, rows[1].cells)):
            break
        top += 1
        if len(filled) == len(cells) - 1 and filled:
            break
    return top


def _holds_values(cells: Sequence[str]) -> bool:
    return bool(cells) and 2 * sum(_value_shape(cell) is not None for cell in cells) >= len(cells)


def _has_other_value_shape(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether a first row of numbers names columns: "1 %, 5 %" over "0.59, 0.71", "2019, 2020" over "34, 29"."""
    pairs = [(a, b) for a, b in zip(first[1:], second[1:], strict=False) if a.strip() and b.strip()]
    years = all(re.fullmatch(r"\W*(?:19|20)\d\d\W*", a) for a, _ in pairs)
    differ = sum(_value_shape(a) != _value_shape(b) for a, b in pairs)
    return bool(pairs) and (years or differ > 0.7 * len(pairs))


def _value_shape(cell: str) -> str | None:
    """The form of a value (whole or decimal, with its unit), or None for words."""
    if not any(character.isalnum() for character in cell):
        return ""
    found = re.match(r"[^\w]*(?:[<>~≈±]\s*)?(\d[\d,]*)(\.\d+)?\s*([%A-Za-z]?)", cell)
    if found is None:
        return None
    return ("decimal" if found[2] else "whole") + found[3]


def has_same_columns(one: Block, other: Block) -> bool:
    """Whether two tables are set in the same columns, as the halves of one are."""
    if one.grid is None or other.grid is None:
        return False
    same_place = abs(one.rect[0] - other.rect[0]) < 15 and abs(one.rect[2] - other.rect[2]) < 15
    return same_place and len(one.grid.cells[0]) == len(other.grid.cells[0])


def build_table(header: Sequence[Row], rows: Sequence[Row]) -> Table | None:
    """Header and rows as data, or None where there are no columns."""
    wide = max((len(row.cells) for row in (*header, *rows)), default=0)
    if wide < 2 or not rows:
        return None
    names = tuple(" ".join(row.cells[c] for row in header if c < len(row.cells) and row.cells[c]) for c in range(wide))
    filled = tuple((*row.cells, *[""] * (wide - len(row.cells))) for row in rows)
    return Table(header=names, rows=filled)


def linearise_table(table: Table, first: int = 1) -> str:
    """Rows with their header names, one a line: "Row 2: Method = X; F1 = 98.7".

    A group's name printed once, beside its first row, is said with each row of the group.
    """
    grouped = bool(table.rows and table.rows[0][0].strip())
    group = ""
    lines = []
    for number, row in enumerate(table.rows, start=first):
        group = row[0] if row[0].strip() or not grouped else group
        cells = [
            f"{name} = {cell}" if name else cell
            for name, cell in zip(table.header, (group, *row[1:]), strict=True)
            if cell.strip()
        ]
        if cells:
            lines.append(f"Row {number}: " + "; ".join(cells))
    return "\n".join(lines)


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
