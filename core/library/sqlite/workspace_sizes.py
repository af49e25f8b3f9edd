"""How large the workspaces of a data folder are, told without opening them: for whoever looks after the machine."""

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain.model import Workspace
from core.library.files.originals import workspace_folder
from core.library.sqlite.database import read_only_uri


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
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_reading(file)) as connection:
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
    with contextlib.suppress(sqlite3.Error), contextlib.closing(_reading(file)) as connection:
        return [row[0] for row in connection.execute("SELECT DISTINCT channel FROM share ORDER BY channel")]
    return []


def _reading(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(read_only_uri(file), uri=True)
