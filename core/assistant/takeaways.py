"""What a paper says of itself, in one sentence a matter: what it found, how, on what, what it lacks. Pure.

A sentence is chosen by where it stands and by how its authors begin to speak; it is never put into other words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.assistant.statements import Statement, Zone

_OWN = r"\b(?:we|our|this (?:paper|study|work|article|review|survey)|the present (?:study|paper|work))\b"
_LEANS = re.compile(
    r"^(?:this|these|those|that|it|they|such|here|however|moreover|furthermore|thus|therefore|hence|also|in addition|"
    r"for example|for instance|e\.g|then|as a result|consequently|additionally|similarly|in contrast|nevertheless|"
    r"on the other hand|but|and|or|so|both|the former|the latter)\b(?! (?:paper|study|work|article|review|survey)\b)",
    re.IGNORECASE,
)
"""Beginnings that lean on the sentence before: alone they say little."""
_LEAST = 0.3
_SIGNPOST = re.compile(
    r"\b(?:(?:remainder|rest) of (?:this|the) (?:paper|article)|is organi[sz]ed as|we conclude by|"
    r"(?:this|the (?:next|following|final|last)|in) section|"
    r"(?:sections?|tables?|figs?|figures?|appendix)\b\.? ?[\dA-Z])",
    re.IGNORECASE,
)
"""Sentences about where in the paper something stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """Something to be told of a paper: in which parts it stands, best first, and by which words it is known."""

    name: str
    zones: tuple[Zone, ...]
    words: re.Pattern[str]


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


FOUND = Matter(
    name="What it found",
    zones=("abstract", "conclusion", "results", "discussion"),
    words=_words(
        r"\b(?:show|find|found|demonstrat|report|conclud|suggest|reveal|indicat|outperform|achiev|improv|increas|"
        r"decreas|reduc|higher than|lower than|significant)\w*"
    ),
)
BRINGS = Matter(
    name="What it brings",
    zones=("abstract", "introduction", "conclusion", "front"),
    words=_words(r"\b(?:present|propos|introduc|develop|contribut|provid|releas|describ|novel|new)\w*"),
)
MATTERS: Sequence[Matter] = (
    Matter(
        name="The question",
        zones=("abstract", "introduction", "front"),
        words=_words(
            r"\b(?:problem|challeng|aim|goal|purpose|objective|question|investigat|examin|address|gap|lack|"
            r"little is known|unclear|remain)\w*"
        ),
    ),
    BRINGS,
    Matter(
        name="How it was done",
        zones=("method", "data", "abstract"),
        words=_words(
            r"\b(?:us(?:e|ed|ing)|train|collect|measur|sampl|annotat|experiment|method|analy[sz]|recruit|simulat|design)\w*"
        ),
    ),
    FOUND,
    Matter(
        name="What it lacks",
        zones=("limitations", "discussion", "future", "conclusion"),
        words=_words(
            r"\b(?:limitation|limited|however|future|caveat|only|cannot|did not|does not|not able|caution|bias|"
            r"small)\w*"
        ),
    ),
)


def takeaway(statements: Sequence[Statement]) -> Statement | None:
    """The sentence that says best what the paper found or brings; one of its first where nothing says so."""
    summing = [one for one in statements if one.zone in ("abstract", "conclusion")]
    plain = (one for one in statements if one.zone not in ("front", "back"))
    return best(FOUND, summing) or best(BRINGS, statements) or best(FOUND, statements) or next(plain, None)


def points(statements: Sequence[Statement]) -> Mapping[str, Statement]:
    """For each matter that the paper speaks of, its sentence; no sentence twice."""
    found: dict[str, Statement] = {}
    for matter in MATTERS:
        left = [one for one in statements if one not in found.values()]
        chosen = best(matter, left)
        if chosen is not None:
            found[matter.name] = chosen
    return found


def best(matter: Matter, statements: Sequence[Statement]) -> Statement | None:
    """The statement that speaks most plainly of a matter; None where none has a word of it in its parts."""
    scored = [(_score(matter, one), -one.place, one) for one in statements if one.zone in matter.zones]
    fitting = [one for one in scored if one[0] >= _LEAST]
    return max(fitting, key=lambda one: one[:2])[2] if fitting else None


def _score(matter: Matter, statement: Statement) -> float:
    told = len({found.lower() for found in matter.words.findall(statement.text)})
    if not told or _SIGNPOST.search(statement.text):
        return 0.0
    place = 1.0 - matter.zones.index(statement.zone) / len(matter.zones)
    own = 0.6 if re.search(_OWN, statement.text, re.IGNORECASE) else 0.0
    leans = 0.8 if _LEANS.match(statement.text) else 0.0
    return place + own + 0.3 * min(told, 2) - leans
