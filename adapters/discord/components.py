"""Buttons and forms under the bot's messages, understood by their ids alone, so that a restart changes nothing."""

from adapters.discord.events import words_of
from adapters.discord.ids import Location, command_id, message_id
from adapters.discord.interaction_context import (
    Interaction,
    InteractionContext,
    interaction_location,
    is_private,
    question,
    root_of,
    say,
    scope_of,
)
from adapters.discord.message_listener import ANSWER_PRIVATELY
from adapters.discord.permissions import open_to
from adapters.discord.progress import STOP
from adapters.discord.render import modal
from adapters.discord.render import parse_custom_id as parts_of
from core.domain.events import ButtonPressed, FormSent

_SHARE = "share"


class Components:
    """Acts on a press, and on a form that came back."""

    def __init__(self, shared: InteractionContext) -> None:
        self._with = shared

    async def pressed(self, interaction: Interaction, custom_id: str) -> None:
        """A button: opens its form, stops what runs, or becomes an event."""
        action, value = parts_of(custom_id)
        location, message = interaction_location(interaction), interaction.message
        private = is_private(interaction)
        user = str(interaction.user.id)
        thread = location.private_thread(user) if private else location.thread(root_of(interaction))
        if action == STOP:
            await interaction.response.defer()
            await self._with.backend.stop(thread, user=user)
            return
        if action == ANSWER_PRIVATELY:
            await self._answer_alone(interaction, location, value)
            return
        form = await self._with.form_of(action, value, thread=thread, scope=scope_of(interaction), user=user)
        if form is not None:
            await interaction.response.send_modal(modal(form))
            return
        await interaction.response.defer()
        event = ButtonPressed(
            thread=thread,
            user=user,
            at=interaction.created_at,
            message=message_id(location.where, message.id if message is not None else interaction.id),
            action=action,
            value=value,
            press=str(interaction.id),
            visible=open_to(interaction.user),
        )
        if action == _SHARE:
            self._with.delivery.publish(event.key)
        await self._with.accept(interaction, event, private=private and action != _SHARE, waiting=False, anchored=False)

    async def _answer_alone(self, interaction: Interaction, location: Location, message: str) -> None:
        """A question whose answer is for its asker alone, and who has now given Discord a way to show it so."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        note = await self._with.listener.fetched(message)
        user = str(interaction.user.id)
        if note is None or note.author != user:
            await say(interaction, "Only whoever asked can see this answer." if note else "That question is gone.")
            return
        event = question(
            interaction,
            words_of(note),
            thread=location.private_thread(user),
            message=command_id(interaction.id),
            audience="asker",
        )
        await self._with.accept(interaction, event, private=True, waiting=True, anchored=False)

    async def sent(self, interaction: Interaction, custom_id: str, fields: dict[str, str]) -> None:
        """A form came back filled in."""
        name, value = parts_of(custom_id)
        location, message, user = interaction_location(interaction), interaction.message, str(interaction.user.id)
        private = is_private(interaction)
        if message is None:
            await interaction.response.defer(ephemeral=True, thinking=True)
        else:
            await interaction.response.defer()
        event = FormSent(
            thread=location.private_thread(user) if private else location.thread(root_of(interaction)),
            user=user,
            at=interaction.created_at,
            message=message_id(location.where, message.id) if message is not None else command_id(interaction.id),
            form=name,
            value=value,
            press=str(interaction.id),
            fields=fields,
            visible=open_to(interaction.user),
        )
        await self._with.accept(
            interaction, event, private=private or message is None, waiting=message is None, anchored=False
        )
