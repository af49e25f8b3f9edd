"""What lies on the server already: messages missed while there was no connection, and PDFs of earlier times.

Whatever is found a second time is known by its key and done once.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import datetime

import discord

from adapters.discord import events
from adapters.discord.errors import translated
from adapters.discord.messages import noted
from adapters.discord.permissions import is_readable
from core.domain.errors import FootnoteError
from core.domain.events import PdfShared

_log = logging.getLogger(__name__)
_MISSED_IN_ONE_CHANNEL = 1_000
_Spoken = discord.TextChannel | discord.VoiceChannel | discord.Thread


async def missed(
    guilds: Iterable[discord.Guild], *, since: datetime, hear: Callable[[discord.Message], Awaitable[None]]
) -> int:
    """Hear what was said after ``since``; channels where nothing was are not asked for. How many messages."""
    heard = 0
    for guild in guilds:
        joined = guild.me.joined_at if guild.me is not None else None
        after = max(since, joined) if joined is not None else since
        places: list[_Spoken] = [*guild.text_channels, *guild.voice_channels, *guild.threads]
        for channel in places:
            last = channel.last_message_id
            if last and discord.utils.snowflake_time(last) > after and is_readable(channel):
                heard += await _missed_in(channel, after, hear)
    return heard


async def earlier(channel: discord.abc.Messageable, *, own: int) -> AsyncIterator[PdfShared]:
    """PDFs that lie in one channel or thread, oldest first. Raises ``PlatformFailure``."""
    with translated():
        async for message in channel.history(limit=None, oldest_first=True):
            if not message.author.bot:
                for event in events.shared(noted(message, own=own)):
                    yield event


async def threads_of(channel: discord.TextChannel | discord.ForumChannel) -> AsyncIterator[discord.Thread]:
    """The public threads of a channel, those that are archived too. Raises ``PlatformFailure``."""
    for thread in sorted(channel.threads, key=lambda one: one.id):
        if not thread.is_private():
            yield thread
    with translated():
        async for thread in channel.archived_threads(limit=None):
            yield thread


async def _missed_in(channel: _Spoken, after: datetime, hear: Callable[[discord.Message], Awaitable[None]]) -> int:
    """In the order in which it was said; where there is more than can be looked through, the newest of it."""
    heard = 0
    try:
        with translated():
            found = [
                one async for one in channel.history(after=after, limit=_MISSED_IN_ONE_CHANNEL, oldest_first=False)
            ]
            for message in reversed(found):
                await hear(message)
                heard += 1
    except FootnoteError as failure:
        _log.warning("missed messages not read: %s", type(failure).__name__)
    return heard
