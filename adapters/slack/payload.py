"""Looking things up in what Slack sends. Pure.

Payloads are other people's data: every field is taken with its type, and what is missing or of another kind is empty.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

Payload: TypeAlias = Mapping[str, object]


def text_of(payload: Payload, name: str) -> str:
    """The string under ``name``, or empty."""
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def part_of(payload: Payload, name: str) -> Payload:
    """The object under ``name``, or an empty one."""
    value = payload.get(name)
    return value if isinstance(value, Mapping) else {}


def list_of(payload: Payload, name: str) -> Sequence[object]:
    """The list under ``name``, or an empty one."""
    value = payload.get(name)
    return value if isinstance(value, list | tuple) else ()


def parts_of(payload: Payload, name: str) -> Iterator[Payload]:
    """The objects of the list under ``name``."""
    return (part for part in list_of(payload, name) if isinstance(part, Mapping))
