"""The use case "what happened here": what was added to a channel, asked in it and left open, over a period.

Everything is read in the channel's own scope: a digest is read by whoever is in the channel, so it speaks of nothing
that was shared elsewhere.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from core.assistant.groups.question_groups import discussed
from core.assistant.records.citation_links import Names
from core.assistant.records.related_papers import ReferenceLists, near_connections
from core.assistant.studies.quoted_sentences import Quotes, sayable
from core.assistant.studies.takeaway_writer import TakeawayWriter, told
from core.assistant.studies.takeaways import FOUND, takeaways
from core.domain.groups import Arrival, Connection, Digest
from core.domain.model import Channel, Paper, Scope, Share
from core.domain.ports import Embedder, Library, Retriever
from core.domain.records import Feedback, Said

MOST_ARRIVALS = 12
"""Papers that are told with their own words; more are named only."""


class Records(Protocol):
    """Answers as they were given."""

    async def between(self, channel: Channel, since: datetime, until: datetime) -> Sequence[Said]:
        """Answers given in a channel in a period, oldest first."""

    async def asked_about(self, channel: Channel) -> frozenset[str]:
        """Ids of papers that an answer given in this channel quotes or showed."""


class Judged(Protocol):
    """What readers said of answers."""

    async def given(self, scope: Scope) -> Sequence[Feedback]:
        """All feedback on answers given in the scope's channels, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestDependencies:
    """Everything that a digest is made from, handed in by the engine."""

    library: Library
    records: Records
    feedback: Judged
    retriever: Retriever
    embedder: Embedder
    pen: TakeawayWriter = field(default_factory=TakeawayWriter)


async def digest(channel: Channel, since: datetime, until: datetime, *, dependencies: DigestDependencies) -> Digest:
    """What happened in a channel after ``since`` and up to ``until``; quiet where nothing did."""
    scope = Scope(workspace=channel.workspace, channels=frozenset({channel.id}))
    papers = [paper for paper in await dependencies.library.papers(scope) if _first(paper).at <= until]
    new = sorted((p for p in papers if _first(p).at > since), key=lambda paper: _first(paper).at)
    said = await dependencies.records.between(channel, since, until)
    answered, unanswered = await asyncio.to_thread(discussed, said, await dependencies.feedback.given(scope))
    about = await dependencies.records.asked_about(channel)
    quotes = Quotes()
    lists = ReferenceLists(scope, dependencies.library)
    arrivals = [await _arrival(p, papers, lists, scope, quotes, dependencies) for p in new[:MOST_ARRIVALS]]
    arrivals += [_named(paper, since, until) for paper in new[MOST_ARRIVALS:]]
    cited = {citation.paper_id for citation in quotes.citations}
    return Digest(
        channel=channel,
        since=since,
        until=until,
        arrivals=tuple(arrivals),
        answered=answered,
        unanswered=unanswered,
        unasked=tuple(paper for paper in papers if paper not in new and paper.id not in about),
        citations=quotes.citations,
        cited=tuple(paper for paper in papers if paper.id in cited),
        notes=tuple(dependencies.pen.ledger.notes),
    )


def _first(paper: Paper) -> Share:
    """How a paper first came into the scope that it was read in."""
    return min(paper.shares, key=lambda share: share.at)


def _named(paper: Paper, since: datetime, until: datetime) -> Arrival:
    users = [share.user for share in sorted(paper.shares, key=lambda share: share.at) if since < share.at <= until]
    return Arrival(paper=paper, users=tuple(dict.fromkeys(users)))


async def _arrival(
    paper: Paper,
    papers: Sequence[Paper],
    lists: ReferenceLists,
    scope: Scope,
    quotes: Quotes,
    dependencies: DigestDependencies,
) -> Arrival:
    passages = await dependencies.library.paper_passages(scope, paper.id)
    statements = await asyncio.to_thread(lambda: takeaways(sayable(paper, passages)))
    said = await told(FOUND, statements, paper, quotes, dependencies.pen)
    earlier = [other for other in papers if _first(other).at < _first(paper).at and other.id != paper.id]
    users = tuple(dict.fromkeys(share.user for share in sorted(paper.shares, key=lambda share: share.at)))
    connection = await _connection(paper, earlier, lists, scope, quotes, dependencies)
    if said is None:
        return Arrival(paper=paper, users=users, connection=connection)
    return Arrival(paper=paper, users=users, takeaway=said.sentence, mode=said.mode, connection=connection)


async def _connection(
    paper: Paper,
    earlier: Sequence[Paper],
    lists: ReferenceLists,
    scope: Scope,
    quotes: Quotes,
    dependencies: DigestDependencies,
) -> Connection | None:
    """How a new paper stands to those that were here: what it cites, what cites it, else what is nearest."""
    if not earlier:
        return None
    for found in await lists.cites(paper, await asyncio.to_thread(Names, earlier)):
        return Connection(kind="cites", paper=found.cited, here=quotes.entry(found.reference))
    alone = Names([paper])
    for other in earlier:
        for found in await lists.cites(other, alone):
            return Connection(kind="cited by", paper=other, there=quotes.entry(found.reference))
    return next(iter(await near_connections(paper, earlier, scope, quotes, dependencies=dependencies, limit=1)), None)
