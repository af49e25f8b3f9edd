"""A Discord of our own for tests: simcord's simulation of the platform, our whole process behind it.

simcord answers every call of discord.py as Discord would, with its limits, rights and deadlines; only the engine
is a fake. Nothing waits for real time but what the process itself waits for.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import discord
import simcord

from adapters.discord.connection import Client, Handlers
from adapters.discord.platform import DiscordPlatform
from adapters.discord.settings import DiscordSettings
from bot.settings import Settings
from bot.wiring import App, Engines, open_app
from bot.worker import JobPolicy
from core.domain.errors import PaperRejected, TooLarge
from core.domain.model import Channel, Workspace
from tests.bot.fake_engine import FakeEngine

AT_ONCE = JobPolicy(retry_seconds=0.0, attempts=2)

SETTINGS = DiscordSettings(token="t", catch_up_hours=0)
Said = TypeVar("Said")
PATIENCE = 60.0
"""Seconds for what takes a moment, on a machine that is busy with other things."""
PAPER = b"%PDF On Footnotes\nA footnote is a promise. Readers follow footnotes home."


class Attached:
    """A connection to a client that the simulation has attached already."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def opened(self, handlers: Handlers, use: Callable[[discord.Client], None]) -> AbstractAsyncContextManager[None]:
        return self._opened(handlers, use)

    @asynccontextmanager
    async def _opened(self, handlers: Handlers, use: Callable[[discord.Client], None]) -> AsyncIterator[None]:
        use(self._client)
        for name, handler in handlers.items():
            setattr(self._client, f"on_{name}", handler)
        await handlers["ready"](self._client)
        try:
            yield
        finally:
            for name in handlers:
                delattr(self._client, f"on_{name}")


@dataclass
class World:
    """A server with a channel and two people, and the bot on it."""

    env: simcord.Env
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    alice: simcord.MemberActor
    bob: simcord.MemberActor
    platform: DiscordPlatform
    app: App
    engine: FakeEngine

    async def at_rest(self) -> None:
        """Wait until the bot has nothing left to do."""
        async with asyncio.timeout(PATIENCE):
            await self.env.settle()
            while (left := await self.app.store.counts())["waiting"] + left["running"]:  # noqa: ASYNC110  no event tells it
                await asyncio.sleep(0.01)
            await self.env.settle()

    async def until(self, reached: Callable[[], object], *, seconds: float = PATIENCE) -> None:
        """Wait until the process has done what makes ``reached`` true."""
        async with asyncio.timeout(seconds):
            while not reached():  # noqa: ASYNC110  what is waited for happens on the simulated server
                await asyncio.sleep(0.01)

    @property
    def client(self) -> Client:
        """The client that the simulation has attached."""
        assert isinstance(self.env.bot, Client)
        return self.env.bot

    @property
    def mention(self) -> str:
        """How the bot is spoken to."""
        assert self.client.user is not None
        return self.client.user.mention

    @property
    def location(self) -> Channel:
        """The channel as Footnote names it."""
        return Channel(workspace=Workspace(platform="discord", id=str(self.guild.id)), id=str(self.channel.id))

    def titles(self, workspace: str = "") -> list[str]:
        """What is on the shelf of a workspace, this server's where none is named."""
        shelf = self.engine.papers.shelves.get(workspace or self.location.workspace.key, {})
        return sorted(paper.title for paper, _ in shelf.values())

    async def tell(self, name: str, *told: object) -> None:
        """Have the bot hear of something as if the gateway told it."""
        await vars(self.client)[f"on_{name}"](*told)

    async def unheard(self, said: Awaitable[Said]) -> Said:
        """Something that is said while the bot has no connection."""
        handlers = {name: vars(self.client).pop(name) for name in list(vars(self.client)) if name.startswith("on_")}
        try:
            return await said
        finally:
            vars(self.client).update(handlers)

    def make_manager(self, actor: simcord.MemberActor) -> None:
        """Let somebody change channels from now on."""
        role = self.guild.create_role("managers", permissions=discord.Permissions(manage_channels=True))
        self.env.backend.add_member_role(self.guild.id, actor.id, role.id)

    def own(self, channel: simcord.ChannelHandle) -> list[discord.Message]:
        """What the bot wrote in a channel or thread."""
        return [
            item for item in channel.history() if self.client.user is not None and item.author.id == self.client.user.id
        ]

    async def ask(self, words: str, channel: simcord.ChannelHandle | None = None) -> discord.Message:
        """Alice asks by a mention."""
        return await self.alice.send(channel or self.channel, f"{self.mention} {words}")

    def thread(self, at: int = 0) -> simcord.ChannelHandle:
        """The thread made first, second, … in the channel."""
        return self.channel.threads[at]

    async def drop(self, channel: simcord.ChannelHandle | None = None, *, name: str = "notes.pdf") -> discord.Message:
        """Alice drops a paper and it is read."""
        where = channel or self.channel
        before = len(where.threads)
        message = await self.alice.send(where, "", attachments=[(name, PAPER)])
        await self.until(lambda: len(where.threads) > before and where.threads[-1].last_message)
        await self.until(
            lambda: "Found" in text(where.threads[-1].last_message) or "here already" in said(where.threads[-1])
        )
        return message


def text(message: discord.Message | None) -> str:
    """Everything that a message says, in order."""
    if message is None:
        return ""
    return "\n".join([message.content, *_texts(message.components)]).strip()


def said(channel: simcord.ChannelHandle) -> str:
    """Everything that was said in a channel or thread."""
    return "\n".join(text(message) for message in channel.history())


def labels(message: discord.Message | None) -> list[str]:
    """The labels of a message's buttons."""
    return [item.label or "" for item in buttons(message)]


def buttons(message: discord.Message | None) -> list[discord.Button]:
    """The buttons of a message."""
    found: list[discord.Button] = []
    todo = list(message.components) if message is not None else []
    while todo:
        item = todo.pop(0)
        if isinstance(item, discord.Button):
            found.append(item)
        todo += list(getattr(item, "children", ()))
    return found


async def confirmed(w: "World", paper: str) -> None:
    """Alice has a paper forgotten: the command names it and waits for her press."""
    asked = await w.alice.slash(w.channel, "forget", paper=paper)
    await w.until(lambda: asked.response is not None and "Forget" in labels(asked.response.message))
    assert asked.response is not None and asked.response.message is not None
    await w.alice.click(asked.response.message, custom_id=button(asked.response.message, "Forget"))


def button(message: discord.Message | None, label: str) -> str:
    """The id of the button with this label."""
    return next(item.custom_id or "" for item in buttons(message) if item.label == label)


@asynccontextmanager
async def world(
    folder: Path,
    *,
    message_content: bool = True,
    engine: FakeEngine | None = None,
    settings: DiscordSettings = SETTINGS,
    engines: Engines | None = None,
    process: Settings | None = None,
) -> AsyncIterator[World]:
    """The whole bot on a simulated server."""
    client = Client({}, message_content=message_content)
    fake = engine or FakeEngine()
    process = process or Settings.model_validate(
        {
            "data": folder / "data",
        }
    )

    async def fetch(url: str, to: Path, *, limit: int, mime: str) -> None:
        try:
            data = await client.http.get_from_cdn(url)
        except discord.NotFound as gone:
            raise PaperRejected("The file is no longer at Discord.") from gone
        if len(data) > limit:
            raise TooLarge("The file is too large.")
        await asyncio.to_thread(to.write_bytes, data)

    async with simcord.run(client, settle_timeout=PATIENCE) as env:
        guild = env.create_guild()
        channel = guild.create_text_channel("papers")
        alice, bob = (guild.add_member(env.create_user(name)) for name in ("alice", "bob"))
        platform = DiscordPlatform(settings, connection=Attached(client), fetch=fetch, now=env.now)
        async with open_app(process, [platform], engines=engines or fake.opened, policy=AT_ONCE) as app:
            await env.settle()
            yield World(env, guild, channel, alice, bob, platform, app, fake)


def _texts(components: Sequence[object]) -> list[str]:
    found: list[str] = []
    for item in components:
        if isinstance(item, discord.TextDisplay):
            found.append(item.content)
        found += _texts(getattr(item, "children", ()))
    return found
