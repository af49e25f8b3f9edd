"""Passages before they are numbered: tables by rows, figures by their lettering, formulas by their number."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, takewhile

from core.domain.model import Box, PassageKind, Table
from core.reading.blocks import Line
from core.reading.paper.parts import Part
from core.reading.paper.tables import build_table, count_header_rows, extract_rows, names_above

_WORD = re.compile(r"[^\W\d_]{3,}")
_FEWEST_LETTERS = 12
"""Letters in words below which a figure's lettering is no passage."""
_PHRASE_WORDS = 3
_FEWEST_IN_PHRASES = 60
"""Letters in phrases below which lettering without values only names axes."""
_EQUATION_NUMBER = re.compile(r"\(\s*((?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?[a-z]?)\s*\)\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageDraft:
    """A passage without its number; ``caption`` and ``context`` are searched with it and never quoted from it.

    ``groups`` are the names of groups that a table's first row stands under.
    ``note`` is that of a page's foot, which the running text goes past.
    """

    page: int
    section: tuple[str, ...]
    kind: PassageKind
    text: str
    boxes: tuple[Box, ...]
    ends: tuple[int, ...] = ()
    label: str = ""
    table: Table | None = None
    first_row: int = 1
    groups: tuple[str, ...] = ()
    caption: str = ""
    context: str = ""
    from_ocr: bool = False
    note: bool = False


def line_box(page: int, line: Line) -> Box:
    """The box of a printed line."""
    x0, y0, x1, y1 = line.rect
    return Box(page=page, x0=x0, y0=y0, x1=x1, y1=y1)


def table_drafts(part: Part, characters: int) -> Iterator[PassageDraft]:
    """A table's rows as one passage, or several of about 1.5 times ``characters``; each knows the header."""
    rows = extract_rows(part.block)
    top = 0 if part.header_rows else count_header_rows(rows)
    header = (*part.header_rows, *rows[:top])
    start, number = 0, 1
    while start < len(rows):
        end, size = start, 0
        while end < len(rows) and (size < 1.5 * characters or end <= top):
            size += len(rows[end].text) + 1
            end += 1
        if sum(len(row.text) for row in rows[end:]) < 0.3 * characters:
            end = len(rows)
        body = rows[max(start, top) : end]
        own = rows[start:end]
        yield PassageDraft(
            page=part.page,
            section=part.section,
            kind="table",
            text="\n".join(row.text for row in own),
            boxes=tuple(Box(page=part.page, x0=r.rect[0], y0=r.rect[1], x1=r.rect[2], y1=r.rect[3]) for r in own),
            label=part.label,
            table=build_table(header, body),
            first_row=number,
            groups=names_above([row.cells for row in rows[top:start]]),
            caption=part.caption,
            from_ocr=part.from_ocr,
        )
        number += len(body)
        start = end


def picture_drafts(part: Part) -> Iterator[PassageDraft]:
    """The lettering of a figure, where it says more than what its axes are called: values, or phrases."""
    lines = remove_axis_ticks(_printed_lines(part))
    if not _has_values(lines) and _count_letters(lines, words=_PHRASE_WORDS) < _FEWEST_IN_PHRASES:
        return
    yield PassageDraft(
        page=part.page,
        section=part.section,
        kind="figure",
        text=_lines_text(lines),
        boxes=tuple(line_box(part.page, line) for line in lines),
        label=part.label,
        caption=part.caption,
        from_ocr=part.from_ocr,
    )


def _has_values(lines: Sequence[Line]) -> bool:
    """Whether numbers stand among the words, beside those of the axes."""
    return any(char.isdigit() for line in lines for char in line.text) and _count_letters(lines) >= _FEWEST_LETTERS


def _count_letters(lines: Sequence[Line], words: int = 1) -> int:
    """Letters in the words of the different lines that have at least so many ``words``."""
    found = (_WORD.findall(text) for text in {line.text.strip() for line in lines})
    return sum(len(word) for own in found if len(own) >= words for word in own)


def _printed_lines(part: Part) -> list[Line]:
    return [line for line in part.block.lines if line.text.strip()]


def _lines_text(lines: Sequence[Line]) -> str:
    return "\n".join(" ".join(line.text.split()) for line in lines)


def formula_drafts(part: Part, before: str) -> Iterator[PassageDraft]:
    """A numbered formula on its own, found by the words ``before`` it; it stays in its sentence as well."""
    lines = _printed_lines(part)
    text = _lines_text(lines)
    number = next(filter(None, map(_EQUATION_NUMBER.search, text.split("\n"))), None)
    if number is None:
        return
    yield PassageDraft(
        page=part.page,
        section=part.section,
        kind="formula",
        text=text,
        boxes=tuple(line_box(part.page, line) for line in lines),
        label=f"Eq. ({number[1]})",
        context=before,
        from_ocr=part.from_ocr,
    )


_MIN_TICKS = 4
"""Numbers in even steps from which they are an axis; the values of three bars may be even by chance."""
_TICK = re.compile(r"[-+\u2212\u2013]?\d+(?:[.,]\d+)?(?=%?$)")


def remove_axis_ticks(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a figure's lettering without those of its axes' numbers."""
    values = [_parse_tick(line.text) for line in lines]
    kept: list[Line] = []
    index = 0
    while index < len(lines):
        end = _even_run_end(values, index)
        if end - index < _MIN_TICKS:
            end = index + 1
            kept.append(lines[index])
        index = end
    return tuple(kept)


def _even_run_end(values: Sequence[Decimal | None], start: int) -> int:
    """Where the numbers in even steps end that begin at ``start``."""
    steps = (_step(value, following) for value, following in pairwise(values[start:]))
    first = next(steps, None)
    if first is None:
        return start + 1
    return start + 2 + sum(1 for _ in takewhile(lambda step: step == first, steps))


def _step(value: Decimal | None, following: Decimal | None) -> Decimal | None:
    """The difference of two numbers; None where they are equal or one is missing."""
    if value is None or following is None or value == following:
        return None
    return following - value


def _parse_tick(text: str) -> Decimal | None:
    found = _TICK.match(text.strip())
    return Decimal(re.sub("[\u2212\u2013]", "-", found.group()).replace(",", ".")) if found else None
