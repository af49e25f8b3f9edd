"""Buttons and forms under the bot's messages, understood by their ids alone, so that a restart changes nothing."""

from adapters.discord.events import words_of
from adapters.discord.ids import Place, command_id, message_id
from adapters.discord.interaction_context import (
    Asked,
    InteractionContext,
    is_private,
    place_where,
    question,
    root_of,
    say,
    scope_of,
)
from adapters.discord.message_listener import ALONE
from adapters.discord.permissions import open_to
from adapters.discord.progress import STOP
from adapters.discord.render import modal
from adapters.discord.render import pressed as parts_of
from core.domain.events import ButtonPressed, FormSent

_SHARE = "share"


class Components:
    """Acts on a press, and on a form that came back."""

    def __init__(self, shared: InteractionContext) -> None:
        self._with = shared

    async def pressed(self, asked: Asked, custom_id: str) -> None:
        """A button: opens its form, stops what runs, or becomes an event."""
        action, value = parts_of(custom_id)
        place, message = place_where(asked), asked.message
        private = is_private(asked)
        user = str(asked.user.id)
        thread = place.private_thread(user) if private else place.thread(root_of(asked))
        if action == STOP:
            await asked.response.defer()
            await self._with.backend.stop(thread, user=user)
            return
        if action == ALONE:
            await self._answer_alone(asked, place, value)
            return
        form = await self._with.form_of(action, value, thread=thread, scope=scope_of(asked), user=user)
        if form is not None:
            await asked.response.send_modal(modal(form))
            return
        await asked.response.defer()
        event = ButtonPressed(
            thread=thread,
            user=user,
            at=asked.created_at,
            message=message_id(place.where, message.id if message is not None else asked.id),
            action=action,
            value=value,
            press=str(asked.id),
            visible=open_to(asked.user),
        )
        if action == _SHARE:
            self._with.delivery.publish(event.key)
        await self._with.accept(asked, event, private=private and action != _SHARE, waiting=False, anchored=False)

    async def _answer_alone(self, asked: Asked, place: Place, message: str) -> None:
        """A question whose answer is for its asker alone, and who has now given Discord a way to show it so."""
        await asked.response.defer(ephemeral=True, thinking=True)
        note = await self._with.hearing.fetched(message)
        user = str(asked.user.id)
        if note is None or note.author != user:
            await say(asked, "Only whoever asked can see this answer." if note else "That question is gone.")
            return
        event = question(
            asked,
            words_of(note),
            thread=place.private_thread(user),
            message=command_id(asked.id),
            audience="asker",
        )
        await self._with.accept(asked, event, private=True, waiting=True, anchored=False)

    async def sent(self, asked: Asked, custom_id: str, fields: dict[str, str]) -> None:
        """A form came back filled in."""
        name, value = parts_of(custom_id)
        place, message, user = place_where(asked), asked.message, str(asked.user.id)
        private = is_private(asked)
        if message is None:
            await asked.response.defer(ephemeral=True, thinking=True)
        else:
            await asked.response.defer()
        event = FormSent(
            thread=place.private_thread(user) if private else place.thread(root_of(asked)),
            user=user,
            at=asked.created_at,
            message=message_id(place.where, message.id) if message is not None else command_id(asked.id),
            form=name,
            value=value,
            press=str(asked.id),
            fields=fields,
            visible=open_to(asked.user),
        )
        await self._with.accept(
            asked, event, private=private or message is None, waiting=message is None, anchored=False
        )
