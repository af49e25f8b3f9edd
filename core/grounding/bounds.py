"""Bounds of numbers ("at most 5", "p < .05", "20 or more") and the pairs they stand in ("from 3 to 5", "3 of 10").

Kept apart from the numbers because a bound is read from the words around a number, in the main languages of science.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Literal, TypeAlias

from core.grounding.numbers import Number
from core.grounding.units import convert_to_base

Bound: TypeAlias = Literal["", "<", "≤", ">", "≥", "±"]
Pair: TypeAlias = tuple[str, Decimal, Decimal]

_SMALLER = "less|fewer|lower|smaller|younger|shorter|lighter|earlier|slower|weaker|cheaper|cooler|colder|narrower"
_NOT_IN_PHRASE = r"(?!\s(?:an?|the)\s)"
"""A bare preposition before a noun phrase ("under a 12-hour rhythm") bounds nothing."""
_WORDS: Mapping[Bound, str] = {
    "≥": r"at (?:the )?least|no(?:t)? (?:less|fewer|lower|smaller) than|a minimum of|mindestens|wenigstens|au moins"
    r"|al menos|por lo menos|como mínimo|pelo menos|no mínimo|almeno|至少",
    "≤": r"at (?:the )?most|up to|no(?:t)? (?:more|greater|larger|higher) than|a maximum of|höchstens|maximal|bis zu"
    r"|au plus|jusqu'à|como máximo|hasta|no máximo|al massimo|fino a|至多|最多",
    "<": rf"(?:below|under){_NOT_IN_PHRASE}|(?:{_SMALLER}) than|weniger als|unter|moins d[e']|menos de|meno di"
    r"|少于|低于",
    ">": rf"exceed(?:s|ed|ing)?|(?:above|over|beyond){_NOT_IN_PHRASE}|(?!rather|other)(?:\w{{2,}}er|more) than|mehr als"
    r"|über|plus d[e']|más de|mais de|più di|超过|高于",
}
_SIGNS: Mapping[Bound, str] = {
    "≥": r"[≥⩾≧]|[>]\s?=",
    "≤": r"[≤⩽≦]|<\s?=",
    "<": "<|&lt;",
    ">": ">|&gt;",
    "±": r"±|\+/-",
}
_FLIPPED: Mapping[Bound, Bound] = {"<": "≥", "≥": "<", ">": "≤", "≤": ">"}
_MIRRORED: Mapping[Bound, Bound] = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}
_IMPLIED: frozenset[tuple[Bound, Bound]] = frozenset({("≥", ">"), ("≤", "<")})
"""What is said, and the stricter bound that bears it out."""
_BETWEEN = r"[\s~≈(有为]*(?:(?:about|approximately|around|roughly|some|the|an?)\s)?[-−+$€£¥\s]*$"
"""What may stand between a bound and the digits."""
_DEVIATION = re.compile(r"\d\D{0,8}(?:±|\+/-)\s*$")
_WORDS_BEFORE = {bound: re.compile(rf"(?<![a-zà-ÿ])(?:{words}){_BETWEEN}", re.I) for bound, words in _WORDS.items()}
_SIGNS_BEFORE = {bound: re.compile(rf"(?:{signs}){_BETWEEN}") for bound, signs in _SIGNS.items()}
_SIGNS_AFTER = {bound: re.compile(rf"\s?(?:{signs})") for bound, signs in _SIGNS.items() if bound in _MIRRORED}
_OR, _COUNTED = r"(?:or|and|oder|und|ou|et|o|y|e)", r"\W*(?:[^\W\d_][\w-]*\W+)?"
_AFTER: Mapping[Bound, re.Pattern[str]] = {
    "≥": re.compile(
        rf"\+|{_COUNTED}{_OR} (?:more|higher|greater|above|over|older|later|larger|mehr|plus|más|mais)\b", re.I
    ),
    "≤": re.compile(
        rf"{_COUNTED}{_OR} (?:less|fewer|lower|below|under|younger|earlier|smaller|weniger|moins|menos)\b", re.I
    ),
}
_SPANNING = re.compile(rf"\b(?:over|über|up to|hasta|bis zu){_BETWEEN}", re.I)
"""Words that bound a number or only say how long, how wide or how far."""
_EXTENTS = frozenset("s ms min h d wk mo yr mm cm m km m2 km2 ha".split())
_ONLY = re.compile(r"\b(?:only|just|merely|nur|seulement|solo|sólo|apenas)\s$", re.I)
"""What may be told as "no more than"."""
_DENIALS = r"(?:\b(?:not?|never|none|neither|nor|cannot|nicht|kein\w*|ne|pas|não|non)\b|n't\b)"
_DENIAL = re.compile(_DENIALS, re.I)
_DENIED = re.compile(rf"{_DENIALS}\s(?:be\s|to\s)?$", re.I)
"""A denial of the bound itself."""
_EXCLUDES = re.compile(
    r"\b(?:exclu[ds]|discard|remov|omit|reject|dropped|left out|leave out|ineligible|disregard)", re.I
)
"""Words that turn a bound round: what is kept is what is not left out."""
_CLAUSE = re.compile(r"[,;:.](?=\s)")
_REACH = 60


def read_bounds(text: str, number: Number) -> frozenset[Bound]:
    """What the words around a number may say of it: a bound, "" for none, several where that cannot be decided.

    A denial in the same clause may turn a bound round ("in no case was it larger than 5"): both are then possible.
    """
    before, after = text[max(0, number.start - _REACH) : number.start], text[number.end : number.end + _REACH]
    signed = _before(_SIGNS_BEFORE, before)
    if signed == "±" and _DEVIATION.search(before):
        return frozenset({"", "±"})  # a mean with its deviation, which may be told without the sign
    if signed:
        return frozenset({signed})
    mirrored = _after(_SIGNS_AFTER, after)
    if mirrored:
        return frozenset({_MIRRORED[mirrored]})
    for bound, pattern in _WORDS_BEFORE.items():
        match = pattern.search(before)
        if match:
            return _read_words(bound, before[: match.start()], number, text)
    return frozenset({_after(_AFTER, after), "≤"} if _ONLY.search(before) else {_after(_AFTER, after)})


def _read_words(bound: Bound, context: str, number: Number, text: str) -> frozenset[Bound]:
    """What a bound in words may mean behind its ``context``."""
    if _DENIED.search(context):
        return frozenset({_FLIPPED[bound]})
    possible = {bound}
    if _DENIAL.search(_CLAUSE.split(context)[-1]):
        possible.add(_FLIPPED[bound])
    if _SPANNING.search(text[: number.start]) and (number.unit in _EXTENTS or bound == "≤"):
        possible.add("")
    return frozenset(possible)


def read_complements(bounds: Iterable[Bound]) -> frozenset[Bound]:
    """The bounds of everything else: what is not at least 5 is less than 5."""
    return frozenset(_FLIPPED[bound] for bound in bounds if bound in _FLIPPED)


def tells_exclusion(text: str) -> bool:
    """Whether a text says what is left out, so that its bounds are those of what is not kept."""
    return _EXCLUDES.search(text) is not None


def is_borne_out(said: Iterable[Bound], printed: Iterable[Bound]) -> bool:
    """Whether some reading of the one bound is, or follows from, some reading of the other."""
    known = set(printed)
    return any(bound in known or any((bound, other) in _IMPLIED for other in known) for bound in said)


def _before(patterns: Mapping[Bound, re.Pattern[str]], text: str) -> Bound:
    return next((bound for bound, pattern in patterns.items() if pattern.search(text)), "")


def _after(patterns: Mapping[Bound, re.Pattern[str]], text: str) -> Bound:
    return next((bound for bound, pattern in patterns.items() if pattern.match(text)), "")


_RANGE = re.compile(r"\s?(?:[-–−]|\.\.\.?|to|till|until|through|bis|a|à|al|hasta|até|fino a|至|到)\s?[-−+$€£¥]?\s?")
_AND = re.compile(r"\s(?:and|und|et|y|e)\s[-−+$€£¥]?")
_BETWEEN_WORD = re.compile(r"\b(?:between|zwischen|entre|tra|fra)\s\D{0,10}$", re.I)
_RATIO = re.compile(
    r"\s(?:out )?of (?:the |all |these |those )?|\s?/\s?|\svon(?: den)?\s|\ssur(?: les)?\s|\sd[ei](?: l[oae]s)?\s"
)


def read_pairs(text: str, numbers: Sequence[Number]) -> set[Pair]:
    """The ranges ("from 3 to 5 mg", "between 3 and 5") and shares ("3 of 10") of a text, as numbers in base units."""
    without_deviations = [number for number in numbers if not _DEVIATION.search(text[: number.start])]
    return {
        (kind, _base(first), _base(second))
        for first, second in pairwise(without_deviations)
        if (kind := _joined_as(text, first, second))
    }


def find_altered_pairs(said: Iterable[Pair], printed: set[Pair]) -> list[Pair]:
    """Pairs that stand in another order or with another partner than where they are printed."""
    return [pair for pair in said if pair not in printed and any(_shares_end(pair, other) for other in printed)]


def _shares_end(pair: Pair, other: Pair) -> bool:
    return pair[0] == other[0] and bool({*pair[1:]} & {*other[1:]})


def _is_year(number: Number) -> bool:
    return not number.unit and number.value == int(number.value) and 1_500 <= number.value < 2_100


def _base(number: Number) -> Decimal:
    return convert_to_base(number.value, number.unit)[0].normalize()


def _joined_as(text: str, first: Number, second: Number) -> str:
    """Whether two neighbours form a range or a share; empty where they do not."""
    between = text[first.end : second.start]
    if _is_year(first) != _is_year(second):
        return ""  # "from .31 in 1980 to .41 in 2016"
    if _RANGE.fullmatch(between) or (_AND.fullmatch(between) and _BETWEEN_WORD.search(text[: first.start])):
        return "range"
    return "share" if _RATIO.fullmatch(between) else ""
