"""The use case "what goes with this paper": what it cites of the papers here, what cites it, and what is nearest.

An entry of a reference list means a paper when both name the same DOI or arXiv number, or when the paper's whole title
is in it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from core.aspects.standalone_sentences import select_standalone
from core.aspects.statements import Statement
from core.assistant.studies.quotations import Quotations, quotable_statements
from core.assistant.studies.takeaways import takeaway
from core.domain.errors import NotInScope
from core.domain.groups import Connection
from core.domain.model import Paper, Reference, Scope
from core.domain.ports import Embedder, Library, Retriever
from core.domain.records import CitedHere, Related
from core.text import alphanumeric_key, bare_arxiv_number

NEAREST = 3
_SHORTEST_TITLE = 20
"""Letters of a title from which an entry that holds it means it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedDependencies:
    """What related papers are found with, handed in by the engine."""

    library: Library
    retriever: Retriever
    embedder: Embedder


async def find_related(
    scope: Scope, paper_id: str, *, dependencies: RelatedDependencies, limit: int = NEAREST
) -> Related:
    """A paper among the others of its scope. Raises ``NotInScope``."""
    papers = await dependencies.library.papers(scope)
    paper = next((paper for paper in papers if paper.id == paper_id), None)
    if paper is None:
        raise NotInScope("This paper is not here.")
    lists = ReferenceLists(scope, dependencies.library)
    cited = await lists.cites(paper, await asyncio.to_thread(ReferenceMatcher, papers))
    this_one = ReferenceMatcher([paper])
    cited_by = [found for other in papers for found in await lists.cites(other, this_one)]
    others = [other for other in papers if other.id != paper.id]
    quotes = Quotations()
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
    names, lists = await asyncio.to_thread(ReferenceMatcher, papers), ReferenceLists(scope, library)
    return [found for paper in papers for found in await lists.cites(paper, names)]


async def near_connections(
    paper: Paper,
    others: Sequence[Paper],
    scope: Scope,
    quotes: Quotations,
    *,
    dependencies: RelatedDependencies,
    limit: int,
) -> Sequence[Connection]:
    """Where at most ``limit`` of ``others`` come closest to ``paper``, quoted on both sides; the nearest first."""
    return [
        Connection(kind="near", paper=item.other, here=quotes.say(item.here), there=quotes.say(item.there))
        for item in await find_nearest(paper, others, scope, dependencies=dependencies, limit=limit)
    ]


class ReferenceMatcher:
    """Finds the paper that an entry of a reference list means, among some papers."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self._by_doi = {paper.metadata.doi.lower(): paper for paper in papers if paper.metadata.doi}
        self._by_arxiv = {
            bare_arxiv_number(paper.metadata.arxiv_id): paper for paper in papers if paper.metadata.arxiv_id
        }
        titled = [(alphanumeric_key(paper.metadata.title), paper) for paper in papers]
        self._titles = [(title, paper) for title, paper in titled if len(title) >= _SHORTEST_TITLE]

    def find(self, reference: Reference) -> Paper | None:
        """The paper that an entry means, or None."""
        by_doi = self._by_doi.get((reference.doi or "").lower())
        by_arxiv = self._by_arxiv.get(bare_arxiv_number(reference.arxiv_id or ""))
        return by_doi or by_arxiv or self._by_title(reference)

    def _by_title(self, reference: Reference) -> Paper | None:
        """The paper of the longest title in an entry: one title may begin another."""
        entry = alphanumeric_key(reference.raw)
        fitting = [(title, paper) for title, paper in self._titles if title in entry]
        return max(fitting, key=lambda item: len(item[0]))[1] if fitting else None


def match_references(citing: Paper, references: Sequence[Reference], names: ReferenceMatcher) -> tuple[CitedHere, ...]:
    """What a paper's reference list names of the papers here, in printed order, each once and never itself."""
    found: dict[str, CitedHere] = {}
    for reference in references:
        paper = names.find(reference)
        if paper is not None:
            found.setdefault(paper.id, CitedHere(citing=citing, cited=paper, reference=reference))
    found.pop(citing.id, None)
    return tuple(found.values())


class ReferenceLists:
    """The reference lists of a scope's papers, each read once however often it is gone through."""

    def __init__(self, scope: Scope, library: Library) -> None:
        self._scope = scope
        self._library = library
        self._read: dict[str, Sequence[Reference]] = {}

    async def cites(self, citing: Paper, names: ReferenceMatcher) -> Sequence[CitedHere]:
        """What a paper's reference list names of the papers of ``names``, in printed order."""
        if citing.id not in self._read:
            self._read[citing.id] = await self._library.references(self._scope, citing.id)
        return await asyncio.to_thread(match_references, citing, self._read[citing.id], names)


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


async def find_nearest(
    paper: Paper,
    others: Sequence[Paper],
    scope: Scope,
    *,
    dependencies: RelatedDependencies,
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
    dependencies: RelatedDependencies,
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
