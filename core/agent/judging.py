"""Decides whether evidence answers a part: are the question's words, its entities and a fitting value together?

Scores of the search alone hardly tell a question that a paper answers from one that only sounds like it; what
does is whether the rarer words stand together in one place and whether anything asked for is unknown there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.picking import Picked
from core.agent.state import Judgement, Part
from core.agent.terms import Term, coverage
from core.agent.values import unit_fits
from core.domain.model import Evidence
from core.text import index_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What is looked at, each from 0 to 1."""

    sentence: float
    passage: float
    paper: float
    meaning: float
    entities: float
    unknown: float
    value: float
    unit: float


def signs(part: Part, picked: Sequence[Picked], asked: Sequence[Term], evidence: Sequence[Evidence]) -> Signs:
    """Read the signs off the best candidates."""
    best = picked[:3]
    found = [
        frozenset(index_tokens(f"{one.passage.indexed_text} {one.passage.text} {one.paper.title}")) for one in evidence
    ]
    leading = picked[0].unit.evidence.paper.id
    paper = frozenset[str]().union(
        *(tokens for one, tokens in zip(evidence, found, strict=True) if one.paper.id == leading)
    )
    entities = [term for term in asked if term.name]
    near = found[[one.passage.id for one in evidence].index(picked[0].unit.passage.id)]
    return Signs(
        sentence=max(one.sentence for one in best),
        passage=max(one.passage for one in best),
        paper=coverage(asked, paper),
        meaning=max(one.meaning for one in best),
        entities=coverage(entities, near) if entities else 1.0,
        unknown=_share([term for term in asked if term.held(paper) == 0], asked),
        value=float(any(one.value for one in best)),
        unit=float(any(unit_fits(one.unit.passage.text, part.question) for one in best)),
    )


def _share(some: Sequence[Term], every: Sequence[Term]) -> float:
    whole = sum(term.weight for term in every)
    return sum(term.weight for term in some) / whole if whole else 0.0


def score(found: Signs) -> float:
    """How sure it is that the evidence answers, 0 to 1."""
    total = (
        -3.2
        + 1.5 * found.sentence
        + 2.0 * found.passage
        + 1.0 * found.paper
        + 3.0 * found.meaning
        + 0.8 * found.entities
        - 2.0 * found.unknown
        + 0.7 * found.value
        + 0.7 * found.unit
    )
    return 1.0 / (1.0 + math.exp(-total))


def judged(
    part: Part, picked: Sequence[Picked], asked: Sequence[Term], evidence: Sequence[Evidence], strictness: float
) -> Judgement:
    """The verdict at an operating point."""
    if not picked:
        return Judgement(support="none")
    found = signs(part, picked, asked, evidence)
    sure = score(found)
    clear, some = 0.25 + 0.6 * strictness, 0.1 + 0.3 * strictness
    near = frozenset(index_tokens(" ".join(f"{one.passage.indexed_text} {one.passage.text}" for one in evidence)))
    missing = tuple(term.surface for term in asked if term.held(near) == 0)
    support = "clear" if sure >= clear else "unclear" if sure >= some else "none"
    return Judgement(support=support, score=sure, missing=missing)  # type: ignore[arg-type]
