"""A table in words where a platform draws none: columns lined up in fixed width, or one record a row. Pure.

Which of them reads well depends on how wide a line may be and how much the cells say.
"""

import unicodedata
from collections.abc import Sequence

from adapters.common.markdown import Grid, escape, plain

_GAP = "  "
_NUMERIC = set("0123456789.,+-−–±%×*()~<>=≤≥ ")
_SHORT = 4
_ON_ONE_LINE = 80
_CELL_LINES = 4
_MOST_LINES = 40


def fits(grid: Grid, width: int) -> bool:
    """Whether ``aligned`` keeps within ``width`` signs a line."""
    return sum(_widths(_cells(grid))) + len(_GAP) * (len(grid.header) - 1) <= width


def aligned(grid: Grid) -> str:
    """The table in fixed width: a header, a rule, a line a row; numbers stand at the right of their column."""
    cells = _cells(grid)
    widths = _widths(cells)
    right = [_is_numeric([row[at] for row in cells[1:]]) for at in range(len(widths))]
    lines = [_line(row, widths, right) for row in cells]
    rule = _GAP.join("─" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def wrapped(grid: Grid, width: int) -> str:
    """``aligned`` with long cells broken between words, rows apart; empty where that would not read well.

    It would not where a word is wider than its column can be, a cell takes more than four lines, or the whole more
    than can be seen at once.
    """
    cells = _cells(grid)
    columns = [list(column) for column in zip(*cells, strict=True)]
    widths = [max(width_of(word) for cell in column for word in (cell.split() or [""])) for column in columns]
    room = width - len(_GAP) * (len(widths) - 1)
    if sum(widths) > room:
        return ""
    while sum(widths) < room:
        tallest = max(range(len(widths)), key=lambda at: max(len(_broken(cell, widths[at])) for cell in columns[at]))
        widths[tallest] += 1
    rows = [[_broken(cell, widths[at]) for at, cell in enumerate(row)] for row in cells]
    lines = sum(max(map(len, row)) + 1 for row in rows)
    if lines > _MOST_LINES or any(len(cell) > _CELL_LINES for row in rows for cell in row):
        return ""
    right = [_is_numeric(column[1:]) for column in columns]
    head, *told = ["\n".join(_line(part, widths, right) for part in _side_by_side(row)) for row in rows]
    return "\n".join([head, _GAP.join("─" * one for one in widths), "\n\n".join(told)])


def records(grid: Grid) -> str:
    """The table as Markdown, a record a row: its name in bold, then the other columns with their headings.

    What is short stands on one line. A first column of mere numbers is joined to the second, so that the name says
    something.
    """
    header = [plain(cell).strip() for cell in grid.header]
    return "\n\n".join(_record(header, [plain(cell).strip() for cell in row]) for row in grid.rows)


def width_of(text: str) -> int:
    """How many columns of a fixed-width face ``text`` takes: wide signs two, combining ones none."""
    return sum(_sign_width(sign) for sign in text)


def _record(header: Sequence[str], row: Sequence[str]) -> str:
    named = 2 if len(row) > 1 and width_of(row[0]) <= _SHORT and row[0] else 1
    name = " · ".join(cell for cell in row[:named] if cell) or "–"
    rest = [(title, cell) for title, cell in zip(header[named:], row[named:], strict=True) if cell]
    told = [f"{escape(title)}: {escape(cell)}" if title else escape(cell) for title, cell in rest]
    if told and sum(map(width_of, told)) <= _ON_ONE_LINE:
        told = [" · ".join(told)]
    return "\n".join([f"**{escape(name)}**", *(f"- {one}" for one in told)])


def _cells(grid: Grid) -> list[list[str]]:
    return [[" ".join(plain(cell).split()) for cell in row] for row in (grid.header, *grid.rows)]


def _widths(cells: Sequence[Sequence[str]]) -> list[int]:
    return [max(width_of(cell) for cell in column) for column in zip(*cells, strict=True)]


def _broken(cell: str, width: int) -> list[str]:
    """The cell's words in lines of at most ``width``; a wider word has a line of its own."""
    lines: list[str] = []
    for word in cell.split():
        if lines and width_of(lines[-1]) + 1 + width_of(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def _side_by_side(row: Sequence[Sequence[str]]) -> list[list[str]]:
    tallest = max(map(len, row))
    return [[cell[at] if at < len(cell) else "" for cell in row] for at in range(tallest)]


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, width, is_right in zip(row, widths, right, strict=True):
        space = " " * (width - width_of(cell))
        padded.append(space + cell if is_right else cell + space)
    return _GAP.join(padded).rstrip()


def _is_numeric(column: Sequence[str]) -> bool:
    told = [cell for cell in column if cell and cell not in "–-—"]
    return bool(told) and all(set(cell) <= _NUMERIC for cell in told)


def _sign_width(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
