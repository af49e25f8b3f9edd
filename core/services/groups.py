"""What a group does around its papers: digests of its channels, journal clubs, and what of both is due."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from core.agent.reasoner import ModelCapability
from core.assistant.budget import WorkspaceBudget, open_budgeted
from core.assistant.groups.due import Schedule, find_due, parse_period, preview_period
from core.config import Config
from core.domain.channel_settings import ChannelSettings
from core.domain.errors import NotInScope
from core.domain.groups import Brief, Club, ClubQuestion, Digest, DuePost, Reminder
from core.domain.language_models import LanguageModel
from core.domain.model import Channel, Scope, Thread
from core.library import DIGEST, ScheduleReader
from core.llm.null_models import NullLanguageModel
from core.services.open_workspaces import OpenWorkspace, OpenWorkspaces
from core.services.shared_models import SharedModels

if TYPE_CHECKING:
    from core.assistant.studies.takeaway_writer import TakeawayWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A channel's digest as it is set, and when it comes next (None: never)."""

    settings: ChannelSettings
    next_at: datetime | None


class Groups:
    """Digests and journal clubs of all workspaces. A digest is of one channel and of what was shared there alone."""

    def __init__(
        self,
        workspaces: OpenWorkspaces,
        *,
        models: SharedModels,
        model: LanguageModel,
        capability: ModelCapability,
        config: Config,
        now: Callable[[], datetime],
    ) -> None:
        self._workspaces = workspaces
        self._clockwork = ScheduleReader(config.data)
        self._looking = asyncio.Lock()
        self._models = models
        self._model = model
        self._capability = capability
        self._config = config
        self._now = now

    # the clock

    async def due(self) -> Sequence[DuePost]:
        """Digests and reminders that are to be posted now, in all workspaces. Opens none of them."""
        async with self._looking:
            plans = await asyncio.to_thread(self._clockwork.look)
            now = self._now()
            found = await asyncio.to_thread(
                lambda: [find_due(plan.workspace, plan.digests, plan.clubs, now=now) for plan in plans]
            )
        return [item for several in found for item in several]

    # digests

    async def digest(self, channel: Channel, period: str) -> Digest | None:
        """The digest of a period that is due; None where a later one was made, or nothing happened.

        Made again for the same period (after a crash) it tells of the same, without a model in the same words.
        Raises ``ValueError`` for what is no period.
        """
        since, until = parse_period(period)
        async with self._workspaces.enter(channel.workspace) as opened:
            last = await opened.stores.subscriptions.last(channel, DIGEST)
            if last is not None and last > until:
                return None
            if last is not None and last < until:
                since = max(since, last)
            made = await self._digest(opened, channel, since, until)
            await opened.stores.subscriptions.reached(channel, DIGEST, until)
            return None if made.quiet else made

    async def preview(self, channel: Channel) -> Digest:
        """What the channel's digest would be now; the next one is none the shorter for it."""
        now = self._now()
        async with self._workspaces.enter(channel.workspace) as opened:
            settings = await opened.settings(channel)
            last = await opened.stores.subscriptions.last(channel, DIGEST)
            since, until = preview_period(settings.digest, settings.time_zone, last, now=now)
            return await self._digest(opened, channel, since, until)

    async def schedule(self, channel: Channel, text: str, zone: str, *, user: str) -> Plan:
        """Set when the channel's digest comes; an empty ``zone`` keeps it. Raises ``SettingsInvalid``."""
        async with self._workspaces.enter(channel.workspace) as opened:
            settings = await opened.settings(channel)
            if text != "off":
                Schedule(text, zone or settings.time_zone)
            at = self._now()
            await opened.stores.settings.put(channel, "digest", text, user=user, at=at)
            if zone:
                await opened.stores.settings.put(channel, "time_zone", zone, user=user, at=at)
        return await self.plan(channel)

    async def plan(self, channel: Channel) -> Plan:
        """When the channel's digest comes."""
        async with self._workspaces.enter(channel.workspace) as opened:
            settings = await opened.settings(channel)
        off = settings.digest == "off"
        return Plan(
            settings=settings,
            next_at=None if off else Schedule(settings.digest, settings.time_zone).after(self._now()),
        )

    async def _digest(self, opened: OpenWorkspace, channel: Channel, since: datetime, until: datetime) -> Digest:
        from core.assistant.groups.digest import DigestDependencies, make_digest

        await opened.check_embedder()
        settings = await opened.settings(channel)
        async with self._pen(opened, settings, user="") as writer:
            dependencies = DigestDependencies(
                library=opened.stores.library,
                records=opened.stores.records,
                feedback=opened.stores.feedback,
                retriever=opened.retriever,
                embedder=self._models.embedder,
                writer=writer,
            )
            return await make_digest(channel, since, until, dependencies=dependencies)

    @asynccontextmanager
    async def _pen(
        self, opened: OpenWorkspace, settings: ChannelSettings, *, user: str
    ) -> "AsyncIterator[TakeawayWriter]":
        """What writes in a channel: the configured model, where the channel and the budgets let it."""
        from core.assistant.studies.takeaway_writer import TakeawayWriter

        budget = WorkspaceBudget(self._config.budget, opened.stores.spending)
        allowed = self._model if settings.model == "allowed" else NullLanguageModel()
        async with open_budgeted(allowed, self._capability, budget, user, now=self._now) as (model, ledger):
            yield TakeawayWriter(model=model, llm=self._config.llm, ledger=ledger)

    # journal clubs

    async def meet(self, thread: Thread, scope: Scope, paper_id: str, when: str, *, user: str) -> Brief:
        """Plan a meeting on a paper in a thread, and its brief. Raises ``NotADate`` or ``NotInScope``."""
        # Compiling the patterns of a study takes a moment that no start should wait for.
        from core.assistant.groups import journal_club
        from core.assistant.studies.study_context import StudyDependencies
        from core.assistant.studies.summarise import summarise

        async with self._workspaces.enter(scope.workspace) as opened:
            settings = await opened.settings(thread.channel)
            now = self._now()
            meets_at = journal_club.parse_meeting_time(when, settings.time_zone, now=now)
            held = await opened.stores.library.papers(scope.within(frozenset({paper_id})))
            async with self._pen(opened, settings, user=user) as writer:
                dependencies = StudyDependencies(
                    scope=scope,
                    library=opened.stores.library,
                    retriever=opened.retriever,
                    embedder=self._models.embedder,
                    model=writer.model,
                    llm=writer.llm,
                    study_store=opened.stores.studies,
                    now=self._now,
                    ledger=writer.ledger,
                )
                summary = await summarise(paper_id, dependencies)
            brief = await asyncio.to_thread(journal_club.make_brief, held[0], summary, meets_at)
            remind_at = journal_club.reminder_time(meets_at, now=now)
            await opened.stores.clubs.plan(
                thread, scope, paper_id, meets_at=meets_at, remind_at=remind_at, user=user, at=now
            )
            return brief

    async def clubs(self, channel: Channel) -> Sequence[Club]:
        """Meetings of a channel that are still to come, soonest first."""
        async with self._workspaces.enter(channel.workspace) as opened:
            return await opened.stores.clubs.coming(channel, at=self._now() - timedelta(hours=3))

    async def ask(self, thread: Thread, question: str, *, user: str) -> Sequence[ClubQuestion]:
        """Keep what a member wants to talk about at the thread's meeting; all there are now. Raises ``NotInScope``."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            club = await self._club(opened, thread)
            await opened.stores.clubs.add_question(club.number, question, user=user, at=self._now())
            return await self._questions(opened, club)

    async def cancel(self, thread: Thread) -> Club:
        """Call off the thread's meeting. Raises ``NotInScope`` where there is none."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            club = await self._club(opened, thread)
            await opened.stores.clubs.cancel(club.number)
            return club

    async def reminder(self, channel: Channel, number: int) -> Reminder | None:
        """What is said before a meeting; None where it is over or was called off."""
        async with self._workspaces.enter(channel.workspace) as opened:
            try:
                club = await opened.stores.clubs.club(channel, number)
            except NotInScope:
                return None
            await opened.stores.clubs.reminded(number)
            scope = Scope(
                workspace=channel.workspace, channels=frozenset({channel.id}), papers=frozenset({club.paper_id})
            )
            held = await opened.stores.library.papers(scope)
            if not held or club.meets_at <= self._now():
                return None
            return Reminder(club=club, paper=held[0], questions=tuple(await self._questions(opened, club)))

    async def _club(self, opened: OpenWorkspace, thread: Thread) -> Club:
        clubs = await opened.stores.clubs.of_thread(thread)
        if not clubs:
            raise NotInScope("No meeting is planned in this thread; to plan one: journal PAPER on 2026-12-04 15:00.")
        return clubs[0]

    async def _questions(self, opened: OpenWorkspace, club: Club) -> Sequence[ClubQuestion]:
        """What members noted, and what was asked of the paper in the same thread."""
        noted = await opened.stores.clubs.questions(club.number)
        asked = [item.answer.question for item in await opened.stores.records.of_thread(club.thread)]
        texts = {item.text.casefold() for item in noted}
        return [
            *noted,
            *(ClubQuestion(user="", text=text) for text in dict.fromkeys(asked) if text.casefold() not in texts),
        ]
