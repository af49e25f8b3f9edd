"""Brings a reply to where it belongs: finds or makes the thread, continues what was posted, never posts it twice."""

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import discord

from adapters.common.conversations import Recent
from adapters.discord.destinations import ChannelDestination, CommandDestination, Destination, is_private_id
from adapters.discord.errors import THREAD_EXISTS, translate_errors
from adapters.discord.ids import is_direct, is_private, mark, nonce, reader_of, where_of
from adapters.discord.render import Page, pages, thread_name
from core.domain.errors import PlatformFailure, PlatformRefused
from core.domain.model import Thread
from core.domain.reply import Reply

if TYPE_CHECKING:
    from adapters.discord.destinations import Speakable

_log = logging.getLogger(__name__)
_REMEMBERED = 2_000
_NO_THREADS = (50013, 50024, 50001, 10008, 160007)
"""Missing right, a kind of channel that has no threads, or a message that is gone."""
_IN_PLACE = ("papers", "home", "settings")
"""Kinds of reply that take the place of the message whose button was pressed: lists that are paged through."""
_WRITES = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel, discord.Thread, discord.DMChannel)


class Delivery:
    """Knows the commands that wait for their answer (in this process) and the threads there are."""

    def __init__(self, client: Callable[[], discord.Client], now: Callable[[], datetime]) -> None:
        self._client = client
        self._now = now
        self._began = now()
        self._commands: Recent[CommandDestination] = Recent(most=_REMEMBERED)
        self._published: Recent[bool] = Recent(most=_REMEMBERED)
        self._names: Recent[str] = Recent(most=_REMEMBERED)
        self._without_threads: set[str] = set()
        self._making: dict[str, asyncio.Lock] = {}

    def expect(self, key: str, destination: CommandDestination) -> None:
        """The job ``key`` answers a command; its reply goes to ``outlet`` while that lives."""
        self._commands.remember(key, destination)

    def publish(self, key: str) -> None:
        """The job ``key`` is to show to all what one person had alone."""
        self._published.remember(key, True)

    def call(self, thread: Thread, words: str) -> None:
        """What the thread is to be called, should it have to be made."""
        self._names.remember(thread.key, words)

    async def deliver(self, thread: Thread, reply: Reply, *, key: str, shown: str) -> str:
        """Post or continue; returns the id of the first message.

        ``shown`` is the id that this process's own signs of life have, behind which nothing can stand.
        Raises ``PlatformFailure``.
        """
        destination = await self._outlet_of(thread, reply, key)
        messages = pages(reply, mark=mark(key), file_limit=self._file_limit(thread))
        first = reply.replaces or shown  # posted while the reply was on its way here, and not noted yet
        if is_private_id(first) and destination is not self._living(key):
            first = ""
        if not first and self._older_than_this_process(key):
            first = await destination.found(mark(key))
        posted = [first] if first else []
        if first and first != shown:
            posted += await destination.further(first)
        return await _put(destination, messages, posted, key)

    async def _outlet_of(self, thread: Thread, reply: Reply, key: str) -> Destination:
        """Where a reply goes: in the place of the pressed message, to its reader alone, or to all."""
        command = self._living(key)
        if command is not None and not command.anchored and reply.kind in _IN_PLACE:
            command.in_place()
            return command
        is_for_one = reply.audience == "asker" or self.is_seen_by_one(thread, key)
        reader = reply.reader or reader_of(thread) if is_for_one else ""
        return await self.destination(thread, key=key, reader=reader)

    async def destination(self, thread: Thread, *, key: str, reader: str = "") -> Destination:
        """Where the messages of a job go; ``reader`` is who alone is to see them, where somebody is.

        Raises ``PlatformFailure``.
        """
        command = self._living(key)
        if command is not None and reader:
            await command.become_private()
        if command is not None and (command.private or command.anchored):
            return command
        if reader or self.is_seen_by_one(thread, key):
            return await self._direct(reader)
        try:
            return await self._in_channel(thread)
        except PlatformRefused:
            if command is None:
                raise
            return command

    def is_seen_by_one(self, thread: Thread, key: str) -> bool:
        """Whether what becomes of this job is for one person."""
        command = self._commands.get(key)
        if key in self._published:
            return False
        return command.private if command is not None else is_private(thread, key)

    def _living(self, key: str) -> CommandDestination | None:
        command = self._commands.get(key)
        return command if command is not None and command.lives(self._now()) else None

    async def _direct(self, user: str) -> Destination:
        if not user.isdigit():
            raise PlatformRefused("This answer was for one person alone, who is not known any more.")
        with translate_errors():
            person = await self._client().fetch_user(int(user))
            channel = await person.create_dm()
        return ChannelDestination(channel, str(channel.id))

    async def _in_channel(self, thread: Thread) -> Destination:
        if not thread.id:
            return ChannelDestination(await self._channel(thread.channel.id), thread.channel.id)
        where = where_of(thread)
        if is_direct(thread.channel.workspace) or where == thread.channel.id:
            return ChannelDestination(await self._channel(where), where)
        lock = self._making.setdefault(thread.key, asyncio.Lock())
        async with lock:
            try:
                existing = await self._thread(thread)
            finally:
                self._making.pop(thread.key, None)
        if existing is not None:
            return ChannelDestination(existing, str(existing.id))
        return ChannelDestination(await self._channel(thread.channel.id), thread.channel.id, answers=where)

    async def _thread(self, thread: Thread) -> discord.Thread | None:
        """The thread, made if need be; None where the channel has none and takes replies instead."""
        known = self._client().get_channel(int(thread.id))
        if isinstance(known, discord.Thread):
            return known
        if thread.channel.id not in self._without_threads:
            new = await self._made(thread)
            if new is not None:
                return new
        with translate_errors():
            try:
                fetched = await self._client().fetch_channel(int(thread.id))
            except (discord.NotFound, discord.Forbidden):
                return None
        return fetched if isinstance(fetched, discord.Thread) else None

    async def _made(self, thread: Thread) -> discord.Thread | None:
        channel = self._client().get_channel(int(thread.channel.id))
        if not isinstance(channel, discord.TextChannel):
            return None
        message = channel.get_partial_message(int(thread.id))
        with translate_errors():
            try:
                return await message.create_thread(name=await self._name(thread, message))
            except discord.HTTPException as failure:
                if failure.code in (50013, 50024):
                    self._without_threads.add(thread.channel.id)
                if failure.code not in (THREAD_EXISTS, *_NO_THREADS):
                    raise
                return None

    async def _name(self, thread: Thread, message: discord.PartialMessage) -> str:
        words = self._names.get(thread.key, "")
        if not words:  # this process did not see the message
            try:
                seen = await message.fetch()
                words = seen.clean_content or next((file.filename for file in seen.attachments), "")
            except discord.HTTPException:
                words = ""
        return thread_name(words)

    async def _channel(self, id_: str) -> "Speakable":
        channel: Any = self._client().get_channel(int(id_))
        if channel is None:
            with translate_errors():
                channel = await self._client().fetch_channel(int(id_))
        if not isinstance(channel, _WRITES):
            raise PlatformRefused("Nothing can be written in that kind of channel outside of its posts.")
        return channel

    def _file_limit(self, thread: Thread) -> int:
        server = thread.channel.workspace.id
        guild = self._client().get_guild(int(server)) if server.isdigit() else None
        return guild.filesize_limit if guild is not None else discord.utils.DEFAULT_FILE_SIZE_LIMIT_BYTES

    def _older_than_this_process(self, key: str) -> bool:
        """Whether a process before this one may have posted the reply and died before it could note it.

        The newest id of a key is that of what happened, and ids tell their time.
        """
        newest = max((int(id_) for id_ in re.findall(r"\d{15,}", key)), default=0)
        return newest > 0 and discord.utils.snowflake_time(newest) < self._began


async def _put(destination: Destination, messages: Sequence[Page], posted: Sequence[str], key: str) -> str:
    """Make ``posted`` look like ``messages``: post what is missing, delete what is too many; the first id."""
    ids: list[str] = []
    for number, (page, id_) in enumerate(zip_longest(messages, posted[: len(messages)])):
        is_changed = bool(id_) and await destination.change(id_, page)
        ids.append(id_ if is_changed else await destination.put(page, nonce=nonce(key, number)))
    for surplus in posted[len(messages) :]:
        try:
            await destination.drop(surplus)
        except PlatformFailure:
            _log.warning("old part not taken back")
    return ids[0]
