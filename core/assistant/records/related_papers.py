"""The use case "what goes with this paper": what it cites of the papers here, what cites it, and what is nearest."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from core.assistant.records.citation_links import Names, cited_here
from core.assistant.records.closest_sentences import Finds, nearest
from core.assistant.studies.quoted_sentences import Quotes
from core.domain.errors import NotInScope
from core.domain.groups import Connection
from core.domain.model import Paper, Reference, Scope
from core.domain.ports import Embedder, Library, Retriever
from core.domain.records import CitedHere, Related

NEAREST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedDependencies:
    """What kinship is found with, handed in by the engine."""

    library: Library
    retriever: Retriever
    embedder: Embedder


async def related(scope: Scope, paper_id: str, *, dependencies: RelatedDependencies, limit: int = NEAREST) -> Related:
    """A paper among the others of its scope. Raises ``NotInScope``."""
    papers = await dependencies.library.papers(scope)
    paper = next((paper for paper in papers if paper.id == paper_id), None)
    if paper is None:
        raise NotInScope("This paper is not here.")
    lists = ReferenceLists(scope, dependencies.library)
    cited = await lists.cites(paper, await asyncio.to_thread(Names, papers))
    alone = Names([paper])
    cited_by = [found for other in papers for found in await lists.cites(other, alone)]
    others = [other for other in papers if other.id != paper.id]
    quotes = Quotes()
    connections = await near_connections(paper, others, scope, quotes, dependencies=dependencies, limit=limit)
    return Related(
        paper=paper,
        cites=tuple(cited),
        cited_by=tuple(cited_by),
        nearest=tuple(connections),
        citations=quotes.citations,
    )


async def citations_within(scope: Scope, *, library: Library) -> Sequence[CitedHere]:
    """What cites what among the papers of a scope, by citing paper in the order of the list."""
    papers = await library.papers(scope)
    names, lists = await asyncio.to_thread(Names, papers), ReferenceLists(scope, library)
    return [found for paper in papers for found in await lists.cites(paper, names)]


async def near_connections(
    paper: Paper, others: Sequence[Paper], scope: Scope, quotes: Quotes, *, dependencies: Finds, limit: int
) -> Sequence[Connection]:
    """Where at most ``limit`` of ``others`` come closest to ``paper``, quoted on both sides; the nearest first."""
    return [
        Connection(kind="near", paper=item.other, here=quotes.say(item.here), there=quotes.say(item.there))
        for item in await nearest(paper, others, scope, dependencies=dependencies, limit=limit)
    ]


class ReferenceLists:
    """The reference lists of a scope's papers, each read once however often it is gone through."""

    def __init__(self, scope: Scope, library: Library) -> None:
        self._scope = scope
        self._library = library
        self._read: dict[str, Sequence[Reference]] = {}

    async def cites(self, citing: Paper, names: Names) -> Sequence[CitedHere]:
        """What a paper's reference list names of the papers of ``names``, in printed order."""
        if citing.id not in self._read:
            self._read[citing.id] = await self._library.references(self._scope, citing.id)
        return await asyncio.to_thread(cited_here, citing, self._read[citing.id], names)
