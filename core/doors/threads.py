"""Conversations as the library remembers them."""

from core.domain.model import Answer, Thread
from core.rooms import Rooms


class Threads:
    """Threads of all workspaces; every call names its thread."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    async def asked_in(self, thread: Thread) -> bool:
        """Whether anything was asked in this thread before."""
        async with self._rooms.enter(thread.channel.workspace) as room:
            return bool(await room.opened.memory.recent(thread, limit=1))

    async def answer(self, thread: Thread, trace_id: str) -> Answer | None:
        """A stored answer of this thread."""
        async with self._rooms.enter(thread.channel.workspace) as room:
            return await room.opened.memory.answer(thread, trace_id)
