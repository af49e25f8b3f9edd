"""The sentences in which two papers come closest: words of one, and words of the other that say something like it.

Nearness is a cosine of the embedder and says that two sentences are on the same matter, not that they agree; nothing
is claimed below a bound.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.aspects.standalone_sentences import select_standalone
from core.aspects.statements import Statement
from core.assistant.studies.quotations import quotable_statements
from core.assistant.studies.takeaways import takeaway
from core.domain.model import Paper, Scope
from core.domain.ports import Embedder, Library, Retriever

LEAST = 0.6
"""Cosine from which two sentences of different papers are on the same matter."""
_PER_SEARCH = 12
_PASSAGES = 3
_SENTENCES = 16
"""How many of each paper are compared: those of the passages that search found, in the order of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosestPair:
    """A statement of the paper asked about and one of another paper, with their cosine."""

    here: Statement
    other: Paper
    there: Statement
    score: float


class NearestDependencies(Protocol):
    """What nearness is found with."""

    @property
    def library(self) -> Library:
        """The papers' passages."""

    @property
    def retriever(self) -> Retriever:
        """Finds passages."""

    @property
    def embedder(self) -> Embedder:
        """Compares statements."""


async def find_nearest(
    paper: Paper,
    others: Sequence[Paper],
    scope: Scope,
    *,
    dependencies: NearestDependencies,
    limit: int,
) -> Sequence[ClosestPair]:
    """For at most ``limit`` of ``others``, where they come closest to ``paper``; the nearest first."""
    passages = await dependencies.library.paper_passages(scope, paper.id)
    mine = await asyncio.to_thread(quotable_statements, paper, passages)
    told = takeaway(mine)
    if told is None or not others:
        return ()
    by_id = {other.id: other for other in others}
    query = f"{paper.metadata.title} {told.text}".strip()
    found = await dependencies.retriever.search(
        query, scope.within(frozenset(by_id)), k=_PER_SEARCH, per_paper=_PASSAGES
    )
    near: dict[str, ClosestPair] = {}
    for other_id in list(dict.fromkeys(item.passage.paper_id for item in found))[: limit + 1]:
        theirs = [item.passage for item in found if item.passage.paper_id == other_id]
        said = await asyncio.to_thread(quotable_statements, by_id[other_id], theirs)
        closest = await _closest(paper, mine, by_id[other_id], said, scope, dependencies)
        if closest is not None:
            near[other_id] = closest
    return sorted(near.values(), key=lambda item: -item.score)[:limit]


async def _closest(
    paper: Paper,
    mine: Sequence[Statement],
    other: Paper,
    theirs: Sequence[Statement],
    scope: Scope,
    dependencies: NearestDependencies,
) -> ClosestPair | None:
    """The pair of highest cosine between statements that were found and those of the paper's own best passages."""
    if not theirs:
        return None
    back = await dependencies.retriever.search(theirs[0].text, scope.within(frozenset({paper.id})), k=_PASSAGES)
    passages = {item.passage.id for item in back}
    told = takeaway(mine)
    own = select_standalone([item for item in mine if item.passage.id in passages or item is told])[:_SENTENCES]
    if not own:
        return None
    theirs = select_standalone(theirs)[:_SENTENCES]
    vectors = await dependencies.embedder.passages([item.text for item in (*own, *theirs)])
    cosines = vectors[: len(own)] @ vectors[len(own) :].T
    place = int(cosines.argmax())
    here, there = divmod(place, len(theirs))
    score = float(cosines[here, there])
    return ClosestPair(here=own[here], other=other, there=theirs[there], score=score) if score >= LEAST else None
