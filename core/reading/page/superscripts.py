"""Keeps raised digits apart from the digits before them: where 10 to the power of 8 is printed, "108" is a lie.

A text layer runs the two together, and whoever checks numbers in it takes them for one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.reading.blocks import Span

_NUMBER = re.compile(r"(?:^|[^\d.,])(?P<digits>\d(?:[\d.,]*\d)?)(?P<stop>[.,]?)$")
_RAISED = re.compile(r"(?P<plus>\+\s?)?(?:[-\u2212\u2013]\s?)?\d")
_BASES = ("2", "10")
"""Numbers whose powers are written; what is raised behind another one is a note's number ("in 2019 3") or how far it
may be off ("46 +9").
"""
_SMALLER = 0.85
"""Of the size before it, below which a run that stands higher is raised though the layer does not say so."""
_HIGHER = 0.15
"""Of that size, by which it then stands higher."""
_GAP = 0.3
"""Of that size; what stands further off is a word of its own."""


def mark_superscripts(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans of a line, "^" before a power behind its base, a space before what else is raised behind a number.

    Behind a full stop or comma it is "^" as well: a space there would end the sentence before the note's number.
    """
    done: list[Span] = []
    text, low = "", True
    for number, span in enumerate(spans):
        raised = number > 0 and _is_raised(span, spans[number - 1] if low else done[-1])
        if raised and low:
            span = replace(
                span, text=_separator(text, "".join(one.text for one in spans[number : number + 3])) + span.text
            )
        done.append(span)
        text, low = text + span.text, not raised
    return tuple(done)


def _is_raised(span: Span, before: Span) -> bool:
    """Whether ``span`` stands directly behind the run ``before`` it, and is raised."""
    if span.rect[0] - before.rect[2] > _GAP * before.size:
        return False
    higher = before.rect[3] - span.rect[3] > _HIGHER * before.size
    return span.superscript or (span.size < _SMALLER * before.size and higher)


def _separator(before: str, raised: str) -> str:
    number, power = _NUMBER.search(before), _RAISED.match(raised)
    if number is None or power is None:
        return ""
    if number["stop"]:
        return "^"
    return "^" if number["digits"] in _BASES and not power["plus"] else " "
