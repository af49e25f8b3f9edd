"""Looks every half minute for digests and reminders that are due and hands each on as a durable job.

What is due is decided by core from what is stored; a job's key makes it one post a period, however many processes
look and however often they start.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from bot.observability import Log
from core.domain.errors import FootnoteError
from core.domain.events import DigestDue, Event
from core.domain.groups import DuePost

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

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
