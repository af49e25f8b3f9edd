"""What a question is read against: the thread's last turns whole, the older ones as they were and as a summary.

It stands beside the asking because remembering has its own cost and pace: a summary is made anew only every few
turns, after the answer, and never costs an answer.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from core.assistant.asking import thread_summary
from core.domain.model import Thread, Turn
from core.domain.ports import Memory
from core.domain.records import Recollection
from core.understanding.recall import Conversation

LOOKED_BACK = 200
"""Turns that a question can reach back to."""


class Recollections(Protocol):
    """Where running summaries are kept."""

    async def recollection(self, thread: Thread) -> Recollection | None:
        """The summary of a thread's older turns."""

    async def recollect(self, thread: Thread, summary: Recollection, *, at: datetime) -> None:
        """Keep a summary in place of the one before."""

    async def count(self, thread: Thread) -> int:
        """How many turns a thread has."""


class NoRecollections:
    """The null object: nothing is kept in short."""

    async def recollection(self, thread: Thread) -> Recollection | None:
        """None is kept."""
        return None

    async def recollect(self, thread: Thread, summary: Recollection, *, at: datetime) -> None:
        """Keep nothing."""

    async def count(self, thread: Thread) -> int:
        """No turn is old enough."""
        return 0


async def load_conversation(thread: Thread, *, memory: Memory, threads: Recollections, recent: int) -> Conversation:
    """What is known of a thread, its last ``recent`` turns whole."""
    turns = tuple(await memory.recent(thread, limit=recent + LOOKED_BACK))
    cut = max(0, len(turns) - recent)
    kept = await threads.recollection(thread) if cut else None
    return Conversation(thread=thread, recent=turns[cut:], older=turns[:cut], summary=kept.text if kept else "")


async def condense(
    thread: Thread,
    *,
    memory: Memory,
    threads: Recollections,
    recent: int,
    at: datetime,
) -> None:
    """Make the running summary anew where enough turns have become old."""
    older = await threads.count(thread) - recent
    if older <= 0 or not thread_summary.due(older, await threads.recollection(thread)):
        return
    turns: Sequence[Turn] = await memory.recent(thread, limit=recent + min(older, LOOKED_BACK))
    old = turns[: len(turns) - recent]
    await threads.recollect(thread, await asyncio.to_thread(thread_summary.extract, old, older), at=at)
