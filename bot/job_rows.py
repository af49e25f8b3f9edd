"""How an event becomes a row of the job file, and the row a job. Pure."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.codec import decode_event, decode_reply, encode_event
from core.domain.events import ChannelClosed, DigestDue, Event, FileRemoved, PdfShared, Uninstalled
from core.domain.jobs import Job, Lane

PUT = """
    INSERT INTO jobs (key, lock, platform, workspace, lane, reads, event, trace_id, due)
    VALUES (:key, :lock, :platform, :workspace, :lane, :reads, :event, :trace_id, :due) ON CONFLICT (key) DO NOTHING
"""


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
