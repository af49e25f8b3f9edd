"""Open workspaces: each made on demand, closed when nobody has used it for a while, never more than a bound.

A room holds what serves one workspace; it lives here and not in the engine because counting users and
closing the idle ones has nothing to do with what is asked in them.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.domain.model import Workspace
from core.domain.ports import DenseIndex, Embedder, Retriever
from core.library import OpenLibrary

if TYPE_CHECKING:
    from core.domain.ports import Vectors
    from core.search import LiveIndex


@dataclass(kw_only=True)
class Room:
    """Everything that serves one workspace. ``writing`` makes its library writes serial.

    The dense index is made when it is first searched: a workspace that is only listed never costs it.
    """

    workspace: Workspace
    opened: OpenLibrary
    embedder: Embedder
    retriever: Retriever = field(init=False)
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    used_at: float = 0.0
    _index: "LiveIndex | None" = None

    async def dense(self) -> DenseIndex:
        """The dense index as of the library's present version."""
        if self._index is None:
            from core.search import LiveIndex

            # The dimension stands in the model's files, which are read off the loop.
            dimension = await asyncio.to_thread(lambda: self.embedder.dimension)
            self._index = self._index or LiveIndex(self.opened.library, dimension)
        return await self._index.current()

    async def added(self, paper_id: str, vectors: "Vectors") -> None:
        """A paper was stored: an index that is loaded takes its vectors in."""
        await self.refresh()

    async def refresh(self) -> None:
        """Bring an index that is loaded in step with the library."""
        if self._index is not None:
            await self._index.refresh()

    def drop_index(self) -> None:
        """Let the index go; it is made anew at the next search."""
        self._index = None


class Rooms:
    """Rooms by workspace, least recently used first; ``open_one`` makes the room of a workspace."""

    def __init__(self, open_one: Callable[[Workspace], Awaitable[Room]], *, most: int, idle_seconds: float) -> None:
        self._open_one = open_one
        self._most = most
        self._idle_seconds = idle_seconds
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._changing = asyncio.Lock()
        self._left = asyncio.Condition()

    @asynccontextmanager
    async def enter(self, workspace: Workspace) -> AsyncIterator[Room]:
        """The room of ``workspace``, opened if need be; it stays open at least until the block is left."""
        async with self._changing:
            room = self._rooms.get(workspace.key)
            if room is None:
                room = await self._open_one(workspace)
                self._rooms[workspace.key] = room
            room.users += 1
            self._rooms.move_to_end(workspace.key)
            await self._close_idle()
        try:
            yield room
        finally:
            room.users -= 1
            room.used_at = time.monotonic()
            async with self._left:
                self._left.notify_all()

    @asynccontextmanager
    async def closed(self, workspace: Workspace) -> AsyncIterator[None]:
        """The workspace closed, once its users have left, and nobody opening any: for what removes its files."""
        async with self._changing:
            room = self._rooms.pop(workspace.key, None)
            if room is not None:
                async with self._left:
                    await self._left.wait_for(lambda: room.users == 0)
                await room.opened.close()
            yield

    async def close(self) -> None:
        """Close every room."""
        async with self._changing:
            while self._rooms:
                _, room = self._rooms.popitem()
                await room.opened.close()

    async def _close_idle(self) -> None:
        now = time.monotonic()
        for key, room in list(self._rooms.items()):
            crowded = len(self._rooms) > self._most
            if room.users == 0 and (crowded or now - room.used_at > self._idle_seconds):
                del self._rooms[key]
                await room.opened.close()
