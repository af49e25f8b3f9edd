"""Open workspaces: each made on demand, closed when nobody has used it for a while, never more than a bound.

Counting the users of a workspace and closing the idle ones is kept apart from what is asked in it.
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
from core.domain.channel_settings import ChannelSettings, parse_settings
from core.domain.errors import EmbedderMismatch, FootnoteError
from core.domain.model import Channel, Workspace
from core.domain.ports import DenseIndex, Embedder, ForgetsPapers, Retriever
from core.library import OpenLibrary, open_library
from core.services.shared_models import SharedModels

if TYPE_CHECKING:
    from core.search import SignalWeights, SyncedIndex

_log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class OpenWorkspace:
    """Everything that serves one workspace. ``writing`` makes its library writes serial.

    The dense index is made when it is first searched: a workspace that is only listed never costs it.
    """

    workspace: Workspace
    stores: OpenLibrary
    embedder: Embedder
    retriever: Retriever = field(init=False)
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    used_at: float = 0.0
    empty: asyncio.Event = field(default_factory=asyncio.Event)
    _index: "SyncedIndex | None" = None

    def acquire(self) -> None:
        """One more user."""
        self.users += 1
        self.empty.clear()

    def release(self) -> None:
        """One user less; ``empty`` is set when the last has left."""
        self.users -= 1
        self.used_at = time.monotonic()
        if self.users == 0:
            self.empty.set()

    async def dense(self) -> DenseIndex:
        """The dense index as of the library's present version."""
        if self._index is None:
            from core.search import SyncedIndex

            # The dimension stands in the model's files, which are read off the loop.
            dimension = await asyncio.to_thread(lambda: self.embedder.dimension)
            self._index = self._index or SyncedIndex(self.stores.library, dimension)
        return await self._index.current()

    async def settings(self, channel: Channel) -> ChannelSettings:
        """What a channel has set, the rest as usual."""
        return parse_settings(await self.stores.settings.of(channel))

    async def refresh(self) -> None:
        """Bring an index that is loaded in step with the library."""
        if self._index is not None:
            await self._index.refresh()

    async def check_embedder(self) -> None:
        """Raise ``EmbedderMismatch`` where the papers were indexed with another embedder."""
        made_by = await self.stores.library.embedder()
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
    models: SharedModels,
    others: Sequence[ForgetsPapers],
    weights: "SignalWeights | None" = None,
) -> OpenWorkspace:
    """Open the library of a workspace and put together what searches it."""
    from core.search import HybridRetriever, SignalWeights

    stores = await open_library(config.data, workspace, others=others)
    opened = OpenWorkspace(workspace=workspace, stores=stores, embedder=models.embedder)
    opened.retriever = HybridRetriever(
        library=stores.library,
        lexical=stores.lexical,
        dense=opened.dense,
        embedder=models.embedder,
        reranker=models.reranker,
        weights=weights or SignalWeights(),
    )
    return opened


class OpenWorkspaces:
    """Open workspaces by key, least recently used first; ``open_new`` opens one.

    Each workspace has a lock of its own that is held while it is opened, closed or removed, so that waiting for
    one never delays another. Counting users takes no lock: it happens on the loop.
    """

    def __init__(
        self, open_new: Callable[[Workspace], Awaitable[OpenWorkspace]], *, most: int, idle_seconds: float
    ) -> None:
        self._open_new = open_new
        self._most = most
        self._idle_seconds = idle_seconds
        self._open: OrderedDict[str, OpenWorkspace] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._retired: dict[asyncio.Task[None], OpenWorkspace] = {}

    @asynccontextmanager
    async def enter(self, workspace: Workspace) -> AsyncIterator[OpenWorkspace]:
        """The open ``workspace``; it stays open at least until the block is left."""
        async with self._lock(workspace.key):
            opened = self._open.get(workspace.key)
            if opened is not None and await opened.stores.replaced():
                self._retire(workspace.key, opened)
                opened = None
            if opened is None:
                opened = self._open[workspace.key] = await self._open_new(workspace)
            self._open.move_to_end(workspace.key)
            opened.acquire()
        try:
            await self._close_idle()
            yield opened
        finally:
            opened.release()

    @asynccontextmanager
    async def closed(self, workspace: Workspace) -> AsyncIterator[None]:
        """The workspace closed, once its users have left, and nobody opening it: for what removes its files."""
        async with self._lock(workspace.key):
            opened = self._open.get(workspace.key)
            if opened is not None:
                await opened.empty.wait()
                await self._shut(workspace.key, opened)
            yield

    async def close(self) -> None:
        """Close every workspace, whoever still uses it."""
        for key, opened in [*self._open.items(), *((old.workspace.key, old) for old in self._retired.values())]:
            await self._let_go(key, opened)
        for leaving in list(self._retired):
            leaving.cancel()

    async def _close_idle(self) -> None:
        now = time.monotonic()
        for key, opened in list(self._open.items()):
            lock = self._lock(key)
            idle = len(self._open) > self._most or now - opened.used_at > self._idle_seconds
            # A lock that somebody holds is not waited for: they are opening or closing the workspace themselves.
            if opened.users or not idle or lock.locked() or self._open.get(key) is not opened:
                continue
            async with lock:
                await self._let_go(key, opened)

    def _retire(self, key: str, opened: OpenWorkspace) -> None:
        """Stop handing out a workspace whose library file was replaced; close it when its last user has left."""

        async def when_empty() -> None:
            if opened.users:
                await opened.empty.wait()
            await self._let_go(key, opened)

        del self._open[key]
        leaving = asyncio.create_task(when_empty())
        self._retired[leaving] = opened
        leaving.add_done_callback(self._retired.pop)

    async def _let_go(self, key: str, opened: OpenWorkspace) -> None:
        """Close a workspace that nobody asked to close; a failure is logged and not raised to whoever came by."""
        try:
            await self._shut(key, opened)
        except FootnoteError as failure:
            _log.warning("workspace not closed", extra={"fields": {"workspace": key, "reason": failure.words}})

    async def _shut(self, key: str, opened: OpenWorkspace) -> None:
        """Close to the end once begun, even where the caller is cancelled."""
        if self._open.get(key) is opened:
            del self._open[key]
        await asyncio.shield(asyncio.ensure_future(opened.stores.close()))

    def _lock(self, key: str) -> asyncio.Lock:
        return self._locks.setdefault(key, asyncio.Lock())
