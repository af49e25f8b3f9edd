"""Up to when each channel has had its digest, and what is planned in which workspace: what the clock has to know.

Places and times only, no words. It is read past the open libraries, so that looking at the clock opens none of them.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import aiosqlite

from core.domain.errors import NotInScope
from core.domain.model import Channel, Workspace
from core.library.sqlite.database import Database
from core.library.sqlite.rows import to_storable_row

DIGEST = "digest"


class SqliteSubscriptions:
    """Ends of the periods posted last, by channel and name."""

    def __init__(self, database: Database, workspace: Workspace) -> None:
        self._database = database
        self._workspace = workspace

    async def last(self, channel: Channel, name: str) -> datetime | None:
        """The end of the period that was posted last, None before the first."""
        self._check(channel)
        async with self._database.read() as connection:
            return await _last(connection, channel, name)

    async def reached(self, channel: Channel, name: str, until: datetime) -> None:
        """The period that ends at ``until`` is posted; an earlier end than is known changes nothing."""
        self._check(channel)

        async def work(connection: aiosqlite.Connection) -> None:
            held = await _last(connection, channel, name)
            if held is None or held < until:
                await connection.execute(
                    "INSERT OR REPLACE INTO subscription (channel, name, body, user, at, last_at) "
                    "VALUES (?, ?, '', '', ?, ?)",
                    to_storable_row((channel.id, name, until.isoformat(), until.isoformat())),
                )

        await self._database.write(work)

    def _check(self, channel: Channel) -> None:
        if channel.workspace != self._workspace:
            raise NotInScope("That is not part of this workspace.")


async def _last(connection: aiosqlite.Connection, channel: Channel, name: str) -> datetime | None:
    rows = await connection.execute_fetchall(
        "SELECT last_at FROM subscription WHERE channel = ? AND name = ? AND last_at IS NOT NULL", (channel.id, name)
    )
    return next((datetime.fromisoformat(row[0]) for row in rows), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDigest:
    """A channel's digest as it is set: its schedule, its time zone, since when both are so, and the last one's end."""

    channel: str
    text: str
    zone: str
    set_at: datetime
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingReminder:
    """A journal club whose reminder was not given yet."""

    number: int
    channel: str
    thread: str
    remind_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceSchedule:
    """What one workspace has planned."""

    workspace: Workspace
    digests: Sequence[PlannedDigest]
    clubs: Sequence[WaitingReminder]


class ScheduleReader:
    """Reads what is planned from every library under a data folder; files that did not change are not read again."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._seen: dict[Path, tuple[tuple[int, ...], WorkspaceSchedule | None]] = {}

    def look(self) -> list[WorkspaceSchedule]:
        """What every workspace has planned. Blocks; a file that cannot be read now is passed over."""
        files = sorted(self._data.glob("*/library.db"))
        self._seen = {path: self._seen[path] for path in files if path in self._seen}
        for path in files:
            stamp = _stamp(path)
            if path not in self._seen or self._seen[path][0] != stamp:
                self._seen[path] = (stamp, _on_disk(path))
        return [plans for _, plans in self._seen.values() if plans is not None]


def _stamp(path: Path) -> tuple[int, ...]:
    """Changes with the file and with the log beside it."""
    parts: list[int] = []
    for item in (path, path.with_name(path.name + "-wal")):
        with suppress(OSError):
            state = item.stat()
            parts += (state.st_mtime_ns, state.st_size)
    return tuple(parts)


def _on_disk(path: Path) -> WorkspaceSchedule | None:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1.0)) as connection:
            (key,) = connection.execute("SELECT value FROM meta WHERE key = 'workspace'").fetchone()
            platform, _, name = key.partition(":")
            return WorkspaceSchedule(
                workspace=Workspace(platform=platform, id=name),
                digests=_digests(connection),
                clubs=_clubs(connection),
            )
    except (sqlite3.Error, TypeError, ValueError):
        return None  # a file that is just being made; it is looked at again when it has changed


def _digests(connection: sqlite3.Connection) -> list[PlannedDigest]:
    rows = connection.execute(
        "SELECT d.channel, d.value, coalesce(z.value, 'UTC'), d.at, z.at, s.last_at FROM setting d "
        "LEFT JOIN setting z ON z.channel = d.channel AND z.name = 'time_zone' "
        "LEFT JOIN subscription s ON s.channel = d.channel AND s.name = ? WHERE d.name = 'digest'",
        (DIGEST,),
    )
    return [
        PlannedDigest(
            channel=channel,
            text=text,
            zone=zone,
            set_at=max(datetime.fromisoformat(at) for at in (set_at, zone_at) if at),
            last_at=datetime.fromisoformat(last_at) if last_at else None,
        )
        for channel, text, zone, set_at, zone_at, last_at in rows
    ]


def _clubs(connection: sqlite3.Connection) -> list[WaitingReminder]:
    # A file that nobody has opened since an older version has none.
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'club'").fetchone():
        return []
    rows = connection.execute("SELECT number, channel, thread, remind_at FROM club WHERE reminded = 0")
    return [
        WaitingReminder(number=number, channel=channel, thread=thread, remind_at=datetime.fromisoformat(at))
        for number, channel, thread, at in rows
    ]
