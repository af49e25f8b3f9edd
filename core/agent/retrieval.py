"""Brings the evidence for one part: searches the papers that are certainly meant, or all with a lean to likely ones."""

from collections.abc import Sequence
from dataclasses import replace

from core.agent import messages
from core.agent.reasoner import RunContext
from core.domain.model import Evidence, Reach
from core.domain.ports import Filters
from core.understanding import filters
from core.understanding.route import Part

LEAN = 0.25
"""How much of the best score a passage of a likely paper gains."""

WIDE_PASSAGES = 24
"""How many passages a search brings where the asker wants it wider."""
WIDE_STRICTNESS = 0.2
"""Operating point of refusal there, unless the usual one is lower still."""


def widen_for_reach(run: RunContext, reach: Reach) -> RunContext:
    """The run for a reach: wide brings more passages and sets a lower bar, and the footer says so."""
    if reach == "usual":
        return run
    run.ledger.note(messages.searched_wider(WIDE_PASSAGES))
    config = run.dependencies.config
    lenient = replace(config, strictness=min(config.strictness, WIDE_STRICTNESS))
    return replace(run, k=WIDE_PASSAGES, dependencies=replace(run.dependencies, config=lenient))


async def gather_evidence(part: Part, run: RunContext, *, k: int | None = None) -> tuple[Evidence, ...]:
    """Evidence for ``part``, best first; every search stays inside the run's scope.

    Limits that the asker put in words are told in the footer; where nothing is left within them, all is searched.
    """
    k = k or run.k
    found = await _within_limits(part, run, k)
    limits = filters.describe_filters(part.filters)
    if not limits:
        return found
    undated = (part.filters.since or part.filters.until) and any(not one.metadata.year for one in run.papers)
    if found:
        run.ledger.note(messages.limits_applied(limits, undated=bool(undated)))
        return found
    run.ledger.note(messages.limits_dropped(limits))
    return await _within_limits(replace(part, filters=Filters()), run, k)


async def _within_limits(part: Part, run: RunContext, k: int | None) -> tuple[Evidence, ...]:
    scope, search = run.request.scope, run.dependencies.retriever.search
    if part.only:
        meant = scope.within(part.only)
        return tuple(await search(part.query, meant, k=k, filters=part.filters, per_paper=part.per_paper))
    wide = await search(part.query, scope, k=k, filters=part.filters, per_paper=part.per_paper)
    likely = frozenset(part.likely)
    if not likely:
        return tuple(wide)
    near = await search(part.query, scope.within(likely), k=k, filters=part.filters)
    return merge_with_likely_papers(wide, near, part)


def merge_with_likely_papers(wide: Sequence[Evidence], near: Sequence[Evidence], part: Part) -> tuple[Evidence, ...]:
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


def interleave(lists: Sequence[Sequence[Evidence]]) -> tuple[Evidence, ...]:
    """The evidence of several branches as one list: first of each, second of each, …; each passage once."""
    mixed: dict[str, Evidence] = {}
    for depth in range(max(map(len, lists), default=0)):
        for found in lists:
            if depth < len(found):
                mixed.setdefault(found[depth].passage.id, found[depth])
    return tuple(mixed.values())
