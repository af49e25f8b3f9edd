"""Brings the files of a workspace in step with its rows, after an add, a forgetting or an end without warning.

A forgetting that is committed and not finished has a note in the database itself: written in the transaction that
removes the rows, struck when files are deleted and others notified. Everything here runs inside a write transaction,
so that no paper is being added or forgotten meanwhile, in this process or another. A file is never deleted because its
row is missing: a database that was lost, emptied or put back from a backup knows fewer papers than there are.
"""

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import aiosqlite

from core.domain.errors import LibraryFailure
from core.library.files.originals import Files, stored_originals


@dataclass(frozen=True, slots=True)
class Note:
    """What is still to do: forgotten papers, marks of their words, papers that left a channel, pictures to delete."""

    papers: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    pictures: tuple[str, ...] = ()

    @property
    def papers_left(self) -> Mapping[str, frozenset[str]]:
        """The channels that each paper left."""
        return {item: frozenset(channel for paper, channel in self.left if paper == item) for item, _ in self.left}


async def open_note(connection: aiosqlite.Connection) -> Note:
    """The note that was not struck yet; empty where there is none."""
    found = list(await connection.execute_fetchall("SELECT value FROM meta WHERE key = 'forgetting'"))
    note = json.loads(found[0][0]) if found else {"papers": ()}
    left = tuple((paper, channel) for paper, channel in note.get("left", ()))
    return Note(tuple(note["papers"]), tuple(note.get("marks", ())), left, tuple(note.get("pictures", ())))


async def strike_note(connection: aiosqlite.Connection, told: Note) -> None:
    """Strike the note if it says no more than ``told``: another forgetting may have joined it."""
    note = await open_note(connection)
    says_more = any(
        set(now) - set(then)
        for now, then in ((note.papers, told.papers), (note.left, told.left), (note.pictures, told.pictures))
    )
    if not says_more:
        await connection.execute("DELETE FROM meta WHERE key = 'forgetting'")


async def settle(
    connection: aiosqlite.Connection, files: Files, papers: Collection[str], pictures: Collection[str]
) -> None:
    """Put files that wait in their places where rows name them by now; delete those that waited in vain."""
    stored, shown = await _stored(connection, papers), await _shown(connection, pictures)
    await asyncio.to_thread(
        files.settle,
        {paper_id: paper_id in stored for paper_id in papers},
        {name: name in shown for name in pictures},
    )


async def settle_all(connection: aiosqlite.Connection, files: Files) -> None:
    """As ``settle``, for whatever waits; what was only half written goes."""
    await settle(connection, files, *await asyncio.to_thread(files.waiting))
    await asyncio.to_thread(files.clear_parts)


async def drop_forgotten(connection: aiosqlite.Connection, files: Files) -> None:
    """Delete the files that the open note of forgetting names, but for those that were added again since."""
    note = await open_note(connection)
    papers = set(note.papers) - await _stored(connection, note.papers)
    pictures = set(note.pictures) - await _shown(connection, note.pictures)
    await asyncio.to_thread(files.drop, papers, pictures)


def check_not_lost(home: Path) -> None:
    """Raise ``LibraryFailure`` where originals are stored and the database is missing, or a file without bytes.

    A full disk, a half restore or a placeholder of a file that is kept elsewhere leave such a file.
    """
    file = home / "library.db"
    is_lost = not file.exists() or file.stat().st_size == 0
    if is_lost and (papers := stored_originals(home)):
        raise LibraryFailure(_words(file, "is empty" if file.exists() else "is missing", papers))


async def check_not_new(connection: aiosqlite.Connection, home: Path) -> None:
    """Raise ``LibraryFailure`` where originals are stored beside a database that never knew a paper."""
    given = await connection.execute_fetchall("SELECT 1 FROM sqlite_sequence WHERE name = 'paper'")
    papers = 0 if list(given) else await asyncio.to_thread(stored_originals, home)
    if papers:
        raise LibraryFailure(_words(home / "library.db", "knows no paper", papers))


def _words(file: Path, what: str, papers: int) -> str:
    stored = "1 stored paper lies" if papers == 1 else f"{papers} stored papers lie"
    return (
        f"The library file {file} {what}, but {stored} in {file.parent / 'papers'}; nothing was changed: put the file "
        f"back from a backup, or move the folder {file.parent} elsewhere and add the papers from there again."
    )


async def _stored(connection: aiosqlite.Connection, papers: Collection[str]) -> set[str]:
    """Those of ``papers`` that have a row."""
    return await _among(connection, "SELECT id FROM paper WHERE id IN (SELECT value FROM json_each(?))", papers)


async def _shown(connection: aiosqlite.Connection, pictures: Collection[str]) -> set[str]:
    """Those of ``pictures`` that a figure names."""
    return await _among(
        connection, "SELECT image FROM figure WHERE image IN (SELECT value FROM json_each(?))", pictures
    )


async def _among(connection: aiosqlite.Connection, query: str, names: Collection[str]) -> set[str]:
    rows = await connection.execute_fetchall(query, (json.dumps(sorted(names)),))
    return {str(row[0]) for row in rows}
