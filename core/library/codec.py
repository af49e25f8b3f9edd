"""Domain values to JSON and back, and boxes to a few bytes each: how values lie in the library's columns.

It stands alone so that no other file knows what a stored value looks like. Decoding follows the type hints
of the domain's dataclasses; fields that a stored value lacks take their default, unknown ones are dropped,
so that a new optional field needs no migration.
"""

import dataclasses
import functools
import json
import types
import typing
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from core.domain.model import Box

Value = TypeVar("Value")


def to_json(value: object) -> str:
    """Compact JSON of a domain value (dataclasses, tuples, mappings, sets, dates, bytes)."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def from_json(kind: type[Value], text: str | bytes) -> Value:
    """The value of ``kind`` that ``to_json`` wrote."""
    return typing.cast(Value, _shaped(kind, json.loads(text)))


def many_from_json(kind: type[Value], text: str | bytes) -> tuple[Value, ...]:
    """The values of ``kind`` whose tuple ``to_json`` wrote."""
    return tuple(_shaped(kind, part) for part in json.loads(text))


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (frozenset, set)):
        return sorted(_plain(item) for item in value)  # type: ignore[type-var]
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    return value


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
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        return kind(**{name: _shaped(hints[name], part) for name, part in value.items() if name in hints})
    return value


def pack_boxes(boxes: Sequence[Box]) -> bytes:
    """Boxes to a hundredth of a point, as differences to the box before: about nine bytes a printed line."""
    packed, last = bytearray(), [0, 0, 0, 0, 0]
    for box in boxes:
        now = [box.page, *(round(edge * 100) for edge in (box.x0, box.y0, box.x1, box.y1))]
        for before, after in zip(last, now, strict=True):
            step = after - before
            number = step * 2 if step >= 0 else -step * 2 - 1
            while number > 127:
                packed.append(number & 127 | 128)
                number >>= 7
            packed.append(number)
        last = now
    return bytes(packed)


def unpack_boxes(packed: bytes) -> tuple[Box, ...]:
    """What ``pack_boxes`` packed."""
    steps: list[int] = []
    number = shift = 0
    for byte in packed:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            steps.append(-(number + 1) // 2 if number & 1 else number // 2)
            number = shift = 0
    boxes: list[Box] = []
    last = [0, 0, 0, 0, 0]
    for start in range(0, len(steps), 5):
        last = [before + step for before, step in zip(last, steps[start : start + 5], strict=True)]
        page, x0, y0, x1, y1 = last
        boxes.append(Box(page=page, x0=x0 / 100, y0=y0 / 100, x1=x1 / 100, y1=y1 / 100))
    return tuple(boxes)
