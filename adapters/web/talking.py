"""The page's requests that say something: a message, a file, a press of a button, a form, a new channel."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from aiohttp import web

from adapters.web.asked import NotUnderstood, asked, proper_id
from adapters.web.messages import Dropped, Message, Place, reply_id, with_files
from adapters.web.platform import Conversations
from adapters.web.saying import MOST_CHARACTERS, READER, channel_id, event_of, file_name, shared, thread_of
from adapters.web.view import message as view
from core.domain.codec import plain, to_json
from core.domain.errors import FootnoteError, NotInScope, PaperRejected, TooLarge
from core.domain.events import ButtonPressed, CommandGiven, Event, FileRemoved, FormSent, QuestionEdited
from core.domain.model import Scope, Thread
from core.domain.platforms import Desk
from core.domain.reply import Form

_CHUNK = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePaper:
    """A short paper that the page offers on a first visit, with questions that it answers."""

    name: str
    title: str
    about: str
    questions: tuple[str, ...]
    pdf: bytes


class Talking:
    """Handlers; each answers with JSON."""

    def __init__(
        self,
        conversations: Conversations,
        desk: Desk,
        *,
        samples: Callable[[], Sequence[SamplePaper]],
        now: Callable[[], datetime],
    ) -> None:
        self._all = conversations
        self._desk = desk
        self._samples = samples
        self._now = now

    def routes(self) -> Sequence[web.RouteDef]:
        """Where each is asked."""
        return (
            web.post("/api/channels", self.add_channel),
            web.post("/api/channels/{channel}/messages", self.say),
            web.put("/api/channels/{channel}/files", self.drop),
            web.post("/api/channels/{channel}/samples", self.samples),
            web.post("/api/channels/{channel}/forms", self.form),
            web.post("/api/messages/{message}/edit", self.edit),
            web.post("/api/messages/{message}/press", self.press),
            web.post("/api/messages/{message}/stop", self.stop),
            web.post("/api/messages/{message}/remove", self.remove),
        )

    async def add_channel(self, request: web.Request) -> web.Response:
        """A new channel: ``name``, ``private``."""
        given = await asked(request)
        name = " ".join(given.text("name", most=60).split()).lstrip("#")
        if not name:
            raise NotUnderstood("Please give the channel a name.")
        taken = [one.id for one in await self._all.notebook.places()]
        place = Place(
            id=channel_id(name, taken), name=name, visibility="restricted" if given.flag("private") else "open"
        )
        await self._all.notebook.add_place(place)
        return answer(place)

    async def say(self, request: web.Request) -> web.Response:
        """A question or command: ``id``, ``text``, and where wanted ``thread``, ``words``, ``papers``."""
        given = await asked(request)
        place = await self._place(request)
        id_ = given.id()
        message = Message(
            id=id_,
            channel=place.id,
            thread=given.text("thread") or id_,
            by="reader",
            at=self._now(),
            text=given.text("text", most=MOST_CHARACTERS).strip(),
            words=given.text("words", most=MOST_CHARACTERS).strip(),
            asked=frozenset(given.texts("papers")),
        )
        if not message.text:
            raise NotUnderstood("There is nothing written yet.")
        await self._check_thread(message)
        event = event_of(message, place, self._all.workspace, visible=await self._all.visible())
        if isinstance(event, CommandGiven):
            form = await self._form(event.name, event.words, event.thread)
            if form is not None:
                return answer_form(form)
        await self._all.notebook.add(message)
        await self.accept(message, event)
        return answer(view(message))

    async def accept(self, message: Message, event: Event) -> None:
        """Show that a reply is coming, and hand the event over; what the desk says instead is the reply."""
        coming = Message(
            id=reply_id(event.key),
            channel=message.channel,
            thread=message.thread,
            by="footnote",
            at=self._now(),
            state="working",
            key=event.key,
        )
        await self._all.notebook.add(coming)
        try:
            await self._desk.accept(event)
        except FootnoteError as failure:
            await self._all.notebook.put(replace(coming, state="failed", text=failure.words))
            raise

    async def edit(self, request: web.Request) -> web.Response:
        """Another wording of a question: ``text``, ``id`` of the edit."""
        given = await asked(request)
        before, place = await self._message(request)
        text = given.text("text", most=MOST_CHARACTERS).strip()
        if before.by != "reader" or before.files or not text:
            raise NotUnderstood("Only a question that you asked can be worded anew.")
        now = replace(before, text=text, words="")
        event = event_of(now, place, self._all.workspace, visible=await self._all.visible())
        if isinstance(event, CommandGiven):
            raise NotUnderstood("A command is given anew instead of changed.")
        again = QuestionEdited(
            thread=event.thread,
            user=READER,
            at=self._now(),
            message=now.id,
            text=text,
            visible=await self._all.visible(),
            papers=now.asked,
            revision=given.id(),
        )
        await self._all.notebook.put(now)
        await self._all.notebook.change(
            reply_id(again.first_key),
            lambda reply: replace(reply, state="working", reply=None, sentences=(), citations=(), text=""),
        )
        await self._desk.accept(again)
        return answer(view(now))

    async def drop(self, request: web.Request) -> web.Response:
        """A file as the body: ``message``, ``file`` and ``name`` in the address."""
        place = await self._place(request)
        message, file = proper_id(request.query.get("message", "")), request.query.get("file", "")
        self._all.uploads.path(file)
        await self._check_place(message, place)
        name = file_name(request.query.get("name", ""))
        try:
            size = await self._all.uploads.take(file, _chunks(request), announced=request.content_length)
        except PaperRejected as refusal:
            dropped = Dropped(
                id=file, name=name, size=request.content_length or 0, state="refused", words=refusal.words
            )
            await self.shared(place, message, [dropped])
            return web.json_response({"words": refusal.words}, status=413 if isinstance(refusal, TooLarge) else 415)
        await self.shared(place, message, [Dropped(id=file, name=name, size=size)])
        return answer({"file": file})

    async def samples(self, request: web.Request) -> web.Response:
        """The sample papers, as if they had been dropped: ``id``."""
        given = await asked(request)
        place = await self._place(request)
        id_ = given.id()
        files = []
        for number, sample in enumerate(self._samples()):
            file = f"{id_}-{number}"
            size = await self._all.uploads.put(file, sample.pdf)
            files.append(Dropped(id=file, name=sample.name, size=size))
        await self.shared(place, id_, files, text="Three sample papers")
        return answer({"message": id_})

    async def shared(self, place: Place, id_: str, files: Sequence[Dropped], *, text: str = "") -> None:
        """Add files to the message they were dropped with, and have those read that wait for it."""
        first = Message(id=id_, channel=place.id, thread=id_, by="reader", at=self._now(), text=text)
        await self._all.notebook.add(first)
        known = frozenset(one.id for one in files)

        def longer(before: Message) -> Message:
            return with_files(before, (*(one for one in before.files if one.id not in known), *files))

        message = await self._all.notebook.change(id_, longer)
        assert message is not None
        for file in files:
            if file.state == "waiting":
                await self._desk.accept(shared(message, file, place, self._all.workspace))

    async def remove(self, request: web.Request) -> web.Response:
        """Take a dropped file away: ``file``."""
        given = await asked(request)
        message, place = await self._message(request)
        file = given.text("file")
        if file not in {one.id for one in message.files}:
            raise NotInScope("That file is not in this message.")
        event = FileRemoved(
            thread=thread_of(message, place, self._all.workspace),
            user=READER,
            at=self._now(),
            message=message.id,
            file_id=file,
        )
        await self._desk.accept(event)
        await self._all.notebook.change(message.id, lambda before: _without(before, file))
        return answer({})

    async def press(self, request: web.Request) -> web.Response:
        """A button: ``id`` of the press, ``action``, ``value``; answers with a form where it opens one."""
        given = await asked(request)
        message, place = await self._message(request)
        thread = thread_of(message, place, self._all.workspace)
        action, value = given.text("action"), given.text("value")
        form = await self._form(action, value, thread)
        if form is not None:
            return answer_form(form)
        event = ButtonPressed(
            thread=thread,
            user=READER,
            at=self._now(),
            message=message.id,
            action=action,
            value=value,
            press=given.id(),
            visible=await self._all.visible(),
        )
        await self._desk.accept(event)
        return answer({"key": event.key})

    async def form(self, request: web.Request) -> web.Response:
        """A form filled in: ``id``, ``form``, ``value``, ``fields``, and the ``thread`` it was opened in."""
        given = await asked(request)
        place = await self._place(request)
        id_ = given.id()
        thread = Thread(channel=place.in_workspace(self._all.workspace), id=given.text("thread") or id_)
        event = FormSent(
            thread=thread,
            user=READER,
            at=self._now(),
            message=thread.id,
            form=given.text("form"),
            value=given.text("value"),
            press=id_,
            fields=given.fields("fields"),
            visible=await self._all.visible(),
        )
        await self._desk.accept(event)
        return answer({"key": event.key})

    async def stop(self, request: web.Request) -> web.Response:
        """Stop the answer that is being written in this message's thread."""
        message, place = await self._message(request)
        stopped = await self._desk.stop(thread_of(message, place, self._all.workspace), user=READER)
        return answer({"stopped": stopped})

    async def _form(self, action: str, value: str, thread: Thread) -> Form | None:
        scope = Scope(workspace=self._all.workspace, channels=await self._all.visible() | {thread.channel.id})
        return await self._desk.form(action, value, thread=thread, scope=scope, user=READER)

    async def _check_thread(self, message: Message) -> None:
        if message.thread == message.id:
            return
        first = await self._all.notebook.message(message.thread)
        if first is None or first.channel != message.channel:
            raise NotInScope("That conversation is not in this channel.")

    async def _check_place(self, message: str, place: Place) -> None:
        known = await self._all.notebook.message(message)
        if known is not None and (known.channel != place.id or known.by != "reader"):
            raise NotInScope("That message is not in this channel.")

    async def _place(self, request: web.Request) -> Place:
        place = await self._all.place(request.match_info["channel"])
        if place is None:
            raise NotInScope("There is no such channel here.")
        return place

    async def _message(self, request: web.Request) -> tuple[Message, Place]:
        message = await self._all.notebook.message(request.match_info["message"])
        place = await self._all.place(message.channel) if message is not None else None
        if message is None or place is None:
            raise NotInScope("That message is no longer here.")
        return message, place


def answer(value: object) -> web.Response:
    """A value as JSON."""
    return web.Response(text=to_json(value), content_type="application/json")


def answer_form(form: Form) -> web.Response:
    """A form that is to be filled in first."""
    return answer({"form": plain(form)})


async def _chunks(request: web.Request) -> AsyncIterator[bytes]:
    async for chunk in request.content.iter_chunked(_CHUNK):
        yield chunk


def _without(message: Message, file: str) -> Message:
    return with_files(message, tuple(replace(one, state="removed") if one.id == file else one for one in message.files))
