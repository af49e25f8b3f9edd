"""Domain values as JSON and back: how they lie in files that outlive the process that wrote them.

It stands alone so that the library and the jobs store values in one way. Decoding follows the type hints of
the dataclasses; fields that a stored value lacks take their default, unknown ones are dropped, so that what an
older or newer version wrote stays readable.
"""

import functools
import json
import types
import typing
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, TypeVar

Value = TypeVar("Value")


def to_json(value: object) -> str:
    """Compact JSON of a domain value (dataclasses, tuples, mappings, sets, dates, bytes)."""
    return json.dumps(to_plain(value), ensure_ascii=False, separators=(",", ":"))


def from_json(kind: type[Value], text: str | bytes) -> Value:
    """The value of ``kind`` that ``to_json`` wrote."""
    return from_plain(kind, json.loads(text))


def many_from_json(kind: type[Value], text: str | bytes) -> tuple[Value, ...]:
    """The values of ``kind`` whose tuple ``to_json`` wrote."""
    return tuple(from_plain(kind, part) for part in json.loads(text))


def to_plain(value: object) -> Any:
    """``value`` made of what JSON knows: sets sorted, dates as ISO 8601, bytes as base64."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: to_plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (frozenset, set)):
        return sorted(to_plain(item) for item in value)
    if isinstance(value, (tuple, list)):
        return [to_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    return value


def from_plain(kind: type[Value], data: object) -> Value:
    """The value of ``kind`` that ``plain`` took apart. Raises ``TypeError`` for a field missing without default."""
    return typing.cast(Value, _shaped(kind, data))


@functools.cache
def _hints(kind: type) -> Mapping[str, Any]:
    return typing.get_type_hints(kind)


def _shaped(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _shaped(next(item for item in inner if item is not type(None)), value)
    if origin is tuple:
        kinds = [inner[0]] * len(value) if inner[-1] is Ellipsis else inner
        return tuple(_shaped(item, part) for item, part in zip(kinds, value, strict=True))
    if origin is frozenset:
        return frozenset(_shaped(inner[0], part) for part in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {key: _shaped(inner[1], part) for key, part in value.items()}
    if kind is datetime:
        return datetime.fromisoformat(value)
    if kind is bytes:
        return b64decode(value)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        return kind(**{name: _shaped(hints[name], part) for name, part in value.items() if name in hints})
    return value
