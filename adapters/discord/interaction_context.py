"""What every answer to a command, press or form has in common: its place, its scope, one sentence, one event."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeAlias

import discord

from adapters.common.markdown import escape
from adapters.discord.delivery import Delivery
from adapters.discord.destinations import NOBODY, CommandDestination
from adapters.discord.errors import translate_errors
from adapters.discord.ids import Location
from adapters.discord.message_listener import MessageListener
from adapters.discord.permissions import location_of, open_to
from adapters.discord.render import layout_view, pages
from core.domain.errors import FootnoteError
from core.domain.events import Event, RequestFields
from core.domain.model import Scope, Thread
from core.domain.platforms import Backend
from core.domain.reply import Form, Reply

_log = logging.getLogger(__name__)
Interaction: TypeAlias = "discord.Interaction[discord.Client]"
AT_ONCE_SECONDS = 2.0
"""Discord waits three seconds; what takes longer than this is done without."""
_KNOWN = "This is being worked on already."


class InteractionContext:
    """The backend that events go to, and the delivery that learns where their replies are awaited."""

    def __init__(
        self, backend: Backend, delivery: Delivery, listener: MessageListener, now: Callable[[], datetime]
    ) -> None:
        self.backend = backend
        self.delivery = delivery
        self.listener = listener
        self._now = now

    async def accept(
        self, interaction: Interaction, event: Event, *, private: bool, waiting: bool, anchored: bool
    ) -> None:
        """Hand ``event`` over; its reply comes back to ``asked``, see ``CommandOutlet``."""
        self.listener.unsigned(event.message)
        destination = CommandDestination(
            interaction, private=private, waiting=waiting, anchored=anchored, at=self._now()
        )
        self.delivery.expect(event.key, destination)
        if not await self.backend.accept(event):
            await say(interaction, _KNOWN)

    async def alone_first(self, location: Location) -> bool:
        """Whether answers here go to the asker alone first; nobody else sees direct messages anyway.

        Where it takes too long to find out, nobody else is shown anything.
        """
        if not location.guild:
            return False
        try:
            async with asyncio.timeout(AT_ONCE_SECONDS):
                return (await self.backend.settings(location.channel)).private_first
        except TimeoutError:
            return True

    async def form_of(self, action: str, value: str, *, thread: Thread, scope: Scope, user: str) -> Form | None:
        """The form that opens. None where that takes too long: a form can only be the first answer."""
        try:
            async with asyncio.timeout(AT_ONCE_SECONDS):
                return await self.backend.form(action, value, thread=thread, scope=scope, user=user)
        except TimeoutError:
            return None


def data_of(interaction: Interaction) -> Mapping[str, Any]:
    """What came with an interaction, as Discord sent it."""
    return dict(interaction.data or {})


def interaction_location(interaction: Interaction) -> Location:
    """The place where somebody did something."""
    channel = interaction.channel if interaction.channel is not None else discord.Object(interaction.channel_id or 0)
    return location_of(channel, interaction.guild)


def scope_of(interaction: Interaction) -> Scope:
    """What whoever did it may read from there."""
    location = interaction_location(interaction)
    return Scope(workspace=location.workspace, channels=open_to(interaction.user) | {location.channel.id})


def request_of(interaction: Interaction, thread: Thread, message: str) -> RequestFields:
    """Who did it, when, and what may be read; ``message`` is what stands for the command, menu or press."""
    return RequestFields(
        thread=thread,
        user=str(interaction.user.id),
        at=interaction.created_at,
        message=message,
        visible=open_to(interaction.user),
    )


def root_of(interaction: Interaction) -> str:
    """The message whose conversation the message with the button belongs to."""
    message = interaction.message
    if message is None:
        return str(interaction.id)
    reference = message.reference
    return str(reference.message_id if reference is not None and reference.message_id else message.id)


def is_private(interaction: Interaction) -> bool:
    """Whether the message with the button is seen by one person alone."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def say(interaction: Interaction, words: str) -> None:
    """One sentence, to whoever did it alone where that is still possible; never raises."""
    view = layout_view(pages(Reply(kind="help", body=escape(words)))[0])
    try:
        with translate_errors():
            if not interaction.response.is_done():
                await interaction.response.send_message(view=view, ephemeral=True, allowed_mentions=NOBODY)
            elif interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
                await interaction.edit_original_response(view=view, allowed_mentions=NOBODY)
            else:
                await interaction.followup.send(view=view, ephemeral=True, allowed_mentions=NOBODY)
    except FootnoteError as failure:
        _log.info("words not shown: %s", type(failure).__name__)
