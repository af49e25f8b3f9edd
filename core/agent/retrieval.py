"""Brings the evidence for one part: searches the papers that are certainly meant, or all with a lean to likely ones."""

from collections.abc import Sequence
from dataclasses import replace

from core.agent import messages
from core.agent.reasoner import RunContext
from core.agent.state import Part
from core.domain.model import Evidence, Reach
from core.domain.ports import Filters
from core.understanding import filters

LEAN = 0.25
"""How much of the best score a passage of a likely paper gains."""

WIDE_PASSAGES = 24
"""How many passages a search brings where the asker wants it wider."""
WIDE_STRICTNESS = 0.2
"""Operating point of refusal there, unless the usual one is lower still."""


def reaching(study: RunContext, reach: Reach) -> RunContext:
    """The study for a reach: wide brings more passages and sets a lower bar, and the footer says so."""
    if reach == "usual":
        return study
    study.ledger.note(messages.searched_wider(WIDE_PASSAGES))
    strictness = min(study.config.strictness, WIDE_STRICTNESS)
    return replace(study, k=WIDE_PASSAGES, config=replace(study.config, strictness=strictness))


async def gather(part: Part, study: RunContext, *, k: int | None = None) -> tuple[Evidence, ...]:
    """Evidence for ``part``, best first; every search stays inside the run's scope.

    Limits that the asker put in words are told in the footer; where nothing is left within them, all is searched.
    """
    k = k or study.k
    found = await _within_limits(part, study, k)
    limits = filters.in_words(part.filters)
    if not limits:
        return found
    undated = (part.filters.since or part.filters.until) and any(not one.metadata.year for one in study.papers)
    if found:
        study.ledger.note(messages.limited(limits, undated=bool(undated)))
        return found
    study.ledger.note(messages.limits_dropped(limits))
    return await _within_limits(replace(part, filters=Filters()), study, k)


async def _within_limits(part: Part, study: RunContext, k: int | None) -> tuple[Evidence, ...]:
    if part.only:
        scope = study.scope.within(part.only)
        found = await study.retriever.search(part.query, scope, k=k, filters=part.filters, per_paper=part.per_paper)
        return tuple(found)
    wide = await study.retriever.search(part.query, study.scope, k=k, filters=part.filters, per_paper=part.per_paper)
    likely = frozenset(part.likely)
    if not likely:
        return tuple(wide)
    near = await study.retriever.search(part.query, study.scope.within(likely), k=k, filters=part.filters)
    return leaning(wide, near, part)


def leaning(wide: Sequence[Evidence], near: Sequence[Evidence], part: Part) -> tuple[Evidence, ...]:
    """Both lists as one, as long as the longer; passages of likely papers move up by their weight."""
    best: dict[str, Evidence] = {}
    for found in (wide, near):
        top = max((one.score for one in found), default=0.0) or 1.0
        for one in found:
            score = one.score / top + LEAN * part.likely.get(one.paper.id, 0.0)
            known = best.get(one.passage.id)
            if known is None or known.score < score:
                best[one.passage.id] = replace(one, score=score)
    ranked = sorted(best.values(), key=lambda one: (-one.score, one.passage.id))
    return tuple(ranked[: max(len(wide), len(near))])


def taken_in_turns(lists: Sequence[Sequence[Evidence]]) -> tuple[Evidence, ...]:
    """The evidence of several branches as one list: first of each, second of each, …; each passage once."""
    mixed: dict[str, Evidence] = {}
    for depth in range(max(map(len, lists), default=0)):
        for found in lists:
            if depth < len(found):
                mixed.setdefault(found[depth].passage.id, found[depth])
    return tuple(mixed.values())
