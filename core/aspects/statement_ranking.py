"""Scores a paper's statements for an aspect and takes the best, or none where none scores enough. Pure.

Cosines are handed in; without them the cue phrases decide alone.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.aspects.cue_phrases import combined, english
from core.aspects.definitions import ASIDE, Aspect
from core.aspects.standalone_sentences import only_refers_elsewhere
from core.aspects.statements import Statement
from core.grounding.numbers import Number, extract_numbers

MORE = 0.3
"""Share of the weight of each further cue beside the best."""
MEANING = 1.6
"""Weight of the cosine with the aspect's query; for a field known by its words alone it counts double."""
WORDS = 2.6
"""Weight of the share of a field's own words that a sentence holds."""
PART = 1.0
"""Added in the part of an abstract that is on the aspect, taken off in another."""
UNDONE = 1.2
"""Taken off where an aspect on what was done meets a sentence on what could be."""
LEANING = 0.5
"""Taken off where a sentence refers to something that the one before named: alone it says little."""
LONG = 280
"""Characters from which a sentence is too long for a cell or a summary; each further hundred costs."""
ALIKE = 0.6
"""Share of common words from which two sentences say the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedStatement:
    """A statement with its score for an aspect."""

    statement: Statement
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cosines:
    """Cosines of statements by place: with an aspect's query, and with what the paper is about."""

    meaning: Mapping[int, float] = field(default_factory=dict)
    central: Mapping[int, float] = field(default_factory=dict)


UNKNOWN = Cosines()
"""Nothing was embedded."""


def rank_statements(
    aspect: Aspect, statements: Sequence[Statement], near: Cosines = UNKNOWN
) -> tuple[RankedStatement, ...]:
    """Statements that may be on the aspect, best first."""
    scored = [
        RankedStatement(statement=statement, score=score_statement(aspect, statement, near)) for statement in statements
    ]
    possible = [item for item in scored if item.score > 0]
    return tuple(sorted(possible, key=lambda item: (-item.score, item.statement.place)))


def above_least_score(aspect: Aspect, found: Sequence[RankedStatement]) -> tuple[RankedStatement, ...]:
    """Those that reach the aspect's least score."""
    return tuple(item for item in found if item.score >= aspect.least)


def score_statement(aspect: Aspect, statement: Statement, near: Cosines = UNKNOWN) -> float:
    """How surely a statement is on the aspect, 0 or more; 0 where it cannot be."""
    if not _may_be_on(aspect, statement.text):
        return 0.0
    wording = _cued(aspect, statement.text) + _worded(aspect, statement)
    if wording <= 0:
        return 0.0
    ours = bool(combined.OURS.search(statement.text))
    total = wording + _placed(aspect, statement, ours) + aspect.early * (0.5 - statement.into)
    total += aspect.own * ours
    for penalty in _penalties(aspect, statement, ours):
        total -= penalty
    total += MEANING * (1 if aspect.cues else 2) * max(0.0, near.meaning.get(statement.place, 0.0))
    total += aspect.central * max(0.0, near.central.get(statement.place, 0.0))
    too_long = max(0, len(statement.text) - LONG)
    return max(0.0, total - too_long / 100 * 0.4)


def _may_be_on(aspect: Aspect, text: str) -> bool:
    """Whether a text has what the aspect needs, and nothing that rules it out."""
    has_needed = aspect.needs is None or bool(aspect.needs.search(text))
    ruled_out = aspect.never is not None and bool(aspect.never.search(text))
    if not has_needed or ruled_out or only_refers_elsewhere(text):
        return False
    return not aspect.counted or counts_something(text)


def _placed(aspect: Aspect, statement: Statement, ours: bool) -> float:
    """What a sentence earns by where it is in the paper; one on the paper's own work loses nothing in an introduction
    that only tells of others.
    """
    earned = _zoned(aspect, statement)
    if ours and statement.zone == "introduction" and earned >= ASIDE["introduction"]:
        return max(0.0, earned)
    return earned


def _zoned(aspect: Aspect, statement: Statement) -> float:
    """What a sentence earns by its zone: in an abstract of parts more in the right part, and less in a wrong one."""
    earned = aspect.zones.get(statement.zone, 0.0)
    if statement.part is None:
        return earned
    if statement.part in aspect.parts:
        return earned + PART
    of_part = aspect.zones.get(statement.part, 0.0)
    return earned if of_part > 0 else min(earned, 0.0) + of_part - PART


def _penalties(aspect: Aspect, statement: Statement, ours: bool) -> Iterator[float]:
    """What is taken off for other people's work, for what was not done, and for what the sentence before names."""
    if not ours and combined.OTHERS.search(statement.text):
        yield aspect.foreign * (0.5 if statement.zone in _OWN_PARTS else 1.0)
    if aspect.done and _is_hypothetical(statement.text):
        yield UNDONE
    if statement.is_dependent:
        yield LEANING


def _is_hypothetical(text: str) -> bool:
    return bool(english.HYPOTHETICAL.search(text) or combined.MIGHT.search(text))


def _cued(aspect: Aspect, text: str) -> float:
    """The weight of the best cue that a text matches, and a share of the others'."""
    weights = [weight for weight, patterns in aspect.cues if all(pattern.search(text) for pattern in patterns)]
    if not weights:
        return 0.0
    best, *others = sorted(weights, reverse=True)
    return best + MORE * sum(others)


def _worded(aspect: Aspect, statement: Statement) -> float:
    """What a sentence earns by the words of a field's own name and hint, in it or in the heading above it."""
    if not aspect.words:
        return 0.0
    heading = " ".join(statement.passage.section[-1:]).casefold().split()
    share = len(aspect.words & statement.tokens.union(heading)) / len(aspect.words)
    return 0.5 * share if aspect.cues else WORDS * share


def counts_something(text: str) -> bool:
    """Whether a number in ``text`` counts things ("81 papers"), and is no year, share, measure or label."""
    if combined.COUNTED_ABROAD.search(text) or "n =" in text or "n=" in text:
        return True
    return any(_is_count(number, text) for number in extract_numbers(combined.OTHERS.sub(" ", text)))


def _is_count(number: Number, text: str) -> bool:
    """Whether a number without a unit, and no year, has a plural after it."""
    is_year = 1900 <= number.value <= 2100 and number.text.isdigit()
    if number.unit or number.value < 2 or is_year:
        return False
    plural = number.noun.endswith("s") or number.noun in _PLURALS
    return plural or (bool(number.noun) and _counted_later(text, number.end))


def _counted_later(text: str, end: int) -> bool:
    """Whether there is a plural among the next words of a number ("81.1M English-language academic papers")."""
    for word in text[end : end + 60].replace(",", " ,").split()[:5]:
        plain = word.strip(".;:)").casefold()
        is_word = word[:1].isalpha() or word[:1] in "-–"
        if not is_word or plain in _SMALL:
            return False
        if _is_plural(plain):
            return True
    return False


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith("ss")


_OWN_PARTS = frozenset(("abstract", "method", "data", "results", "limitations", "future", "conclusion"))
"""Where authors cite what they build on, rather than report what others did."""
_PLURALS = frozenset(("people", "men", "women", "children", "mice", "data"))
_SMALL = frozenset("of and or to in on for with by at from was were is are than per which that".split())


def select_statements(
    found: Sequence[RankedStatement], *, most: int, within: float, beside: Collection[int] = ()
) -> tuple[Statement, ...]:
    """At most ``most`` of the best, in reading order, that say different things and are not far behind the best.

    ``beside`` are the places of statements that are used elsewhere and shall not be repeated.
    """
    taken: list[Statement] = []
    best = -math.inf
    for item in found:
        if len(taken) >= most or best - item.score > within:
            break
        statement = item.statement
        repeated = any(are_alike(statement, other) for other in taken)
        if repeated or statement.place in beside:
            continue
        if not taken:
            best = item.score
        taken.append(statement)
    return tuple(sorted(taken, key=lambda statement: statement.place))


def are_alike(one: Statement, other: Statement) -> bool:
    """Whether most words of the shorter are in the longer."""
    shorter = min(len(one.tokens), len(other.tokens)) or 1
    return len(one.tokens & other.tokens) >= ALIKE * shorter
