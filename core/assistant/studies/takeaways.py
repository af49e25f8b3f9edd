"""What a paper says of itself in one sentence: what it found, or what it brings. Pure.

A sentence is chosen by the part of the paper it is in and by its authors' usual wordings; it is never rewritten.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from core.aspects.cue_phrases import other_languages as lists
from core.aspects.section_zones import Zone
from core.aspects.standalone_sentences import is_signpost
from core.aspects.statements import Statement

_OWN = re.compile(
    rf"\b(?:we|our|this (?:paper|study|work|article|review|survey)|the present (?:study|paper|work))\b|{lists.OURS}",
    re.IGNORECASE,
)
_PARTS: Mapping[str, float] = {"results": 0.5, "conclusion": 0.3, "introduction": -0.6, "method": -0.6}
"""What the part of an abstract with heads adds for what a paper found."""
_LEAST = 0.3
MOST = 5
"""Statements on a matter, of which a model is shown all and one is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeawayKind:
    """Something to report of a paper: the parts it is usually in, best first, and words that mark it.

    ``about`` names it in a model's prompt.
    """

    name: str
    about: str
    zones: tuple[Zone, ...]
    words: re.Pattern[str]


def _words(english: str, abroad: str) -> re.Pattern[str]:
    return re.compile(rf"{english}|{abroad}", re.IGNORECASE)


FINDING = TakeawayKind(
    name="What it found",
    about="the main result of the paper",
    zones=("abstract", "conclusion", "results", "discussion"),
    words=_words(
        r"\b(?:show|find|found|demonstrat|report|conclud|suggest|reveal|indicat|outperform|achiev|improv|increas|"
        r"decreas|reduc|higher than|lower than|significant)\w*",
        lists.FOUND,
    ),
)
CONTRIBUTION = TakeawayKind(
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
    summing_up = [statement for statement in statements if statement.zone in ("abstract", "conclusion")]
    best = (
        rank_takeaways(FINDING, summing_up)
        or rank_takeaways(CONTRIBUTION, statements)
        or rank_takeaways(FINDING, statements)
    )
    body = (statement for statement in statements if statement.zone not in ("front", "back"))
    return best or tuple(islice(body, 1))


def rank_takeaways(matter: TakeawayKind, statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """At most ``MOST`` statements on a matter, the plainest first; none where none has a word of it."""
    scored = [(_score(matter, statement), statement) for statement in statements if statement.zone in matter.zones]
    good = [item for item in scored if item[0] >= _LEAST]
    good.sort(key=lambda item: (-item[0], item[1].place))
    return tuple(statement for _, statement in good[:MOST])


def _score(matter: TakeawayKind, statement: Statement) -> float:
    marking = {word.lower() for word in matter.words.findall(statement.text)}
    if not marking or is_signpost(statement.text):
        return 0.0
    score = 1.0 - matter.zones.index(statement.zone) / len(matter.zones)
    score += 0.6 * bool(_OWN.search(statement.text))
    if matter is FINDING:
        score += _PARTS.get(statement.part or "", 0.0)
    return score + 0.3 * min(len(marking), 2) - 0.8 * statement.is_dependent
