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
    """Whether ``aligned`` keeps within ``width`` characters a line."""
    return sum(_widths(_cells(grid))) + len(_GAP) * (len(grid.header) - 1) <= width


def align(grid: Grid) -> str:
    """The table in fixed width: a header, a rule, a line a row; numbers stand at the right of their column."""
    cells = _cells(grid)
    widths = _widths(cells)
    right = [_is_numeric(column[1:]) for column in _columns(cells)]
    header, *rows = [_line(row, widths, right) for row in cells]
    return "\n".join([header, _rule(widths), *rows])


def wrap(grid: Grid, width: int) -> str:
    """``aligned`` with long cells broken between words, rows apart; empty where that would not read well.

    It would not where a word is wider than its column can be, a cell takes more than four lines, or the whole more
    than can be seen at once.
    """
    cells = _cells(grid)
    columns = _columns(cells)
    widths = [max(map(_longest_word, column)) for column in columns]
    space = width - len(_GAP) * (len(widths) - 1)
    if sum(widths) > space:
        return ""
    _widen(widths, columns, space)
    rows = [list(map(_break_words, row, widths)) for row in cells]
    heights = [max(map(len, row)) for row in rows]
    if max(heights) > _CELL_LINES or sum(heights) + len(heights) > _MOST_LINES:
        return ""
    right = [_is_numeric(column[1:]) for column in columns]
    header, *body = ["\n".join(_line(line, widths, right) for line in _side_by_side(row)) for row in rows]
    return "\n".join([header, _rule(widths), "\n\n".join(body)])


def as_records(grid: Grid) -> str:
    """The table as Markdown, a record a row: its name in bold, then the other columns with their headings.

    What is short stands on one line. A first column of mere numbers is joined to the second, so that the name says
    something.
    """
    header = [plain(cell).strip() for cell in grid.header]
    return "\n\n".join(_record(header, [plain(cell).strip() for cell in row]) for row in grid.rows)


def width_of(text: str) -> int:
    """How many columns of a fixed-width face ``text`` takes: wide characters two, combining ones none."""
    return sum(map(_char_width, text))


def _record(header: Sequence[str], row: Sequence[str]) -> str:
    has_short_name = len(row) > 1 and 0 < width_of(row[0]) <= _SHORT
    split = 2 if has_short_name else 1
    name = " · ".join(filter(None, row[:split])) or "–"
    values = [_titled(title, cell) for title, cell in zip(header[split:], row[split:], strict=True) if cell]
    if values and sum(map(width_of, values)) <= _ON_ONE_LINE:
        values = [" · ".join(values)]
    return "\n".join([f"**{escape(name)}**", *(f"- {value}" for value in values)])


def _titled(title: str, cell: str) -> str:
    return f"{escape(title)}: {escape(cell)}" if title else escape(cell)


def _cells(grid: Grid) -> list[list[str]]:
    return [[" ".join(plain(cell).split()) for cell in row] for row in (grid.header, *grid.rows)]


def _widths(cells: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(width_of, column)) for column in _columns(cells)]


def _columns(cells: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    return list(zip(*cells, strict=True))


def _rule(widths: Sequence[int]) -> str:
    return _GAP.join("─" * width for width in widths)


def _longest_word(cell: str) -> int:
    return max(map(width_of, cell.split()), default=0)


def _widen(widths: list[int], columns: Sequence[Sequence[str]], space: int) -> None:
    """Give the columns all of ``space``, each time the one whose cells take most lines."""

    def height(index: int) -> int:
        return max(len(_break_words(cell, widths[index])) for cell in columns[index])

    while sum(widths) < space:
        widths[max(range(len(widths)), key=height)] += 1


def _break_words(cell: str, width: int) -> list[str]:
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
    padded = [[*cell, *[""] * (tallest - len(cell))] for cell in row]
    return [list(line) for line in zip(*padded, strict=True)]


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, width, is_right in zip(row, widths, right, strict=True):
        space = " " * (width - width_of(cell))
        padded.append(space + cell if is_right else cell + space)
    return _GAP.join(padded).rstrip()


def _is_numeric(column: Sequence[str]) -> bool:
    values = [cell for cell in column if cell not in ("", "–", "-", "—")]
    return bool(values) and all(set(value) <= _NUMERIC for value in values)


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
