"""What is written about a stored paper later: corrections of what identifies it, and descriptions of its figures.

The index follows a correction, and the first reading is kept beside it.
"""

import asyncio
from dataclasses import replace
from datetime import datetime

import aiosqlite

from core.domain.codec import from_json, to_json
from core.domain.errors import NotInScope
from core.domain.model import Figure, Metadata, Scope
from core.library.sqlite import text_store
from core.library.sqlite.adding import number_of_paper
from core.library.sqlite.database import Database
from core.library.sqlite.lexical_rows import Fields, delete_rows, fields_of, insert_rows
from core.library.sqlite.rows import (
    SEARCHED,
    PaperWords,
    Row,
    figure_body,
    searched_from_row,
    to_storable,
)
from core.library.sqlite.selection import Selections


async def correct_paper(database: Database, paper_id: str, metadata: Metadata, *, user: str, at: datetime) -> None:
    """Replace a paper's metadata. Raises ``NotInScope`` for an unknown paper.

    Passages keep their ``indexed_text`` and vectors: the title's own field in the index is what changes.
    """

    async def work(connection: aiosqlite.Connection) -> None:
        number = await number_of_paper(connection, paper_id)
        if number is None:
            raise NotInScope("There is no such paper here.")
        before = await words_of_paper(connection, number)
        body = await text_store.append_one(connection, to_json(replace(before, metadata=metadata)))
        await connection.execute(
            "INSERT INTO correction (paper, wording, user, at) SELECT number, wording, ?, ? FROM paper "
            "WHERE number = ?",
            (to_storable(user), at.isoformat(), number),
        )
        await connection.execute(
            "UPDATE paper SET wording = ?, year = ? WHERE number = ?", (body, metadata.year, number)
        )
        if before.metadata.title != metadata.title:
            await reindex_paper(connection, number)

    await database.change(work)


async def words_of_paper(connection: aiosqlite.Connection, number: int) -> PaperWords:
    """What identifies a paper now."""
    rows = await connection.execute_fetchall(
        "SELECT w.body FROM paper p JOIN wording w ON w.number = p.wording WHERE p.number = ?", (number,)
    )
    return from_json(PaperWords, next(iter(rows))[0])


async def fields_of_paper(connection: aiosqlite.Connection, number: int) -> list[tuple[int, str, Fields]]:
    """Number, kind and fields of every passage of a paper, from its words as they are stored."""
    former = await connection.execute_fetchall(
        "SELECT w.body FROM correction c JOIN wording w ON w.number = c.wording WHERE c.paper = ?", (number,)
    )
    passages = await connection.execute_fetchall(
        f"SELECT {SEARCHED} FROM passage p JOIN wording w ON w.number = p.wording WHERE p.paper = ? ORDER BY p.ordinal",
        (number,),
    )
    words = await words_of_paper(connection, number)
    titles = [from_json(PaperWords, row[0]).metadata.title for row in former]
    return await asyncio.to_thread(_fields, words.metadata.title, titles, list(passages))


def _fields(title: str, former: list[str], rows: list[Row]) -> list[tuple[int, str, Fields]]:
    passages = [(row[0], searched_from_row(row, "")) for row in rows]
    return [(number, passage.kind, fields_of(title, passage, former)) for number, passage in passages]


async def reindex_paper(connection: aiosqlite.Connection, number: int) -> None:
    """Write a paper's lexical rows anew from its passages."""
    await delete_rows(connection, number)
    shares = await connection.execute_fetchall("SELECT channel FROM share WHERE paper = ?", (number,))
    fields = await fields_of_paper(connection, number)
    await insert_rows(connection, number, fields, [row[0] for row in shares])


class SqliteDescriptions:
    """Writes the descriptions of one workspace's figures; they are read with the figures."""

    def __init__(self, database: Database, selections: Selections) -> None:
        self._database = database
        self._selections = selections

    async def describe(self, scope: Scope, paper_id: str, figure_id: str, words: str) -> None:
        """Keep what was seen in a figure. A figure that is not there (any more) is passed over.

        Raises ``NotInScope``.
        """
        async with self._database.read() as connection:
            await self._selections.paper(connection, scope, paper_id)

        async def work(connection: aiosqlite.Connection) -> None:
            rows = await connection.execute_fetchall(
                "SELECT f.number, f.wording, w.body FROM figure f "
                "JOIN paper p ON p.number = f.paper JOIN wording w ON w.number = f.wording "
                "WHERE p.id = ? AND f.id = ?",
                (paper_id, figure_id),
            )
            for number, former, body_before in rows:
                figure = replace(from_json(Figure, body_before), description=words)
                body = await text_store.append_one(connection, figure_body(figure))
                await text_store.blank(connection, [former])
                await connection.execute("UPDATE figure SET wording = ? WHERE number = ?", (body, number))

        await self._database.write(work)
