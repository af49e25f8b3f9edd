"""What is said on a server becomes events: messages, edits, removals, channels that close.

Whether a message is a question is decided by the desk; what a place and a file are, by the pure rooms.
"""

from collections.abc import Callable, Iterable
from datetime import datetime

import discord

from adapters.common.conversations import EDITED_WITHIN, Conversations, Lately, command_in, when_read
from adapters.common.markdown import escape
from adapters.discord import events
from adapters.discord.events import Note
from adapters.discord.failures import translated
from adapters.discord.notes import WRITTEN, files_of, noted
from adapters.discord.outlets import NOBODY
from adapters.discord.places import PLATFORM, Place, message_id, parted
from adapters.discord.render import drawn, pages
from core.domain.events import ChannelClosed, Uninstalled
from core.domain.model import Channel, Scope, Thread, Workspace
from core.domain.platforms import Desk
from core.domain.reply import Button, Reply

ALONE = "alone"
_MOST_PAPERS = 1_000_000


class Hearing:
    """Turns what Discord tells into events for the desk; ``call`` learns what a thread is about."""

    def __init__(
        self,
        desk: Desk,
        client: Callable[[], discord.Client],
        *,
        call: Callable[[Thread, str], None],
        now: Callable[[], datetime],
    ) -> None:
        self._desk = desk
        self._client = client
        self._call = call
        self._now = now
        self._talk = Conversations()
        self._unsigned = Lately()

    def unsigned(self, message: str) -> None:
        """No signs are to be put on this message: it is the bot's own, or gone."""
        self._unsigned.tell(message)

    def takes_signs(self, message: str) -> bool:
        """Whether signs may be put on a message."""
        return bool(parted(message)[0]) and message not in self._unsigned

    async def heard(self, message: discord.Message) -> None:
        """A message was written: PDFs are taken in, a question to the bot is asked, a command is given."""
        where = str(message.channel.id)
        if message.author.id == self._own:
            self._talk.answered(where)
        if message.author.bot or message.type not in WRITTEN:
            return
        note = noted(message, own=self._own)
        papers = events.shared(note)
        for event in papers:
            self._call(event.thread, event.file.name)
            await self._desk.accept(event)
        await self._words(message, note, papers=len(papers))
        self._talk.spoke(where, note.author)

    async def edited(self, before: discord.Message | None, after: discord.Message) -> None:
        """A message reads otherwise: a question just asked is asked anew, a PDF taken out of it is removed."""
        if after.author.bot or after.type not in WRITTEN or after.edited_at is None:
            return
        note = noted(after, own=self._own)
        if before is not None:
            left = {str(file.id) for file in after.attachments}
            gone = [file.id for file in files_of(before) if file.is_pdf and file.id not in left]
            if gone:
                await self._remove(note.place, note.id, gone)
            if before.content == after.content:
                return
        words = events.words_of(note)
        if self._now() - after.created_at > EDITED_WITHIN or not await self._is_question(note, words):
            return
        if command_in(words, self._desk.commands) is not None or await self._alone_first(note):
            return  # whoever presses the button is answered the question as it reads then
        first = events.asked(note)
        if first is not None and await self._desk.accept(first):
            return  # not heard before, or no question to the bot: a second hearing of it is known from now on
        event = events.asked_anew(note, revision=str(int(after.edited_at.timestamp() * 1000)))
        if event is not None:
            await self._desk.accept(event)

    async def deleted(self, place: Place, id_: str, message: discord.Message | None) -> None:
        """A message is gone, and with it the PDFs that it carried."""
        if message is not None:
            await self._remove(place, id_, [file.id for file in files_of(message) if file.is_pdf])
            if message.author.id != self._own:
                return
        await self._remove(place, id_, [""])  # what it stood for is not known: whatever was shared by it goes

    async def thread_deleted(self, place: Place) -> None:
        """A thread is gone with every message in it."""
        if place.alone:
            await self.channel_deleted(place.channel)
            return
        scope = Scope(workspace=place.workspace, channels=frozenset({place.channel.id}))
        for paper in await self._desk.papers(scope, limit=_MOST_PAPERS):
            for share in paper.shares:
                where, id_ = parted(share.message)
                if share.channel == place.channel.id and where == place.where:
                    await self._remove(place, id_, [share.file_id])

    async def channel_deleted(self, channel: Channel) -> None:
        """A channel is gone for good."""
        thread = Thread(channel=channel, id="")
        await self._desk.accept(ChannelClosed(thread=thread, user="", at=self._now(), message=""))

    async def left(self, guild: discord.Guild, *, due: datetime) -> None:
        """The bot was taken out of a server."""
        now = self._now()
        workspace = Workspace(platform=PLATFORM, id=str(guild.id))
        thread = Thread(channel=Channel(workspace=workspace, id="", visibility="restricted"), id="")
        told = f"left-{int(now.timestamp())}"
        self.unsigned(told)
        await self._desk.accept(Uninstalled(thread=thread, user="", at=now, message=told), due=due)

    async def fetched(self, message: str) -> Note | None:
        """A message by its id, or None where it is gone."""
        where, id_ = parted(message)
        if not where:
            return None
        channel = self._client().get_partial_messageable(int(where))
        with translated():
            try:
                return noted(await channel.fetch_message(int(id_)), own=self._own)
            except discord.NotFound:
                return None

    @property
    def _own(self) -> int:
        user = self._client().user
        return user.id if user is not None else 0

    async def _words(self, message: discord.Message, note: Note, *, papers: int) -> None:
        """What a message says: nothing, "stop", a command, or a question to the bot; a bibliography is one too."""
        words = events.words_of(note)
        wanted = command_in(words, self._desk.commands) if note.addressed else None
        dropped = events.imported(note)
        if dropped is not None and (wanted is None or wanted[0] != events.IMPORT):
            await self._desk.accept(dropped)
        if not words:
            if note.addressed and not papers and dropped is None:
                await self._command(note, "help", "")
            return
        stops = note.addressed and words.casefold().strip("/!. ") == "stop"
        if stops and await self._desk.stop(note.thread, user=note.author):
            return
        if wanted is not None:
            await self._command(note, *wanted)
        elif await self._is_question(note, words):
            await self._ask(message, note, papers=papers)

    async def _is_question(self, note: Note, words: str) -> bool:
        others = note.to_others or self._talk.between_people(note.place.where, note.author)
        return bool(words) and await self._desk.answers(note.thread, words, addressed=note.addressed, to_others=others)

    async def _ask(self, message: discord.Message, note: Note, *, papers: int) -> None:
        event = events.asked(note)
        if event is None:
            return
        self._call(event.thread, event.text)
        if await self._alone_first(note):
            await self._offer_alone(message, note)
            return
        await self._desk.accept(event, due=when_read(self._now(), papers))

    async def _alone_first(self, note: Note) -> bool:
        return bool(note.place.guild) and (await self._desk.settings(note.place.channel)).private_first

    async def _command(self, note: Note, name: str, words: str) -> None:
        self._call(note.thread, f"{name} {words}")
        files = note.files if name == events.IMPORT else ()
        await self._desk.accept(events.commanded(note, name, words, files=files))

    async def _offer_alone(self, message: discord.Message, note: Note) -> None:
        """Discord shows something to one person only in answer to a press of theirs: offer the button."""
        reply = Reply(
            kind="help",
            body=escape("Answers in this channel go to whoever asked, who may share them."),
            buttons=(Button(label="Answer me alone", action=ALONE, value=note.message, style="primary"),),
        )
        with translated():
            await message.reply(view=drawn(pages(reply)[0]), allowed_mentions=NOBODY, mention_author=False)

    async def _remove(self, place: Place, id_: str, files: Iterable[str]) -> None:
        self.unsigned(message_id(place.where, id_))
        for event in events.removed(place, id_, files=files, user="", at=self._now()):
            await self._desk.accept(event)
