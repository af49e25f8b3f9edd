"""Names on the command line: an empty one is a variable that was not set, and must not stand for what is here."""

from pathlib import Path
from typing import Any

import click


def _refuse_empty(
    value: object, kind: click.ParamType[Any], param: click.Parameter | None, ctx: click.Context | None
) -> None:
    if not str(value).strip():
        kind.fail("the name is empty.", param, ctx)


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
