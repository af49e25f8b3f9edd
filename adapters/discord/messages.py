"""Messages as discord.py gives them, turned into ``Note``s: the one place that reads them."""

import discord

from adapters.discord.events import File, Note
from adapters.discord.permissions import open_to, place_of

WRITTEN = (discord.MessageType.default, discord.MessageType.reply)
"""Kinds of message that a person writes; all others tell what happened on the server."""


def noted(message: discord.Message, *, own: int) -> Note:
    """What matters of a message; ``own`` is the bot's id."""
    reply_to = message.reference.resolved if message.reference is not None else None
    to_bot = isinstance(reply_to, discord.Message) and reply_to.author.id == own
    roles = {role.id for role in getattr(getattr(message.guild, "me", None), "roles", ())}
    mentioned = any(user.id == own for user in message.mentions) or any(
        role.id in roles for role in message.role_mentions
    )
    others = any(user.id != own for user in message.mentions)
    return Note(
        place=place_of(message.channel, message.guild),
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
        File(id=str(one.id), name=one.filename, mime=one.content_type or "", size=one.size, url=one.url)
        for one in message.attachments
    )


def root_of(message: discord.Message) -> str:
    """The message whose conversation a message of the bot belongs to: what it answers, or itself."""
    reference = message.reference
    return str(reference.message_id if reference is not None and reference.message_id else message.id)


def _names(message: discord.Message) -> dict[str, str]:
    named = {str(user.id): user.display_name for user in message.mentions}
    named |= {str(role.id): role.name for role in message.role_mentions}
    return named | {str(one.id): str(getattr(one, "name", "")) for one in message.channel_mentions}
