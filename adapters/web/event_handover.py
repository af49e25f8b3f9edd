"""What a request is about, and how an event is handed over so that its reply is seen coming."""

from dataclasses import replace
from datetime import datetime

from aiohttp import web

from adapters.web.messages import Message, Place, reply_id
from adapters.web.platform import Conversations
from core.domain.codec import to_json
from core.domain.errors import FootnoteError, NotInScope
from core.domain.events import Event
from core.domain.platforms import Backend


async def place_of(request: web.Request, conversations: Conversations) -> Place:
    """The channel in a request's address. Raises ``NotInScope``."""
    place = await conversations.place(request.match_info["channel"])
    if place is None:
        raise NotInScope("There is no such channel here.")
    return place


async def message_of(request: web.Request, conversations: Conversations) -> tuple[Message, Place]:
    """The message in a request's address, and its channel. Raises ``NotInScope``."""
    message = await conversations.notebook.message(request.match_info["message"])
    place = await conversations.place(message.channel) if message is not None else None
    if message is None or place is None:
        raise NotInScope("That message is no longer here.")
    return message, place


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
