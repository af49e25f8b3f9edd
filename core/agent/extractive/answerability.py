"""Decides whether evidence answers a part: do words, meaning and a fitting value stand together in one sentence?

Scores of the search alone hardly tell a question that a paper answers from one that only sounds like it. The signs
below were fitted on answerable and unanswerable questions together; docs/agent.md has the curve and what each adds.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.extractive import presuppositions
from core.agent.extractive.expected_values import fits_kind
from core.agent.extractive.sentence_ranking import Picked
from core.agent.state import Judgement, Support
from core.domain.model import Evidence
from core.text import index_tokens
from core.understanding import answer_types
from core.understanding.query_terms import Term, coverage, terms
from core.understanding.route import Part

LOOKED_AT = 3
"""Best candidates that are looked at."""
LEAD_OVER = 5
"""The lead is measured against the candidate in this place (from 0)."""
FULL_LEAD = 2.5
AGAIN = 0.12
"""How much surer an answer must be for each search that went before: who tries often finds something by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What is looked at, each from 0 to 1.

    ``meaning``: cosine of question and sentence. ``value``: whether a value of the kind asked for stands in any of
    the best sentences. ``words``: share of the question's words in one of them. ``counted``: the same for the thing of
    which "how many" asks, neighbours included. ``lead``: how far the best stands out from the rest. ``unsaid``: weight
    of the names, codes and numbers of the question that the leading paper never says.
    """

    meaning: float
    value: float
    words: float
    counted: float
    lead: float
    unsaid: float


def signs(part: Part, picked: Sequence[Picked], asked: Sequence[Term], unsaid: Sequence[Term] = ()) -> Signs:
    """Read the signs off the best candidates."""
    best = picked[:LOOKED_AT]
    near = [one.unit.near(asked) | frozenset(index_tokens(one.unit.passage.label or "")) for one in best]
    values = [fits_kind(part.kind, one.unit.words, f"{part.context} {part.question}") for one in best]
    behind = picked[min(LEAD_OVER, len(picked) - 1)]
    return Signs(
        meaning=max(0.0, *(one.meaning for one in best)),
        value=float(any(values)),
        words=max(coverage(asked, tokens) for tokens in near),
        counted=_counted(part, best),
        lead=min(1.0, (picked[0].score - behind.score) / FULL_LEAD),
        unsaid=min(1.0, sum(term.weight for term in unsaid)),
    )


def _counted(part: Part, best: Sequence[Picked]) -> float:
    thing = terms(answer_types.counted(part.question))
    if not thing or presuppositions.foreign(part, best):
        return 1.0
    return max(coverage(thing, one.unit.around) for one in best)


def score(found: Signs) -> float:
    """How sure it is that the evidence answers, 0 to 1: a logistic fit, its weights rounded."""
    total = (
        -4.45
        + 1.6 * found.meaning
        + 1.3 * found.value
        + 1.0 * found.words
        + 1.3 * found.counted
        + 1.8 * found.lead
        - 1.9 * found.unsaid
    )
    return 1.0 / (1.0 + math.exp(-total))


def limits(strictness: float) -> tuple[float, float]:
    """From which score an answer is clear, and from which one related passages are worth calling unclear."""
    return 0.1 + 0.7 * strictness, 0.02 + 0.16 * strictness


def judged(
    part: Part,
    picked: Sequence[Picked],
    asked: Sequence[Term],
    evidence: Sequence[Evidence],
    strictness: float,
    unsaid: Sequence[Term] = (),
) -> Judgement:
    """The verdict at an operating point. ``unsaid`` are the words of ``granted.unsaid``."""
    if not picked:
        return Judgement(support="none")
    sure = 1.0 if picked[0].sure else score(signs(part, picked, asked, unsaid))
    clear, some = limits(strictness)
    clear += AGAIN * part.tries
    support: Support = "clear" if sure >= clear else "unclear" if sure >= some else "none"
    return Judgement(support=support, score=sure, missing=_missing(asked, evidence))


def _missing(asked: Sequence[Term], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Words of the question of which no passage holds anything."""
    texts = " ".join(f"{one.paper.title} {one.passage.indexed_text} {one.passage.text}" for one in evidence)
    held = frozenset(index_tokens(texts))
    return tuple(term.surface for term in asked if term.held(held) == 0)
