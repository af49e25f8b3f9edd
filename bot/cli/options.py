"""Names on the command line: an empty one comes from a variable that was not set, and is refused.

A file's name may hold any bytes but two; ``printable`` is how it is shown and stored.
"""

import unicodedata
from pathlib import Path
from typing import Any

import click


def _refuse_empty(
    value: object, kind: click.ParamType[Any], param: click.Parameter | None, ctx: click.Context | None
) -> None:
    if not str(value).strip():
        kind.fail("the name is empty.", param, ctx)


_JOINERS = "\u200c\u200d"
"""Invisible, and yet letters of Persian, Indic scripts and emoji are wrong without them."""
_UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"


def printable(words: str) -> str:
    """``words`` as any terminal shows them in one line, as long as before.

    Bytes that are no text (surrogates), control characters (line ends and the beginning of terminal commands are
    some) and marks that turn the direction of writing become replacement characters.
    """
    return "".join(char if _is_shown(char) else _UNPRINTABLE for char in words)


def _is_shown(char: str) -> bool:
    return char.isprintable() or char in _JOINERS or unicodedata.category(char) == "Zs"


class _Name(click.types.StringParamType):
    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        _refuse_empty(value, self, param, ctx)
        return str(super().convert(value, param, ctx))


class NamedPath(click.Path):
    """``click.Path`` that refuses the empty path, which would be the current folder."""

    def convert(  # type: ignore[override]
        self, value: "str | Path", param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """The path. Raises ``BadParameter``."""
        if isinstance(value, str):
            _refuse_empty(value, self, param, ctx)
        return super().convert(value, param, ctx)


NAME = _Name()
