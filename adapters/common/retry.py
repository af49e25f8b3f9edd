"""Waits and tries again: deliveries that could not be stored, and calls that a platform asked to hold back.

In memory only: what a process had not taken in when it ended, the platform delivers again or is asked for at the start.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

from core.domain.errors import FootnoteError, RateLimited

_log = logging.getLogger(__name__)
PAUSES = (0.5, 1.0, 3.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds before each further attempt."""
_TELL_AFTER = 3
"""Further attempts that fail before the person is told: what passes in a few seconds is nobody's concern."""
_USUAL_WAIT = 30.0
_UNKNOWN = "Something went wrong."


async def notify_nobody(words: str) -> None:
    """For what no person waits for."""


class Retrying:
    """Runs work until it succeeds or the attempts are used up; ``close`` ends what is still to be tried."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def run(self, key: str, work: Callable[[], Awaitable[None]], tell: Callable[[str], Awaitable[None]]) -> None:
        """Do ``work``; where it fails, whatever is raised, go on trying beside the caller, and ``tell`` of it."""
        try:
            await work()
        except Exception as failure:
            self.begin(key, work, tell, failure)

    def begin(
        self,
        key: str,
        work: Callable[[], Awaitable[None]],
        tell: Callable[[str], Awaitable[None]],
        failure: Exception,
    ) -> None:
        """Go on trying ``work``, which ended by ``failure``; a ``key`` that is being tried is not tried twice."""
        _log.warning("not taken in yet: %s", type(failure).__name__)
        _log.debug("not taken in yet", exc_info=failure)
        if key not in self._tasks:
            task = self._tasks[key] = asyncio.create_task(_try_again(work, tell, failure))
            task.add_done_callback(lambda _: self._tasks.pop(key, None))

    async def close(self) -> None:
        """Leave off trying."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _try_again(
    work: Callable[[], Awaitable[None]], tell: Callable[[str], Awaitable[None]], failure: Exception
) -> None:
    for attempt, pause in enumerate(PAUSES, start=1):
        await asyncio.sleep(pause)
        try:
            await work()
            return
        except Exception as latest:
            failure = latest
            _log.warning("not taken in yet: %s", type(latest).__name__)
        if attempt == _TELL_AFTER:
            await _tell(tell, f"This could not be taken in yet; it is tried again. {_words(failure)}")
    _log.error("not taken in: %s", type(failure).__name__)
    await _tell(tell, f"This could not be taken in; please send it again later. {_words(failure)}")


async def _tell(tell: Callable[[str], Awaitable[None]], words: str) -> None:
    try:
        await tell(words)
    except Exception as failure:  # the work itself is what matters
        _log.warning("failure not told: %s", type(failure).__name__)


def _words(failure: Exception) -> str:
    return failure.words if isinstance(failure, FootnoteError) else _UNKNOWN


class RateLimits:
    """Until when a platform wants no call of a kind, so that other calls of that kind wait too."""

    def __init__(self, *, patience: float = 2.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._until: dict[str, float] = {}

    def hold_back(self, kind: str, seconds: float) -> None:
        """The platform asked to wait ``seconds`` before the next call of ``kind``."""
        self._until[kind] = max(self._until.get(kind, 0.0), self._clock() + seconds)

    async def wait_turn(self, kind: str) -> None:
        """Wait out a short silence. Raises ``RateLimited`` where it is a long one."""
        left = self._until.get(kind, 0.0) - self._clock()
        if left <= 0:
            self._until.pop(kind, None)
            return
        if left > self._patience:
            raise RateLimited("The chat platform asks for patience; this goes on by itself.", left)
        await asyncio.sleep(left)


def retry_after(headers: Mapping[str, str]) -> float:
    """Seconds that ``Retry-After`` asks for."""
    try:
        return max(0.0, float(headers.get("Retry-After", "")))
    except ValueError:
        return _USUAL_WAIT
