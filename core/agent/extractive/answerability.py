"""Decides whether the best candidate answers a part: do words, meaning and a fitting value stand together in it?

Scores of the search alone hardly tell a question that a paper answers from one that only sounds like it. The signs
below were fitted on answerable and unanswerable questions together; docs/answering.md says what follows from them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.extractive.expected_values import fits_kind
from core.agent.extractive.presuppositions import MissingTerm
from core.agent.extractive.sentence_ranking import Ranked
from core.agent.state import Judgement, Support
from core.domain.model import Evidence
from core.text import index_tokens
from core.understanding.query_terms import Term, coverage
from core.understanding.route import Part

LOOKED_AT = 3
"""Best candidates that are looked at."""
LEAD_OVER = 5
"""The lead is measured against the candidate in this place (from 0)."""
FULL_LEAD, FULL_AHEAD = 4.0, 3.0
MOST_MISSING = 2.0
UNRIVALLED = 0.42
"""The distance of the best where there are hardly others to tell it from."""
AGAIN = 0.12
"""How much surer an answer must be for each search that went before: who tries often finds something by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What is looked at, each from 0 to 1, ``missing`` to ``MOST_MISSING``.

    ``meaning``: cosine of question and best sentence. ``value``: whether the best holds a value of the kind asked
    for. ``words``: share of the question's words in one of the best. ``lead``: how far the best stands out from the
    rest, ``ahead`` from the second. ``missing``: weight of the names and things of the question that the leading paper
    never prints, less where its best sentences come near.
    """

    meaning: float
    value: float
    words: float
    lead: float
    ahead: float
    missing: float


def signs(part: Part, ranked: Sequence[Ranked], asked: Sequence[Term], missing: Sequence[MissingTerm] = ()) -> Signs:
    """Read the signs off the best candidates."""
    best = ranked[:LOOKED_AT]
    near = [item.unit.near(asked) | frozenset(index_tokens(item.unit.passage.label or "")) for item in best]
    values = [fits_kind(part.kind, item.unit.words, f"{part.context} {part.question}") for item in best]
    return Signs(
        meaning=max(0.0, *(item.meaning for item in best)),
        value=float(values[0]),
        words=max(coverage(asked, tokens) for tokens in near),
        lead=_distance(ranked, LEAD_OVER, FULL_LEAD),
        ahead=_distance(ranked, 1, FULL_AHEAD),
        missing=min(MOST_MISSING, sum(item.term.weight * (1 - item.alike) for item in missing if item.role != "other")),
    )


def _distance(ranked: Sequence[Ranked], place: int, full: float) -> float:
    """How far the best is before the candidate in a place, 1 for ``full``; where none is there, before the last."""
    distance = min(1.0, (ranked[0].score - ranked[min(place, len(ranked) - 1)].score) / full)
    return distance if place < len(ranked) else max(distance, UNRIVALLED)


def score(found: Signs) -> float:
    """How sure it is that the best candidate answers, 0 to 1: a logistic fit, its weights rounded."""
    total = (
        -4.46
        + 1.8 * found.meaning
        + 1.1 * found.value
        + 1.9 * found.words
        + 1.8 * found.lead
        + 1.35 * found.ahead
        - 2.05 * found.missing
    )
    return 1.0 / (1.0 + math.exp(-total))


def limits(strictness: float) -> tuple[float, float]:
    """From which score an answer is clear, and from which one related passages are worth calling unclear."""
    return 0.06 + 0.56 * strictness, 0.02 + 0.12 * strictness


def judge_answer(
    part: Part,
    ranked: Sequence[Ranked],
    asked: Sequence[Term],
    evidence: Sequence[Evidence],
    strictness: float,
    missing: Sequence[MissingTerm] = (),
) -> Judgement:
    """The verdict at an operating point; what the question takes for granted in vain decides before all else."""
    if not ranked:
        return Judgement(support="none")
    in_vain = tuple(item.term.surface for item in missing if item.in_vain)
    sure = 1.0 if ranked[0].sure else score(signs(part, ranked, asked, missing))
    clear, some = limits(strictness)
    clear += AGAIN * part.tries
    support: Support = "clear" if sure >= clear else "unclear" if sure >= some else "none"
    if in_vain:
        return Judgement(support="none", score=min(sure, some), missing=in_vain)
    return Judgement(support=support, score=sure, missing=_missing(asked, evidence))


def _missing(asked: Sequence[Term], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Words of the question of which no passage holds anything."""
    texts = " ".join(f"{item.paper.title} {item.passage.indexed_text} {item.passage.text}" for item in evidence)
    known = frozenset(index_tokens(texts))
    return tuple(term.surface for term in asked if term.held(known) == 0)
