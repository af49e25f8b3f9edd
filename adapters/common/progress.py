"""What a job under way shows, the same on every platform: which keys are questions, its stage in words, paced edits.

How keys are made is said in ``core.domain.events``. Every platform limits how often a message may be edited, and the
newest state of a message must not be lost to that limit.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from core.domain.errors import PlatformFailure, RateLimited
from core.domain.progress import BEFORE_QUESTION

State = TypeVar("State")
_LONGEST_PATIENCE = 60.0


EDIT_PREFIX = "edit:"
QUESTION_PREFIXES = ("ask:", EDIT_PREFIX, "again:")
"""How the keys of questions begin: as first asked, changed soon, changed long after."""
NEW_ANSWER_PREFIXES = ("ask:", "again:")
"""Those of them whose answer begins a message of its own."""


def reply_key(key: str) -> str:
    """The key that a reply's messages go by: a question changed soon is answered in the place of its first answer."""
    return f"ask:{key.removeprefix(EDIT_PREFIX).rpartition('/')[0]}" if key.startswith(EDIT_PREFIX) else key


_STAGES = {
    "fetching": "Fetching the file",
    "reading": "Reading the pages",
    "embedding": "Learning what it says",
    "understanding": "Understanding the question",
    "searching": "Searching the papers",
    "looking": "Looking at figures",
    "writing": "Writing, each sentence checked against its page",
    "reading values": "Reading values out of the papers",
}


def stage_words(name: str, *, of: str = "") -> str:
    """The stage ``name`` as a reader is told of it; ``of`` is the file that is read, where that has to be said."""
    stage = name.removesuffix(BEFORE_QUESTION)
    words = _STAGES.get(stage, stage[:1].upper() + stage[1:])
    if of:
        words += f" of {of}" if stage == "reading" else f": {of}"
    return words + name.removeprefix(stage)


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
