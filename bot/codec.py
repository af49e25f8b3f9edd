"""Events and replies as JSON and back, so that jobs survive a restart; apart from the store because it is pure.

Stored JSON may have been written by an older version: a field it lacks takes its default, a field that is
gone is dropped. Each event type has a fixed name here, so that renaming a class loses no job.
"""

import base64
import json
import types
from collections.abc import Mapping
from collections.abc import Sequence as AbstractSequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from core.domain.events import CommandGiven, Event, FileRemoved, PdfShared, QuestionAsked, QuestionEdited
from core.domain.reply import Reply

EVENTS: Mapping[str, type[Event]] = {
    "pdf shared": PdfShared,
    "file removed": FileRemoved,
    "question asked": QuestionAsked,
    "question edited": QuestionEdited,
    "command given": CommandGiven,
}
_NAMES = {kind: name for name, kind in EVENTS.items()}


def encode_event(event: Event) -> str:
    """The event as JSON with its name under ``event``."""
    return json.dumps({"event": _NAMES[type(event)], **_plain(event)}, ensure_ascii=False)


def decode_event(text: str) -> Event:
    """The event that ``encode_event`` wrote. Raises ``ValueError`` for anything else."""
    try:
        data = json.loads(text)
        kind = EVENTS[data.pop("event")]
        return cast(Event, _value(kind, data))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a stored event") from error


def encode_reply(reply: Reply) -> str:
    """The reply as JSON; bytes of attachments as base64."""
    return json.dumps(_plain(reply), ensure_ascii=False)


def decode_reply(text: str) -> Reply:
    """The reply that ``encode_reply`` wrote. Raises ``ValueError`` for anything else."""
    try:
        return cast(Reply, _value(Reply, json.loads(text)))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a stored reply") from error


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(_plain(item) for item in value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _value(kind: Any, data: Any) -> Any:
    """``data`` as ``kind``; covers the shapes that events and replies are made of."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return None if data is None else _value(next(arm for arm in get_args(kind) if arm is not type(None)), data)
    if origin is tuple:
        return _row(get_args(kind), data)
    if origin is frozenset:
        return frozenset(_value(get_args(kind)[0], item) for item in data)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {key: _value(get_args(kind)[1], item) for key, item in data.items()}
    if origin is Literal or not isinstance(kind, type):
        return data
    if is_dataclass(kind):
        hints = _hints(kind)
        known = {part.name for part in fields(kind)}
        return kind(**{name: _value(hints[name], item) for name, item in data.items() if name in known})
    if kind is datetime:
        return datetime.fromisoformat(data)
    if kind is bytes:
        return base64.b64decode(data)
    return data


def _row(kinds: tuple[Any, ...], data: AbstractSequence[Any]) -> tuple[Any, ...]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_value(kinds[0], item) for item in data)
    return tuple(_value(kind, item) for kind, item in zip(kinds, data, strict=True))
