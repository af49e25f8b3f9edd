"""The connection to Discord's gateway: opened once, kept for good, in words where it cannot be.

A discord.py client that ends by a fault is replaced by a new one, so that one odd payload never silences the bot.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any, Protocol, TypeAlias

import aiohttp
import discord

from adapters.discord.settings import DiscordSettings
from core.domain.errors import PlatformFailure, SettingsInvalid

_log = logging.getLogger(__name__)
Handlers: TypeAlias = Mapping[str, Callable[..., Coroutine[Any, Any, None]]]
"""What is told of the gateway's events, by discord.py's names for them; ``ready`` gets the client."""
_OPENING_SECONDS = 30.0
_LONGEST_PAUSE = 300.0
_KEPT_MESSAGES = 10_000
_BAD_TOKEN = 4004
_WRONG_TOKEN = "FOOTNOTE_DISCORD_TOKEN is not a token that Discord knows (any more)."
_NO_CONTENT = (
    "Discord does not grant this bot the message content intent (developer portal, Bot, Privileged Gateway "
    "Intents): dropped PDFs and questions without a mention are not seen; /upload, /ask and mentions work."
)


class Client(discord.Client):
    """discord.py's client, which hands on what ``handlers`` take; nobody is ever called by what it sends."""

    def __init__(self, handlers: Handlers, *, message_content: bool) -> None:
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
        self.came = asyncio.Event()
        for name, handler in handlers.items():
            setattr(self, f"on_{name}", handler if name != "ready" else partial(self._begin, handler))

    async def _begin(self, ready: Callable[[discord.Client], Awaitable[None]]) -> None:
        """The session is new: whatever was kept of the last one is old."""
        self.came.set()
        await ready(self)

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """A fault in one of the above is logged in our way: where, not what was written."""
        _log.error("event handler broke: %s", event_method)
        _log.debug("event handler broke", exc_info=True)


class Connection(Protocol):
    """How a client is brought to life."""

    def opened(self, handlers: Handlers, use: Callable[[discord.Client], None]) -> AbstractAsyncContextManager[None]:
        """Connected while open; ``use`` is told each client that is made."""


class Gateway:
    """The real one: Discord's servers, or wherever discord.py is pointed."""

    def __init__(self, settings: DiscordSettings) -> None:
        self._settings = settings

    @asynccontextmanager
    async def opened(self, handlers: Handlers, use: Callable[[discord.Client], None]) -> AsyncIterator[None]:
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

    def __init__(self, settings: DiscordSettings, handlers: Handlers, use: Callable[[discord.Client], None]) -> None:
        self._settings = settings
        self._handlers = handlers
        self._use = use
        self._content = settings.message_content
        self._client: discord.Client | None = None
        self._closing = False
        self.is_ready = asyncio.Event()

    async def run(self) -> None:
        """Connect and stay connected. Raises what cannot be mended by trying again."""
        pause = 1.0
        while not self._closing:
            client = self._client = Client(self._handlers, message_content=self._content)
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
