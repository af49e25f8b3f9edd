"""Events and replies as JSON and back, so that jobs survive a restart; apart from the store because it is pure.

Each event type has a fixed name here, so that renaming a class loses no job.
"""

import json
from collections.abc import Mapping

from core.domain.codec import plain, shaped
from core.domain.events import (
    ButtonPressed,
    ChannelClosed,
    CommandGiven,
    DigestDue,
    Event,
    FileRemoved,
    FormSent,
    PdfShared,
    QuestionAsked,
    QuestionEdited,
    Uninstalled,
)
from core.domain.reply import Reply

EVENTS: Mapping[str, type[Event]] = {
    "pdf shared": PdfShared,
    "file removed": FileRemoved,
    "question asked": QuestionAsked,
    "question edited": QuestionEdited,
    "command given": CommandGiven,
    "button pressed": ButtonPressed,
    "form sent": FormSent,
    "digest due": DigestDue,
    "channel closed": ChannelClosed,
    "uninstalled": Uninstalled,
}
_NAMES = {kind: name for name, kind in EVENTS.items()}


def encode_event(event: Event) -> str:
    """The event as JSON with its name under ``event``."""
    return json.dumps({"event": _NAMES[type(event)], **plain(event)}, ensure_ascii=False)


def decode_event(text: str) -> Event:
    """The event that ``encode_event`` wrote. Raises ``ValueError`` for anything else."""
    try:
        data = json.loads(text)
        kind = EVENTS[data.pop("event")]
        return shaped(kind, data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a stored event") from error


def encode_reply(reply: Reply) -> str:
    """The reply as JSON; bytes of attachments as base64."""
    return json.dumps(plain(reply), ensure_ascii=False)


def decode_reply(text: str) -> Reply:
    """The reply that ``encode_reply`` wrote. Raises ``ValueError`` for anything else."""
    try:
        return shaped(Reply, json.loads(text))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a stored reply") from error
