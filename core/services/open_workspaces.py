"""Open workspaces: each made on demand, closed when nobody has used it for a while, never more than a bound.

A room holds what serves one workspace; it lives here and not in the engine because counting users and
closing the idle ones has nothing to do with what is asked in them.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from core.config import Config
from core.domain.errors import EmbedderMismatch, FootnoteError
from core.domain.model import Workspace
from core.domain.ports import DenseIndex, Embedder, ForgetsPapers, Retriever
from core.library import OpenLibrary, open_library
from core.services.shared_models import SharedModels

if TYPE_CHECKING:
    from core.search import LiveIndex, SignalWeights

_log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class OpenWorkspace:
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
    empty: asyncio.Event = field(default_factory=asyncio.Event)
    _index: "LiveIndex | None" = None

    def come(self) -> None:
        """One more user."""
        self.users += 1
        self.empty.clear()

    def go(self) -> None:
        """One user less; ``empty`` is set when the last has left."""
        self.users -= 1
        self.used_at = time.monotonic()
        if self.users == 0:
            self.empty.set()

    async def dense(self) -> DenseIndex:
        """The dense index as of the library's present version."""
        if self._index is None:
            from core.search import LiveIndex

            # The dimension stands in the model's files, which are read off the loop.
            dimension = await asyncio.to_thread(lambda: self.embedder.dimension)
            self._index = self._index or LiveIndex(self.opened.library, dimension)
        return await self._index.current()

    async def refresh(self) -> None:
        """Bring an index that is loaded in step with the library."""
        if self._index is not None:
            await self._index.refresh()

    async def check_embedder(self) -> None:
        """Raise ``EmbedderMismatch`` where the papers were indexed with another embedder."""
        made_by = await self.opened.library.embedder()
        if not made_by:
            return
        configured = await asyncio.to_thread(lambda: self.embedder.identity)
        if made_by != configured:
            raise EmbedderMismatch(
                f"This library was indexed with {made_by}, but {configured} is configured; "
                "run `footnote reindex` to index it anew, or set the embedder back."
            )

    def drop_index(self) -> None:
        """Let the index go; it is made anew at the next search."""
        self._index = None


async def open_workspace(
    workspace: Workspace,
    *,
    config: Config,
    parts: SharedModels,
    others: Sequence[ForgetsPapers],
    weights: "SignalWeights | None" = None,
) -> OpenWorkspace:
    """The room of a workspace, its library opened and everything that searches it in place."""
    from core.search import HybridRetriever, SignalWeights

    opened = await open_library(config.data, workspace, others=others)
    room = OpenWorkspace(workspace=workspace, opened=opened, embedder=parts.embedder)
    room.retriever = HybridRetriever(
        library=opened.library,
        lexical=opened.lexical,
        dense=room.dense,
        embedder=parts.embedder,
        reranker=parts.reranker,
        weights=weights or SignalWeights(),
    )
    return room


class OpenWorkspaces:
    """Rooms by workspace, least recently used first; ``open_one`` makes the room of a workspace.

    Each workspace has a door of its own that is held while its room is opened, closed or removed, so that
    waiting for one workspace never keeps the others out. Counting users takes no lock: it happens on the loop.
    """

    def __init__(
        self, open_one: Callable[[Workspace], Awaitable[OpenWorkspace]], *, most: int, idle_seconds: float
    ) -> None:
        self._open_one = open_one
        self._most = most
        self._idle_seconds = idle_seconds
        self._rooms: OrderedDict[str, OpenWorkspace] = OrderedDict()
        self._doors: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._retired: dict[asyncio.Task[None], OpenWorkspace] = {}

    @asynccontextmanager
    async def enter(self, workspace: Workspace) -> AsyncIterator[OpenWorkspace]:
        """The room of ``workspace``, opened if need be; it stays open at least until the block is left."""
        async with self._door(workspace.key):
            room = self._rooms.get(workspace.key)
            if room is not None and await room.opened.replaced():
                self._retire(workspace.key, room)
                room = None
            if room is None:
                room = self._rooms[workspace.key] = await self._open_one(workspace)
            self._rooms.move_to_end(workspace.key)
            room.come()
        try:
            await self._close_idle()
            yield room
        finally:
            room.go()

    @asynccontextmanager
    async def closed(self, workspace: Workspace) -> AsyncIterator[None]:
        """The workspace closed, once its users have left, and nobody opening it: for what removes its files."""
        async with self._door(workspace.key):
            room = self._rooms.get(workspace.key)
            if room is not None:
                await room.empty.wait()
                await self._shut(workspace.key, room)
            yield

    async def close(self) -> None:
        """Close every room, whoever is inside."""
        for key, room in [*self._rooms.items(), *((one.workspace.key, one) for one in self._retired.values())]:
            await self._let_go(key, room)
        for leaving in list(self._retired):
            leaving.cancel()

    async def _close_idle(self) -> None:
        now = time.monotonic()
        for key, room in list(self._rooms.items()):
            door = self._door(key)
            idle = len(self._rooms) > self._most or now - room.used_at > self._idle_seconds
            # A door that somebody holds is not waited for: they are coming in or closing it themselves.
            if room.users or not idle or door.locked() or self._rooms.get(key) is not room:
                continue
            async with door:
                await self._let_go(key, room)

    def _retire(self, key: str, room: OpenWorkspace) -> None:
        """Nobody comes into a room whose library was taken away; it is closed when the last user has left."""

        async def when_empty() -> None:
            if room.users:
                await room.empty.wait()
            await self._let_go(key, room)

        del self._rooms[key]
        leaving = asyncio.create_task(when_empty())
        self._retired[leaving] = room
        leaving.add_done_callback(self._retired.pop)

    async def _let_go(self, key: str, room: OpenWorkspace) -> None:
        """Close a room that nobody asked to close: what goes wrong with it is nothing to whoever came by."""
        try:
            await self._shut(key, room)
        except FootnoteError as failure:
            _log.warning("room not closed", extra={"fields": {"workspace": key, "reason": failure.words}})

    async def _shut(self, key: str, room: OpenWorkspace) -> None:
        """Once begun, a room is closed to the end, even where the caller is cancelled."""
        if self._rooms.get(key) is room:
            del self._rooms[key]
        await asyncio.shield(asyncio.ensure_future(room.opened.close()))

    def _door(self, key: str) -> asyncio.Lock:
        return self._doors.setdefault(key, asyncio.Lock())
