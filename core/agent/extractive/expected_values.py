"""Whether words hold a value of the kind that a question asks for: a number with its unit, a year, a name, a reason."""

import re
from collections.abc import Mapping
from functools import lru_cache

from core.grounding.numbers import extract_numbers as quantities
from core.grounding.units import canonical_unit
from core.understanding.answer_types import Kind

_CITATION = re.compile(
    r"\[\d[\d,\s–-]*\]|\((?:[^()]*\b(?:19|20)\d\d[a-z]?[^()]*)\)|\b(?:Table|Fig(?:ure)?\.?|Section|Eq\.?)\s*\d+",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![A-Za-z])\d[\d.,]*\d|\b\d+\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty"
    r"|thirty|hundred|half|none|zero|dozen)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\b|\b\d+ (?:years?|months?|days?|hours?|weeks?)\b"
)
_REASON = re.compile(
    r"\b(?:because|since|due to|owing to|as a result|therefore|thus|hence|so that|in order|reason|caused?|leads? to"
    r"|to avoid|allows?|as (?:the|it|they|we)|weil|porque|debido|car|parce)\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"\b(?:is|are|means?|defined?|refers?|called|denotes?|stands? for|known as|consists?|i\.e\.|that is)\b|[(“\"]",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"\b(?:limit\w*|not|cannot|could not|lack\w*|unable|only|future|however|although|but|fail\w*|difficult\w*"
    r"|weak\w*|insufficient|too|unfortunately)\b",
    re.IGNORECASE,
)

_OF_TIME, _OF_MASS, _OF_LENGTH, _OF_WARMTH = (
    "s ms min h d wk mo yr kyr Myr Gyr",
    "mg µg g kg t",
    "m km cm mm µm nm",
    "K °C °F °",
)
_MEASURES: Mapping[str, str] = {
    **{unit: measure for measure in (_OF_TIME, _OF_MASS, _OF_LENGTH, _OF_WARMTH, "$ € £ ¥") for unit in measure.split()}
}
"""Units that measure the same, each by all of them."""
_IN_UNITS = re.compile(r"\b(?:how (?:many|much)|in|of)\s+((?:[\w$€£¥%°µ]+\s*){1,2})", re.IGNORECASE)
_BY_ADJECTIVE: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"\bhow old\b", re.IGNORECASE), frozenset({_OF_TIME})),
    (re.compile(r"\bhow long\b", re.IGNORECASE), frozenset({_OF_TIME, _OF_LENGTH})),
    (re.compile(r"\bhow heavy\b", re.IGNORECASE), frozenset({_OF_MASS})),
    (re.compile(r"\bhow (?:hot|cold|warm)\b", re.IGNORECASE), frozenset({_OF_WARMTH})),
)
"""Adjectives of which each has its own measures."""
_CURRENCY = re.compile(r"[$€£¥]|\b[A-Z]{3}\s?\d|\d\s?[A-Z]{3}\b")

_ABOUT: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(given, re.IGNORECASE))
    for asked, given in (
        (
            r"\bwho (?:paid|pays|funded|funds|financed|sponsored|supported)\b|\b(?:funded|financed|sponsored|paid for)"
            r" by (?:whom|what|which)\b|\b(?:funding|sponsors?|funders?|grants?)\b",
            r"\b(?:fund(?:ed|ing|s|ers?)|grants?|financed|financially|financiad[oa]|sponsor\w*"
            r"|(?:work|study|research|project|authors?|was|were|been) (?:\w+ ){0,3}supported by)\b",
        ),
        (
            r"\b(?:where|how) (?:can|could|may|is|are|to)\b.{0,60}\b(?:code|data|dataset|software|package|scripts?"
            r"|source|supplement\w*)\b.{0,40}\b(?:find|found|get|obtain\w*|download\w*|available|access\w*|hosted"
            r"|published|deposited)\b",
            r"https?://|\bwww\.|\bdoi\b|\b(?:available|repository|deposited|accession|download\w*|GitHub|Zenodo|CRAN)\b",
        ),
    )
)
"""What an answer must speak of where the kind of the question alone cannot tell."""


_TERM = re.compile(
    r"^\W*(?:and )?(?:what (?:is|are|was) (?:meant by )?|what (?:does|do) (?=.{1,60} (?:mean|stand for|refer to))"
    r"|define )"
    r"(?:an? |the )?[\"“«']?(?P<term>[\w'’.-]+(?: [\w'’.-]+){0,3}?)[\"”»']?(?: (?:mean|stand for|refer to)\b.*|\W*)$",
    re.IGNORECASE,
)


def defines(words: str, question: str) -> bool:
    """Whether ``words`` begin with the term that ``question`` asks the meaning of, and go on to say what it is."""
    asked = _TERM.search(question)
    if not asked:
        return False
    term = re.escape(asked["term"])
    said = rf"^\W*(?:an? |the )?{term}s?\W{{0,3}}(?:\([^()]*\)\W?)?(?:[:–—=]|\s(?:is|are|means?|refers?|denotes?)\b)"
    return bool(re.search(said, words, re.IGNORECASE))


def tells(words: str, question: str) -> bool:
    """Whether ``question`` asks for what has a wording of its own (who paid, where data are) and ``words`` use it."""
    return any(asked.search(question) and given.search(words) for asked, given in _ABOUT)


def numbers_in(words: str) -> list[str]:
    """Numbers of ``words`` outside reference marks."""
    return _NUMBER.findall(_CITATION.sub(" ", words))


def fits_kind(kind: Kind, words: str, question: str) -> bool:
    """Whether ``words`` hold what an answer of this kind must hold; True where nothing can be told."""
    if kind == "number":
        return bool(numbers_in(words)) and unit_fits(words, question)
    if kind == "when":
        return bool(_YEAR.search(words))
    if kind == "why":
        return bool(_REASON.search(words))
    if kind == "definition":
        return bool(_DEFINES.search(words))
    if kind == "limitation":
        return bool(_LIMITS.search(words))
    return all(given.search(words) for asked, given in _ABOUT if asked.search(question))


def unit_fits(words: str, question: str) -> bool:
    """False where ``question`` asks for a measure ("in days", "how heavy") of which ``words`` hold no unit."""
    wanted = _measures_asked(question)
    return not wanted or bool(wanted & _measures_in(words))


@lru_cache(maxsize=256)
def _measures_asked(question: str) -> frozenset[str]:
    """The measures of the units that a question names, else those of its adjective; none where nothing tells."""
    named = {
        _MEASURES[unit]
        for match in _IN_UNITS.finditer(question)
        for word in match.group(1).split()
        if len(word) > 1 and (unit := canonical_unit(word)) in _MEASURES
    }
    adjectives = [measures for asked, measures in _BY_ADJECTIVE if asked.search(question)]
    return frozenset(named).union(*([] if named else adjectives))


def _measures_in(words: str) -> frozenset[str]:
    """The measures of the units beside numbers, and of those that stand alone in brackets, as a column's head has."""
    beside = {number.unit for number in quantities(words)} | {
        canonical_unit(unit) for unit in re.findall(r"[(\[]([^\s()\[\]]{1,8})[)\]]", words)
    }
    money = {_MEASURES["$"]} if _CURRENCY.search(words) else set()
    return frozenset(_MEASURES[unit] for unit in beside if unit in _MEASURES) | money
