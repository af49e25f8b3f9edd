"""PDFs that lie in a channel already, for taking them in later; at the pace that Slack allows.

History comes newest first, so what is found is held (addresses, not files) and handed over oldest first. A file
that was dropped into a thread is not in the channel's history; Slack's list of files knows it.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping

from adapters.slack.events import is_timestamp, time_of
from adapters.slack.payload import Payload, list_of, part_of, parts_of, pdf_of, text_of
from adapters.slack.web_api import SlackRefused, WebApi
from core.domain.errors import RateLimited
from core.domain.events import PdfShared
from core.domain.model import Channel, Thread, Workspace

_PAGE = 200
_MOST_WAITING = 120.0


async def earlier_files(calls: WebApi, channel: Channel) -> AsyncIterator[PdfShared]:
    """The PDFs of a channel, oldest first. Raises ``PlatformFailure``; waits out what Slack asks to wait."""
    events = await _in_messages(calls, channel)
    known = {event.file.id for event in events}
    events += await _in_threads(calls, channel, known)
    for event in sorted(events, key=lambda event: (float(event.message), event.file.id)):
        yield event


async def _in_messages(calls: WebApi, channel: Channel) -> list[PdfShared]:
    events: list[PdfShared] = []
    cursor = ""
    while True:
        answer = await _call_patiently(
            calls, channel.workspace, "conversations.history", channel=channel.id, limit=_PAGE, cursor=cursor
        )
        for message in parts_of(answer, "messages"):
            events += _pdfs_of(message, channel)
        cursor = text_of(part_of(answer, "response_metadata"), "next_cursor")
        if not cursor or not answer.get("has_more", True):
            return events


async def _in_threads(calls: WebApi, channel: Channel, known: set[str]) -> list[PdfShared]:
    """Files that the channel's own messages do not show; where Slack lists none, there are none to add."""
    events: list[PdfShared] = []
    page = 1
    while True:
        try:
            answer = await _call_patiently(
                calls, channel.workspace, "files.list", channel=channel.id, types="pdfs", count=_PAGE, page=page
            )
        except SlackRefused:
            return events
        files = [file for file in parts_of(answer, "files") if text_of(file, "id") not in known]
        for file in files:
            event = await _locate(calls, channel, file)
            if event is not None:
                events.append(event)
        pages = part_of(answer, "paging").get("pages")
        page += 1
        if not isinstance(pages, int) or page > pages:
            return events


async def _locate(calls: WebApi, channel: Channel, file: Payload) -> PdfShared | None:
    """A listed file with the message that shares it in this channel, or None where there is none."""
    share = _share(file, channel)
    if share is None:
        answer = await _call_patiently(calls, channel.workspace, "files.info", file=text_of(file, "id"))
        file = part_of(answer, "file")
        share = _share(file, channel)
    shared = pdf_of(file, team=channel.workspace.id)
    ts = text_of(share, "ts") if share is not None else ""
    if share is None or shared is None or not is_timestamp(ts):
        return None
    thread = Thread(channel=channel, id=text_of(share, "thread_ts") or ts)
    return PdfShared(thread=thread, user=text_of(file, "user"), at=time_of(ts), message=ts, file=shared)


def _share(file: Payload, channel: Channel) -> Payload | None:
    shares = part_of(file, "shares")
    for kind in ("public", "private"):
        for share in list_of(part_of(shares, kind), channel.id):
            if isinstance(share, Mapping):
                return share
    return None


def _pdfs_of(message: Payload, channel: Channel) -> list[PdfShared]:
    ts = text_of(message, "ts")
    if not is_timestamp(ts) or text_of(message, "bot_id"):
        return []
    thread = Thread(channel=channel, id=text_of(message, "thread_ts") or ts)
    return [
        PdfShared(thread=thread, user=text_of(message, "user"), at=time_of(ts), message=ts, file=shared)
        for file in parts_of(message, "files")
        if (shared := pdf_of(file, team=channel.workspace.id)) is not None
    ]


async def _call_patiently(calls: WebApi, workspace: Workspace, method: str, **arguments: object) -> Payload:
    """A call that waits out "too many requests" as long as Slack asks for minutes, not more."""
    while True:
        try:
            return await calls(workspace, method, **arguments)
        except RateLimited as limit:
            if limit.seconds > _MOST_WAITING:
                raise
            await asyncio.sleep(limit.seconds)
