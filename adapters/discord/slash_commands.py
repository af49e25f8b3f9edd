"""Commands and menus: what somebody wants is acknowledged at once and handed over as an event."""

from collections.abc import Awaitable, Callable, Mapping

import discord

from adapters.common.conversations import ALOUD
from adapters.common.markdown import escape
from adapters.discord import command_definitions
from adapters.discord.command_definitions import Given
from adapters.discord.destinations import NOBODY
from adapters.discord.events import bibliographies, handed_in
from adapters.discord.ids import Place, command_id, message_id
from adapters.discord.interaction_context import (
    Asked,
    InteractionContext,
    data_of,
    place_where,
    question,
    say,
    scope_of,
)
from adapters.discord.messages import files_of
from adapters.discord.permissions import open_to
from adapters.discord.render import drawn, modal, pages
from core.domain.errors import FootnoteError
from core.domain.events import CommandGiven, Event
from core.domain.model import Audience, Scope, Thread
from core.domain.reply import Field, Form, Reply

ABOUT = "about"


class SlashCommands:
    """Acts on a command that somebody gave."""

    def __init__(self, shared: InteractionContext) -> None:
        self._with = shared

    async def __call__(self, asked: Asked, given: Given) -> None:
        """Answer at once and hand the work over. Raises ``FootnoteError`` with words for whoever asked."""
        special: Mapping[str, Callable[[Asked, Given], Awaitable[None]]] = {
            "ask": self._ask,
            "upload": self._upload,
            "stop": self._stop,
            command_definitions.ASK_ABOUT: self._ask_about,
            command_definitions.INDEX: self._index,
        }
        await special.get(given.name, self._other)(asked, given)

    async def _other(self, asked: Asked, given: Given) -> None:
        """A command of the backend's list."""
        place = place_where(asked)
        command = self._with.backend.commands.get(given.name)
        words = command_definitions.words_of(given, command) if command is not None else ""
        if not words and not asked.response.is_done():
            form = await self._with.form_of(
                given.name, "", thread=place.thread(""), scope=scope_of(asked), user=str(asked.user.id)
            )
            if form is not None:
                await asked.response.send_modal(modal(form))
                return
        if given.name not in ALOUD:
            await asked.response.defer(ephemeral=True, thinking=True)
            thread, message = place.thread(""), command_id(asked.id)
        else:
            thread, message = await self._thinking(asked, place)
            self._with.delivery.call(thread, f"{given.name} {words}")
        event = CommandGiven(
            thread=thread,
            user=str(asked.user.id),
            at=asked.created_at,
            message=message,
            name=given.name,
            words=words,
            files=bibliographies(given.files, message=message),
            visible=open_to(asked.user),
        )
        await self._with.accept(asked, event, private=given.name not in ALOUD, waiting=True, anchored=True)

    async def _thinking(self, asked: Asked, place: Place) -> tuple[Thread, str]:
        """Discord shows that it is worked on, in the message that the work's thread hangs on; thread and message."""
        answered = await asked.response.defer(thinking=True)
        first = str(answered.message_id or asked.id) if answered is not None else str(asked.id)
        return place.thread(first), message_id(place.where, first)

    async def _ask(self, asked: Asked, given: Given) -> None:
        place, words = place_where(asked), given.options.get("question", "")
        named = given.options.get("paper", "")
        private = given.private or await self._with.alone_first(place)
        thread, message = await self._begun(asked, place, words, private=private)
        try:
            papers = await self._papers(scope_of(asked), named)
        except FootnoteError as failure:
            await say(asked, failure.words)
            return
        await self._put(asked, words, thread, message, papers=papers, private=private)

    async def _begun(self, asked: Asked, place: Place, words: str, *, private: bool) -> tuple[Thread, str]:
        """Acknowledge a question; the conversation that it begins or goes on with, and what stands for it."""
        if not private:
            return await self._card(asked, place, words)
        await asked.response.defer(ephemeral=True, thinking=True)
        return place.private_thread(str(asked.user.id)), command_id(asked.id)

    async def _card(self, asked: Asked, place: Place, words: str) -> tuple[Thread, str]:
        """Show the question as the message that the answer's thread hangs on; thread and message id."""
        reply = Reply(kind="answer", body=f"> {escape(words)}", footer=f"asked by {asked.user.display_name}")
        told = await asked.response.send_message(view=drawn(pages(reply)[0]), allowed_mentions=NOBODY)
        first = str(told.message_id or asked.id)
        thread = place.thread(first)
        self._with.delivery.call(thread, words)
        return thread, message_id(place.where, first)

    async def _put(
        self, asked: Asked, words: str, thread: Thread, message: str, *, papers: frozenset[str], private: bool
    ) -> None:
        audience: Audience = "asker" if private else "thread"
        event = question(asked, words, thread=thread, message=message, audience=audience, papers=papers)
        await self._with.accept(asked, event, private=private, waiting=private, anchored=False)

    async def _papers(self, scope: Scope, words: str) -> frozenset[str]:
        if not words:
            return frozenset()
        found = await self._with.backend.papers(scope, words=words, limit=2)
        if len(found) != 1:
            raise _Unclear(f"“{words}” does not name one paper here; choose one of those that are offered.")
        return frozenset({found[0].id})

    async def _upload(self, asked: Asked, given: Given) -> None:
        place = place_where(asked)
        thread, message = await self._thinking(asked, place)
        names = [file.name for file in given.files if file.is_pdf]
        events = handed_in(
            given.files,
            thread=thread,
            user=str(asked.user.id),
            at=asked.created_at,
            message=message,
        )
        await self._take_in(asked, events, names, left=len(given.files) - len(names), thread=thread)

    async def _take_in(
        self, asked: Asked, events: tuple[Event, ...], names: list[str], *, left: int, thread: Thread
    ) -> None:
        self._with.delivery.call(thread, names[0] if names else "")
        for event in events:
            await self._with.backend.accept(event)
        told = f"Reading {', '.join(names)}." if names else "There is no PDF among these files."
        await say(asked, told + (f" {left} other files are left alone." if names and left else ""))

    async def _stop(self, asked: Asked, given: Given) -> None:
        place = place_where(asked)
        stopped = await self._with.backend.stop(place.thread(""), user=str(asked.user.id))
        await say(asked, "Stopped." if stopped else "No answer is being written here.")

    async def _ask_about(self, asked: Asked, given: Given) -> None:
        message = _picked(asked, given)
        words = "" if message is None else message.clean_content.strip()
        field = Field(name="question", label="Your question", kind="text", initial=words)
        await asked.response.send_modal(
            modal(Form(name=ABOUT, title=command_definitions.ASK_ABOUT, value=given.message, fields=(field,)))
        )

    async def asked_about(self, asked: Asked, message: str, words: str) -> None:
        """The form behind "Ask about this": papers of that message alone, where it carries any."""
        place = place_where(asked)
        private = await self._with.alone_first(place)
        thread, own = await self._begun(asked, place, words, private=private)
        here = message_id(place.where, message)
        listed = await self._with.backend.papers(scope_of(asked), limit=10_000)
        papers = frozenset(paper.id for paper in listed for share in paper.shares if share.message == here)
        await self._put(asked, words, thread, own, papers=papers, private=private)

    async def _index(self, asked: Asked, given: Given) -> None:
        await asked.response.defer(ephemeral=True, thinking=True)
        message = _picked(asked, given)
        files = files_of(message) if message is not None else ()
        place = place_where(asked)
        events = handed_in(
            files,
            thread=place.thread(given.message),
            user=str(asked.user.id),
            at=asked.created_at,
            message=message_id(place.where, given.message),
        )
        names = [event.file.name for event in events]
        await self._take_in(asked, events, names, left=0, thread=place.thread(given.message))


class _Unclear(FootnoteError):
    """The words name no paper, or several."""


def _picked(asked: Asked, given: Given) -> discord.Message | None:
    """The message that a menu was opened on, as it came with the interaction."""
    payload = ((data_of(asked).get("resolved") or {}).get("messages") or {}).get(given.message)
    if payload is None or asked.channel is None:
        return None
    return discord.Message(state=asked._state, channel=asked.channel, data=payload)  # type: ignore[arg-type]
