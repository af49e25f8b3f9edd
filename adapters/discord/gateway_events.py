"""What the client tells, handed to those who know what to do with it; commands are registered, the missed is heard."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias

import discord

from adapters.common.retry import Retrying, notify_nobody
from adapters.discord import command_definitions
from adapters.discord.connection import Handlers
from adapters.discord.delivery import Delivery
from adapters.discord.errors import translate_errors
from adapters.discord.ids import PLATFORM, Location
from adapters.discord.interactions import Interactions
from adapters.discord.message_listener import MessageListener
from adapters.discord.messages import read_missed
from adapters.discord.permissions import location_of
from adapters.discord.settings import DiscordSettings
from core.domain.errors import PlatformFailure
from core.domain.model import Channel, Workspace
from core.domain.platforms import Backend

_log = logging.getLogger(__name__)
_P = ParamSpec("_P")
_Handler: TypeAlias = Callable[Concatenate["GatewayEvents", _P], Coroutine[Any, Any, None]]
_LAST_SECONDS = 5.0


def _to_the_end(handler: "_Handler[_P]") -> "_Handler[_P]":
    """What was begun is ended before the process takes leave: Discord tells nothing twice."""

    @wraps(handler)
    async def run(self: "GatewayEvents", /, *args: _P.args, **kwargs: _P.kwargs) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._taking.add(task)
        try:
            await handler(self, *args, **kwargs)
        finally:
            self._taking.discard(task)

    return run


class GatewayEvents:
    """Takes what the client tells; each call is a task of discord.py's own, so none may take long."""

    def __init__(
        self,
        backend: Backend,
        listener: MessageListener,
        delivery: Delivery,
        settings: DiscordSettings,
        now: Callable[[], datetime],
        *,
        came: Callable[[], None],
    ) -> None:
        self._came = came
        self._listener = listener
        self._backend = backend
        self._settings = settings
        self._now = now
        self._interactions = Interactions(backend, delivery, listener, now)
        self._client: discord.Client | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._taking: set[asyncio.Task[object]] = set()
        self._retrying = Retrying()

    @property
    def handlers(self) -> Handlers:
        """What takes each of the gateway's events."""
        return {
            "ready": self.ready,
            "interaction": self.interaction,
            "message": self.message,
            "raw_message_edit": self.edit,
            "raw_message_delete": self.delete,
            "raw_bulk_message_delete": self.bulk_delete,
            "raw_thread_delete": self.thread_delete,
            "guild_channel_delete": self.channel_delete,
            "guild_remove": self.guild_remove,
        }

    async def close(self) -> None:
        """End what is being taken; leave off trying again, and looking for what was missed: a start does that."""
        if self._taking:
            await asyncio.wait(self._taking, timeout=_LAST_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._retrying.close()

    async def ready(self, client: discord.Client) -> None:
        """Register what changed of the commands, and hear what was missed."""
        self._client = client
        self._came()
        for work in (self._register(client), self._catch_up(client)):
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    @_to_the_end
    async def interaction(self, interaction: "discord.Interaction[discord.Client]") -> None:
        """Act on it at once."""
        await self._interactions(interaction)

    @_to_the_end
    async def message(self, message: discord.Message) -> None:
        """Hear it."""
        await self._hear(message)

    @_to_the_end
    async def edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Hear it anew."""
        before, after = payload.cached_message, payload.message
        key = f"edit-{after.id}-{after.edited_at}"
        await self._retrying.run(key, lambda: self._listener.edited(before, after), notify_nobody)

    @_to_the_end
    async def delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Take back what it shared."""
        location = self._place(payload.channel_id, payload.guild_id, payload.cached_message)
        await self._delete(location, payload.message_id, payload.cached_message)

    @_to_the_end
    async def bulk_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Take back what they shared."""
        cached = {message.id: message for message in payload.cached_messages}
        for id_ in sorted(payload.message_ids):
            location = self._place(payload.channel_id, payload.guild_id, cached.get(id_))
            await self._delete(location, id_, cached.get(id_))

    @_to_the_end
    async def thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Take back what was shared in it."""
        alone = payload.thread_type is discord.ChannelType.private_thread
        location = Location(
            guild=str(payload.guild_id), where=str(payload.thread_id), parent=str(payload.parent_id), alone=alone
        )
        key = f"thread-{payload.thread_id}"
        await self._retrying.run(key, lambda: self._listener.thread_deleted(location), notify_nobody)

    @_to_the_end
    async def channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Take back what was shared there."""
        workspace = Workspace(platform=PLATFORM, id=str(channel.guild.id))
        gone = Channel(workspace=workspace, id=str(channel.id))
        await self._retrying.run(f"channel-{gone.id}", lambda: self._listener.channel_deleted(gone), notify_nobody)

    @_to_the_end
    async def guild_remove(self, guild: discord.Guild) -> None:
        """Forget the server after some days, unless the bot is let in again."""
        due = self._now() + timedelta(days=self._settings.grace_days)
        await self._retrying.run(f"server-{guild.id}", lambda: self._listener.left(guild, due=due), notify_nobody)

    async def _hear(self, message: discord.Message) -> None:
        """Discord tells of a message once: one that cannot be taken in is tried again."""

        async def tell(words: str) -> None:
            await self._listener.tell_of_failure(message, words)

        await self._retrying.run(f"message-{message.id}", lambda: self._listener.heard(message), tell)

    async def _delete(self, location: Location, id_: int, message: discord.Message | None) -> None:
        await self._retrying.run(
            f"delete-{id_}", lambda: self._listener.deleted(location, str(id_), message), notify_nobody
        )

    def _place(self, channel_id: int, guild_id: int | None, message: discord.Message | None) -> Location:
        """Where something lay; one that is not known any more is taken by its ids."""
        if message is not None:
            return location_of(message.channel, message.guild)
        if guild_id is None or self._client is None:
            return Location(guild=str(guild_id or ""), where=str(channel_id), visibility="restricted")
        guild = self._client.get_guild(guild_id)
        channel = guild.get_channel_or_thread(channel_id) if guild is not None else None
        if channel is None:
            return Location(guild=str(guild_id), where=str(channel_id), visibility="restricted")
        return location_of(channel, guild)

    async def _register(self, client: discord.Client) -> None:
        try:
            await register(client, self._backend, self._settings)
        except PlatformFailure as failure:
            _log.warning("commands not registered: %s", failure.words)

    async def _catch_up(self, client: discord.Client) -> None:
        if not self._settings.catch_up_hours or not client.intents.message_content:
            return
        since = self._now() - timedelta(hours=self._settings.catch_up_hours)
        try:
            await read_missed(client.guilds, since=since, hear=self._hear)
        except PlatformFailure as failure:
            _log.warning("missed messages not read: %s", type(failure).__name__)


async def register(client: discord.Client, backend: Backend, settings: DiscordSettings) -> bool:
    """Register the commands where they changed, on the servers named or everywhere; whether anything did.

    Discord takes 200 new commands a day and server, so nothing is sent that is there already.
    """
    wanted = command_definitions.registration(backend.commands)
    id_ = client.application_id
    if id_ is None:
        return False
    changed = False
    with translate_errors():
        current = await client.http.get_global_commands(id_)
        everywhere = [] if settings.server_ids else wanted
        if command_definitions.differ(everywhere, current):
            await client.http.bulk_upsert_global_commands(id_, everywhere)
            changed = True
        for server in settings.server_ids:
            if command_definitions.differ(wanted, await client.http.get_guild_commands(id_, int(server))):
                await client.http.bulk_upsert_guild_commands(id_, int(server), wanted)
                changed = True
    return changed
