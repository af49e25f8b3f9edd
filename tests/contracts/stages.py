"""Every chat platform on a stage of its own: somebody there, a thread, and eyes on what the bot shows in it."""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from rich.console import Console

from adapters.console.input import Files
from adapters.console.platform import ConsolePlatform
from core.domain.events import PdfShared
from core.domain.model import Thread
from core.domain.platforms import ChatPlatform
from tests.adapters.web.clients import FakeDesk
from tests.bot.actors import READING_GROUP

if TYPE_CHECKING:
    from tests.peers.slack.world import Place

PDF = b"%PDF-1.4\n" + b"words of a paper " * 100


@dataclass
class Stage:
    """``shown`` tells all that the bot shows in ``thread``; ``drop`` has ``user`` drop a file, and what that told."""

    platform: ChatPlatform
    thread: Thread
    user: str
    shown: Callable[[], Awaitable[str]]
    drop: Callable[[bytes], Awaitable[PdfShared]]


Opened: TypeAlias = Callable[[Path], AbstractAsyncContextManager[Stage]]


@asynccontextmanager
async def console(folder: Path) -> AsyncIterator[Stage]:
    """The terminal."""
    told = io.StringIO()
    platform = ConsolePlatform(READING_GROUP, session="s", console=Console(file=told, width=100), files=folder)

    async def shown() -> str:
        return told.getvalue()

    async def drop(data: bytes) -> PdfShared:
        path = folder / "dropped.pdf"
        await asyncio.to_thread(path.write_bytes, data)
        (event,) = platform._events(Files(paths=(path,)))
        assert isinstance(event, PdfShared)
        return event

    async with platform.listening(FakeDesk()):
        yield Stage(platform, Thread(channel=READING_GROUP, id="s"), "you", shown, drop)


@asynccontextmanager
async def discord(folder: Path) -> AsyncIterator[Stage]:
    """A simulated Discord server."""
    from tests.adapters.discord.world import text, world

    async with world(folder) as w:
        begun = await w.alice.send(w.channel, "let us talk here")
        backend = FakeDesk()
        w.platform._listener._backend = backend  # type: ignore[union-attr]

        async def shown() -> str:
            return "\n".join(text(item) for thread in w.channel.threads for item in w.own(thread))

        async def drop(data: bytes) -> PdfShared:
            await w.alice.send(w.channel, "", attachments=[("dropped.pdf", data)])
            return next(event for event in reversed(backend.events) if isinstance(event, PdfShared))

        yield Stage(w.platform, Thread(channel=w.location, id=str(begun.id)), str(w.alice.id), shown, drop)


@asynccontextmanager
async def slack(folder: Path, place: "Place") -> AsyncIterator[Stage]:
    """A Slack workspace over sockets, in a process that somebody else wrote."""
    from adapters.slack.platform import SlackPlatform
    from tests.peers.slack.world import _socket_of, a_world, shown, slack_settings, until

    async with a_world(place) as w:
        platform, backend = SlackPlatform(slack_settings(w), folder), FakeDesk()
        async with platform.listening(backend):
            await until(_socket_of(w))
            thread = (await _dropped(w, backend)).thread

            async def told() -> str:
                return "\n".join(shown(item) for item in await w.of_bot("papers", thread.id))

            async def drop(data: bytes) -> PdfShared:
                return await _dropped(w, backend, data)

            yield Stage(platform, thread, w.people["alice"], told, drop)


async def _dropped(w: "object", backend: FakeDesk, data: bytes = PDF) -> PdfShared:
    from tests.peers.slack.world import World, until

    assert isinstance(w, World)
    before = len(backend.events)
    await w.drops("alice", "papers", {"dropped.pdf": data})

    async def there() -> PdfShared | None:
        return next((event for event in backend.events[before:] if isinstance(event, PdfShared)), None)

    found = await until(there)
    assert isinstance(found, PdfShared)
    return found


@asynccontextmanager
async def web(folder: Path) -> AsyncIterator[Stage]:
    """The local page over a socket."""
    from adapters.web.conversations import FIRST_CHANNELS
    from core.domain.model import Channel
    from tests.adapters.web.clients import LAB, message_id, opened

    async with opened(folder) as page:
        channel = Channel(workspace=LAB, id=FIRST_CHANNELS[0].id)

        async def shown() -> str:
            return json.dumps(await page.messages(channel.id), ensure_ascii=False)

        async def drop(data: bytes) -> PdfShared:
            told = message_id(len(page.backend.events) + 1)
            path = f"/api/channels/{channel.id}/files?message={told}&file={told}-0&name=dropped.pdf"
            await page.put(path, data)
            return next(event for event in page.backend.events if isinstance(event, PdfShared))

        yield Stage(page.platform, Thread(channel=channel, id="t"), "you", shown, drop)


@pytest.fixture(params=["console", "web", "discord", "slack"])
def opened(request: pytest.FixtureRequest) -> Opened:
    """How a platform's stage is opened over a folder."""
    if request.param == "slack":
        return partial(slack, place=request.getfixturevalue("workspace"))
    return {"console": console, "web": web, "discord": discord}[request.param]
