"""The connection to Discord's gateway: opened once, kept for good, in words where it cannot be.

A discord.py client that ends by a fault is replaced by a new one, so that one odd payload never silences the bot.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import aiohttp
import discord

from adapters.discord.settings import DiscordSettings
from core.domain.errors import PlatformFailure, SettingsInvalid

_log = logging.getLogger(__name__)
_OPENING_SECONDS = 30.0
_LONGEST_PAUSE = 300.0
_KEPT_MESSAGES = 10_000
_BAD_TOKEN = 4004
_WRONG_TOKEN = "FOOTNOTE_DISCORD_TOKEN is not a token that Discord knows (any more)."
_NO_CONTENT = (
    "Discord does not grant this bot the message content intent (developer portal, Bot, Privileged Gateway "
    "Intents): dropped PDFs and questions without a mention are not seen; /upload, /ask and mentions work."
)


class GatewayHandlers(Protocol):
    """What the client tells; each is called by the gateway's payloads."""

    async def ready(self, client: discord.Client) -> None:
        """The connection is new: whatever was kept of the last one is old."""

    async def interaction(self, interaction: "discord.Interaction[discord.Client]") -> None:
        """Somebody gave a command, pressed, or sent a form."""

    async def message(self, message: discord.Message) -> None:
        """Somebody wrote."""

    async def edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """A message reads otherwise."""

    async def delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message is gone."""

    async def bulk_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Messages are gone."""

    async def thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone."""

    async def channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone."""

    async def guild_remove(self, guild: discord.Guild) -> None:
        """The bot was taken out of a server."""


class Client(discord.Client):
    """discord.py's client, which hands on what matters; nobody is ever called by what it sends."""

    def __init__(self, handlers: GatewayHandlers, *, message_content: bool) -> None:
        intents = discord.Intents.none()
        intents.guilds = intents.guild_messages = intents.dm_messages = True
        intents.message_content = message_content
        # No max_ratelimit_timeout: it refuses calls in every bucket whose window is longer, used up or not.
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=_KEPT_MESSAGES,
            chunk_guilds_at_startup=False,
            enable_debug_events=False,
        )
        self._gateway_handlers = handlers
        self.came = asyncio.Event()

    async def on_ready(self) -> None:
        """The session is new."""
        self.came.set()
        await self._gateway_handlers.ready(self)

    async def on_interaction(self, interaction: "discord.Interaction[discord.Client]") -> None:
        """A command, press or form."""
        await self._gateway_handlers.interaction(interaction)

    async def on_message(self, message: discord.Message) -> None:
        """A new message."""
        await self._gateway_handlers.message(message)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """An edit, of messages that are not kept too."""
        await self._gateway_handlers.edit(payload)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A removal, of messages that are not kept too."""
        await self._gateway_handlers.delete(payload)

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many removals."""
        await self._gateway_handlers.bulk_delete(payload)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread's end."""
        await self._gateway_handlers.thread_delete(payload)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel's end."""
        await self._gateway_handlers.channel_delete(channel)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot's end on a server."""
        await self._gateway_handlers.guild_remove(guild)

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """A fault in one of the above is logged in our way: where, not what was written."""
        _log.error("event handler broke: %s", event_method)
        _log.debug("event handler broke", exc_info=True)


class Connection(Protocol):
    """How a client is brought to life."""

    def opened(
        self, handlers: GatewayHandlers, use: Callable[[discord.Client], None]
    ) -> AbstractAsyncContextManager[None]:
        """Connected while open; ``use`` is told each client that is made."""


class Gateway:
    """The real one: Discord's servers, or wherever discord.py is pointed."""

    def __init__(self, settings: DiscordSettings) -> None:
        self._settings = settings

    @asynccontextmanager
    async def opened(self, handlers: GatewayHandlers, use: Callable[[discord.Client], None]) -> AsyncIterator[None]:
        """Connected while open. Raises ``SettingsInvalid`` for a wrong token, ``PlatformFailure`` else."""
        client = _PersistentClient(self._settings, handlers, use)
        task = asyncio.create_task(client.run(), name="discord")
        try:
            await _wait_until_ready(client.is_ready.wait(), task)
            yield
        finally:
            await client.close()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


class _PersistentClient:
    """A client, and the next one where that ended by a fault."""

    def __init__(
        self, settings: DiscordSettings, handlers: GatewayHandlers, use: Callable[[discord.Client], None]
    ) -> None:
        self._settings = settings
        self._gateway_handlers = handlers
        self._use = use
        self._content = settings.message_content
        self._client: discord.Client | None = None
        self._closing = False
        self.is_ready = asyncio.Event()

    async def run(self) -> None:
        """Connect and stay connected. Raises what cannot be mended by trying again."""
        pause = 1.0
        while not self._closing:
            client = self._client = Client(self._gateway_handlers, message_content=self._content)
            self._use(client)
            watching = asyncio.create_task(self._watch(client))
            try:
                await client.start(self._settings.token)
            except discord.PrivilegedIntentsRequired:
                if not self._content:
                    raise SettingsInvalid("Discord refuses the intents that Footnote needs.") from None
                _log.warning(_NO_CONTENT)
                self._content = False
                continue
            except discord.LoginFailure as failure:
                raise SettingsInvalid(_WRONG_TOKEN) from failure
            except discord.ConnectionClosed as failure:
                if failure.code == _BAD_TOKEN:
                    raise SettingsInvalid(_WRONG_TOKEN) from failure
                _log.warning("connection to Discord ended with code %s", failure.code)
            except (discord.DiscordException, aiohttp.ClientError, OSError) as failure:
                if not self.is_ready.is_set():
                    raise PlatformFailure("Discord cannot be reached; is there a connection to it?") from failure
                _log.warning("connection to Discord ended: %s", type(failure).__name__)
            except Exception as fault:
                _log.error("discord.py broke: %s", type(fault).__name__)
                _log.debug("discord.py broke", exc_info=fault)
            finally:
                watching.cancel()
                await client.close()
            if not self._closing:
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)

    async def close(self) -> None:
        """Close the connection for good."""
        self._closing = True
        if self._client is not None:
            await self._client.close()

    async def _watch(self, client: Client) -> None:
        await client.came.wait()
        self.is_ready.set()


async def _wait_until_ready(ready: Awaitable[object], task: "asyncio.Task[None]") -> None:
    """Wait until the connection is there, or raise what keeps it from coming."""
    waiting = asyncio.ensure_future(ready)
    try:
        await asyncio.wait({waiting, task}, timeout=_OPENING_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        if not waiting.done():
            raise PlatformFailure("Discord does not answer; is there a connection to it?")
    finally:
        waiting.cancel()
