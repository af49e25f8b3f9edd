"""Discord as a chat platform: connects, hears, downloads, sends. What things mean is decided elsewhere.

It stands on the pure rooms beside it (events, render, forms, commands) and on one discord.py client.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import discord

from adapters.common.download import Allowed, allow_hosts, fetch_pdf, fetch_text
from adapters.discord.connection import Connection, Gateway
from adapters.discord.delivery import Delivery
from adapters.discord.destinations import Destination
from adapters.discord.errors import translate_errors
from adapters.discord.events import decode_locator
from adapters.discord.gateway_events import GatewayEvents
from adapters.discord.ids import PLATFORM, is_direct, split_message_id, where_of
from adapters.discord.message_listener import MessageListener
from adapters.discord.messages import earlier_pdfs, threads_of
from adapters.discord.permissions import manages, open_to, visibility
from adapters.discord.progress import ReplyProgress
from adapters.discord.settings import DiscordSettings
from core.domain.errors import PaperRejected, PlatformFailure
from core.domain.events import PdfShared
from core.domain.model import Channel, SharedFile, Thread, Workspace
from core.domain.platforms import Backend, Posted
from core.domain.progress import NoProgress, Progress
from core.domain.records import BIBLIOGRAPHY
from core.domain.reply import Reply

_HOSTS = allow_hosts("cdn.discordapp.com", "media.discordapp.net")
_PATIENCE = 60.0
_SIGNS = {"seen": "👀", "done": "✅", "failed": "⚠️"}


def utc_now() -> datetime:
    """Now, with its zone."""
    return datetime.now(UTC)


class Fetch(Protocol):
    """Gets a file from where Discord keeps it."""

    def __call__(self, url: str, to: Path, *, limit: int, mime: str) -> Awaitable[None]:
        """Raises ``PaperRejected`` or ``PlatformFailure``."""


async def fetch_file(url: str, to: Path, *, limit: int, mime: str, allowed: Allowed) -> None:
    """A paper or a bibliography from the ``allowed`` addresses. Raises ``PaperRejected`` or ``PlatformFailure``."""
    fetch = fetch_text if mime == BIBLIOGRAPHY else fetch_pdf
    await fetch(url, to, limit=limit, allowed=allowed, platform="Discord")


async def fetch_from_discord(url: str, to: Path, *, limit: int, mime: str) -> None:
    """The real one: Discord's own file servers alone."""
    await fetch_file(url, to, limit=limit, mime=mime, allowed=_HOSTS)


class DiscordPlatform:
    """A ``ChatPlatform``; ``connection`` and ``fetch`` are what tests put something else for."""

    def __init__(
        self,
        settings: DiscordSettings,
        *,
        connection: Connection | None = None,
        fetch: Fetch = fetch_from_discord,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._settings = settings
        self._connection: Connection = connection if connection is not None else Gateway(settings)
        self._fetch = fetch
        self._now = now
        self._current: discord.Client | None = None
        self._listener: MessageListener | None = None
        self._ready = asyncio.Event()
        self._closed = False
        self._delivery = Delivery(lambda: self._client, now)
        self._shown: dict[str, ReplyProgress] = {}

    @property
    def name(self) -> str:
        """The first half of every workspace key."""
        return PLATFORM

    @asynccontextmanager
    async def listening(self, backend: Backend) -> AsyncIterator[None]:
        """Connected while open. Raises ``SettingsInvalid`` or ``PlatformFailure`` where it cannot be."""
        listener = MessageListener(backend, lambda: self._client, call=self._delivery.call, now=self._now)
        self._listener = listener
        events = GatewayEvents(backend, listener, self._delivery, self._settings, self._now, came=self._ready.set)

        def use(client: discord.Client) -> None:
            self._current = client
            self._ready.clear()

        self._closed = False
        try:
            async with self._connection.opened(events.handlers, use):
                yield
        finally:
            self._closed = True
            await events.close()

    async def download(self, file: SharedFile, to: Path, *, limit: int) -> None:
        """Fetch a file; an address that has expired is asked for anew by its message."""
        await self._connected()
        where, id_, url = decode_locator(file.locator)
        try:
            await self._fetch(url, to, limit=limit, mime=file.mime)
            return
        except (PaperRejected, PlatformFailure):
            fresh = await self._address(where, id_, file.id)
            if not fresh or fresh == url:
                raise
        await self._fetch(fresh, to, limit=limit, mime=file.mime)

    async def send(self, thread: Thread, reply: Reply, *, key: str) -> str:
        """Post the reply, or make what was posted look like it."""
        await self._connected()
        progress = self._shown.pop(key, None)
        if progress is not None:
            await progress.close()
        return await self._delivery.deliver(
            thread, reply, key=key, shown=progress.message if progress is not None else ""
        )

    async def react(self, thread: Thread, message: str, sign: str) -> None:
        """A small sign on the message; that it was seen goes when it is done."""
        await self._connected()
        if self._listener is None or not self._listener.takes_signs(message):
            return
        where, id_ = split_message_id(message)
        target = self._client.get_partial_messageable(int(where)).get_partial_message(int(id_))
        with translate_errors():
            await target.add_reaction(_SIGNS[sign])
            if sign != "seen" and self._client.user is not None:
                with suppress(discord.NotFound):
                    await target.remove_reaction(_SIGNS["seen"], self._client.user)

    def progress(self, thread: Thread, *, key: str, reply_id: str, posted: Posted) -> Progress:
        """One message that tells how far the job is."""
        if self._delivery.is_seen_by_one(thread, key):
            return NoProgress()

        async def destination() -> Destination:
            await self._connected()
            return await self._delivery.destination(thread, key=key)

        async def typing() -> None:
            await self._connected()
            where = where_of(thread)
            exists = where.isdigit() and self._client.get_channel(int(where)) is not None
            await self._client.http.send_typing(int(where if exists else thread.channel.id))

        shown = ReplyProgress(destination, key=key, reply_id=reply_id, posted=posted, typing=typing)
        self._shown[key] = shown
        return shown

    async def visible_channels(self, workspace: Workspace, user: str) -> frozenset[str]:
        """The open channels that this member may see now, by the roles that Discord tells now."""
        member = await self._member(workspace, user)
        return open_to(member) if member is not None else frozenset()

    async def channel(self, workspace: Workspace, channel_id: str) -> Channel:
        """A channel with its visibility as of now; what is not known is restricted."""
        await self._connected()
        guild = self._guild(workspace)
        seen = visibility(guild, int(channel_id)) if guild is not None and channel_id.isdigit() else "restricted"
        return Channel(workspace=workspace, id=channel_id, visibility=seen)

    async def installed(self, workspace: Workspace) -> bool:
        """Whether the bot is on this server (still, or again)."""
        await self._connected()
        if is_direct(workspace) or self._guild(workspace) is not None:
            return True
        with translate_errors():
            try:
                await self._client.fetch_guild(int(workspace.id))
            except (discord.NotFound, discord.Forbidden):
                return False
        return True

    async def may_manage(self, channel: Channel, user: str) -> bool:
        """Whether Discord lets this member change the channel; a person manages their own direct messages."""
        if is_direct(channel.workspace):
            return True
        member = await self._member(channel.workspace, user)
        guild = self._guild(channel.workspace)
        found = guild.get_channel_or_thread(int(channel.id)) if guild is not None else None
        return found is not None and member is not None and manages(found, member)

    async def earlier_files(self, channel: Channel) -> AsyncIterator[PdfShared]:
        """PDFs that lie in the channel and its threads already, oldest first."""
        await self._connected()
        target = self._client.get_channel(int(channel.id))
        if target is None:
            raise PlatformFailure("Footnote cannot see that channel.")
        own = self._client.user.id if self._client.user is not None else 0
        if isinstance(target, discord.abc.Messageable):
            async for event in earlier_pdfs(target, own=own):
                yield event
        if isinstance(target, discord.TextChannel | discord.ForumChannel):
            async for thread in threads_of(target):
                async for event in earlier_pdfs(thread, own=own):
                    yield event

    async def link(self, thread: Thread, message: str = "") -> str:
        """The address that opens the thread or message in Discord."""
        server = "@me" if is_direct(thread.channel.workspace) else thread.channel.workspace.id
        where, id_ = split_message_id(message)
        last = f"/{id_}" if id_ else ""
        return f"https://discord.com/channels/{server}/{where or where_of(thread) or thread.channel.id}{last}"

    async def name_of(self, workspace: Workspace, user: str) -> str:
        """The name that this person goes by on the server."""
        if not user.isdigit():
            return user
        member = await self._member(workspace, user)
        if member is not None:
            return member.display_name
        with translate_errors():
            try:
                return (await self._client.fetch_user(int(user))).display_name
            except discord.NotFound:
                return "somebody"

    async def _connected(self) -> None:
        """Wait until Discord is there: work that a process finds at its start may come before the connection."""
        if self._closed:
            raise PlatformFailure("Discord is not connected any more.")
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._ready.wait()
        except TimeoutError as late:
            raise PlatformFailure("Discord is not connected just now.") from late

    @property
    def _client(self) -> discord.Client:
        if self._current is None:
            raise PlatformFailure("Discord is not connected.")
        return self._current

    def _guild(self, workspace: Workspace) -> discord.Guild | None:
        return self._client.get_guild(int(workspace.id)) if workspace.id.isdigit() else None

    async def _member(self, workspace: Workspace, user: str) -> discord.Member | None:
        """Asked of Discord each time: what is kept here is not told of changed roles."""
        await self._connected()
        guild = self._guild(workspace)
        if guild is None or not user.isdigit():
            return None
        with translate_errors():
            try:
                return await guild.fetch_member(int(user))
            except discord.NotFound:
                return None

    async def _address(self, where: str, id_: str, file: str) -> str:
        """Where Discord says now that a file lies; empty where the message does not have it."""
        if not where or not id_:
            return ""
        channel = self._client.get_partial_messageable(int(where))
        with translate_errors():
            try:
                message = await channel.fetch_message(int(id_))
            except (discord.NotFound, discord.Forbidden):
                return ""
        return next((attachment.url for attachment in message.attachments if str(attachment.id) == file), "")
