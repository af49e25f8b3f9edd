"""A chat platform that remembers what was shown, and fails when told to."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from core.domain.events import PdfShared
from core.domain.model import Channel, Citation, Sentence, SharedFile, Thread, Workspace
from core.domain.platforms import Backend, Posted
from core.domain.progress import Progress
from core.domain.reply import Reply


class FakePlatform:
    def __init__(self, name: str = "local", *, streams: bool = False) -> None:
        self.name = name
        self.streams = streams
        self.files: dict[str, str] = {}
        self.messages: dict[str, Reply] = {}
        self.order: list[str] = []
        self.signs: list[tuple[str, str]] = []
        self.steps: list[tuple[str, str]] = []
        self.open_channels: frozenset[str] = frozenset()
        self.managers: set[str] = set()
        self.earlier: list[PdfShared] = []
        self.still_installed = True
        self.trouble: Callable[[str], None] = lambda _: None
        self._changed = asyncio.Event()

    async def download(self, file: SharedFile, to: Path, *, limit: int) -> None:
        self.trouble("download")
        await asyncio.to_thread(to.write_text, self.files[file.id], encoding="utf-8")

    async def send(self, thread: Thread, reply: Reply, *, key: str) -> str:
        self.trouble("send")
        id_ = reply.replaces or f"message-{len(self.messages) + 1}"
        self.messages[id_] = reply
        self.order.append(key)
        self._changed.set()
        return id_

    async def react(self, thread: Thread, message: str, sign: str) -> None:
        self.trouble("react")
        self.signs.append((message, sign))
        self._changed.set()

    def progress(self, thread: Thread, *, key: str, reply_id: str, posted: Posted) -> Progress:
        return _Progress(self, key, reply_id, posted)

    async def visible_channels(self, workspace: Workspace, user: str) -> frozenset[str]:
        return self.open_channels

    async def channel(self, workspace: Workspace, channel_id: str) -> Channel:
        return Channel(workspace=workspace, id=channel_id)

    @asynccontextmanager
    async def listening(self, backend: Backend) -> AsyncIterator[None]:
        self.backend = backend
        yield

    async def installed(self, workspace: Workspace) -> bool:
        return self.still_installed

    async def may_manage(self, channel: Channel, user: str) -> bool:
        return user in self.managers or f"{channel.id}/{user}" in self.managers

    async def earlier_files(self, channel: Channel) -> AsyncIterator[PdfShared]:
        for event in self.earlier:
            self.trouble("history")
            yield event

    async def link(self, thread: Thread, message: str = "") -> str:
        return f"https://chat.example/{thread.key}/{message}"

    async def name_of(self, workspace: Workspace, user: str) -> str:
        return user.title()

    async def until(self, reached: Callable[[], bool], *, seconds: float = 20.0) -> None:
        """Wait until something that was shown makes ``reached`` true."""
        async with asyncio.timeout(seconds):
            while not reached():
                self._changed.clear()
                await self._changed.wait()

    async def replies(self, count: int) -> list[Reply]:
        """Wait for ``count`` messages."""
        await self.until(lambda: len(self.messages) >= count)
        return list(self.messages.values())


class _Progress:
    def __init__(self, platform: FakePlatform, key: str, reply_id: str, posted: Posted) -> None:
        self._platform = platform
        self._key = key
        self._reply_id = reply_id
        self._posted = posted

    async def step(self, name: str, done: int, total: int) -> None:
        self._platform.steps.append((self._key, name))
        self._platform._changed.set()

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        if not self._platform.streams:
            return
        if not self._reply_id:
            self._reply_id = f"message-{len(self._platform.messages) + 1}"
            await self._posted(self._reply_id)
        self._platform.messages[self._reply_id] = Reply(kind="answer", body=sentence.text)
