"""After a restart: whatever a reader was promised before it is promised still.

Between "kept on the page" and "kept as a job" a process may have died. Events are made anew from the messages; the
dispatcher drops those that it knows.
"""

import re

from adapters.common.job_keys import CHANGED_SOON
from adapters.web.message_events import edited, event_of, shared
from adapters.web.messages import Message, Place
from adapters.web.platform import Conversations
from core.domain.errors import FootnoteError
from core.domain.events import QuestionAsked
from core.domain.platforms import Backend

_ASKED_BY = re.compile(r"^(?:ask|command|edit):.*?/(?P<message>m-[0-9a-f]{8}-[0-9a-f-]{20,40})(?:/(?P<revision>.*))?$")


async def go_on(conversations: Conversations, backend: Backend) -> None:
    """Hand over what was not handed over, and let go of files that nobody waits for."""
    places = {one.id: one for one in await conversations.notebook.places()}
    waiting = [one for one in await conversations.notebook.unfinished() if one.channel in places]
    files = {file.id for message in waiting for file in message.files if file.state == "waiting"}
    await conversations.uploads.sweep(frozenset(files))
    for message in waiting:
        try:
            await _again(message, places[message.channel], conversations, backend)
        except FootnoteError:
            continue  # it still waits, and the next start tries once more


async def _again(message: Message, place: Place, conversations: Conversations, backend: Backend) -> None:
    if message.by == "reader" and not message.is_command:
        for file in message.files:
            if file.state == "waiting":
                await backend.accept(shared(message, file, place, conversations.workspace))
        return
    found = _ASKED_BY.match(message.key)
    said = await conversations.notebook.message(found["message"]) if found else None
    if found is None or said is None:
        return
    event = event_of(said, place, conversations.workspace, visible=await conversations.visible())
    if message.key.startswith(CHANGED_SOON) and isinstance(event, QuestionAsked):
        event = edited(event, revision=found["revision"])
    await backend.accept(event)
