"""Opens an existing workspace for one command, without writing where the command only reads.

A mistyped workspace must not become a folder; the commands that may make one (``ingest``, ``chat``, ``run``) do not
use this module.
"""

import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import click

from bot.cli.common import DEFAULT, PLATFORM, Target, parse_target
from bot.settings import Settings
from bot.wiring import Tools, open_read_only, open_tools
from core.domain.errors import LibraryFailure, NotInScope


@asynccontextmanager
async def open_for_reading(settings: Settings, where: Target) -> AsyncIterator[Tools]:
    """For commands that only read. Raises ``NotInScope`` where there is no such workspace."""
    with _data_of(settings, where) as existing:
        async with open_read_only(existing) as tools:
            yield tools


@asynccontextmanager
async def open_for_writing(settings: Settings, where: Target) -> AsyncIterator[Tools]:
    """For commands that write into an existing workspace. Raises ``NotInScope`` where it is not."""
    with _data_of(settings, where) as existing:
        async with open_tools(existing) as tools:
            yield tools


@contextmanager
def _data_of(settings: Settings, where: Target) -> Iterator[Settings]:
    """The settings as they are; those of an empty folder, gone afterwards, where no workspace was made yet.

    Raises ``LibraryFailure`` where papers are stored and the database that knew them is gone.
    """
    from core.services.storage import check_not_lost, list_channels, list_workspace_sizes, workspace_folder

    check_not_lost(workspace_folder(settings.data, where.workspace))
    used = list_channels(settings.data, where.workspace)
    if used is not None:
        _warn_of_channels(where, used)
        yield settings
        return
    others = [size.workspace.removeprefix(f"{PLATFORM}:") for size in list_workspace_sizes(settings.data)]
    if others or where.workspace != parse_target(DEFAULT, where.channels).workspace:
        there = f"those that are: {', '.join(sorted(others))}" if others else "there is none yet"
        raise NotInScope(f"There is no workspace {where.name} in {settings.data}; {there}.")
    _check_folder(settings.data)
    with tempfile.TemporaryDirectory(prefix="footnote-empty-") as empty:
        yield settings.model_copy(update={"data": Path(empty)})


def _warn_of_channels(where: Target, used: Sequence[str]) -> None:
    unknown = [channel for channel in where.channels if channel not in used]
    if unknown and used:
        click.echo(f"There is no paper in the channel {', '.join(unknown)}; papers are in {', '.join(used)}.", err=True)


def _check_folder(data: Path) -> None:
    """A data folder that is not there yet may come; one that never can is said to be wrong."""
    nearest = next(folder for folder in (data, *data.parents) if folder.exists())
    if not nearest.is_dir():
        raise LibraryFailure(f"The data folder {data} cannot be made; FOOTNOTE_DATA names another.")
