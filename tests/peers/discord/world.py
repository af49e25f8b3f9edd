"""A Discord server over real sockets, the whole bot connected to it, and eyes on what is shown."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket

from adapters.common.download import allow_hosts
from adapters.discord.platform import DiscordPlatform, fetch_file
from adapters.discord.settings import DiscordSettings
from bot.settings import Settings
from bot.wiring import App, Engines, open_app
from bot.worker import JobPolicy
from tests.bot.fake_engine import FakeEngine
from tests.peers.discord.front import Front, Payload

SOON = JobPolicy(retry_seconds=0.1, attempts=3)

HERE = Path(__file__).parent
MISSING = "Discord's test server is missing: run `make peers` (needs Node 20)"
SECONDS = 60.0


def running_twin() -> Iterator[Payload]:
    """npm ``discord-digital-twin`` in a process of its own: where it listens, its token, its people."""
    node = shutil.which("node")
    if node is None or not (HERE / "node_modules" / "discord-digital-twin").is_dir():
        pytest.skip(MISSING)
    with subprocess.Popen([node, "twin.mjs"], cwd=HERE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, "the test server ended at once"
            yield json.loads(line)
        finally:
            process.terminate()


@dataclass
class World:
    """A channel of its own for one test, two people, and the bot."""

    front: Front
    twin: Payload
    channel: str
    platform: DiscordPlatform
    engine: FakeEngine
    app: App | None = None

    @property
    def mention(self) -> str:
        """How the bot is spoken to."""
        return f"<@{self.twin['bot']}>"

    async def say(
        self, text: str, *, channel: str = "", user: str = "alice", pdf: bytes = b"", name: str = "a.pdf"
    ) -> str:
        """Somebody writes; the id of the message."""
        files = [self.front.stored(name, pdf, id_=f"{10**17 + len(self.front.files)}")] if pdf else []
        told = await self.front.control(
            "say", channel=channel or self.channel, user=self.twin["people"][user], text=text, attachments=files
        )
        return str(told["id"])

    async def edit(self, message: str, text: str) -> None:
        """Whoever wrote a message changes it."""
        await self.front.control(
            "edit", channel=self.channel, user=self.twin["people"]["alice"], message=message, text=text
        )

    async def erase(self, message: str, *, channel: str = "", user: str = "alice") -> None:
        """Somebody deletes a message of theirs."""
        await self.front.control(
            "erase", channel=channel or self.channel, user=self.twin["people"][user], message=message
        )

    async def slash(self, name: str, user: str = "alice", channel: str = "", **options: str) -> str:
        """Somebody gives a command; the id of the interaction."""
        told = await self.front.control(
            "slash",
            channel=channel or self.channel,
            user=self.twin["people"][user],
            name=name,
            options=[{"name": key, "type": 3, "value": value} for key, value in options.items()],
        )
        return str(told["id"])

    async def press(self, message: str, button: str, *, channel: str, user: str = "alice") -> str:
        """Somebody presses a button; the id of the interaction."""
        told = await self.front.control(
            "press", channel=channel, user=self.twin["people"][user], message=message, button=button
        )
        return str(told["id"])

    async def messages(self, channel: str = "") -> list[Payload]:
        """Everything in a channel or thread, oldest first."""
        told: list[Payload] = await self.front.control("messages", channel=channel or self.channel)
        return sorted(told, key=lambda one: int(one["id"]))

    async def own(self, channel: str = "") -> list[str]:
        """What the bot's messages say."""
        return [text(item) for item in await self.messages(channel) if item["author"]["id"] == self.twin["bot"]]

    async def threads(self) -> list[str]:
        """Ids of the channel's threads."""
        return [str(item["id"]) for item in await self.front.control("threads", channel=self.channel)]

    async def until_said(self, words: str, *, channel: str = "", seconds: float = SECONDS) -> str:
        """Wait until the bot says something with ``words`` in a channel or thread; what it said."""
        found = ""
        async with asyncio.timeout(seconds):
            while not found:
                found = next((item for item in await self.own(channel) if words in item), "")
                await asyncio.sleep(0.02)
        return found

    async def at_rest(self) -> None:
        """Wait until the bot in this process has nothing left to do of what it heard."""
        assert self.app is not None
        async with asyncio.timeout(SECONDS):
            while (left := await self.app.store.counts())["waiting"] + left["running"]:  # noqa: ASYNC110  no event tells it
                await asyncio.sleep(0.02)

    async def until(self, reached: Callable[[], object], *, seconds: float = SECONDS) -> None:
        """Wait until ``reached`` is true."""
        async with asyncio.timeout(seconds):
            while not reached():  # noqa: ASYNC110  what is waited for happens on the other side of a socket
                await asyncio.sleep(0.02)


@asynccontextmanager
async def world(
    folder: Path,
    twin: Payload,
    monkeypatch: pytest.MonkeyPatch,
    *,
    engine: FakeEngine | None = None,
    token: str = "",
    catch_up_hours: float = 0.0,
) -> AsyncIterator[World]:
    """A front of its own, discord.py pointed at it; the bot is opened by ``running``."""
    front = Front(twin)
    await front.open()
    monkeypatch.setattr(discord.http.Route, "BASE", front.rest)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(front.socket))
    channel = await front.control("channel", name=f"papers-{folder.name[-20:]}")
    fetch = partial(fetch_file, allowed=allow_hosts("127.0.0.1"))
    settings = DiscordSettings(token=token or twin["token"], catch_up_hours=catch_up_hours)
    try:
        yield World(front, twin, str(channel["id"]), DiscordPlatform(settings, fetch=fetch), engine or FakeEngine())
    finally:
        await front.close()


@asynccontextmanager
async def running(w: World, folder: Path, *, engines: Engines | None = None) -> AsyncIterator[App]:
    """The whole bot, connected; ``folder`` holds what it keeps."""
    settings = Settings.model_validate({"data": folder / "data"})
    async with open_app(settings, [w.platform], engines=engines or w.engine.opened, policy=SOON) as app:
        w.app = app
        yield app


def text(message: Payload) -> str:
    """Everything that a message says, in order."""
    return "\n".join([message.get("content") or "", *_texts(message.get("components") or [])]).strip()


def buttons(message: Payload) -> dict[str, str]:
    """The ids of a message's buttons by their labels."""
    found: dict[str, str] = {}
    todo: list[Any] = list(message.get("components") or [])
    while todo:
        item = todo.pop(0)
        if item["type"] == 2:
            found[item["label"]] = item["custom_id"]
        todo += item.get("components", ())
    return found


def _texts(components: list[Any]) -> list[str]:
    found: list[str] = []
    for item in components:
        if item["type"] == 10:
            found.append(item["content"])
        found += _texts(item.get("components", []))
    return found
