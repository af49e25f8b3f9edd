"""What a paper says of itself in one sentence: what it found, or what it brings. Pure.

A sentence is chosen by where it stands and by how its authors begin to speak; it is never put into other words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.assistant.aspects.cue_phrases import other_languages as lists
from core.assistant.aspects.section_zones import Zone
from core.assistant.aspects.standalone_sentences import points
from core.assistant.aspects.statements import Statement

_OWN = re.compile(
    rf"\b(?:we|our|this (?:paper|study|work|article|review|survey)|the present (?:study|paper|work))\b|{lists.OURS}",
    re.IGNORECASE,
)
_PARTS: Mapping[str, float] = {"results": 0.5, "conclusion": 0.3, "introduction": -0.6, "method": -0.6}
"""What the part of an abstract with heads adds for what a paper found."""
_LEAST = 0.3
MOST = 5
"""Statements that tell a matter, of which a model is shown all and one is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """Something to be told of a paper: in which parts it stands, best first, and by which words it is known.

    ``about`` says it in words that a model is asked with.
    """

    name: str
    about: str
    zones: tuple[Zone, ...]
    words: re.Pattern[str]


def _words(english: str, abroad: str) -> re.Pattern[str]:
    return re.compile(rf"{english}|{abroad}", re.IGNORECASE)


FOUND = Matter(
    name="What it found",
    about="the main result of the paper",
    zones=("abstract", "conclusion", "results", "discussion"),
    words=_words(
        r"\b(?:show|find|found|demonstrat|report|conclud|suggest|reveal|indicat|outperform|achiev|improv|increas|"
        r"decreas|reduc|higher than|lower than|significant)\w*",
        lists.FOUND,
    ),
)
BRINGS = Matter(
    name="What it brings",
    about="what the paper contributes that is new",
    zones=("abstract", "introduction", "conclusion", "front"),
    words=_words(r"\b(?:present|propos|introduc|develop|contribut|provid|releas|describ|novel|new)\w*", lists.OFFERS),
)


def takeaway(statements: Sequence[Statement]) -> Statement | None:
    """The sentence that says best what the paper found or brings; one of its first where nothing says so."""
    return next(iter(takeaways(statements)), None)


def takeaways(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The sentences that say it best, the best first; one of its first where nothing says so."""
    summing = [one for one in statements if one.zone in ("abstract", "conclusion")]
    plain = [one for one in statements if one.zone not in ("front", "back")]
    return telling(FOUND, summing) or telling(BRINGS, statements) or telling(FOUND, statements) or tuple(plain[:1])


def telling(matter: Matter, statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """At most ``MOST`` statements that speak of a matter, most plainly first; none where none has a word of it."""
    scored = [(_score(matter, one), -one.place, one) for one in statements if one.zone in matter.zones]
    fitting = sorted((one for one in scored if one[0] >= _LEAST), key=lambda one: one[:2], reverse=True)
    return tuple(one for _, _, one in fitting[:MOST])


def _score(matter: Matter, statement: Statement) -> float:
    told = len({found.lower() for found in matter.words.findall(statement.text)})
    if not told or points(statement.text):
        return 0.0
    place = 1.0 - matter.zones.index(statement.zone) / len(matter.zones)
    own = 0.6 if _OWN.search(statement.text) else 0.0
    leans = 0.8 if statement.leans else 0.0
    part = _PARTS.get(statement.part or "", 0.0) if matter is FOUND else 0.0
    return place + own + part + 0.3 * min(told, 2) - leans
