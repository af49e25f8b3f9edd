"""Keeps to what a platform takes: edits of one message at a legal pace, and silence after "too many requests".

It stands alone because every platform limits edits, and losing the newest state of a message (or asking again
while the platform says wait) is the same mistake everywhere.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from core.domain.errors import PlatformFailure, RateLimited

State = TypeVar("State")
_LONGEST_PATIENCE = 60.0


class Edits(Generic[State]):
    """Shows states of one message: the newest wins, at most one edit in ``seconds``.

    ``show`` returns at once and never raises. An edit that fails is dropped; after "wait" the next one waits.
    """

    def __init__(self, edit: Callable[[State], Awaitable[None]], *, seconds: float = 1.0) -> None:
        self._edit = edit
        self._seconds = seconds
        self._next: list[State] = []
        self._task: asyncio.Task[None] | None = None
        self._free_at = 0.0
        self._closed = False

    def show(self, state: State) -> None:
        """The message should look like ``state``; what was waiting to be shown is passed over."""
        if self._closed:
            return
        self._next = [state]
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Show nothing more; returns when an edit under way has ended, so that none comes after what follows."""
        self._closed = True
        self._next = []
        if self._task is not None:
            await asyncio.wait([self._task], timeout=_LONGEST_PATIENCE)

    async def _run(self) -> None:
        while self._next:
            wait = self._free_at - time.monotonic()
            if wait > 0:
                await asyncio.sleep(min(wait, 0.2))  # closing need not wait for a long silence
                continue
            state = self._next.pop()
            try:
                await self._edit(state)
                self._free_at = time.monotonic() + self._seconds
            except RateLimited as limit:
                self._free_at = time.monotonic() + max(limit.seconds, self._seconds)
                if not self._next and not self._closed:
                    self._next = [state]
            except PlatformFailure:
                self._free_at = time.monotonic() + self._seconds


class Silences:
    """Remembers until when a platform wants no call of a kind, so that others do not ask meanwhile."""

    def __init__(self, *, patience: float = 2.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._until: dict[str, float] = {}

    def told(self, kind: str, seconds: float) -> None:
        """The platform asked to wait ``seconds`` before the next call of ``kind``."""
        self._until[kind] = max(self._until.get(kind, 0.0), self._clock() + seconds)

    async def turn(self, kind: str) -> None:
        """Wait out a short silence. Raises ``RateLimited`` where it is a long one."""
        left = self._until.get(kind, 0.0) - self._clock()
        if left <= 0:
            self._until.pop(kind, None)
            return
        if left > self._patience:
            raise RateLimited("The chat platform asks for patience; this goes on by itself.", left)
        await asyncio.sleep(left)
