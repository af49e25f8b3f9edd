"""The connections to a library file: none is left open by a failure, and many may open a new file at once."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import aiosqlite
import pytest

from core.domain.errors import LibraryFailure
from core.library import open_library, workspace_folder
from core.library.sqlite import database
from tests.core.library.making import EMBEDDER, HERE, make, scope

ROOT = Path(__file__).parents[3]
OPEN_AND_CLOSE = """
import asyncio, sys
from pathlib import Path
from core.library.sqlite.database import Database

async def main():
    await (await Database.open(Path(sys.argv[1]))).close()

asyncio.run(main())
"""


def library_file(data: Path) -> Path:
    return workspace_folder(data, HERE) / "library.db"


async def all_closed() -> None:
    """Wait until this process holds no connection open; each has a thread of its own."""
    async with asyncio.timeout(5):
        while any("_connection_worker_thread" in thread.name for thread in threading.enumerate()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[aiosqlite.Cursor]]:
    """What every statement returned, kept, as a process that is busy elsewhere keeps it for a while."""
    kept: list[aiosqlite.Cursor] = []
    execute = aiosqlite.Connection.execute

    async def keeping(connection: aiosqlite.Connection, *given: object) -> aiosqlite.Cursor:
        cursor = await execute(connection, *given)
        kept.append(cursor)
        return cursor

    monkeypatch.setattr(aiosqlite.Connection, "execute", keeping)
    yield kept
    kept.clear()


async def filled(data: Path) -> Path:
    """The file of a library with one paper of many passages."""
    opened = await open_library(data, HERE)
    made = make(data, [f"passage {number} of a long paper" for number in range(300)])
    await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
    await opened.close()
    return library_file(data)


async def test_a_damaged_library_is_refused_and_leaves_no_connection_open(tmp_path: Path) -> None:
    file = await filled(tmp_path)
    content = bytearray(file.read_bytes())
    content[2 * 4096 : 10 * 4096] = os.urandom(8 * 4096)
    file.write_bytes(content)
    with pytest.raises(LibraryFailure, match="damaged"):
        await database.Database.open(file)
    await all_closed()


async def test_a_file_that_is_no_library_leaves_no_connection_open(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    file.write_bytes(os.urandom(4096))
    with pytest.raises(LibraryFailure, match="damaged"):
        await database.Database.open(file)
    with pytest.raises(LibraryFailure, match="damaged"):
        await database.Database.open_to_read(file)
    await all_closed()


async def test_a_process_that_cannot_open_a_library_ends(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    await (await database.Database.open(file)).close()
    content = bytearray(file.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    file.write_bytes(content)
    command = [sys.executable, "-c", OPEN_AND_CLOSE, str(file)]
    ended = await asyncio.to_thread(
        subprocess.run, command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 1
    assert "The library file is damaged" in ended.stderr


async def test_results_that_are_still_held_do_not_keep_a_new_library_from_opening(
    tmp_path: Path, results: list[aiosqlite.Cursor]
) -> None:
    opened = await open_library(tmp_path, HERE)
    assert await opened.library.papers(scope()) == []
    await opened.close()
    assert results


async def test_many_open_a_new_library_at_once(tmp_path: Path) -> None:
    opened = await asyncio.gather(*(open_library(tmp_path, HERE) for _ in range(8)))
    assert [await each.library.papers(scope()) for each in opened] == [[]] * 8
    for each in opened:
        await each.close()


async def test_an_opening_that_others_are_in_the_way_of_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "library.db"
    monkeypatch.setattr(database, "BUSY_SECONDS", 5.0)
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("CREATE TABLE in_the_way (x)")
        other.execute("BEGIN EXCLUSIVE")  # no log can be begun meanwhile, and SQLite does not wait for it
        asyncio.get_running_loop().call_later(0.3, other.execute, "ROLLBACK")
        opened = await database.Database.open(file)
    await opened.close()
