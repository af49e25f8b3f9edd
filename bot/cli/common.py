"""What commands share: settings and logs, the workspace and channels a command works in, JSON output."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from bot import observability
from bot.cli.options import NAME
from bot.settings import Settings, load
from core.domain.model import Channel, Paper, Scope, Workspace
from core.telemetry_optout import disable_telemetry

T = TypeVar("T")
PLATFORM = "local"
DEFAULT = "main"
_SURROGATES = re.compile("[\ud800-\udfff]")
_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a command works: the first channel is written to, all of them are read."""

    workspace: Workspace
    channels: tuple[str, ...]

    @property
    def name(self) -> str:
        """The workspace as it is named on the command line."""
        return self.workspace.id if self.workspace.platform == PLATFORM else self.workspace.key

    @property
    def channel(self) -> Channel:
        """The channel that is written to."""
        return Channel(workspace=self.workspace, id=self.channels[0])

    @property
    def scope(self) -> Scope:
        """All that is read."""
        return Scope(workspace=self.workspace, channels=frozenset(self.channels))


def target_options(command: Callable[..., T]) -> Callable[..., T]:
    """``--workspace`` and ``--channel``, handed to the command as the one argument ``where``."""

    @wraps(command)
    def with_target(*arguments: object, workspace: str, channels: tuple[str, ...], **options: object) -> T:
        return command(*arguments, where=parse_target(workspace, channels), **options)

    channel_help, workspace_help = "Channel; may be repeated.", "Workspace; NAME, or PLATFORM:ID of a chat platform."
    shown: dict[str, Any] = {"show_default": True, "type": NAME}
    wrapped = click.option("--channel", "channels", multiple=True, default=("general",), help=channel_help, **shown)(
        with_target
    )
    return click.option("--workspace", default=DEFAULT, help=workspace_help, **shown)(wrapped)


def json_option(command: _F) -> _F:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")(command)


def parse_target(workspace: str, channels: tuple[str, ...]) -> Target:
    """The place that the options name."""
    platform, colon, id_ = workspace.partition(":")
    named = Workspace(platform=platform, id=id_) if colon else Workspace(platform=PLATFORM, id=workspace)
    return Target(workspace=named, channels=tuple(dict.fromkeys(channels)))


def start(ctx: click.Context) -> Settings:
    """Settings read, logs set up, other libraries silenced. Raises ``SettingsInvalid``."""
    data, env_file = ctx.find_root().obj
    settings = load(env_file=env_file if isinstance(env_file, Path) else None, data=data)
    observability.configure_logging(level=settings.log_level, form=settings.log_format, secrets_known=settings.secrets)
    disable_telemetry()
    return settings


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine to its end."""
    return asyncio.run(work)


def write_json(value: Mapping[str, object]) -> None:
    """One JSON object on standard output; bytes of a name that are no text become replacement characters."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    click.echo(_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text))


def paper_row(paper: Paper) -> dict[str, object]:
    """What identifies a paper, for JSON."""
    data = paper.metadata
    return {
        "id": paper.id,
        "title": paper.title,
        "authors": list(data.authors),
        "year": data.year,
        "doi": data.doi,
        "arxiv_id": data.arxiv_id,
        "venue": data.venue,
        "language": data.language,
        "pages": paper.pages,
        "kind": paper.kind,
        "file": paper.file_name,
        "added_at": paper.added_at.isoformat(),
        "warnings": list(paper.warnings),
    }
