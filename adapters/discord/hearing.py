"""What is said on a server becomes events: messages, edits, removals, channels that close, and what was missed.

The gateway's payloads are turned into ``Note``s here; what they mean is decided by ``events`` and the desk.
"""

import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime, timedelta

import discord

from adapters.common.markdown import escape
from adapters.discord import events
from adapters.discord.access import is_readable, open_to, place_of
from adapters.discord.events import File, Note
from adapters.discord.failures import translated
from adapters.discord.places import PLATFORM, Place, message_id, parted
from core.domain.errors import FootnoteError
from core.domain.events import ChannelClosed, PdfShared, Uninstalled
from core.domain.model import Channel, Scope, Thread, Workspace
from core.domain.platforms import Desk
from core.domain.reply import Button, Reply

_log = logging.getLogger(__name__)
ALONE = "alone"
_EDITED_WITHIN = timedelta(hours=1)
_UNSIGNED = 4_000
_MISSED_IN_ONE_CHANNEL = 1_000
_WRITTEN = (discord.MessageType.default, discord.MessageType.reply)


class Hearing:
    """Turns what Discord tells into events for the desk."""

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
        self._without_signs: OrderedDict[str, None] = OrderedDict()

    def unsigned(self, message: str) -> None:
        """No signs are to be put on this message: it is the bot's own, or gone."""
        self._without_signs[message] = None
        while len(self._without_signs) > _UNSIGNED:
            self._without_signs.popitem(last=False)

    def takes_signs(self, message: str) -> bool:
        """Whether signs may be put on a message."""
        return bool(parted(message)[0]) and message not in self._without_signs

    async def heard(self, message: discord.Message) -> None:
        """A message was written: PDFs are taken in, a question to the bot is asked."""
        if message.author.bot or message.type not in _WRITTEN:
            return
        note = self.noted(message)
        for event in events.shared(note):
            self._call(event.thread, event.file.name)
            await self._desk.accept(event)
        if await self._is_question(note):
            await self._ask(message, note)

    async def edited(self, before: discord.Message | None, after: discord.Message) -> None:
        """A message reads otherwise: a question just asked is asked anew, a PDF taken out of it is removed."""
        if after.author.bot or after.type not in _WRITTEN or after.edited_at is None:
            return
        note = self.noted(after)
        if before is not None:
            left = {str(file.id) for file in after.attachments}
            await self._remove(
                note.place, note.id, [f.id for f in self.files_of(before) if f.is_pdf and f.id not in left]
            )
            if before.content == after.content:
                return
        recent = self._now() - after.created_at < _EDITED_WITHIN
        if recent and await self._is_question(note):
            event = events.asked_anew(note, revision=str(int(after.edited_at.timestamp() * 1000)))
            if event is not None:
                await self._desk.accept(event)

    async def deleted(self, place: Place, id_: str, message: discord.Message | None) -> None:
        """A message is gone, and with it the PDFs that it carried."""
        if message is not None:
            await self._remove(place, id_, [file.id for file in self.files_of(message) if file.is_pdf])
            if message.author.id != self._own_id:
                return
        await self._remove(place, id_, [""])  # what it carried is not known: whatever was shared by it goes

    async def thread_deleted(self, place: Place) -> None:
        """A thread is gone with every message in it."""
        if place.alone:
            await self._close(place.channel)
            return
        scope = Scope(workspace=place.workspace, channels=frozenset({place.channel.id}))
        for paper in await self._desk.papers(scope, limit=1_000_000):
            for share in paper.shares:
                where, id_ = parted(share.message)
                if share.channel == place.channel.id and where == place.where:
                    await self._remove(place, id_, [share.file_id])

    async def channel_deleted(self, channel: Channel) -> None:
        """A channel is gone for good."""
        await self._close(channel)

    async def left(self, guild: discord.Guild, *, due: datetime) -> None:
        """The bot was taken out of a server."""
        now = self._now()
        workspace = Workspace(platform=PLATFORM, id=str(guild.id))
        thread = Thread(channel=Channel(workspace=workspace, id="", visibility="restricted"), id="")
        await self._desk.accept(
            Uninstalled(thread=thread, user="", at=now, message=f"left at {int(now.timestamp())}"), due=due
        )

    async def missed(self, guilds: Iterable[discord.Guild], *, since: datetime) -> int:
        """Hear what was said while there was no connection; what is known already is done once. How many."""
        heard = 0
        for guild in guilds:
            joined = guild.me.joined_at if guild.me is not None else None
            after = max(since, joined) if joined is not None else since
            spoken_in: list[discord.TextChannel | discord.VoiceChannel | discord.Thread] = [
                *guild.text_channels,
                *guild.voice_channels,
                *guild.threads,
            ]
            for channel in spoken_in:
                if not channel.last_message_id or discord.utils.snowflake_time(channel.last_message_id) <= after:
                    continue
                heard += await self._missed_in(channel, after)
        return heard

    async def earlier(self, channel: discord.abc.Messageable, place: Place) -> AsyncIterator[PdfShared]:
        """PDFs that lie in one channel or thread, oldest first."""
        with translated():
            async for message in channel.history(limit=None, oldest_first=True):
                if not message.author.bot:
                    for event in events.shared(self.noted(message)):
                        yield event

    async def fetched(self, message: str) -> Note | None:
        """A message by its id, or None where it is gone."""
        where, id_ = parted(message)
        if not where:
            return None
        channel = self._client().get_partial_messageable(int(where))
        with translated():
            try:
                return self.noted(await channel.fetch_message(int(id_)))
            except discord.NotFound:
                return None

    def noted(self, message: discord.Message) -> Note:
        """What matters of a message."""
        own = self._own_id
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
            root=_root(reply_to) if isinstance(reply_to, discord.Message) and to_bot else "",
            bot=str(own),
            mentions_bot=mentioned or to_bot,
            to_others=others or (reply_to is not None and not to_bot),
            files=self.files_of(message),
            names=_names(message),
            visible=open_to(message.author),
        )

    def files_of(self, message: discord.Message) -> tuple[File, ...]:
        """What is attached to a message."""
        return tuple(
            File(id=str(one.id), name=one.filename, mime=one.content_type or "", size=one.size, url=one.url)
            for one in message.attachments
        )

    def words_of(self, note: Note) -> str:
        """What a message says to the bot."""
        return events.words_of(note)

    @property
    def _own_id(self) -> int:
        user = self._client().user
        return user.id if user is not None else 0

    async def _is_question(self, note: Note) -> bool:
        words = events.words_of(note)
        if not words:
            return False
        return await self._desk.answers(note.thread, words, addressed=note.addressed, to_others=note.to_others)

    async def _ask(self, message: discord.Message, note: Note) -> None:
        event = events.asked(note)
        if event is None:
            return
        self._call(event.thread, event.text)
        if note.place.guild and (await self._desk.settings(note.place.channel)).private_first:
            await self._offer_alone(message, note)
            return
        await self._desk.accept(event)

    async def _offer_alone(self, message: discord.Message, note: Note) -> None:
        """Discord shows something to one person only in answer to a press of theirs: offer the button."""
        from adapters.discord.outlets import NOBODY
        from adapters.discord.render import drawn, pages

        reply = Reply(
            kind="help",
            body=escape("Answers in this channel go to whoever asked, who may share them."),
            buttons=(Button(label="Answer me alone", action=ALONE, value=note.message, style="primary"),),
        )
        with translated():
            await message.reply(view=drawn(pages(reply)[0]), allowed_mentions=NOBODY, mention_author=False)

    async def _missed_in(
        self, channel: discord.TextChannel | discord.VoiceChannel | discord.Thread, after: datetime
    ) -> int:
        if not is_readable(channel):
            return 0
        heard = 0
        try:
            with translated():
                async for message in channel.history(after=after, limit=_MISSED_IN_ONE_CHANNEL, oldest_first=True):
                    await self.heard(message)
                    heard += 1
        except FootnoteError as failure:
            _log.warning("missed messages not read: %s", type(failure).__name__)
        return heard

    async def _remove(self, place: Place, id_: str, files: Iterable[str]) -> None:
        self.unsigned(message_id(place.where, id_))
        for event in events.removed(place, id_, files=files, user="", at=self._now()):
            await self._desk.accept(event)

    async def _close(self, channel: Channel) -> None:
        thread = Thread(channel=channel, id="")
        await self._desk.accept(ChannelClosed(thread=thread, user="", at=self._now(), message="closed"))


def _root(message: discord.Message) -> str:
    """The message whose conversation a message of the bot belongs to: what it answers, or itself."""
    reference = message.reference
    return str(reference.message_id if reference is not None and reference.message_id else message.id)


def _names(message: discord.Message) -> dict[str, str]:
    named = {str(user.id): user.display_name for user in message.mentions}
    named |= {str(role.id): role.name for role in message.role_mentions}
    return named | {str(one.id): str(getattr(one, "name", "")) for one in message.channel_mentions}
