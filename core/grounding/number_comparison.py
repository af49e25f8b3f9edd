"""Whether numbers are the same, whatever their notation.

A number in an answer must occur in what the answer cites, with its unit, or follow from such numbers by a computation
that is shown and done again.
"""

import re
from collections.abc import Sequence

from core.grounding.numbers import Number, extract_number_variants, extract_numbers
from core.grounding.units import UNIT_PATTERN, canonical_unit, convert_to_base

_LONE_PERCENT = re.compile(r"(?<![\d\s])\s?%|^\s*%|[^\W\d_]\w*\s%")
_ITS_SHARE = re.compile(r"\s?\(\s?\d[\d.,]*\s?%\s?\)")
_AGED = re.compile(r"\bage[sd]?\b|\bold\b", re.IGNORECASE)
"""Ages are in years where no unit is printed."""
_PER_TIME = frozenset(("", "s", "min", "h", "d", "wk", "mo", "yr"))


def find_missing_numbers(sentence: str, evidence: str | Sequence[str]) -> tuple[Number, ...]:
    """Numbers of ``sentence`` that do not occur, with their units, in any text of ``evidence``."""
    texts = [evidence] if isinstance(evidence, str) else list(evidence)
    known = [(number, text) for text in texts for number in extract_number_variants(text)]
    return tuple(
        number
        for number in extract_numbers(sentence)
        if not any(is_same_number(number, other, text) for other, text in known)
    )


def is_same_number(number: Number, other: Number, text: str) -> bool:
    """Whether ``other``, read from ``text``, bears out ``number``: value and unit agree.

    A percentage may be printed as its fraction, or bare where ``text`` has a percent sign elsewhere (a table's
    header); a number without unit may leave it out, but may not count something else instead. What is counted is no
    share: "one season" is not 100 %, and "12 mice, 5 % of them" are not 12 %. "One" may be a pronoun: it is a 1 only
    beside what it counts.
    """
    if other.spelled and other.value == 1 and number.noun != other.noun:
        return False
    if _is_same_quantity(number, other):
        return True
    if number.unit == "%" and not other.unit:
        return _is_percentage(number, other, text)
    if not number.unit and other.unit == "%":
        return _is_bare_percentage(number, other)
    if number.value != other.value or number.noun:
        return False
    return not number.unit or (not other.unit and not other.noun and _mentions(text, number.unit))


def _is_same_quantity(number: Number, other: Number) -> bool:
    """Whether value and unit agree; seven days are a week. A rate ("mg/d") agrees with
    its unit alone, because a rate may be told in words elsewhere.
    """
    unit, _, rate = number.unit.partition("/")
    other_unit, _, other_rate = other.unit.partition("/")
    rates = {rate, other_rate}
    is_rate_untold = "" in rates and rates <= _PER_TIME
    if rate != other_rate and not is_rate_untold:
        return False
    return convert_to_base(number.value, unit) == convert_to_base(other.value, other_unit)


def _is_percentage(number: Number, other: Number, text: str) -> bool:
    """Whether a number without a sign is the percentage: in a table headed "%", or as its fraction."""
    if number.value == other.value:
        return not other.spelled and (_has_lone_percent(text) or ("%" in text and not _is_count(other, text)))
    return number.value == other.value * 100 and _may_be_fraction(other)


def _is_bare_percentage(number: Number, other: Number) -> bool:
    if number.value == other.value:
        return not number.noun
    return number.value * 100 == other.value and _may_be_fraction(number)


def _may_be_fraction(number: Number) -> bool:
    """Whether a number may be a percentage printed as a fraction: 0.85 or 1.00, never "one" or 2."""
    decimals = -int(number.value.as_tuple().exponent)
    return not number.spelled and decimals > 0 and abs(number.value) <= 1


def _has_lone_percent(text: str) -> bool:
    """Whether a percent sign stands by itself, as in the header of a table: it may belong to any number there."""
    return _LONE_PERCENT.search(text) is not None


def _is_count(number: Number, text: str) -> bool:
    """Whether a number says how many there are: what it counts follows, or its own share in brackets."""
    return bool(number.noun) or _ITS_SHARE.match(text, number.end) is not None


def _mentions(text: str, unit: str) -> bool:
    if unit == "yr" and _AGED.search(text):
        return True
    return any(canonical_unit(match.group()) == unit for match in re.finditer(UNIT_PATTERN, " " + text, re.VERBOSE))
