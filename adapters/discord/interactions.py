"""What somebody does with a command, a button, a form or a menu: acknowledged within Discord's three seconds.

Nothing is worked on here: a press becomes an event, or is answered at once by the backend. Buttons and forms are
understood by their ids alone, so that a restart changes nothing.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime

import discord

from adapters.discord import command_definitions
from adapters.discord.command_definitions import CommandCall
from adapters.discord.delivery import Delivery
from adapters.discord.errors import LATE
from adapters.discord.events import words_of
from adapters.discord.ids import Location, command_id, message_id
from adapters.discord.interaction_context import (
    AT_ONCE_SECONDS,
    Interaction,
    InteractionContext,
    data_of,
    interaction_location,
    is_private,
    request_of,
    root_of,
    say,
    scope_of,
)
from adapters.discord.message_listener import ANSWER_PRIVATELY, MessageListener
from adapters.discord.progress import STOP
from adapters.discord.render import cut, modal, parse_custom_id, parse_fields
from adapters.discord.render import parse_custom_id as parts_of
from adapters.discord.slash_commands import ABOUT, SlashCommands
from core.domain.errors import FootnoteError
from core.domain.events import ButtonPressed, FormSent, QuestionAsked
from core.domain.model import Scope
from core.domain.platforms import Backend

_log = logging.getLogger(__name__)
_CHOICES = 25
_CHOICE = 100
_ID = 16
_BROKEN = "Something went wrong here that should not have; nothing is lost. Please try once more."
_NOT_HERE = "Footnote has not been added to this server."


class Interactions:
    """Acts on one interaction; ``backend`` is the process's, ``delivery`` learns where replies are awaited."""

    def __init__(
        self, backend: Backend, delivery: Delivery, listener: MessageListener, now: Callable[[], datetime]
    ) -> None:
        self._backend = backend
        shared = InteractionContext(backend, delivery, listener, now)
        self._commands_handler = SlashCommands(shared)
        self._presses = Components(shared)

    async def __call__(self, interaction: Interaction) -> None:
        """Answer at once, whatever it is; never raises."""
        try:
            await self._act(interaction)
        except FootnoteError as failure:
            await say(interaction, failure.words)
        except discord.HTTPException as failure:
            # Too late or twice: the person sees Discord's own words, and nothing was begun.
            level = logging.INFO if failure.code in LATE else logging.WARNING
            _log.log(level, "interaction not answered: %s", failure.code)
        except Exception as fault:
            _log.error("interaction broke: %s", type(fault).__name__)
            _log.debug("interaction broke", exc_info=fault)
            await say(interaction, _BROKEN)

    async def _act(self, interaction: Interaction) -> None:
        data = data_of(interaction)
        if interaction.guild_id and interaction.guild is None:
            await say(interaction, _NOT_HERE)
            return
        id_ = str(data.get("custom_id", ""))
        match interaction.type:
            case discord.InteractionType.application_command:
                await self._commands_handler(interaction, command_definitions.parse_call(data))
            case discord.InteractionType.autocomplete:
                await self._complete(interaction, command_definitions.parse_call(data))
            case discord.InteractionType.component:
                await self._presses.pressed(interaction, id_)
            case discord.InteractionType.modal_submit:
                fields = parse_fields(data.get("components") or ())
                if parse_custom_id(id_)[0] == ABOUT:
                    await self._commands_handler.asked_about(
                        interaction, parse_custom_id(id_)[1], fields.get("question", "")
                    )
                else:
                    await self._presses.sent(interaction, id_, fields)
            case _:
                return

    async def _complete(self, interaction: Interaction, call: CommandCall) -> None:
        """Offer papers or words; nothing where that takes too long or fails."""
        typed = call.options.get(call.typing, "")
        try:
            async with asyncio.timeout(AT_ONCE_SECONDS):
                offered = await self._offered(call, typed, scope_of(interaction))
        except (TimeoutError, FootnoteError):
            offered = []
        await interaction.response.autocomplete(offered[:_CHOICES])

    async def _offered(self, call: CommandCall, typed: str, scope: Scope) -> "list[discord.app_commands.Choice[str]]":
        command = self._backend.commands.get(call.name)
        placeholder = (
            command_definitions.placeholder(command, call.typing) if command is not None else call.typing.upper()
        )
        if not placeholder.startswith("PAPER"):
            words = await self._backend.choices(call.name, typed, scope=scope)
            return [discord.app_commands.Choice(name=cut(word, _CHOICE), value=word[:_CHOICE]) for word in words]
        before, comma, last = typed.rpartition(",") if placeholder != "PAPER" else ("", "", typed)
        head = f"{before}{comma} ".lstrip() if comma else ""
        papers = await self._backend.papers(scope, words=last.strip(), limit=_CHOICES)
        return [
            discord.app_commands.Choice(name=cut(paper.title, _CHOICE), value=f"{head}{paper.id[:_ID]}"[:_CHOICE])
            for paper in papers
        ]


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
        pressed = message_id(location.where, message.id if message is not None else interaction.id)
        event = ButtonPressed(
            **request_of(interaction, thread, pressed), action=action, value=value, press=str(interaction.id)
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
        request = request_of(interaction, location.private_thread(user), command_id(interaction.id))
        event = QuestionAsked(**request, text=words_of(note), audience="asker")
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
        thread = location.private_thread(user) if private else location.thread(root_of(interaction))
        sent = message_id(location.where, message.id) if message is not None else command_id(interaction.id)
        request = request_of(interaction, thread, sent)
        event = FormSent(**request, form=name, value=value, press=str(interaction.id), fields=fields)
        await self._with.accept(
            interaction, event, private=private or message is None, waiting=message is None, anchored=False
        )
