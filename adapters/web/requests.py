"""What browsers ask of the page: JSON of bounded length, the channel or message meant, and the event handed over.

A request that is not as the page sends it ends in one sentence and changes nothing.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from aiohttp import web

from adapters.web.conversations import Conversations
from adapters.web.messages import Message, PageChannel, reply_id
from core.domain.codec import to_json
from core.domain.errors import FootnoteError, NotInScope
from core.domain.events import Event
from core.domain.platforms import Backend

_ID = re.compile(r"^[a-z]-[0-9a-f]{8}-[0-9a-f-]{20,40}$")
_MOST = 64_000


class NotUnderstood(FootnoteError):
    """A request that the page would not have sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBody:
    """The object that came with a request."""

    values: Mapping[str, object]

    def text(self, name: str, *, most: int = 200) -> str:
        """A text, empty where there is none. Raises ``NotUnderstood`` where it is longer than ``most``."""
        value = self.values.get(name, "")
        if not isinstance(value, str):
            raise NotUnderstood(f"“{name}” must be text.")
        if len(value) > most:
            raise NotUnderstood(f"This is longer than the {most:,} characters that are taken at once.")
        return value

    def texts(self, name: str, *, most: int = 100) -> Sequence[str]:
        """A list of texts."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or len(value) > most or not all(isinstance(text, str) for text in value):
            raise NotUnderstood(f"“{name}” must be a list of texts.")
        return [str(text)[:200] for text in value]

    def fields(self, name: str) -> Mapping[str, str]:
        """Texts by name."""
        value = self.values.get(name, {})
        if not isinstance(value, dict) or len(value) > 20:
            raise NotUnderstood(f"“{name}” must be texts by name.")
        return {str(key)[:80]: str(text)[:8_000] for key, text in value.items()}

    def flag(self, name: str) -> bool:
        """Yes or no."""
        return self.values.get(name) is True

    def id(self, name: str = "id") -> str:
        """An id that the browser made. Raises ``NotUnderstood``."""
        return check_id(self.text(name))


async def read_body(request: web.Request) -> RequestBody:
    """The JSON object of a request. Raises ``NotUnderstood``."""
    raw = await request.content.read(_MOST + 1)
    if len(raw) > _MOST:
        raise NotUnderstood("This is more than the page takes at once.")
    try:
        values = json.loads(raw or b"{}")
    except ValueError as error:
        raise NotUnderstood("This request could not be understood.") from error
    if not isinstance(values, dict):
        raise NotUnderstood("This request could not be understood.")
    return RequestBody(values=values)


def check_id(value: str) -> str:
    """An id that a browser made. Raises ``NotUnderstood``."""
    if not _ID.match(value):
        raise NotUnderstood("This message has no proper id.")
    return value


def number(text: str) -> int:
    """A whole number from 0. Raises ``NotUnderstood``."""
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise NotUnderstood("A number was expected here.")
    return int(text)


async def channel_of(request: web.Request, conversations: Conversations) -> PageChannel:
    """The channel in a request's address. Raises ``NotInScope``."""
    channel = await conversations.place(request.match_info["channel"])
    if channel is None:
        raise NotInScope("There is no such channel here.")
    return channel


async def message_of(request: web.Request, conversations: Conversations) -> tuple[Message, PageChannel]:
    """The message in a request's address, and its channel. Raises ``NotInScope``."""
    message = await conversations.notebook.message(request.match_info["message"])
    channel = await conversations.place(message.channel) if message is not None else None
    if message is None or channel is None:
        raise NotInScope("That message is no longer here.")
    return message, channel


async def hand_over(
    message: Message, event: Event, conversations: Conversations, backend: Backend, at: datetime
) -> None:
    """Keep what a reader said and show that a reply is coming, both at once, and hand the event over.

    What the desk says instead becomes the reply. The same event again changes nothing.
    """
    before = await conversations.notebook.message(reply_id(event.key))
    coming = Message(
        id=reply_id(event.key),
        channel=message.channel,
        thread=message.thread,
        by="footnote",
        at=before.at if before is not None else at,
        state="working",
        key=event.key,
    )
    if before is None or before.key != event.key:
        await conversations.notebook.put_all(message, coming)
    try:
        await backend.accept(event)
    except FootnoteError as failure:
        await conversations.notebook.put(replace(coming, state="failed", text=failure.words))
        raise


def answer(value: object) -> web.Response:
    """A value as JSON."""
    return web.Response(text=to_json(value), content_type="application/json")
