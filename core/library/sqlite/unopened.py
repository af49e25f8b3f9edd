"""What the libraries of a data folder hold, told without opening them: what the clock must know, sizes, channels.

Places, times and numbers only, no words: whoever looks after the machine or the clock opens no workspace for it.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.domain.model import Workspace
from core.library.files.originals import workspace_folder
from core.library.sqlite.database import read_only_uri

DIGEST = "digest"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceSize:
    """A workspace by its key: its passages, and the bytes that their vectors take in memory."""

    workspace: str
    passages: int
    vector_bytes: int


def list_workspace_sizes(data: Path) -> Sequence[WorkspaceSize]:
    """Every workspace under ``data``, the largest first; a file that is no library is passed over."""
    found = []
    for file in data.glob("*/library.db"):
        with suppress(sqlite3.Error), closing(_reading(file)) as connection:
            known = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('workspace', 'dimension')"))
            ((passages,),) = connection.execute("SELECT count(*) FROM passage")
            halves = int(known.get("dimension", 0))
            found.append(
                WorkspaceSize(
                    workspace=known.get("workspace", file.parent.name),
                    passages=passages,
                    vector_bytes=2 * halves * passages,
                )
            )
    return sorted(found, key=lambda size: -size.passages)


def list_channels(data: Path, workspace: Workspace) -> Sequence[str] | None:
    """The channels of a workspace in which papers lie, by name; None where there is no such workspace."""
    file = workspace_folder(data, workspace) / "library.db"
    if not file.is_file():
        return None
    with suppress(sqlite3.Error), closing(_reading(file)) as connection:
        return [row[0] for row in connection.execute("SELECT DISTINCT channel FROM share ORDER BY channel")]
    return []


def _reading(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(read_only_uri(file), uri=True)
