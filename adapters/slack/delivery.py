"""Brings a reply into a Slack thread once, whatever happens meanwhile: posts, replaces, continues, uploads.

Every message carries its job's key in its metadata. Where this process cannot know whether a message was posted
(it was started anew, or no answer came), it looks at that thread once and goes on with what it finds there.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from adapters.common.conversations import Recent
from adapters.common.progress import NEW_ANSWER_PREFIXES, reply_key
from adapters.slack import render
from adapters.slack.events import is_timestamp
from adapters.slack.installations import Installations
from adapters.slack.payload import part_of, parts_of, text_of
from adapters.slack.render import Message
from adapters.slack.web_api import SlackRefused, SlackUnsure, WebApi
from core.domain.errors import PlatformFailure
from core.domain.model import Thread
from core.domain.reply import Attachment, Reply

METADATA = "footnote_reply"
_MOST_KEYS = 20_000
_LATEST = 50
_NEVER = "~"  # behind every timestamp
_GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed", "thread_not_found"})
_TOO_MUCH = frozenset({"msg_too_long", "msg_blocks_too_long", "invalid_blocks", "invalid_blocks_format"})
ONE_READER_SUFFIX = "-alone"
"""Ends the key of what was pressed under a message that one person alone sees: the reply is for that person too."""
HIDDEN_THREAD_PREFIX = "apart-"
"""Begins the id of a thread that is nowhere to be seen."""
_BY_ONE = ("command:", "press:", "form:", "ask:")


@dataclass(slots=True)
class PostedParts:
    """What of a job is in the thread: message ids by part, names of uploaded files."""

    parts: dict[int, str] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)


class Delivery:
    """Sends replies; ``began`` tells it which jobs began here, so that their thread need not be looked at."""

    def __init__(self, calls: WebApi, installations: Installations) -> None:
        self._calls = calls
        self._installations = installations
        self._shown: Recent[PostedParts] = Recent(most=_MOST_KEYS)

    def began(self, key: str) -> None:
        """A job was accepted by this process: nothing of it can be in the thread yet."""
        self._shown.remember(key, self._shown.get(key, PostedParts()))

    def posted(self, key: str, id_: str) -> None:
        """The first message of a job was posted by somebody else here (a stream)."""
        self._shown.setdefault(reply_key(key), PostedParts()).parts[0] = id_

    def unsure(self, key: str) -> None:
        """A message may or may not have been posted: the next try looks at the thread."""
        self._shown.pop(reply_key(key), None)

    async def found(self, thread: Thread, key: str) -> PostedParts:
        """What is in the thread of a job: from memory, or from one look at the thread."""
        key = reply_key(key)
        if key not in self._shown:
            self._shown[key] = await self._look(thread, key)
        return self._shown[key]

    async def send(self, thread: Thread, reply: Reply, *, key: str) -> str:
        """Show the reply; returns the id of its first message. Raises ``PlatformFailure``."""
        if reply.audience == "asker" or is_private(thread, key):
            return await self._whisper(thread, reply)
        key = reply_key(key)
        shown = await self.found(thread, key)
        if reply.replaces:
            shown.parts.setdefault(0, reply.replaces)
        try:
            await self._all_parts(thread, render.messages(reply, thread=thread.id), key, shown)
        except SlackRefused as refusal:
            if refusal.code not in _TOO_MUCH:
                raise
            await self._all_parts(thread, _as_text(reply), key, shown)
        for file in reply.files:
            if file.name not in shown.files:
                try:
                    await self._upload(thread.channel.id, root_of(thread) or shown.parts[0], file, thread)
                except SlackUnsure:
                    self.unsure(key)  # it may be there: the next try looks before it sends it again
                    raise
                shown.files.add(file.name)
        return shown.parts[0]

    async def put(self, thread: Thread, message: Message, *, key: str) -> str:
        """Post the first message of a job (a sign of life), or go on with the one that is there."""
        key = reply_key(key)
        shown = await self.found(thread, key)
        if 0 in shown.parts:
            return await self.edit(thread, shown.parts[0], message, key=key)
        shown.parts[0] = await self._post(thread, message, key, 0, root_of(thread))
        return shown.parts[0]

    async def edit(self, thread: Thread, id_: str, message: Message, *, key: str, part: int = 0) -> str:
        """Show ``message`` in the place of message ``id_``, ending its stream where one was left open."""
        try:
            await self._update(thread, id_, message, key, part)
        except SlackRefused as refusal:
            if "stream" not in refusal.code:
                raise
            await self.end_stream(thread, id_)
            await self._update(thread, id_, message, key, part)
        return id_

    async def end_stream(self, thread: Thread, id_: str) -> None:
        """Close a stream; one that is closed already stays so. Raises ``PlatformFailure`` where Slack cannot say."""
        with suppress(SlackRefused):
            await self._calls(thread.channel.workspace, "chat.stopStream", channel=thread.channel.id, ts=id_)

    async def _update(self, thread: Thread, id_: str, message: Message, key: str, part: int) -> None:
        await self._calls(
            thread.channel.workspace,
            "chat.update",
            channel=thread.channel.id,
            ts=id_,
            text=message.text,
            blocks=list(message.blocks),
            metadata=metadata(key, part),
        )

    async def _all_parts(self, thread: Thread, parts: Sequence[Message], key: str, shown: PostedParts) -> None:
        for number, message in enumerate(parts):
            if number in shown.parts and await self._replace(thread, shown.parts[number], message, key, number):
                continue
            under = root_of(thread) or shown.parts.get(0, "")
            shown.parts[number] = await self._post(thread, message, key, number, under)
        surplus = [number for number in shown.parts if number >= len(parts)]
        for number in surplus:
            await self._delete(thread, shown.parts.pop(number))

    async def _replace(self, thread: Thread, id_: str, message: Message, key: str, part: int) -> bool:
        """Show ``message`` in the place of message ``id_``; False where that is gone."""
        try:
            await self.edit(thread, id_, message, key=key, part=part)
        except SlackRefused as refusal:
            if refusal.code not in _GONE:
                raise
            return False
        return True

    async def _post(self, thread: Thread, message: Message, key: str, part: int, under: str) -> str:
        try:
            answer = await self._calls(
                thread.channel.workspace,
                "chat.postMessage",
                channel=thread.channel.id,
                thread_ts=under,
                text=message.text,
                blocks=list(message.blocks),
                mrkdwn=False,
                parse="none",
                unfurl_links=False,
                unfurl_media=False,
                metadata=metadata(key, part),
            )
        except SlackUnsure:
            self.unsure(key)
            raise
        return text_of(answer, "ts")

    async def _delete(self, thread: Thread, id_: str) -> None:
        try:
            await self._calls(thread.channel.workspace, "chat.delete", channel=thread.channel.id, ts=id_)
        except SlackRefused as refusal:
            if refusal.code not in _GONE:
                raise

    async def _whisper(self, thread: Thread, reply: Reply) -> str:
        """Show the reply to its reader alone; files go to the direct conversation, which nobody else sees."""
        workspace = thread.channel.workspace
        id_ = ""
        for message in render.messages(reply, thread=thread.id):
            answer = await self._calls(
                workspace,
                "chat.postEphemeral",
                channel=thread.channel.id,
                user=reply.reader,
                thread_ts=root_of(thread),
                text=message.text,
                blocks=list(message.blocks),
            )
            id_ = id_ or text_of(answer, "message_ts")
        if reply.files:
            opened = await self._calls(workspace, "conversations.open", users=reply.reader)
            direct = text_of(part_of(opened, "channel"), "id")
            for file in reply.files:
                await self._upload(direct, "", file, thread)
        return id_ or "whispered"

    async def _upload(self, channel: str, under: str, file: Attachment, thread: Thread) -> None:
        """Slack's three steps: an address, the bytes, the place; nothing is shown before the last."""
        from aiohttp import ClientError, ClientSession, ClientTimeout

        workspace = thread.channel.workspace
        upload = await self._calls(
            workspace,
            "files.getUploadURLExternal",
            filename=file.name,
            length=len(file.data),
            alt_txt=file.alt,
        )
        try:
            async with (
                ClientSession(timeout=ClientTimeout(total=60)) as session,
                session.post(text_of(upload, "upload_url"), data=file.data) as answer,
            ):
                if answer.status >= 300:
                    raise PlatformFailure("Slack did not take the file just now.")
        except (ClientError, TimeoutError, OSError) as error:
            raise SlackUnsure("Slack did not take the file just now.") from error
        await self._calls(
            workspace,
            "files.completeUploadExternal",
            files=[{"id": text_of(upload, "file_id"), "title": file.alt or file.name}],
            channel_id=channel,
            thread_ts=under,
        )

    async def _look(self, thread: Thread, key: str) -> PostedParts:
        """What a thread (or, for its beginnings, the channel) holds of a job."""
        shown = PostedParts()
        where = {"channel": thread.channel.id, "include_all_metadata": "true"}
        workspace = thread.channel.workspace
        try:
            if root_of(thread):
                replies = self._calls.pages(workspace, "conversations.replies", "messages", ts=thread.id, **where)
                listed = [message async for message in replies]
            else:
                answer = await self._calls(workspace, "conversations.history", limit=_LATEST, **where)
                listed = list(parts_of(answer, "messages"))
        except SlackRefused as refusal:
            if refusal.code != "thread_not_found":
                raise
            return shown
        installation = await self._installations.of(workspace)
        return _shown_in(listed, key, bot=installation.bot_user if installation is not None else "")


def is_private(thread: Thread, key: str) -> bool:
    """Whether a job's reply is for who gave it alone: by a slash command outside any thread, or under such a reply."""
    if thread.id.startswith(HIDDEN_THREAD_PREFIX):
        return key.endswith(ONE_READER_SUFFIX) or key.startswith(("form:", "command:"))
    return (not thread.id and key.startswith(_BY_ONE)) or key.endswith(ONE_READER_SUFFIX)


def root_of(thread: Thread) -> str:
    """The message that replies hang under, or empty where they begin a thread of their own."""
    return thread.id if is_timestamp(thread.id) else ""


def metadata(key: str, part: int = 0) -> Mapping[str, object]:
    """What ties a message to its job."""
    return {"event_type": METADATA, "event_payload": {"key": key, "part": part}}


def _shown_in(messages: Sequence[Mapping[str, object]], key: str, *, bot: str) -> PostedParts:
    """What of the bot's messages belongs to a job.

    A stream gets its metadata only when it ends. Work in one thread never runs side by side, so a message of the
    bot that has neither metadata nor files is the stream of a job that was killed, and this job may go on with it.
    """
    shown = PostedParts()
    orphan = ""
    streams_after = key.rsplit("/", 1)[-1] if key.startswith(NEW_ANSWER_PREFIXES) else _NEVER
    for message in sorted(messages, key=lambda message: text_of(message, "ts")):
        ts, owner = text_of(message, "ts"), _key_of(message)
        if owner is not None:
            if owner[0] == key:
                shown.parts.setdefault(owner[1], ts)
            continue
        if not bot or text_of(message, "user") != bot:
            continue
        files = {text_of(file, "name") for file in parts_of(message, "files")}
        if files and 0 in shown.parts:
            shown.files |= files
        if not files and ts > streams_after:
            orphan = ts
    if orphan:
        shown.parts.setdefault(0, orphan)
    return shown


def _key_of(message: Mapping[str, object]) -> tuple[str, int] | None:
    tag = part_of(message, "metadata")
    if text_of(tag, "event_type") != METADATA:
        return None
    payload = part_of(tag, "event_payload")
    part = payload.get("part")
    return text_of(payload, "key"), part if isinstance(part, int) else 0


def _as_text(reply: Reply) -> Sequence[Message]:
    """The reply without blocks but for plain paragraphs, for what Slack would not take as it was."""
    words = render.plain_words(reply.body)
    pieces = [words[start : start + 2_500] for start in range(0, len(words), 2_500)] or ["Footnote has answered."]
    return [render.working_message([piece]) for piece in pieces]
