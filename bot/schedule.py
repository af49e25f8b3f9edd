"""Looks every half minute for digests and reminders that are due, hands each on as a job, and says what is posted.

What is due is decided by core from what is stored; a job's key makes it one post a period, however many processes
look and however often they start.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from bot.observability import Log
from bot.replies import groups as group_replies
from bot.replies.groups import DisplayContext
from core.domain.errors import FootnoteError, PlatformFailure
from core.domain.events import DigestDue, Event
from core.domain.groups import Digest, DuePost
from core.domain.model import Channel, Thread
from core.domain.platforms import ChatPlatform
from core.domain.reply import Reply

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

    from core.services.groups import Groups

_log = Log(__name__)


class DueSource(Protocol):
    """Knows what is due: the engine's groups service."""

    def due(self) -> Awaitable[Collection[DuePost]]:
        """Digests and reminders that are to be posted now."""


class Scheduler:
    """Runs ``tick`` every ``seconds`` while it is open; ``platforms`` are those that this process can post to."""

    def __init__(
        self,
        source: DueSource,
        accept: Callable[[Event], Awaitable[bool]],
        *,
        platforms: Collection[str],
        seconds: float = 30.0,
    ) -> None:
        self._source = source
        self._accept = accept
        self._platforms = platforms
        self._seconds = seconds
        self._scheduler: AsyncIOScheduler | None = None

    async def __aenter__(self) -> "Scheduler":
        # It looks through all that is installed for plug-ins; messages come in meanwhile.
        await asyncio.to_thread(import_module, "apscheduler.schedulers.asyncio")
        from apscheduler.schedulers.asyncio import AsyncIOScheduler
        from apscheduler.triggers.interval import IntervalTrigger

        self._scheduler = AsyncIOScheduler(timezone=UTC)
        self._scheduler.add_job(
            self.tick,
            IntervalTrigger(seconds=self._seconds, timezone=UTC),
            next_run_time=datetime.now(UTC) + timedelta(seconds=min(1.0, self._seconds)),
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )
        self._scheduler.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
            await asyncio.sleep(0)  # it ends in the loop's next round

    async def tick(self) -> int:
        """Hand on what is due and not known yet; returns how many. Never raises for what is wrong in one place."""
        try:
            events = [_event(due) for due in await self._source.due() if self._can_post(due)]
            return sum([await self._accept(event) for event in events])
        except FootnoteError as failure:
            _log.warning("nothing could be looked up or handed on", error=type(failure).__name__)
            return 0

    def _can_post(self, due: DuePost) -> bool:
        return due.thread.channel.workspace.platform in self._platforms


def _event(due: DuePost) -> DigestDue:
    return DigestDue(thread=due.thread, user="", at=due.at, message="", name=due.name, period=due.period)


async def post(event: DigestDue, groups: "Groups", platform: ChatPlatform) -> Reply | None:
    """The digest or reminder that is due; None where there is nothing to say."""
    channel = event.thread.channel
    plan = await groups.plan(channel)
    if event.name == "journal":
        number = event.period.partition("/")[0]
        reminder = await groups.reminder(channel, int(number)) if number.isdigit() else None
        if reminder is None:
            return None
        context = await load_display_context(
            channel, platform, zone=plan.settings.time_zone, users=(q.user for q in reminder.questions)
        )
        return group_replies.reminder(reminder, context)
    digest = await groups.digest(channel, event.period)
    if digest is None:
        return None
    return group_replies.digest(digest, await digest_context(digest, platform, zone=plan.settings.time_zone))


async def digest_context(digest: Digest, platform: ChatPlatform, *, zone: str) -> DisplayContext:
    """Names and links that a digest shows."""
    users = (user for arrival in digest.arrivals for user in arrival.users)
    shown = group_replies.MOST_QUESTIONS
    asked = (question.thread for question in (*digest.answered[:shown], *digest.unanswered[:shown]))
    return await load_display_context(digest.channel, platform, zone=zone, users=users, threads=asked)


async def load_display_context(
    channel: Channel,
    platform: ChatPlatform,
    *,
    zone: str,
    users: Iterable[str] = (),
    threads: Iterable[Thread] = (),
) -> DisplayContext:
    """Names and links from the platform; where the platform fails they are missing, and the post is not."""
    people = [user for user in dict.fromkeys(users) if user]
    distinct = {thread.key: thread for thread in threads}
    names = await asyncio.gather(
        *(platform.name_of(channel.workspace, user) for user in people), return_exceptions=True
    )
    links = await asyncio.gather(*map(platform.link, distinct.values()), return_exceptions=True)
    for result in (*names, *links):
        if isinstance(result, BaseException) and not isinstance(result, PlatformFailure):
            raise result
    return DisplayContext(
        zone=zone,
        names={user: name for user, name in zip(people, names, strict=True) if isinstance(name, str)},
        links={key: link for key, link in zip(distinct, links, strict=True) if isinstance(link, str)},
    )
