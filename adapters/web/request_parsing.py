"""What browsers ask of the page, taken from the wire and checked: JSON objects with texts of bounded length.

A request that is not as the page sends it ends in one sentence and changes nothing.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aiohttp import web

from core.domain.errors import FootnoteError

_ID = re.compile(r"^[a-z]-[0-9a-f]{8}-[0-9a-f-]{20,40}$")
_MOST = 64_000


class NotUnderstood(FootnoteError):
    """A request that the page would not have sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The object that came with a request."""

    values: Mapping[str, object]

    def text(self, name: str, *, most: int = 200) -> str:
        """A text, empty where there is none. Raises ``NotUnderstood`` where it is longer than ``most``."""
        value = self.values.get(name, "")
        if not isinstance(value, str):
            raise NotUnderstood(f"“{name}” must be text.")
        if len(value) > most:
            raise NotUnderstood(f"This is longer than the {most:,} characters that are taken at once.")
        return value

    def texts(self, name: str, *, most: int = 100) -> Sequence[str]:
        """A list of texts."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or len(value) > most or not all(isinstance(one, str) for one in value):
            raise NotUnderstood(f"“{name}” must be a list of texts.")
        return [str(one)[:200] for one in value]

    def fields(self, name: str) -> Mapping[str, str]:
        """Texts by name."""
        value = self.values.get(name, {})
        if not isinstance(value, dict) or len(value) > 20:
            raise NotUnderstood(f"“{name}” must be texts by name.")
        return {str(key)[:80]: str(one)[:8_000] for key, one in value.items()}

    def flag(self, name: str) -> bool:
        """Yes or no."""
        return self.values.get(name) is True

    def id(self, name: str = "id") -> str:
        """An id that the browser made. Raises ``NotUnderstood``."""
        return proper_id(self.text(name))


async def asked(request: web.Request) -> Asked:
    """The JSON object of a request. Raises ``NotUnderstood``."""
    raw = await request.content.read(_MOST + 1)
    if len(raw) > _MOST:
        raise NotUnderstood("This is more than the page takes at once.")
    try:
        values = json.loads(raw or b"{}")
    except ValueError as error:
        raise NotUnderstood("This request could not be understood.") from error
    if not isinstance(values, dict):
        raise NotUnderstood("This request could not be understood.")
    return Asked(values=values)


def proper_id(value: str) -> str:
    """An id that a browser made. Raises ``NotUnderstood``."""
    if not _ID.match(value):
        raise NotUnderstood("This message has no proper id.")
    return value


def number(text: str) -> int:
    """A whole number from 0. Raises ``NotUnderstood``."""
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise NotUnderstood("A number was expected here.")
    return int(text)
