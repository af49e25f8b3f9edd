"""Turns the events of platforms into durable jobs; an event that is known already is dropped.

Separate from the worker because it must answer at once, whatever the worker is busy with.
"""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from types import TracebackType

from bot.observability import Log, new_trace
from core.domain.events import Event
from core.domain.jobs import JobStore
from core.domain.platforms import ChatPlatform

_log = Log(__name__)
_LAST_REACTIONS_SECONDS = 5.0


class Dispatcher:
    """Takes events from every platform; ``wake`` tells the worker that there is something to do."""

    def __init__(
        self,
        store: JobStore,
        platforms: Mapping[str, ChatPlatform],
        *,
        wake: Callable[[], None],
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._platforms = platforms
        self._wake = wake
        self._now = now
        self._reactions: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Dispatcher":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reactions:
            # A platform that hangs must not keep the process from ending.
            _, late = await asyncio.wait(self._reactions, timeout=_LAST_REACTIONS_SECONDS)
            for reaction in late:
                reaction.cancel()

    async def accept(self, event: Event, *, due: datetime | None = None) -> bool:
        """Keep ``event`` as a job for when it is ``due``; False where it is known.

        Raises ``LibraryFailure`` where it cannot be kept.
        """
        trace_id = new_trace()
        if not await self._store.put(event, at=due or self._now(), trace_id=trace_id):
            _log.info("event known", kind=type(event).__name__)
            return False
        _log.info("event accepted", kind=type(event).__name__, job_trace=trace_id)
        self._wake()
        if not event.message:  # nobody wrote it: there is no message to react to
            return True
        reaction = asyncio.create_task(self._react_seen(event))
        self._reactions.add(reaction)
        reaction.add_done_callback(self._reactions.discard)
        return True

    async def _react_seen(self, event: Event) -> None:
        platform = self._platforms[event.thread.channel.workspace.platform]
        try:
            await platform.react(event.thread, event.message, "seen")
        except Exception as failure:  # nobody waits for this task: what it raised would be lost
            _log.warning("reaction not shown", error=type(failure).__name__)
