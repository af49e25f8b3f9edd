"""Tells the numbers along a figure's axes from what the figure says: they count up or down in even steps.

No one asks for them, and as text they push what is written in a figure out of sight.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from core.reading.blocks import Line

_FEWEST = 4
"""Numbers in even steps from which they are an axis; the values of three bars may be even by chance."""
_NUMBER = re.compile(r"[-+\u2212\u2013]?\d+(?:[.,]\d+)?(?=%?$)")


def remove_axis_ticks(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a figure's lettering without those of its axes' numbers."""
    values = [_parse_tick(line.text) for line in lines]
    kept: list[Line] = []
    at = 0
    while at < len(lines):
        end = _even_run_end(values, at)
        if end - at < _FEWEST:
            end = at + 1
            kept.append(lines[at])
        at = end
    return tuple(kept)


def _even_run_end(values: Sequence[Decimal | None], start: int) -> int:
    """Where the numbers in even steps end that begin at ``start``."""
    end, step = start, None
    while end + 1 < len(values):
        one, other = values[end], values[end + 1]
        if one is None or other is None or one == other or step not in (None, other - one):
            break
        step = other - one
        end += 1
    return end + 1


def _parse_tick(text: str) -> Decimal | None:
    found = _NUMBER.match(text.strip())
    return Decimal(re.sub("[\u2212\u2013]", "-", found.group()).replace(",", ".")) if found else None
