"""Opening, failing and closing: what goes wrong is one clear sentence, and nothing is lost by it."""

import asyncio
import os
import sqlite3
from dataclasses import replace
from pathlib import Path

import aiosqlite
import pytest

from core.domain.errors import LibraryFailure
from core.domain.model import Workspace
from core.library import OpenLibrary, list_channels, open_library, workspace_folder
from core.library.sqlite import database
from core.library.sqlite.migrations import STEPS, migrate
from tests.core.library.making import EMBEDDER, HERE, Made, make, scope, thread, turn


def library_file(data: Path) -> Path:
    return workspace_folder(data, HERE) / "library.db"


async def add(opened: OpenLibrary, made: Made) -> None:
    await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)


async def test_a_library_is_the_same_after_it_was_closed(tmp_path: Path) -> None:
    made = make(tmp_path, ["okapis hide", "tapirs swim"])
    opened = await open_library(tmp_path / "data", HERE)
    await add(opened, made)
    version = opened.library.version
    hits = await opened.lexical.matching(scope(), ["okapi", "hide"], limit=5)
    await opened.close()
    await opened.close()
    opened = await open_library(tmp_path / "data", HERE)
    assert opened.library.version == version
    assert await opened.library.papers(scope()) == [made.paper]
    assert await opened.lexical.matching(scope(), ["okapi", "hide"], limit=5) == hits
    await opened.close()


async def test_two_workspaces_share_no_file(tmp_path: Path) -> None:
    other = Workspace(platform="local", id="other")
    here, there = await open_library(tmp_path, HERE), await open_library(tmp_path, other)
    await add(here, make(tmp_path, ["okapis"]))
    assert await there.library.papers(replace(scope(), workspace=other)) == []
    await here.close()
    await there.close()


async def test_a_closed_library_says_so(tmp_path: Path) -> None:
    opened = await open_library(tmp_path, HERE)
    await opened.close()
    with pytest.raises(LibraryFailure, match="closed"):
        await opened.library.papers(scope())
    with pytest.raises(LibraryFailure, match="closed"):
        await opened.memory.append(thread(), turn("late"))


async def test_a_newer_library_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    await (await open_library(tmp_path, HERE)).close()
    with sqlite3.connect(library_file(tmp_path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = library_file(tmp_path).read_bytes()
    with pytest.raises(LibraryFailure, match="newer Footnote"):
        await open_library(tmp_path, HERE)
    assert library_file(tmp_path).read_bytes() == before


async def test_a_later_step_is_applied_to_an_older_file_and_a_failing_one_leaves_it(tmp_path: Path) -> None:
    async with aiosqlite.connect(tmp_path / "old.db", isolation_level=None) as connection:
        assert await migrate(connection) == len(STEPS)
        await connection.execute("INSERT INTO meta (key, value) VALUES ('kept', 'yes')")
        broken = [*STEPS, ["CREATE TABLE later (x)", "CREATE TABLE meta (x)"]]
        with pytest.raises(sqlite3.OperationalError):
            await migrate(connection, broken)
        tables = await connection.execute_fetchall("SELECT name FROM sqlite_master WHERE name = 'later'")
        assert list(tables) == []
        assert await migrate(connection, [*STEPS, ["CREATE TABLE later (x)"]]) == len(STEPS) + 1
        kept = await connection.execute_fetchall("SELECT value FROM meta WHERE key = 'kept'")
        assert [row[0] for row in kept] == ["yes"]


@pytest.mark.parametrize("damage", ["header", "middle", "text"])
async def test_a_damaged_file_is_refused_in_one_sentence(tmp_path: Path, damage: str) -> None:
    opened = await open_library(tmp_path, HERE)
    await add(opened, make(tmp_path, [f"passage {n}" for n in range(300)]))
    await opened.close()
    data = bytearray(library_file(tmp_path).read_bytes())
    if damage == "header":
        data[:16] = b"not a database!!"
    elif damage == "middle":
        data[4096:] = os.urandom(len(data) - 4096)
    else:
        data[:] = b"hello"
    library_file(tmp_path).write_bytes(data)
    with pytest.raises(LibraryFailure, match="damaged") as failure:
        opened = await open_library(tmp_path, HERE)
        await opened.library.papers(scope())
    assert failure.value.__cause__ is not None


async def test_a_full_disk_stores_nothing_and_loses_nothing(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    first, second = make(tmp_path, ["first"]), make(tmp_path, ["much " * 900 for _ in range(200)], title="Second")
    await add(opened, first)

    async def limit(connection: aiosqlite.Connection) -> None:
        pages = next(iter(await connection.execute_fetchall("PRAGMA page_count")))[0]
        await connection.execute_fetchall(f"PRAGMA max_page_count = {pages + 20}")

    await opened.library._database.write(limit)
    with pytest.raises(LibraryFailure, match="disk is full") as failure:
        await add(opened, second)
    assert isinstance(failure.value.__cause__, sqlite3.Error)
    assert await opened.library.papers(scope()) == [first.paper]
    assert await opened.lexical.matching(scope(), ["much"], limit=5) == ()
    await opened.close()
    opened = await open_library(tmp_path / "data", HERE)
    await add(opened, second)
    assert len(await opened.library.papers(scope())) == 2
    await opened.close()


async def test_a_file_held_by_another_process_is_waited_for_and_then_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    opened = await open_library(tmp_path / "data", HERE)
    holder = sqlite3.connect(library_file(tmp_path / "data"), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(LibraryFailure, match="in use"):
        await add(opened, make(tmp_path, ["first"]))
    assert await opened.library.papers(scope()) == []
    holder.execute("ROLLBACK")
    holder.close()
    await add(opened, make(tmp_path, ["first"]))
    assert len(await opened.library.papers(scope())) == 1
    await opened.close()


async def test_a_missing_upload_is_one_sentence_and_stores_nothing(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    made = make(tmp_path, ["first"])
    made.pdf.unlink()
    with pytest.raises(LibraryFailure, match="files cannot be used"):
        await add(opened, made)
    assert await opened.library.known(made.paper.id) is None
    await opened.close()


async def test_a_folder_that_is_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(LibraryFailure):
        await open_library(tmp_path / "data", HERE)


async def test_reads_go_on_while_a_write_is_running(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    await add(opened, make(tmp_path, ["first"]))
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def long(connection: aiosqlite.Connection) -> None:
        await connection.execute("INSERT INTO meta (key, value) VALUES ('half', 'done')")
        begun.set()
        await go_on.wait()

    writing = asyncio.create_task(opened.library._database.write(long))
    await begun.wait()
    papers = await asyncio.wait_for(opened.library.papers(scope()), 10)
    assert len(papers) == 1
    assert not writing.done()
    go_on.set()
    await writing
    await opened.close()


async def test_a_write_whose_asker_is_cancelled_is_stored_whole(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(connection: aiosqlite.Connection) -> None:
        await connection.execute("INSERT INTO meta (key, value) VALUES ('one', '1')")
        begun.set()
        await go_on.wait()
        await connection.execute("INSERT INTO meta (key, value) VALUES ('two', '2')")

    writing = asyncio.create_task(opened.library._database.write(work))
    await begun.wait()
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    go_on.set()
    await add(opened, make(tmp_path, ["after"]))
    async with opened.library._database.read() as connection:
        rows = await connection.execute_fetchall("SELECT key FROM meta WHERE key IN ('one', 'two') ORDER BY key")
    assert [row[0] for row in rows] == ["one", "two"]
    await opened.close()


async def test_a_folder_that_was_moved_is_not_taken_for_anothers(tmp_path: Path) -> None:
    other = Workspace(platform="local", id="other")
    await (await open_library(tmp_path, HERE)).close()
    workspace_folder(tmp_path, HERE).rename(workspace_folder(tmp_path, other))
    with pytest.raises(LibraryFailure, match="another workspace"):
        await open_library(tmp_path, other)


async def test_a_change_of_another_opener_is_seen(tmp_path: Path) -> None:
    first, second = await open_library(tmp_path / "data", HERE), await open_library(tmp_path / "data", HERE)
    assert len(await second.library.numbers(scope())) == 0
    await add(first, make(tmp_path, ["one", "two"]))
    assert len(await second.library.numbers(scope())) == 2
    assert second.library.version == first.library.version
    await first.close()
    await second.close()


async def test_where_nothing_may_be_written_papers_are_read_and_a_change_is_refused(tmp_path: Path) -> None:
    made, data = make(tmp_path, ["okapis hide"]), tmp_path / "data"
    opened = await open_library(data, HERE)
    await add(opened, made)
    await opened.close()
    looked = await database.Database.open_to_read(library_file(data))
    async with looked.read() as connection:
        assert [tuple(row) for row in await connection.execute_fetchall("SELECT id FROM paper")] == [(made.paper.id,)]
    with pytest.raises(LibraryFailure, match="may not be written"):
        await looked.change(lambda connection: connection.execute("DELETE FROM paper"))
    await looked.close()


async def test_an_older_library_that_may_not_be_written_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "library.db"
    async with aiosqlite.connect(file, isolation_level=None) as connection:
        await migrate(connection)
    monkeypatch.setattr(database, "STEPS", (*STEPS, ("CREATE TABLE later (x)",)))
    with pytest.raises(LibraryFailure, match="open it once with this version"):
        await database.Database.open_to_read(file)


async def test_the_channels_of_a_workspace_are_told_without_opening_it(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    await add(opened, make(tmp_path, ["okapis"]))
    await add(opened, make(tmp_path, ["tapirs"], channel="zoo"))
    await opened.close()
    assert list_channels(tmp_path / "data", HERE) == ["general", "zoo"]
    assert list_channels(tmp_path / "data", Workspace(platform="local", id="nowhere")) is None
