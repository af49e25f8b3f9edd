"""The page's requests that say something: a question or command, a press of a button, a form, a new channel."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from aiohttp import web

from adapters.web.conversations import Conversations
from adapters.web.messages import (
    MOST_CHARACTERS,
    READER,
    Message,
    PageChannel,
    channel_id,
    event_of,
    question_edit,
    thread_of,
)
from adapters.web.requests import NotUnderstood, answer, channel_of, hand_over, message_of, read_body
from adapters.web.view import message_view as view
from core.domain.channel_settings import SETTING_SPECS
from core.domain.codec import to_plain
from core.domain.errors import NotInScope
from core.domain.events import ButtonPressed, CommandGiven, FormSent, QuestionAsked, RequestFields
from core.domain.model import Scope, Thread
from core.domain.platforms import Backend
from core.domain.reply import Form


class WriteRoutes:
    """Handlers; each answers with JSON."""

    def __init__(self, conversations: Conversations, backend: Backend, *, now: Callable[[], datetime]) -> None:
        self._all = conversations
        self._backend = backend
        self._now = now

    def routes(self) -> Sequence[web.RouteDef]:
        """Where each is asked."""
        return (
            web.post("/api/channels", self.add_channel),
            web.post("/api/channels/{channel}/messages", self.say),
            web.post("/api/channels/{channel}/forms", self.form),
            web.post("/api/messages/{message}/edit", self.edit),
            web.post("/api/messages/{message}/press", self.press),
            web.post("/api/messages/{message}/stop", self.stop),
        )

    async def add_channel(self, request: web.Request) -> web.Response:
        """A new channel: ``name``, ``private``."""
        body = await read_body(request)
        name = " ".join(body.text("name", most=60).split()).lstrip("#")
        if not name:
            raise NotUnderstood("Please give the channel a name.")
        ids = [channel.id for channel in await self._all.notebook.places()]
        channel = PageChannel(
            id=channel_id(name, ids), name=name, visibility="restricted" if body.flag("private") else "open"
        )
        await self._all.notebook.add_place(channel)
        return answer(channel)

    async def say(self, request: web.Request) -> web.Response:
        """A question or command: ``id``, ``text``, and where wanted ``thread``, ``words``, ``papers``."""
        body = await read_body(request)
        channel = await channel_of(request, self._all)
        id_ = body.id()
        message = Message(
            id=id_,
            channel=channel.id,
            thread=body.text("thread") or id_,
            by="reader",
            at=self._now(),
            text=body.text("text", most=MOST_CHARACTERS).strip(),
            words=body.text("words", most=MOST_CHARACTERS).strip(),
            asked=frozenset(body.texts("papers")),
        )
        if not message.text:
            raise NotUnderstood("There is nothing written yet.")
        await self._check_thread(message)
        event = event_of(message, channel, self._all.workspace, visible=await self._all.visible())
        if isinstance(event, CommandGiven):
            form = await self._form(event.name, event.words, event.thread)
            if form is not None:
                return answer_form(form)
        await hand_over(message, event, self._all, self._backend, self._now())
        return answer(view(message))

    async def edit(self, request: web.Request) -> web.Response:
        """Another wording of a question: ``text``, ``id`` of the edit."""
        body = await read_body(request)
        before, channel = await message_of(request, self._all)
        text = body.text("text", most=MOST_CHARACTERS).strip()
        if before.by != "reader" or before.files or not text:
            raise NotUnderstood("Only a question that you asked can be worded anew.")
        now = replace(before, text=text, words="")
        event = event_of(now, channel, self._all.workspace, visible=await self._all.visible())
        if not isinstance(event, QuestionAsked):
            raise NotUnderstood("A command is given anew instead of changed.")
        await hand_over(now, question_edit(event, revision=body.id()), self._all, self._backend, self._now())
        return answer(view(now))

    async def press(self, request: web.Request) -> web.Response:
        """A button: ``id`` of the press, ``action``, ``value``; answers with a form where it opens one."""
        body = await read_body(request)
        message, channel = await message_of(request, self._all)
        thread = thread_of(message, channel, self._all.workspace)
        action, value = body.text("action"), body.text("value")
        form = await self._form(action, value, thread)
        if form is not None:
            return answer_form(form)
        request_fields = await self._request(thread, message.id)
        event = ButtonPressed(**request_fields, action=action, value=value, press=body.id())
        await self._backend.accept(event)
        return answer({"key": event.key})

    async def form(self, request: web.Request) -> web.Response:
        """A form filled in: ``id``, ``form``, ``value``, ``fields``, and the ``thread`` it was opened in."""
        body = await read_body(request)
        channel = await channel_of(request, self._all)
        id_ = body.id()
        thread = Thread(channel=channel.in_workspace(self._all.workspace), id=body.text("thread") or id_)
        event = FormSent(
            **await self._request(thread, thread.id),
            form=body.text("form"),
            value=body.text("value"),
            press=id_,
            fields=body.fields("fields"),
        )
        await self._backend.accept(event)
        return answer({"key": event.key})

    async def stop(self, request: web.Request) -> web.Response:
        """Stop the answer that is being written in this message's thread."""
        message, channel = await message_of(request, self._all)
        stopped = await self._backend.stop(thread_of(message, channel, self._all.workspace), user=READER)
        return answer({"stopped": stopped})

    async def _form(self, action: str, value: str, thread: Thread) -> Form | None:
        scope = Scope(workspace=self._all.workspace, channels=await self._all.visible() | {thread.channel.id})
        form = await self._backend.form(action, value, thread=thread, scope=scope, user=READER)
        if form is None:
            return None
        return replace(form, fields=tuple(field for field in form.fields if not _is_for_groups(field.name)))

    async def _request(self, thread: Thread, message: str) -> RequestFields:
        visible = await self._all.visible()
        return RequestFields(thread=thread, user=READER, at=self._now(), message=message, visible=visible)

    async def _check_thread(self, message: Message) -> None:
        if message.thread == message.id:
            return
        first = await self._all.notebook.message(message.thread)
        if first is None or first.channel != message.channel:
            raise NotInScope("That conversation is not in this channel.")


def _is_for_groups(name: str) -> bool:
    """Whether a field is a setting that means nothing to one person on a page."""
    return name in SETTING_SPECS and SETTING_SPECS[name].for_groups


def answer_form(form: Form) -> web.Response:
    """A form that is to be filled in first."""
    return answer({"form": to_plain(form)})
