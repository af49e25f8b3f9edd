"""The services for groups and records without a library: what a test puts in comes out."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.assistant.papers.paper_list import paper_list
from core.assistant.records.bibliography_import import NotABibliography
from core.domain.channel_settings import ChannelSettings
from core.domain.errors import NotInScope
from core.domain.groups import Brief, Club, ClubQuestion, Digest, DuePost, Reminder
from core.domain.model import Channel, Paper, Scope, Thread
from core.domain.records import (
    AnswerCorrection,
    BibliographyFormat,
    CitedHere,
    Imported,
    PageShown,
    PaperList,
    PaperTags,
    ReadingStatus,
    Related,
    RelatedWork,
)
from core.domain.reply import Attachment
from tests.bot.actors import NOW


@dataclass(frozen=True, kw_only=True)
class FakePlan:
    settings: ChannelSettings = field(default_factory=ChannelSettings)
    next_at: datetime | None = None


@dataclass
class FakeGroups:
    waiting: list[DuePost] = field(default_factory=list)
    digests: dict[str, Digest] = field(default_factory=dict)
    clubs_planned: list[Club] = field(default_factory=list)
    reminders: dict[int, Reminder] = field(default_factory=dict)
    noted: list[ClubQuestion] = field(default_factory=list)
    settings: ChannelSettings = field(default_factory=ChannelSettings)
    looked: asyncio.Event = field(default_factory=asyncio.Event)
    made: asyncio.Event = field(default_factory=asyncio.Event)

    async def due(self) -> Sequence[DuePost]:
        self.looked.set()
        return list(self.waiting)

    async def digest(self, channel: Channel, period: str) -> Digest | None:
        self.made.set()
        return self.digests.get(period)

    async def preview(self, channel: Channel) -> Digest:
        return self.digests.get("preview") or Digest(channel=channel, since=NOW - timedelta(days=7), until=NOW)

    async def schedule(self, channel: Channel, text: str, zone: str, *, user: str) -> FakePlan:
        self.settings = replace(self.settings, digest=text, time_zone=zone or self.settings.time_zone)
        return await self.plan(channel)

    async def plan(self, channel: Channel) -> FakePlan:
        off = self.settings.digest == "off"
        return FakePlan(settings=self.settings, next_at=None if off else NOW + timedelta(days=1))

    async def meet(self, thread: Thread, scope: Scope, paper_id: str, when: str, *, user: str) -> Brief:
        raise NotInScope("No meetings here.")

    async def clubs(self, channel: Channel) -> Sequence[Club]:
        return self.clubs_planned

    async def ask(self, thread: Thread, question: str, *, user: str) -> Sequence[ClubQuestion]:
        self.noted.append(ClubQuestion(user=user, text=question))
        return self.noted

    async def cancel(self, thread: Thread) -> Club:
        raise NotInScope("No meeting is planned in this thread.")

    async def reminder(self, channel: Channel, number: int) -> Reminder | None:
        return self.reminders.get(number)


@dataclass
class FakeRecords:
    papers: Callable[[Scope], Awaitable[Sequence[Paper]]]
    marked: dict[str, PaperTags] = field(default_factory=dict)
    corrections: list[AnswerCorrection] = field(default_factory=list)
    shown: list[PageShown] = field(default_factory=list)
    private: set[str] = field(default_factory=set)
    taken_in: list[bytes] = field(default_factory=list)

    async def list_papers(self, scope: Scope, words: str = "", *, page: int = 1, per_page: int = 15) -> PaperList:
        return paper_list(await self.papers(scope), self.marked, words, page, per_page=per_page)

    async def tag(self, channel: Channel, scope: Scope, paper_id: str, tag: str, *, user: str) -> None:
        held = self.marked.get(paper_id, PaperTags())
        self.marked[paper_id] = replace(held, tags=(*held.tags, tag))

    async def untag(self, channel: Channel, scope: Scope, paper_id: str, tag: str) -> bool:
        held = self.marked.get(paper_id, PaperTags())
        self.marked[paper_id] = replace(held, tags=tuple(item for item in held.tags if item != tag))
        return tag in held.tags

    async def read(self, channel: Channel, scope: Scope, paper_id: str, status: ReadingStatus, *, user: str) -> None:
        held = self.marked.get(paper_id, PaperTags())
        self.marked[paper_id] = replace(held, statuses=(*held.statuses, (user, status)))

    async def related(self, scope: Scope, paper_id: str) -> Related:
        raise NotInScope("Nothing is related here.")

    async def citations(self, scope: Scope) -> Sequence[CitedHere]:
        return ()

    async def cited_in(self, thread: Thread, scope: Scope) -> Sequence[Paper]:
        return ()

    async def bibliography(self, scope: Scope, paper_ids: Sequence[str], form: BibliographyFormat) -> Attachment:
        if not paper_ids:
            raise NotInScope("There are no papers here to make a bibliography of.")
        return Attachment(name=f"papers.{form}", mime="text/plain", data="\n".join(paper_ids).encode())

    async def related_work(self, scope: Scope, topic: str = "") -> RelatedWork:
        return RelatedWork(topic=topic, sentences=(), citations=())

    async def thread_file(self, thread: Thread, scope: Scope) -> Attachment:
        return Attachment(name="thread.md", mime="text/markdown", data=thread.key.encode())

    async def tables(self, scope: Scope, paper_id: str, label: str = "") -> Sequence[Attachment]:
        return [] if label else [Attachment(name="table-1.csv", mime="text/csv", data=b"a,page\r\n1,2\r\n")]

    async def import_bibliography(
        self, scope: Scope, data: bytes, *, user: str, overwrite: frozenset[str] = frozenset()
    ) -> Imported:
        if not data.startswith(b"@"):
            raise NotABibliography("That file is no bibliography.")
        self.taken_in.append(data)
        return Imported(entries=3, matched=2)

    async def pages(self, thread: Thread, scope: Scope, trace_id: str, marker: int) -> Sequence[PageShown]:
        if not self.shown:
            raise NotInScope("That answer is no longer stored; please ask again.")
        return self.shown

    async def remarks(self, scope: Scope, question: str) -> Sequence[AnswerCorrection]:
        return self.corrections

    async def keep_private(self, thread: Thread, trace_id: str) -> None:
        self.private.add(trace_id)

    async def is_private(self, thread: Thread, trace_id: str) -> bool:
        return trace_id in self.private

    async def publish(self, thread: Thread, trace_id: str) -> None:
        self.private.discard(trace_id)
