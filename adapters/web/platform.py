"""The local page as a ``ChatPlatform``: replies go into the notebook, from where every open browser takes them.

Nothing is pushed at a browser that might be gone: what was shown is kept first, so that a dropped connection, a
reload or a restart continues where it was.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from adapters.common.single_user import SingleUser
from adapters.web.conversations import Conversations, Step
from adapters.web.messages import READER, FileState, Message, PageChannel, reply_id, with_changed_file, with_files
from core.domain.errors import FootnoteError
from core.domain.model import Channel, Citation, Sentence, SharedFile, Thread, Workspace
from core.domain.platforms import Backend, Posted
from core.domain.progress import Progress
from core.domain.reply import Reply

NAME = "local"
_PDF, _COMMAND = "pdf:", "command:"


Served: TypeAlias = AbstractAsyncContextManager[str]
"""The page on its port while open; gives its address."""


class WebPlatform(SingleUser):
    """A ``ChatPlatform`` over ``conversations``; ``served`` puts the page on its port while it is open."""

    def __init__(
        self,
        conversations: Conversations,
        *,
        served: Callable[[Backend], Served],
        now: Callable[[], datetime],
    ) -> None:
        self._all = conversations
        self._served = served
        self._now = now
        self._address = ""

    @property
    def name(self) -> str:
        """The first half of every workspace key."""
        return NAME

    @asynccontextmanager
    async def listening(self, backend: Backend) -> AsyncIterator[None]:
        """The page answers while open."""
        async with self._all.notebook, self._served(backend) as address:
            self._address = address
            yield

    async def download(self, file: SharedFile, to: Path, *, limit: int) -> None:
        """Copy a dropped file. Raises ``TooLarge``, ``PaperRejected`` where it is gone, ``PlatformFailure``."""
        await self._all.uploads.copy(file.locator, to, limit=limit)

    async def send(self, thread: Thread, reply: Reply, *, key: str) -> str:
        """Keep the reply under the id that its job has, and let the dropped file go that it was about."""
        id_ = reply.replaces or reply_id(key)
        stored = replace(reply, files=tuple(replace(attachment, data=b"") for attachment in reply.files), replaces="")
        before = await self._all.notebook.message(id_)
        message = Message(
            id=id_,
            channel=thread.channel.id,
            thread=thread.id or id_,
            by="footnote",
            at=before.at if before is not None else self._now(),
            state="failed" if reply.kind == "error" else "done",
            key=key,
            reply=stored,
        )
        self._all.steps.end(key)
        if key.startswith(_PDF):
            await self._read(thread.id, key.rsplit("/", 1)[1], reply)
        elif key.startswith(_COMMAND):
            await self._done_with(key.split("/")[-2:][0])
        await self._all.notebook.put(message, reply.files)
        return id_

    async def react(self, thread: Thread, message: str, sign: str) -> None:
        """The page shows what is being done instead of signs."""

    def progress(self, thread: Thread, *, key: str, reply_id: str, posted: Posted) -> Progress:
        """Signs of life of one job."""
        return _ReplyProgress(self._all, thread, key, reply_id, posted, self._now)

    async def visible_channels(self, workspace: Workspace, user: str) -> frozenset[str]:
        """The page's open channels."""
        return await self._all.visible()

    async def channel(self, workspace: Workspace, channel_id: str) -> Channel:
        """A channel as it is now; one that the page does not know stays closed to all others."""
        channel = await self._all.place(channel_id)
        return (channel or PageChannel(id=channel_id, name=channel_id, visibility="restricted")).in_workspace(workspace)

    async def link(self, thread: Thread, message: str = "") -> str:
        """The address of a thread on the page."""
        if not self._address:
            return ""
        url = f"{self._address}/#{thread.channel.id}"
        return f"{url}/{message or thread.id}" if message or thread.id else url

    async def name_of(self, workspace: Workspace, user: str) -> str:
        """The one person here."""
        return "you" if user == READER else user

    async def _done_with(self, message: str) -> None:
        """The files that came with a command were for that command alone."""

        def mark_read(before: Message) -> Message:
            return with_files(before, tuple(replace(file, state="read") for file in before.files))

        command = await self._all.notebook.message(message)
        if command is not None and command.files:
            await self._all.notebook.change(message, mark_read)
            for file in command.files:
                await self._all.uploads.drop(file.id)

    async def _read(self, message: str, file: str, reply: Reply) -> None:
        """The file's line says what became of it; its bytes are in the library, or of no use."""
        (paper,) = reply.papers if len(reply.papers) == 1 else ("",)
        # Only a paper that was read anew comes with questions to start with.
        state: FileState = "refused" if not paper else "read" if reply.buttons else "known"

        def mark_read(before: Message) -> Message:
            return with_changed_file(before, file, state=state, paper=paper)

        await self._all.notebook.change(message, mark_read)
        await self._all.uploads.drop(file)


class _ReplyProgress:
    """``Progress`` of one job. What an earlier try streamed is dropped with this one's first sign."""

    def __init__(
        self,
        conversations: Conversations,
        thread: Thread,
        key: str,
        reply_message: str,
        posted: Posted,
        now: Callable[[], datetime],
    ) -> None:
        self._all = conversations
        self._thread = thread
        self._key = key
        self._file = key.rsplit("/", 1)[1] if key.startswith(_PDF) else ""
        self._message = thread.id if self._file else reply_message or reply_id(key)
        self._posted = posted
        self._now = now
        self._begun = False

    async def step(self, name: str, done: int, total: int) -> None:
        """Say how far the job is."""
        if not self._file and self._thread.id:
            await self._begin()
        step = Step(message=self._message, file=self._file, name=name, done=done, total=total)
        self._all.steps.tell(self._key, step)

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """Add a sentence to the message, which counts as posted before its first one."""
        await self._begin()

        def longer(before: Message) -> Message:
            return replace(before, sentences=(*before.sentences, sentence), citations=(*before.citations, *citations))

        try:
            await self._all.notebook.change(self._message, longer)
        except FootnoteError:
            return  # the reply itself will say it

    async def _begin(self) -> None:
        if self._begun:
            return
        self._begun = True
        empty = Message(
            id=self._message,
            channel=self._thread.channel.id,
            thread=self._thread.id or self._message,
            by="footnote",
            at=self._now(),
            state="working",
            key=self._key,
        )
        try:
            await self._posted(self._message)
            before = await self._all.notebook.message(self._message)
            await self._all.notebook.put(replace(empty, at=before.at) if before is not None else empty)
        except FootnoteError:
            return
