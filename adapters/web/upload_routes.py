"""The page's requests that bring files: papers dropped or picked, the samples, bibliographies; and taking away."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from aiohttp import web

from adapters.web.conversations import Conversations
from adapters.web.messages import (
    READER,
    DroppedFile,
    Message,
    PageChannel,
    event_of,
    file_name,
    pdf_shared,
    thread_of,
    with_changed_file,
    with_files,
)
from adapters.web.requests import answer, channel_of, check_id, hand_over, message_of, read_body
from core.domain.errors import NotInScope, PaperRejected, TooLarge
from core.domain.events import FileRemoved
from core.domain.platforms import Backend

_CHUNK = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePaper:
    """A short paper that the page offers on a first visit, with questions that it answers."""

    name: str
    title: str
    about: str
    questions: tuple[str, ...]
    pdf: bytes


class UploadRoutes:
    """Handlers; each answers with JSON."""

    def __init__(
        self,
        conversations: Conversations,
        backend: Backend,
        *,
        samples: Callable[[], Sequence[SamplePaper]],
        now: Callable[[], datetime],
    ) -> None:
        self._all = conversations
        self._backend = backend
        self._samples = samples
        self._now = now

    def routes(self) -> Sequence[web.RouteDef]:
        """Where each is asked."""
        return (
            web.put("/api/channels/{channel}/files", self.drop),
            web.put("/api/channels/{channel}/bibliographies", self.take_in),
            web.post("/api/channels/{channel}/samples", self.samples),
            web.post("/api/messages/{message}/remove", self.remove),
        )

    async def drop(self, request: web.Request) -> web.Response:
        """A file as the body: ``message``, ``file`` and ``name`` in the address."""
        channel = await channel_of(request, self._all)
        message, file = check_id(request.query.get("message", "")), request.query.get("file", "")
        self._all.uploads.path(file)
        await self._check_place(message, channel)
        name = file_name(request.query.get("name", ""))
        try:
            size = await self._all.uploads.take(file, _chunks(request), announced=request.content_length)
        except PaperRejected as refusal:
            dropped = DroppedFile(
                id=file, name=name, size=request.content_length or 0, state="refused", words=refusal.words
            )
            await self.shared(channel, message, [dropped])
            return web.json_response({"words": refusal.words}, status=413 if isinstance(refusal, TooLarge) else 415)
        await self.shared(channel, message, [DroppedFile(id=file, name=name, size=size)])
        return answer({"file": file})

    async def take_in(self, request: web.Request) -> web.Response:
        """A bibliography as the body, to fill metadata from: ``message``, ``file`` and ``name`` in the address."""
        channel = await channel_of(request, self._all)
        id_, file = check_id(request.query.get("message", "")), request.query.get("file", "")
        name = file_name(request.query.get("name", ""))
        size = await self._all.uploads.take_bibliography(file, _chunks(request))
        first = Message(id=id_, channel=channel.id, thread=id_, by="reader", at=self._now(), text=name, words="/import")
        message = with_files(first, (DroppedFile(id=file, name=name, size=size),))
        event = event_of(message, channel, self._all.workspace, visible=await self._all.visible())
        await hand_over(message, event, self._all, self._backend, self._now())
        return answer({"file": file})

    async def samples(self, request: web.Request) -> web.Response:
        """The sample papers, as if they had been dropped: ``id``."""
        body = await read_body(request)
        channel = await channel_of(request, self._all)
        id_ = body.id()
        files = []
        for number, sample in enumerate(self._samples()):
            file = f"{id_}-{number}"
            size = await self._all.uploads.put(file, sample.pdf)
            files.append(DroppedFile(id=file, name=sample.name, size=size))
        await self.shared(channel, id_, files, text="Three sample papers")
        return answer({"message": id_})

    async def shared(self, channel: PageChannel, id_: str, files: Sequence[DroppedFile], *, text: str = "") -> None:
        """Add files to the message they were dropped with, and have those read that wait for it."""
        first = Message(id=id_, channel=channel.id, thread=id_, by="reader", at=self._now(), text=text)
        await self._all.notebook.add(first)
        known = frozenset(entry.id for entry in files)

        def longer(before: Message) -> Message:
            return with_files(before, (*(entry for entry in before.files if entry.id not in known), *files))

        message = await self._all.notebook.change(id_, longer)
        assert message is not None
        for file in files:
            if file.state == "waiting":
                await self._backend.accept(pdf_shared(message, file, channel, self._all.workspace))

    async def remove(self, request: web.Request) -> web.Response:
        """Take a dropped file away: ``file``."""
        body = await read_body(request)
        message, channel = await message_of(request, self._all)
        file = body.text("file")
        if file not in {entry.id for entry in message.files}:
            raise NotInScope("That file is not in this message.")
        event = FileRemoved(
            thread=thread_of(message, channel, self._all.workspace),
            user=READER,
            at=self._now(),
            message=message.id,
            file_id=file,
        )
        await self._backend.accept(event)
        await self._all.notebook.change(message.id, lambda before: with_changed_file(before, file, state="removed"))
        return answer({})

    async def _check_place(self, message: str, channel: PageChannel) -> None:
        known = await self._all.notebook.message(message)
        if known is not None and (known.channel != channel.id or known.by != "reader"):
            raise NotInScope("That message is not in this channel.")


async def _chunks(request: web.Request) -> AsyncIterator[bytes]:
    async for chunk in request.content.iter_chunked(_CHUNK):
        yield chunk
