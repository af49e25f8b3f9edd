"""Who sees what on Discord, as it is at this moment: open channels, managers, and the place of a channel.

A channel is open where @everyone may see and read it; all others are restricted to themselves. Threads follow
their channel, private threads are places of their own.
"""

from typing import TYPE_CHECKING, Any

import discord

from adapters.discord.ids import Location
from core.domain.model import Visibility

if TYPE_CHECKING:
    from discord.abc import GuildChannel

_HOLDS_PAPERS = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.forum,
    discord.ChannelType.media,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
)


def location_of(channel: Any, guild: discord.Guild | None) -> Location:
    """The place of whatever discord.py gives as a channel; one that is not known is taken as restricted."""
    if guild is None:
        return Location(guild="", where=str(channel.id), visibility="restricted")
    parent = getattr(channel, "parent_id", None)
    if not parent:
        return Location(guild=str(guild.id), where=str(channel.id), visibility=visibility(guild, channel.id))
    if channel.type is discord.ChannelType.private_thread:
        return Location(
            guild=str(guild.id), where=str(channel.id), parent=str(parent), visibility="restricted", alone=True
        )
    return Location(
        guild=str(guild.id), where=str(channel.id), parent=str(parent), visibility=visibility(guild, parent)
    )


def visibility(guild: discord.Guild, channel_id: int) -> Visibility:
    """Whether papers of a channel may be found from elsewhere."""
    channel = guild.get_channel(channel_id)
    return "open" if channel is not None and is_open(channel) else "restricted"


def is_open(channel: "GuildChannel") -> bool:
    """Whether everybody on the server may see and read the channel."""
    return _reads(channel.permissions_for(channel.guild.default_role))


def open_to(member: discord.Member | discord.User) -> frozenset[str]:
    """Ids of the open channels that this member may see; none for somebody who is in no server here."""
    if not isinstance(member, discord.Member):
        return frozenset()
    holding = (channel for channel in member.guild.channels if channel.type in _HOLDS_PAPERS and is_open(channel))
    return frozenset(str(channel.id) for channel in holding if _reads(channel.permissions_for(member)))


def manages(channel: "GuildChannel | discord.Thread", member: discord.Member) -> bool:
    """Whether this member runs the channel: may change it, or (a thread) manage threads."""
    allowed = channel.permissions_for(member)
    return allowed.manage_channels or (isinstance(channel, discord.Thread) and allowed.manage_threads)


def is_readable(channel: "GuildChannel | discord.Thread") -> bool:
    """Whether the bot itself may read what was said here."""
    return _reads(channel.permissions_for(channel.guild.me))


def _reads(allowed: discord.Permissions) -> bool:
    return allowed.view_channel and allowed.read_message_history
