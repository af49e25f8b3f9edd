"""The use case "what happened here": what was added to a channel, asked in it and left open, over a period.

Everything is read in the channel's own scope: a digest is read by whoever is in the channel, so it speaks of nothing
that was shared elsewhere.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeAlias

from core.assistant.records.related_papers import (
    ReferenceLists,
    ReferenceMatcher,
    RelatedDependencies,
    near_connections,
)
from core.assistant.studies.quotations import Quotations, quotable_statements
from core.assistant.studies.takeaway_writer import TakeawayWriter, write_takeaway
from core.assistant.studies.takeaways import FINDING, takeaways
from core.domain.groups import AddedPaper, Connection, Digest, DiscussedQuestion
from core.domain.model import Channel, Outcome, Paper, Scope, Share
from core.domain.records import Feedback, StoredAnswer
from core.text import normalise, query_tokens

MOST_ARRIVALS = 12
"""Papers that are quoted; more are named only."""


class AnswerLog(Protocol):
    """The answers given in a workspace."""

    async def between(self, channel: Channel, since: datetime, until: datetime) -> Sequence[StoredAnswer]:
        """Answers given in a channel in a period, oldest first."""

    async def asked_about(self, channel: Channel) -> frozenset[str]:
        """Ids of papers that an answer given in this channel quotes or showed."""


class FeedbackLog(Protocol):
    """Readers' feedback on answers."""

    async def given(self, scope: Scope) -> Sequence[Feedback]:
        """All feedback on answers given in the scope's channels, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestDependencies(RelatedDependencies):
    """Everything that a digest is made from, handed in by the engine."""

    records: AnswerLog
    feedback: FeedbackLog
    writer: TakeawayWriter = field(default_factory=TakeawayWriter)


async def make_digest(
    channel: Channel, since: datetime, until: datetime, *, dependencies: DigestDependencies
) -> Digest:
    """What happened in a channel after ``since`` and up to ``until``; quiet where nothing did."""
    scope = Scope(workspace=channel.workspace, channels=frozenset({channel.id}))
    papers = [paper for paper in await dependencies.library.papers(scope) if _first(paper).at <= until]
    old = [paper for paper in papers if _first(paper).at <= since]
    new = sorted((paper for paper in papers if _first(paper).at > since), key=lambda paper: _first(paper).at)
    answers = await dependencies.records.between(channel, since, until)
    answered, unanswered = await asyncio.to_thread(group_questions, answers, await dependencies.feedback.given(scope))
    about = await dependencies.records.asked_about(channel)
    quotes = Quotations()
    lists = ReferenceLists(scope, dependencies.library)
    arrivals = [await _arrival(paper, papers, lists, scope, quotes, dependencies) for paper in new[:MOST_ARRIVALS]]
    arrivals += [_named(paper, since, until) for paper in new[MOST_ARRIVALS:]]
    cited = {citation.paper_id for citation in quotes.citations}
    return Digest(
        channel=channel,
        since=since,
        until=until,
        arrivals=tuple(arrivals),
        answered=answered,
        unanswered=unanswered,
        unasked=tuple(paper for paper in old if paper.id not in about),
        citations=quotes.citations,
        cited=tuple(paper for paper in papers if paper.id in cited),
        notes=tuple(dependencies.writer.ledger.notes),
    )


def _first(paper: Paper) -> Share:
    """How a paper first came into the scope that it was read in."""
    return min(paper.shares, key=lambda share: share.at)


def _named(paper: Paper, since: datetime, until: datetime) -> AddedPaper:
    shares = [share for share in paper.shares if since < share.at <= until]
    return AddedPaper(paper=paper, users=_users(shares))


def _users(shares: Sequence[Share]) -> tuple[str, ...]:
    """Who shared a paper, each once, the first first."""
    return tuple(dict.fromkeys(share.user for share in sorted(shares, key=lambda share: share.at)))


async def _arrival(
    paper: Paper,
    papers: Sequence[Paper],
    lists: ReferenceLists,
    scope: Scope,
    quotes: Quotations,
    dependencies: DigestDependencies,
) -> AddedPaper:
    passages = await dependencies.library.paper_passages(scope, paper.id)
    statements = await asyncio.to_thread(lambda: takeaways(quotable_statements(paper, passages)))
    found = await write_takeaway(FINDING, statements, paper, quotes, dependencies.writer)
    earlier = [other for other in papers if _first(other).at < _first(paper).at and other.id != paper.id]
    users = _users(paper.shares)
    connection = await _connection(paper, earlier, lists, scope, quotes, dependencies)
    if found is None:
        return AddedPaper(paper=paper, users=users, connection=connection)
    return AddedPaper(paper=paper, users=users, takeaway=found.sentence, mode=found.mode, connection=connection)


async def _connection(
    paper: Paper,
    earlier: Sequence[Paper],
    lists: ReferenceLists,
    scope: Scope,
    quotes: Quotations,
    dependencies: DigestDependencies,
) -> Connection | None:
    """The closest tie of a new paper to those that were here: what it cites, what cites it, else what is nearest."""
    if not earlier:
        return None
    for found in await lists.cites(paper, await asyncio.to_thread(ReferenceMatcher, earlier)):
        return Connection(kind="cites", paper=found.cited, here=quotes.entry(found.reference))
    new = ReferenceMatcher([paper])
    for other in earlier:
        for found in await lists.cites(other, new):
            return Connection(kind="cited by", paper=other, there=quotes.entry(found.reference))
    return next(iter(await near_connections(paper, earlier, scope, quotes, dependencies=dependencies, limit=1)), None)


Key: TypeAlias = tuple[str, ...]
_ANSWERED: Outcome = "answered"
_LEFT_OUT: frozenset[Outcome] = frozenset({"declined"})
"""Outcomes of what was no question to the papers."""


def question_key(question: str) -> Key:
    """The same for two questions that ask for the same in the same words, whatever their order and small words."""
    return tuple(sorted(set(query_tokens(normalise(question)))))


def group_questions(
    said: Sequence[StoredAnswer], feedback: Sequence[Feedback]
) -> tuple[tuple[DiscussedQuestion, ...], tuple[DiscussedQuestion, ...]]:
    """Questions answered and questions left open, each once, as it was asked last.

    An answer that a reader called wrong without saying what is right leaves its question open.
    """
    verdicts: Mapping[str, Feedback] = {item.answer.trace_id: item for item in feedback}
    groups: dict[Key, list[StoredAnswer]] = {}
    for item in said:
        key = question_key(item.answer.question)
        if key and item.answer.outcome not in _LEFT_OUT:
            groups.setdefault(key, []).append(item)
    answered: list[DiscussedQuestion] = []
    left: list[DiscussedQuestion] = []
    for group in sorted(groups.values(), key=lambda group: group[-1].at):
        right = [item for item in group if _is_answered(item, verdicts.get(item.answer.trace_id))]
        last, kind = (right[-1], answered) if right else (group[-1], left)
        kind.append(
            DiscussedQuestion(
                text=last.answer.question,
                thread=last.thread,
                at=last.at,
                outcome=last.answer.outcome,
                times=len(group),
            )
        )
    return tuple(answered), tuple(left)


def _is_answered(said: StoredAnswer, verdict: Feedback | None) -> bool:
    refuted = verdict is not None and verdict.verdict == "wrong" and not verdict.words
    return said.answer.outcome == _ANSWERED and not refuted
