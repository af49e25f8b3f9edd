"""Reads messages of discord.py into ``Note``s: new ones, those missed while disconnected, and earlier PDFs.

A message that is found a second time is known by its key and handled once.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import datetime

import discord

from adapters.discord import events
from adapters.discord.errors import translate_errors
from adapters.discord.events import File, ReceivedMessage
from adapters.discord.permissions import is_readable, location_of, open_to
from core.domain.errors import FootnoteError
from core.domain.events import PdfShared

WRITTEN = (discord.MessageType.default, discord.MessageType.reply)
"""Kinds of message that a person writes; all others tell what happened on the server."""


def read_message(message: discord.Message, *, own: int) -> ReceivedMessage:
    """What matters of a message; ``own`` is the bot's id."""
    reply_to = message.reference.resolved if message.reference is not None else None
    to_bot = isinstance(reply_to, discord.Message) and reply_to.author.id == own
    roles = {role.id for role in getattr(getattr(message.guild, "me", None), "roles", ())}
    mentioned = any(user.id == own for user in message.mentions) or any(
        role.id in roles for role in message.role_mentions
    )
    others = any(user.id != own for user in message.mentions)
    return ReceivedMessage(
        location=location_of(message.channel, message.guild),
        id=str(message.id),
        author=str(message.author.id),
        at=message.created_at,
        text=message.content,
        root=root_of(reply_to) if isinstance(reply_to, discord.Message) and to_bot else "",
        bot=str(own),
        mentions_bot=mentioned or to_bot,
        to_others=others or (reply_to is not None and not to_bot),
        files=files_of(message),
        names=_names(message),
        edited=message.edited_at,
        visible=open_to(message.author),
    )


def files_of(message: discord.Message) -> tuple[File, ...]:
    """What is attached to a message."""
    return tuple(
        File(
            id=str(attachment.id),
            name=attachment.filename,
            mime=attachment.content_type or "",
            size=attachment.size,
            url=attachment.url,
        )
        for attachment in message.attachments
    )


def root_of(message: discord.Message) -> str:
    """The message whose conversation a message of the bot belongs to: what it answers, or itself."""
    reference = message.reference
    return str(reference.message_id if reference is not None and reference.message_id else message.id)


def _names(message: discord.Message) -> dict[str, str]:
    named = {str(user.id): user.display_name for user in message.mentions}
    named |= {str(role.id): role.name for role in message.role_mentions}
    return named | {str(channel.id): str(getattr(channel, "name", "")) for channel in message.channel_mentions}


_log = logging.getLogger(__name__)
_MISSED_IN_ONE_CHANNEL = 1_000
_Spoken = discord.TextChannel | discord.VoiceChannel | discord.Thread


async def read_missed(
    guilds: Iterable[discord.Guild], *, since: datetime, hear: Callable[[discord.Message], Awaitable[None]]
) -> int:
    """Hear what was said after ``since``; channels where nothing was are not asked for. How many messages."""
    count = 0
    for guild in guilds:
        joined = guild.me.joined_at if guild.me is not None else None
        after = max(since, joined) if joined is not None else since
        places: list[_Spoken] = [*guild.text_channels, *guild.voice_channels, *guild.threads]
        for channel in places:
            last = channel.last_message_id
            if last and discord.utils.snowflake_time(last) > after and is_readable(channel):
                count += await _read_missed_in(channel, after, hear)
    return count


async def earlier_pdfs(channel: discord.abc.Messageable, *, own: int) -> AsyncIterator[PdfShared]:
    """PDFs that lie in one channel or thread, oldest first. Raises ``PlatformFailure``."""
    with translate_errors():
        async for message in channel.history(limit=None, oldest_first=True):
            if not message.author.bot:
                for event in events.shared_pdfs(read_message(message, own=own)):
                    yield event


async def threads_of(channel: discord.TextChannel | discord.ForumChannel) -> AsyncIterator[discord.Thread]:
    """The public threads of a channel, those that are archived too. Raises ``PlatformFailure``."""
    for thread in sorted(channel.threads, key=lambda thread: thread.id):
        if not thread.is_private():
            yield thread
    with translate_errors():
        async for thread in channel.archived_threads(limit=None):
            yield thread


async def _read_missed_in(channel: _Spoken, after: datetime, hear: Callable[[discord.Message], Awaitable[None]]) -> int:
    """In the order in which it was said; where there is more than can be looked through, the newest of it."""
    count = 0
    try:
        with translate_errors():
            messages = [
                message
                async for message in channel.history(after=after, limit=_MISSED_IN_ONE_CHANNEL, oldest_first=False)
            ]
            for message in reversed(messages):
                await hear(message)
                count += 1
    except FootnoteError as failure:
        _log.warning("missed messages not read: %s", type(failure).__name__)
    return count
