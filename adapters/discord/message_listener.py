"""What is said on a server becomes events: messages, edits, removals, channels that close.

What a message means is decided in ``common.message_events``; what a place and a file are, by ``ids`` and ``events``.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

import discord

from adapters.common.conversations import Conversations, Recent, conversation_key
from adapters.common.markdown import escape
from adapters.common.message_events import MessageInterpreter
from adapters.discord import events
from adapters.discord.destinations import NOBODY
from adapters.discord.errors import translate_errors
from adapters.discord.events import ReceivedMessage
from adapters.discord.ids import PLATFORM, Location, message_id, split_message_id
from adapters.discord.messages import WRITTEN, files_of, read_message, root_of
from adapters.discord.permissions import location_of
from adapters.discord.render import layout_view, pages
from core.domain.events import ChannelClosed, CommandGiven, Event, PdfShared, QuestionAsked, Uninstalled
from core.domain.model import Channel, Scope, Thread, Workspace
from core.domain.platforms import Backend
from core.domain.reply import Button, Reply

ANSWER_PRIVATELY = "alone"
_MOST_PAPERS = 1_000_000
_EDITED_LATELY = timedelta(days=7)
_HEARD_LATE = timedelta(minutes=1)
_ANSWERED_WITHIN = 50


class MessageListener:
    """Turns what Discord tells into events for the backend; ``call`` learns what a thread is about."""

    def __init__(
        self,
        backend: Backend,
        client: Callable[[], discord.Client],
        *,
        call: Callable[[Thread, str], None],
        now: Callable[[], datetime],
    ) -> None:
        self._backend = backend
        self._client = client
        self._call = call
        self._now = now
        self._talk = Conversations()
        self._interpreter = MessageInterpreter(backend, self._talk)
        self._unsigned: Recent[bool] = Recent()

    def unsigned(self, message: str) -> None:
        """No signs are to be put on this message: it is the bot's own, or gone."""
        self._unsigned.remember(message, True)

    def takes_signs(self, message: str) -> bool:
        """Whether signs may be put on a message."""
        return bool(split_message_id(message)[0]) and message not in self._unsigned

    async def heard(self, message: discord.Message) -> None:
        """A message was written: PDFs are taken in, a question to the bot is asked, a command is given.

        One that was missed is heard as it reads by now, also where it was heard before it was changed.
        """
        if message.author.id == self._own:
            where = location_of(message.channel, message.guild).thread(root_of(message))
            self._talk.answered(conversation_key(where))
        if message.author.bot or message.type not in WRITTEN:
            return
        note = read_message(message, own=self._own)
        for event in await self._interpreter.events_of(events.incoming_message(note)):
            await self._take(event, note, message)

    async def tell_of_failure(self, message: discord.Message, words: str) -> None:
        """Say beneath a message why it was not taken in, where it is for the bot; talk of others is left alone."""
        note = read_message(message, own=self._own)
        incoming = events.incoming_message(note)
        if not (incoming.addressed or incoming.papers):
            return
        with translate_errors():
            await message.reply(words, allowed_mentions=NOBODY, mention_author=False)

    async def edited(self, before: discord.Message | None, after: discord.Message) -> None:
        """A message reads otherwise: a question is asked anew, a PDF taken out of it is removed."""
        if after.author.bot or after.type not in WRITTEN or after.edited_at is None:
            return
        note = read_message(after, own=self._own)
        old = read_message(before, own=self._own) if before is not None else note
        left = {file.id for file in note.files}
        gone = [file.id for file in old.files if file.is_pdf and file.id not in left]
        if gone:
            await self._remove(note.location, note.id, gone)
        if self._now() - after.edited_at > _EDITED_LATELY:
            return  # Discord tells of a message also when it is pinned, say; its edit was heard long ago
        old_words = events.words_of(old) if before is not None else ""
        event = await self._interpreter.edited(events.incoming_message(note), before=old_words)
        if event is not None and not await self._alone_first(note):
            # Whoever presses the button is answered the question as it reads then.
            await self._backend.accept(replace(event, visible=note.visible))

    async def deleted(self, location: Location, id_: str, message: discord.Message | None) -> None:
        """A message is gone, and with it the PDFs that it carried."""
        if message is not None:
            await self._remove(location, id_, [file.id for file in files_of(message) if file.is_pdf])
            if message.author.id != self._own:
                return
        await self._remove(location, id_, [""])  # what it stood for is not known: whatever was shared by it goes

    async def thread_deleted(self, location: Location) -> None:
        """A thread is gone with every message in it."""
        if location.alone:
            await self.channel_deleted(location.channel)
            return
        scope = Scope(workspace=location.workspace, channels=frozenset({location.channel.id}))
        for paper in await self._backend.papers(scope, limit=_MOST_PAPERS):
            for share in paper.shares:
                where, id_ = split_message_id(share.message)
                if share.channel == location.channel.id and where == location.where:
                    await self._remove(location, id_, [share.file_id])

    async def channel_deleted(self, channel: Channel) -> None:
        """A channel is gone for good."""
        thread = Thread(channel=channel, id="")
        await self._backend.accept(ChannelClosed(thread=thread, user="", at=self._now(), message=""))

    async def left(self, guild: discord.Guild, *, due: datetime) -> None:
        """The bot was taken out of a server."""
        now = self._now()
        workspace = Workspace(platform=PLATFORM, id=str(guild.id))
        thread = Thread(channel=Channel(workspace=workspace, id="", visibility="restricted"), id="")
        id_ = f"left-{int(now.timestamp())}"
        self.unsigned(id_)
        await self._backend.accept(Uninstalled(thread=thread, user="", at=now, message=id_), due=due)

    async def fetched(self, message: str) -> ReceivedMessage | None:
        """A message by its id, or None where it is gone."""
        where, id_ = split_message_id(message)
        if not where:
            return None
        channel = self._client().get_partial_messageable(int(where))
        with translate_errors():
            try:
                return read_message(await channel.fetch_message(int(id_)), own=self._own)
            except discord.NotFound:
                return None

    @property
    def _own(self) -> int:
        user = self._client().user
        return user.id if user is not None else 0

    async def _take(self, event: Event, note: ReceivedMessage, message: discord.Message) -> None:
        """Hand over what a message is; Discord has to be told what its thread is about."""
        match event:
            case PdfShared():
                self._call(event.thread, event.file.name)
            case QuestionAsked():
                self._call(event.thread, event.text)
                if await self._alone_first(note):
                    if not await self._is_offered(message):
                        await self._offer_alone(message, note)
                    return
                event = replace(event, visible=note.visible)
            case CommandGiven():
                self._call(event.thread, f"{event.name} {event.words}")
                event = replace(event, visible=note.visible)
        await self._backend.accept(event)

    async def _alone_first(self, note: ReceivedMessage) -> bool:
        return bool(note.location.guild) and (await self._backend.settings(note.location.channel)).private_first

    async def _offer_alone(self, message: discord.Message, note: ReceivedMessage) -> None:
        """Discord shows something to one person only in answer to a press of theirs: offer the button."""
        reply = Reply(
            kind="help",
            body=escape("Answers in this channel go to whoever asked, who may share them."),
            buttons=(Button(label="Answer me alone", action=ANSWER_PRIVATELY, value=note.message, style="primary"),),
        )
        with translate_errors():
            await message.reply(view=layout_view(pages(reply)[0]), allowed_mentions=NOBODY, mention_author=False)

    async def _is_offered(self, message: discord.Message) -> bool:
        """Whether a message that is heard late, maybe once more, has its button already."""
        if self._now() - message.created_at < _HEARD_LATE:
            return False
        with translate_errors():
            after = [later async for later in message.channel.history(after=message, limit=_ANSWERED_WITHIN)]
        own = [later.reference for later in after if later.author.id == self._own]
        return message.id in {reference.message_id for reference in own if reference is not None}

    async def _remove(self, location: Location, id_: str, files: Iterable[str]) -> None:
        self.unsigned(message_id(location.where, id_))
        for event in events.removals(location, id_, files=files, user="", at=self._now()):
            await self._backend.accept(event)
