"""Weighs a paper's statements for an aspect and takes the best, or none where none is believed. Pure.

The vectors of meaning are handed in; without them the signs decide alone.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.assistant.aspects.cue_phrases import combined, english
from core.assistant.aspects.definitions import ASIDE, Aspect
from core.assistant.aspects.standalone_sentences import sends_elsewhere
from core.assistant.aspects.statements import Statement
from core.grounding.numbers import extract_numbers

MORE = 0.3
"""Share of the weight of each further cue beside the best."""
MEANING = 1.6
"""Weight of the cosine with the aspect's query; for a field known by its words alone it counts double."""
WORDS = 2.6
"""Weight of the share of a field's own words that a sentence holds."""
PART = 1.0
"""For standing in the part of an abstract that tells the aspect, and against standing in another."""
UNDONE = 1.2
"""Taken off where a sentence on what was done says what could be."""
LEANING = 0.5
"""Taken off where a sentence speaks of something that the one before named: alone it says little."""
LONG = 280
"""Characters from which a sentence is too long for a cell or a summary; each further hundred costs."""
ALIKE = 0.6
"""Share of common words from which two sentences say the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A statement with its score for an aspect."""

    statement: Statement
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """Cosines of statements by place: with an aspect's query, and with what the paper is about."""

    meaning: Mapping[int, float] = field(default_factory=dict)
    central: Mapping[int, float] = field(default_factory=dict)


UNKNOWN = Near()
"""Nothing was embedded; the signs decide alone."""


def ranked(aspect: Aspect, statements: Sequence[Statement], near: Near = UNKNOWN) -> tuple[Weighed, ...]:
    """Statements that may tell the aspect, best first."""
    weighed = [Weighed(statement=one, score=score(aspect, one, near)) for one in statements]
    return tuple(sorted((one for one in weighed if one.score > 0), key=lambda one: (-one.score, one.statement.place)))


def believed(aspect: Aspect, found: Sequence[Weighed]) -> tuple[Weighed, ...]:
    """Those that reach what the aspect asks for at least."""
    return tuple(one for one in found if one.score >= aspect.least)


def score(aspect: Aspect, statement: Statement, near: Near = UNKNOWN) -> float:
    """How surely a statement tells the aspect; 0 where it cannot."""
    text = statement.text
    if aspect.needs is not None and not aspect.needs.search(text):
        return 0.0
    if aspect.never is not None and aspect.never.search(text):
        return 0.0
    if sends_elsewhere(text):
        return 0.0
    if aspect.counted and not counts_something(text):
        return 0.0
    told = _cued(aspect, text) + _worded(aspect, statement)
    if told <= 0:
        return 0.0
    ours = bool(combined.OURS.search(text))
    stands = _stands(aspect, statement)
    if ours and statement.zone == "introduction" and stands >= ASIDE["introduction"]:
        stands = max(0.0, stands)
    total = told + stands + aspect.early * (0.5 - statement.into)
    total += aspect.own * ours
    if combined.OTHERS.search(text) and not ours:
        total -= aspect.foreign * (0.5 if statement.zone in _OWN_PARTS else 1.0)
    if aspect.done and (english.HYPOTHETICAL.search(text) or combined.MIGHT.search(text)):
        total -= UNDONE
    if statement.leans:
        total -= LEANING
    total += MEANING * (1 if aspect.cues else 2) * max(0.0, near.meaning.get(statement.place, 0.0))
    total += aspect.central * max(0.0, near.central.get(statement.place, 0.0))
    return max(0.0, total - max(0, len(text) - LONG) / 100 * 0.4)


def _stands(aspect: Aspect, statement: Statement) -> float:
    """What a sentence earns by its place: in an abstract of parts more in the right part, and less in a wrong one."""
    stands = aspect.zones.get(statement.zone, 0.0)
    if statement.part is None:
        return stands
    if statement.part in aspect.parts:
        return stands + PART
    fitting = aspect.zones.get(statement.part, 0.0)
    return stands if fitting > 0 else min(stands, 0.0) + fitting - PART


def _cued(aspect: Aspect, text: str) -> float:
    earned = sorted(
        (weight for weight, patterns in aspect.cues if all(one.search(text) for one in patterns)), reverse=True
    )
    return earned[0] + MORE * sum(earned[1:]) if earned else 0.0


def _worded(aspect: Aspect, statement: Statement) -> float:
    """What a sentence earns by the words of a field's own name and hint."""
    if not aspect.words:
        return 0.0
    heading = frozenset(statement.passage.section[-1].casefold().split()) if statement.passage.section else frozenset()
    held = sum(word in statement.tokens or word in heading for word in aspect.words) / len(aspect.words)
    return WORDS * held if not aspect.cues or held == 0 else 0.5 * held


def counts_something(text: str) -> bool:
    """Whether a number in ``text`` counts things ("81 papers"), and is no year, share, measure or label."""
    for number in extract_numbers(combined.OTHERS.sub(" ", text)):
        plural = number.noun.endswith("s") or number.noun in ("people", "men", "women", "children", "mice", "data")
        around = number.noun and _counted_later(text, number.end)
        year = number.unit == "" and 1900 <= number.value <= 2100 and number.text.isdigit()
        if not number.unit and number.value >= 2 and not year and (plural or around):
            return True
    return bool(combined.COUNTED_ABROAD.search(text)) or "n =" in text or "n=" in text


def _counted_later(text: str, end: int) -> bool:
    """Whether a plural stands among the next words of a number ("81.1M English-language academic papers")."""
    words = text[end : end + 60].replace(",", " ,").split()[:5]
    for word in words:
        if not word[:1].isalpha() and word[:1] not in "-–":
            return False
        plain = word.strip(".;:)").casefold()
        if plain in _SMALL:
            return False
        if plain.endswith("s") and len(plain) > 3 and not plain.endswith("ss"):
            return True
    return False


_OWN_PARTS = frozenset(("abstract", "method", "data", "results", "limitations", "future", "conclusion"))
"""Where authors cite what they build on, rather than tell what others did."""
_SMALL = frozenset("of and or to in on for with by at from was were is are than per which that".split())


def chosen(
    found: Sequence[Weighed], *, most: int, within: float, beside: Collection[int] = ()
) -> tuple[Statement, ...]:
    """At most ``most`` of the best, in reading order, that say different things and are not far behind the best.

    ``beside`` are the places of statements that are said elsewhere and shall not be said again.
    """
    taken: list[Weighed] = []
    for one in found:
        if len(taken) >= most or (taken and taken[0].score - one.score > within):
            break
        if one.statement.place not in beside and not any(alike(one.statement, other.statement) for other in taken):
            taken.append(one)
    return tuple(sorted((one.statement for one in taken), key=lambda one: one.place))


def alike(one: Statement, other: Statement) -> bool:
    """Whether most words of the shorter stand in the longer."""
    least = min(len(one.tokens), len(other.tokens)) or 1
    return len(one.tokens & other.tokens) >= ALIKE * least
