"""What a Slack payload says, as values: messages, edits, deletions, what became of channels and installations. Pure.

Payloads are other people's data: every field is looked up with its type, and what is not understood is
``None`` rather than an error. What to do about it is decided by ``intake``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from adapters.slack.payload import Payload, bibliography_of, list_of, part_of, parts_of, pdf_of, text_of
from core.domain.model import SharedFile

Surface: TypeAlias = Literal["channel", "group", "im", "mpim"]
Change: TypeAlias = Literal["deleted", "archived", "unarchived", "left", "joined", "changed"]

_PERSON_SUBTYPES = frozenset({"", "file_share", "thread_broadcast", "me_message"})
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")
_MARKED = re.compile(r"<([^>]*)>")
_TIMESTAMP = re.compile(r"^\d{1,12}\.\d{1,6}$")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_CHANNELS: Mapping[str, Change] = {
    "channel_deleted": "deleted",
    "group_deleted": "deleted",
    "channel_archive": "archived",
    "group_archive": "archived",
    "channel_unarchive": "unarchived",
    "group_unarchive": "unarchived",
    "channel_left": "left",
    "group_left": "left",
    "channel_rename": "changed",
    "group_rename": "changed",
    "channel_shared": "changed",
    "channel_unshared": "changed",
    "channel_id_changed": "changed",
}
_CHANNEL_SUBTYPES: Mapping[str, Change] = {
    "channel_convert_to_private": "changed",
    "channel_convert_to_public": "changed",
    "channel_archive": "archived",
    "group_archive": "archived",
    "channel_unarchive": "unarchived",
    "group_unarchive": "unarchived",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Somebody wrote or shared something. ``thread`` is the root's timestamp, the message's own where it is one;
    ``bibliographies`` are files that by their names may be such.
    """

    channel: str
    surface: Surface
    ts: str
    thread: str
    user: str
    team: str
    raw: str
    mentions: frozenset[str]
    pdfs: tuple[SharedFile, ...]
    client_id: str
    revision: str = ""
    bibliographies: tuple[SharedFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEdit:
    """A message was changed; ``before`` is what stood there, ``gone`` are files that it carries no more."""

    now: Message
    before: str
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDeletion:
    """A message was deleted with its files."""

    channel: str
    ts: str
    thread: str
    user: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDeletion:
    """A file was deleted everywhere; Slack does not say where it was."""

    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BotMessage:
    """The bot or another app wrote; it matters only for who spoke last in a thread."""

    channel: str
    thread: str
    user: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelChange:
    """Something became of a channel, or of ``member`` in it."""

    channel: str
    change: Change
    member: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeOpened:
    """Somebody opened the app's Home or Messages tab."""

    user: str
    tab: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequest:
    """The native stop button of a running answer was pressed."""

    channel: str
    thread: str
    user: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppRemoved:
    """The workspace took the app out, or revoked the bot's token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserChange:
    """Somebody's profile or rights changed."""

    user: str


SlackEvent: TypeAlias = (
    Message
    | MessageEdit
    | MessageDeletion
    | FileDeletion
    | BotMessage
    | ChannelChange
    | HomeOpened
    | StopRequest
    | AppRemoved
    | UserChange
    | None
)


def parse_event(event: Payload, *, team: str) -> SlackEvent:
    """What the inner ``event`` of a delivery for workspace ``team`` says, or None where it says nothing here."""
    kind = text_of(event, "type")
    match kind:
        case "message" | "app_mention":
            return _message(event, team)
        case "file_deleted":
            return FileDeletion(file=text_of(event, "file_id") or text_of(part_of(event, "file"), "id"))
        case "app_home_opened":
            return HomeOpened(user=text_of(event, "user"), tab=text_of(event, "tab"), channel=text_of(event, "channel"))
        case "agent_session_stopped":
            return StopRequest(
                channel=text_of(event, "channel"), thread=text_of(event, "thread_ts"), user=text_of(event, "user")
            )
        case "app_uninstalled":
            return AppRemoved()
        case "tokens_revoked":
            return AppRemoved() if list_of(part_of(event, "tokens"), "bot") else None
        case "member_joined_channel" | "member_left_channel":
            change: Change = "joined" if kind == "member_joined_channel" else "left"
            return ChannelChange(channel=_channel(event), change=change, member=text_of(event, "user"))
        case "user_change":
            return UserChange(user=text_of(part_of(event, "user"), "id"))
    if kind in _CHANNELS:
        return ChannelChange(channel=_channel(event), change=_CHANNELS[kind])
    return None


def readable_text(raw: str, *, bot: str) -> str:
    """A message's text as a person would read it, without the mention of the bot; links by their label."""
    text = re.sub(rf"<@{re.escape(bot)}(\|[^>]*)?>", " ", raw) if bot else raw
    text = _MARKED.sub(_label_of, text)
    for entity, char in _ENTITIES:
        text = text.replace(entity, char)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return "\n".join(lines).strip()


def is_timestamp(message: str) -> bool:
    """Whether ``message`` is the id of a Slack message (and not of a press or a slash command)."""
    return bool(_TIMESTAMP.match(message))


def time_of(ts: str) -> datetime:
    """When a message was written."""
    return datetime.fromtimestamp(float(ts) if is_timestamp(ts) else 0.0, tz=UTC)


def _message(event: Payload, team: str) -> SlackEvent:
    subtype = text_of(event, "subtype")
    channel = _channel(event)
    if subtype == "message_changed":
        return _edit_of(event, team)
    if subtype == "message_deleted":
        before = part_of(event, "previous_message")
        ts = text_of(event, "deleted_ts") or text_of(before, "ts")
        return MessageDeletion(
            channel=channel,
            ts=ts,
            thread=text_of(before, "thread_ts") or ts,
            user=text_of(before, "user"),
            files=tuple(file.id for file in _pdfs(before, team)),
        )
    if subtype in _CHANNEL_SUBTYPES:
        return ChannelChange(channel=channel, change=_CHANNEL_SUBTYPES[subtype])
    if text_of(event, "bot_id") or subtype == "bot_message":
        return BotMessage(
            channel=channel, thread=_thread(event), user=text_of(event, "user") or text_of(event, "bot_id")
        )
    return _message_of(event, channel, _surface(event), team) if subtype in _PERSON_SUBTYPES else None


def _edit_of(event: Payload, team: str) -> SlackEvent:
    inner, before = part_of(event, "message"), part_of(event, "previous_message")
    if text_of(inner, "bot_id") or text_of(inner, "subtype") not in {*_PERSON_SUBTYPES, "tombstone"}:
        return None
    channel = _channel(event)
    left = {file.id for file in _pdfs(inner, team)}
    gone = tuple(file.id for file in _pdfs(before, team) if file.id not in left)
    if text_of(inner, "subtype") == "tombstone":
        ts = text_of(inner, "ts")
        user = text_of(before, "user")
        return MessageDeletion(channel=channel, ts=ts, thread=text_of(inner, "thread_ts") or ts, user=user, files=gone)
    now = _message_of(inner, channel, _surface(event), team)
    if now is None:
        return None
    raw = text_of(before, "text")
    return MessageEdit(now=now, before=raw, gone=gone)


def _message_of(event: Payload, channel: str, surface: Surface, team: str) -> Message | None:
    ts, user = text_of(event, "ts"), text_of(event, "user")
    if not channel or not user or not is_timestamp(ts) or user == "USLACKBOT":
        return None
    raw = text_of(event, "text")
    return Message(
        channel=channel,
        surface=surface,
        ts=ts,
        thread=_thread(event),
        user=user,
        team=text_of(event, "user_team") or text_of(event, "team") or team,
        raw=raw,
        mentions=_mentions(raw),
        pdfs=tuple(_pdfs(event, team)),
        client_id=text_of(event, "client_msg_id"),
        revision=text_of(part_of(event, "edited"), "ts"),
        bibliographies=tuple(_bibliographies(event, team)),
    )


def _pdfs(event: Payload, team: str) -> Iterator[SharedFile]:
    return filter(None, (pdf_of(file, team=team) for file in parts_of(event, "files")))


def _bibliographies(event: Payload, team: str) -> Iterator[SharedFile]:
    return filter(None, (bibliography_of(file, team=team) for file in parts_of(event, "files")))


def _mentions(raw: str) -> frozenset[str]:
    return frozenset(_MENTION.findall(raw))


def _thread(event: Payload) -> str:
    return text_of(event, "thread_ts") or text_of(event, "ts")


def _channel(event: Payload) -> str:
    return text_of(event, "channel") or text_of(part_of(event, "channel"), "id")


def _surface(event: Payload) -> Surface:
    surface = text_of(event, "channel_type")
    if surface in ("channel", "group", "im", "mpim"):
        return surface  # type: ignore[return-value]
    return "im" if _channel(event).startswith("D") else "channel"


def _label_of(match: re.Match[str]) -> str:
    """What a person reads in the place of a mention, channel or link."""
    target, _, label = match[1].partition("|")
    kind = target[:1]
    if kind in ("@", "#"):
        return f"{kind}{label}" if label else ""
    if kind == "!":
        return label or f"@{target[1:].split('^', 1)[0]}"
    return label or target.removeprefix("mailto:")
