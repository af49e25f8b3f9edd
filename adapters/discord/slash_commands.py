"""Commands and menus: what somebody wants is acknowledged at once and handed over as an event."""

from collections.abc import Awaitable, Callable, Mapping

import discord

from adapters.common.markdown import escape
from adapters.discord import command_definitions
from adapters.discord.command_definitions import CommandCall
from adapters.discord.destinations import NOBODY
from adapters.discord.events import bibliographies, pdfs_of_command
from adapters.discord.ids import Location, command_id, message_id
from adapters.discord.interaction_context import (
    Interaction,
    InteractionContext,
    data_of,
    interaction_location,
    request_of,
    say,
    scope_of,
)
from adapters.discord.messages import files_of
from adapters.discord.render import layout_view, modal, pages
from core.domain.errors import FootnoteError
from core.domain.events import CommandGiven, Event, QuestionAsked
from core.domain.model import Audience, Scope, Thread
from core.domain.reply import Field, Form, Reply

ABOUT = "about"


class SlashCommands:
    """Acts on a command that somebody gave."""

    def __init__(self, shared: InteractionContext) -> None:
        self._with = shared

    async def __call__(self, interaction: Interaction, call: CommandCall) -> None:
        """Answer at once and hand the work over. Raises ``FootnoteError`` with words for whoever asked."""
        special: Mapping[str, Callable[[Interaction, CommandCall], Awaitable[None]]] = {
            "ask": self._ask,
            "upload": self._upload,
            "stop": self._stop,
            command_definitions.ASK_ABOUT: self._ask_about,
            command_definitions.INDEX: self._index,
        }
        await special.get(call.name, self._other)(interaction, call)

    async def _other(self, interaction: Interaction, call: CommandCall) -> None:
        """A command of the backend's list."""
        location = interaction_location(interaction)
        command = self._with.backend.commands.get(call.name)
        words = command_definitions.words_of(call, command) if command is not None else ""
        if not words and not interaction.response.is_done():
            form = await self._with.form_of(
                call.name, "", thread=location.thread(""), scope=scope_of(interaction), user=str(interaction.user.id)
            )
            if form is not None:
                await interaction.response.send_modal(modal(form))
                return
        public = command is not None and command.public
        if not public:
            await interaction.response.defer(ephemeral=True, thinking=True)
            thread, message = location.thread(""), command_id(interaction.id)
        else:
            thread, message = await self._thinking(interaction, location)
            self._with.delivery.call(thread, f"{call.name} {words}")
        event = CommandGiven(
            **request_of(interaction, thread, message),
            name=call.name,
            words=words,
            files=bibliographies(call.files, message=message),
        )
        await self._with.accept(interaction, event, private=not public, waiting=True, anchored=True)

    async def _thinking(self, interaction: Interaction, location: Location) -> tuple[Thread, str]:
        """Discord shows that it is worked on, in the message that the work's thread hangs on; thread and message."""
        answered = await interaction.response.defer(thinking=True)
        first = str(answered.message_id or interaction.id) if answered is not None else str(interaction.id)
        return location.thread(first), message_id(location.where, first)

    async def _ask(self, interaction: Interaction, call: CommandCall) -> None:
        location, words = interaction_location(interaction), call.options.get("question", "")
        named = call.options.get("paper", "")
        private = call.private or await self._with.alone_first(location)
        thread, message = await self._begun(interaction, location, words, private=private)
        try:
            papers = await self._papers(scope_of(interaction), named)
        except FootnoteError as failure:
            await say(interaction, failure.words)
            return
        await self._put(interaction, words, thread, message, papers=papers, private=private)

    async def _begun(
        self, interaction: Interaction, location: Location, words: str, *, private: bool
    ) -> tuple[Thread, str]:
        """Acknowledge a question; the conversation that it begins or goes on with, and what stands for it."""
        if not private:
            return await self._card(interaction, location, words)
        await interaction.response.defer(ephemeral=True, thinking=True)
        return location.private_thread(str(interaction.user.id)), command_id(interaction.id)

    async def _card(self, interaction: Interaction, location: Location, words: str) -> tuple[Thread, str]:
        """Show the question as the message that the answer's thread hangs on; thread and message id."""
        reply = Reply(kind="answer", body=f"> {escape(words)}", footer=f"asked by {interaction.user.display_name}")
        card = await interaction.response.send_message(view=layout_view(pages(reply)[0]), allowed_mentions=NOBODY)
        first = str(card.message_id or interaction.id)
        thread = location.thread(first)
        self._with.delivery.call(thread, words)
        return thread, message_id(location.where, first)

    async def _put(
        self,
        interaction: Interaction,
        words: str,
        thread: Thread,
        message: str,
        *,
        papers: frozenset[str],
        private: bool,
    ) -> None:
        audience: Audience = "asker" if private else "thread"
        event = QuestionAsked(**request_of(interaction, thread, message), text=words, papers=papers, audience=audience)
        await self._with.accept(interaction, event, private=private, waiting=private, anchored=False)

    async def _papers(self, scope: Scope, words: str) -> frozenset[str]:
        if not words:
            return frozenset()
        papers = await self._with.backend.papers(scope, words=words, limit=2)
        if len(papers) != 1:
            raise _Unclear(f"“{words}” does not name one paper here; choose one of those that are offered.")
        return frozenset({papers[0].id})

    async def _upload(self, interaction: Interaction, call: CommandCall) -> None:
        location = interaction_location(interaction)
        thread, message = await self._thinking(interaction, location)
        names = [file.name for file in call.files if file.is_pdf]
        events = pdfs_of_command(
            call.files,
            thread=thread,
            user=str(interaction.user.id),
            at=interaction.created_at,
            message=message,
        )
        await self._take_in(interaction, events, names, left=len(call.files) - len(names), thread=thread)

    async def _take_in(
        self, interaction: Interaction, events: tuple[Event, ...], names: list[str], *, left: int, thread: Thread
    ) -> None:
        self._with.delivery.call(thread, names[0] if names else "")
        for event in events:
            await self._with.backend.accept(event)
        if not names:
            await say(interaction, "There is no PDF among these files.")
            return
        others = f" {left} other files are left alone." if left else ""
        await say(interaction, f"Reading {', '.join(names)}.{others}")

    async def _stop(self, interaction: Interaction, call: CommandCall) -> None:
        location = interaction_location(interaction)
        stopped = await self._with.backend.stop(location.thread(""), user=str(interaction.user.id))
        await say(interaction, "Stopped." if stopped else "No answer is being written here.")

    async def _ask_about(self, interaction: Interaction, call: CommandCall) -> None:
        message = _menu_message(interaction, call)
        words = "" if message is None else message.clean_content.strip()
        field = Field(name="question", label="Your question", kind="text", initial=words)
        await interaction.response.send_modal(
            modal(Form(name=ABOUT, title=command_definitions.ASK_ABOUT, value=call.message, fields=(field,)))
        )

    async def asked_about(self, interaction: Interaction, message: str, words: str) -> None:
        """The form behind "Ask about this": papers of that message alone, where it carries any."""
        location = interaction_location(interaction)
        private = await self._with.alone_first(location)
        thread, own = await self._begun(interaction, location, words, private=private)
        source = message_id(location.where, message)
        listed = await self._with.backend.papers(scope_of(interaction), limit=10_000)
        papers = frozenset(paper.id for paper in listed for share in paper.shares if share.message == source)
        await self._put(interaction, words, thread, own, papers=papers, private=private)

    async def _index(self, interaction: Interaction, call: CommandCall) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        message = _menu_message(interaction, call)
        files = files_of(message) if message is not None else ()
        location = interaction_location(interaction)
        events = pdfs_of_command(
            files,
            thread=location.thread(call.message),
            user=str(interaction.user.id),
            at=interaction.created_at,
            message=message_id(location.where, call.message),
        )
        names = [event.file.name for event in events]
        await self._take_in(interaction, events, names, left=0, thread=location.thread(call.message))


class _Unclear(FootnoteError):
    """The words name no paper, or several."""


def _menu_message(interaction: Interaction, call: CommandCall) -> discord.Message | None:
    """The message that a menu was opened on, as it came with the interaction."""
    payload = ((data_of(interaction).get("resolved") or {}).get("messages") or {}).get(call.message)
    if payload is None or interaction.channel is None:
        return None
    return discord.Message(state=interaction._state, channel=interaction.channel, data=payload)  # type: ignore[arg-type]
