"""The note, in the database itself, of a forgetting that is committed and not finished.

It is written in the transaction that removes the rows, and struck when files are deleted and others told.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import aiosqlite


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
        return {one: frozenset(channel for paper, channel in self.left if paper == one) for one, _ in self.left}


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
