"""Where something was pressed or filled in, and how a form remembers that. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from adapters.slack.installations import NAME
from adapters.slack.payload import Payload, part_of, text_of
from core.domain.model import Workspace

_MOST_KEPT = 2_900


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where something was pressed or filled in."""

    workspace: Workspace
    channel: str
    thread: str
    message: str
    user: str
    alone: bool = False


def where_of(payload: Payload) -> Where:
    """Where an interactive payload comes from."""
    user, container, message = part_of(payload, "user"), part_of(payload, "container"), part_of(payload, "message")
    team = text_of(part_of(payload, "team"), "id") or text_of(user, "team_id")
    ts = text_of(container, "message_ts") or text_of(message, "ts")
    thread = text_of(container, "thread_ts") or text_of(message, "thread_ts")
    if not thread and ts and not container.get("is_ephemeral"):
        thread = ts
    return Where(
        workspace=Workspace(platform=NAME, id=team),
        channel=text_of(container, "channel_id") or text_of(part_of(payload, "channel"), "id"),
        thread=thread,
        message=ts,
        user=text_of(user, "id"),
        alone=bool(container.get("is_ephemeral")),
    )


def kept(where: Where, form: str, value: str) -> str:
    """What a form has to bring back with it: what it is, and where it was opened."""
    held = {
        "form": form,
        "value": value[:_MOST_KEPT],
        "channel": where.channel,
        "thread": where.thread,
        "message": where.message,
    }
    return json.dumps(held, separators=(",", ":"))


def unkept(text: str) -> Mapping[str, str]:
    """What ``kept`` wrote; empty where that is nothing that it wrote."""
    try:
        held = json.loads(text or "{}")
    except ValueError:
        return {}
    return {name: str(value) for name, value in held.items()} if isinstance(held, dict) else {}
