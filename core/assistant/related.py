"""The use case "what goes with this paper": what it cites of the papers here, what cites it, and what is nearest."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from core.assistant.kinship import Names, cited_here
from core.assistant.nearness import nearest
from core.assistant.quoted import Quotes
from core.domain.errors import NotInScope
from core.domain.groups import Connection
from core.domain.model import Paper, Scope
from core.domain.ports import Embedder, Library, Retriever
from core.domain.records import CitedHere, Related

NEAREST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedDesk:
    """What kinship is found with, handed in by the engine."""

    library: Library
    retriever: Retriever
    embedder: Embedder


async def related(scope: Scope, paper_id: str, *, desk: RelatedDesk, limit: int = NEAREST) -> Related:
    """A paper among the others of its scope. Raises ``NotInScope``."""
    papers = await desk.library.papers(scope)
    paper = next((one for one in papers if one.id == paper_id), None)
    if paper is None:
        raise NotInScope("This paper is not here.")
    cited = await cites(paper, papers, scope, desk.library)
    cited_by = [found for other in papers for found in await cites(other, [paper], scope, desk.library)]
    others = [other for other in papers if other.id != paper.id]
    quotes = Quotes()
    near = await nearest(
        paper,
        others,
        scope,
        library=desk.library,
        retriever=desk.retriever,
        embedder=desk.embedder,
        limit=limit,
    )
    connections = [
        Connection(kind="near", paper=one.other, here=quotes.say(one.here), there=quotes.say(one.there)) for one in near
    ]
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
    return [found for paper in papers for found in await cites(paper, papers, scope, library)]


async def cites(citing: Paper, papers: Sequence[Paper], scope: Scope, library: Library) -> Sequence[CitedHere]:
    """What a paper's reference list names of ``papers``, in printed order."""
    references = await library.references(scope, citing.id)
    return await asyncio.to_thread(lambda: cited_here(citing, references, Names(papers)))
