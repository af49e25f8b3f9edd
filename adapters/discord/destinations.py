"""Where a message goes: into a channel or thread by the bot itself, or as the answer to somebody's command.

Both take pages of ``render`` and give back message ids; which of the two a reply takes is decided elsewhere.
"""

import io
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol, TypeAlias

import discord

from adapters.discord.errors import ARCHIVED, EXPIRED, UNKNOWN_MESSAGE, translate_errors
from adapters.discord.ids import message_id, same_mark, split_message_id
from adapters.discord.render import Page, layout_view, upload_name

if TYPE_CHECKING:
    Speakable: TypeAlias = (
        discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread | discord.DMChannel
    )

_TOKEN_LIVES = timedelta(minutes=14, seconds=30)
_FURTHER = 15
NOBODY = discord.AllowedMentions.none()


class Destination(Protocol):
    """Takes the messages of one reply."""

    async def put(self, page: Page, *, nonce: str) -> str:
        """Post a message; its id. The same ``nonce`` again within minutes posts nothing new."""

    async def change(self, message: str, page: Page) -> bool:
        """Make a message look like ``page``; False where it is gone."""

    async def drop(self, message: str) -> None:
        """Take a message back."""

    async def further(self, message: str) -> Sequence[str]:
        """Ids of the messages that go on with the reply that begins with ``message``."""

    async def found(self, mark: int) -> str:
        """The id of the first message of a reply that was posted before, by its mark; or empty."""


class ChannelDestination:
    """A channel, thread or direct conversation; ``answers`` is the message that a post refers to, or empty."""

    def __init__(self, channel: "Speakable", where: str, *, answers: str = "") -> None:
        self._channel = channel
        self._where = where
        self._answers = answers

    async def put(self, page: Page, *, nonce: str) -> str:
        """Post a message. Raises ``PlatformFailure``."""
        refers: dict[str, discord.MessageReference] = {}
        if self._answers:
            refers["reference"] = discord.MessageReference(
                message_id=int(self._answers), channel_id=int(self._where), fail_if_not_exists=False
            )
        with translate_errors():
            posted: discord.Message = await self._channel.send(  # type: ignore[call-overload]
                view=layout_view(page),
                files=files_of(page),
                nonce=nonce,
                allowed_mentions=NOBODY,
                mention_author=False,
                **refers,
            )
        return message_id(posted.channel.id, posted.id)

    async def change(self, message: str, page: Page) -> bool:
        """Edit a message of the bot. Raises ``PlatformFailure``."""
        with translate_errors():
            try:
                await self._edit(message, page)
            except discord.HTTPException as failure:
                if failure.code != UNKNOWN_MESSAGE:
                    raise
                return False
        return True

    async def _edit(self, message: str, page: Page) -> None:
        try:
            await self._message(message).edit(
                view=layout_view(page), attachments=files_of(page), allowed_mentions=NOBODY
            )
        except discord.HTTPException as failure:
            if failure.code != ARCHIVED or not isinstance(self._channel, discord.Thread):
                raise
            await self._channel.edit(archived=False)
            await self._message(message).edit(
                view=layout_view(page), attachments=files_of(page), allowed_mentions=NOBODY
            )

    async def drop(self, message: str) -> None:
        """Delete a message of the bot, if it is there."""
        with translate_errors():
            try:
                await self._message(message).delete()
            except discord.NotFound:
                return

    async def further(self, message: str) -> Sequence[str]:
        """The bot's messages right behind, that carry the same mark."""
        _, id_ = split_message_id(message)
        with translate_errors():
            try:
                first = await self._channel.fetch_message(int(id_))
            except discord.NotFound:
                return ()
            first_mark = mark_of(first)
            if not first_mark:
                return ()
            behind = [
                other
                async for other in self._channel.history(after=discord.Object(int(id_)), limit=_FURTHER)
                if other.author == first.author and same_mark(mark_of(other), first_mark)
            ]
        return tuple(message_id(self._where, other.id) for other in sorted(behind, key=lambda other: other.id))

    async def found(self, mark: int) -> str:
        """Looks through the newest messages once."""
        with translate_errors():
            marked = {mark_of(message): message.id async for message in self._channel.history(limit=_FURTHER * 2)}
        return message_id(self._where, marked[mark]) if mark in marked else ""

    def _message(self, message: str) -> discord.PartialMessage:
        where, id_ = split_message_id(message)
        if where == self._where:
            return self._channel.get_partial_message(int(id_))
        return discord.PartialMessageable(state=self._channel._state, id=int(where)).get_partial_message(int(id_))


class CommandDestination:
    """The answer to a command, press or form, while its token lives.

    ``waiting`` says that Discord shows "thinking" in place of the first message; ``private`` that only whoever
    gave the command sees it; ``anchored`` that what all may see is answered here too and not in a thread.
    """

    def __init__(
        self,
        interaction: discord.Interaction[discord.Client],
        *,
        private: bool,
        waiting: bool,
        anchored: bool,
        at: datetime,
    ) -> None:
        self._interaction = interaction
        self._waiting = waiting
        self._at = at
        self._over = False
        self.private = private
        self.anchored = anchored

    def lives(self, now: datetime) -> bool:
        """Whether Discord still takes answers."""
        return not self._over and now - self._at < _TOKEN_LIVES

    async def put(self, page: Page, *, nonce: str) -> str:
        """Answer, or go on answering. Raises ``PlatformFailure``."""
        with translate_errors():
            try:
                return self._id(await self._answer(page))
            except discord.HTTPException as failure:
                self._over = failure.code in EXPIRED  # sooner than our clock says; the next try goes elsewhere
                raise

    async def _answer(self, page: Page) -> discord.Message:
        if not self._waiting:
            return await self._interaction.followup.send(
                view=layout_view(page), files=files_of(page), ephemeral=self.private, allowed_mentions=NOBODY, wait=True
            )
        answer = await self._interaction.edit_original_response(
            view=layout_view(page), attachments=files_of(page), allowed_mentions=NOBODY
        )
        self._waiting = False
        return answer

    async def change(self, message: str, page: Page) -> bool:
        """Edit what was answered. Raises ``PlatformFailure``."""
        with translate_errors():
            try:
                await self._interaction.followup.edit_message(
                    _own(message), view=layout_view(page), attachments=files_of(page), allowed_mentions=NOBODY
                )
            except discord.HTTPException as failure:
                if failure.code not in (UNKNOWN_MESSAGE, *EXPIRED):
                    raise
                return False
        return True

    async def drop(self, message: str) -> None:
        """Take an answer back, if it is there."""
        with translate_errors():
            try:
                await self._interaction.followup.delete_message(_own(message))
            except discord.NotFound:
                return

    async def further(self, message: str) -> Sequence[str]:
        """Answers to commands are not looked for: they are told once, by this process."""
        return ()

    async def found(self, mark: int) -> str:
        """They are not looked for."""
        return ""

    def in_place(self) -> None:
        """The message whose button was pressed is the one to change."""
        self._waiting = True

    async def become_private(self) -> None:
        """What was to be seen by all is to be seen by one: the public "thinking" goes."""
        if self._waiting and not self.private:
            self._waiting = False
            with translate_errors():
                await self._interaction.delete_original_response()
        self.private = True

    def _id(self, message: discord.Message) -> str:
        return f"{_PRIVATE}{message.id}" if self.private else message_id(message.channel.id, message.id)


_PRIVATE = "private-"


def is_private_id(message: str) -> bool:
    """Whether this is a message that one person alone saw."""
    return message.startswith(_PRIVATE)


def files_of(page: Page) -> list[discord.File]:
    """The page's files, to be sent once."""
    return [
        discord.File(io.BytesIO(file.data), filename=upload_name(file.name), description=file.alt[:1024] or None)
        for file in page.files
    ]


def mark_of(message: discord.Message) -> int:
    """The number that the first text of a page carries, or 0."""
    components = list(message.components)
    while components:
        first = components.pop(0)
        if isinstance(first, discord.TextDisplay):
            return first.id or 0
        components = [*getattr(first, "children", ()), *components]
    return 0


def _own(message: str) -> int:
    return int(message.rpartition("-")[2])
