"""Events and replies as JSON, events as rows of the job file, and both back, so that jobs survive a restart. Pure.

Each event type has a fixed name here, so that renaming a class loses no job.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from core.domain.codec import from_plain, to_plain
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
from core.domain.jobs import Job, Lane
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
    return json.dumps({"event": _NAMES[type(event)], **to_plain(event)}, ensure_ascii=False)


def decode_event(text: str) -> Event:
    """The event that ``encode_event`` wrote. Raises ``ValueError`` for anything else."""
    try:
        data = json.loads(text)
        kind = EVENTS[data.pop("event")]
        return from_plain(kind, data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a stored event") from error


def encode_reply(reply: Reply) -> str:
    """The reply as JSON; bytes of attachments as base64."""
    return json.dumps(to_plain(reply), ensure_ascii=False)


def decode_reply(text: str) -> Reply:
    """The reply that ``encode_reply`` wrote. Raises ``ValueError`` for anything else."""
    try:
        return from_plain(Reply, json.loads(text))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a stored reply") from error


def lane_of(event: Event) -> Lane:
    """What changes the library and what the clock brings go one way, everything a person waits for the other."""
    unhurried = (PdfShared, FileRemoved, DigestDue, ChannelClosed, Uninstalled)
    return "papers" if isinstance(event, unhurried) else "questions"


def row_of(event: Event, *, platform: str, at: datetime, trace_id: str) -> Mapping[str, object]:
    """The values of ``PUT``; ``platform`` is the name that the event's platform goes by here."""
    return {
        "key": event.key,
        "lock": event.lock,
        "platform": platform,
        "workspace": event.thread.channel.workspace.key,
        "lane": lane_of(event),
        "reads": event.reads,
        "event": encode_event(event),
        "trace_id": trace_id,
        "due": at.timestamp(),
    }


def job_of(row: Sequence[object] | sqlite3.Row) -> Job:
    """The job of a claimed row. Raises ``ValueError`` where this Footnote does not know such events."""
    id_, key, lock, event, attempts, trace_id, reply, reply_id, owner = row
    return Job(
        id=int(str(id_)),
        key=str(key),
        lock=str(lock),
        event=decode_event(str(event)),
        attempts=int(str(attempts)),
        trace_id=str(trace_id),
        reply=None if reply is None else decode_reply(str(reply)),
        reply_id=str(reply_id),
        owner=str(owner),
    )
