"""A reader's corrections of what identifies a paper: the index follows, the first reading is kept."""

import asyncio
from dataclasses import replace
from datetime import datetime

import aiosqlite

from core.domain.errors import NotInScope
from core.domain.model import Metadata
from core.library.common.codec import from_json, to_json
from core.library.sqlite import text_store
from core.library.sqlite.adding import number_of_paper
from core.library.sqlite.database import Database
from core.library.sqlite.lexical_rows import Fields, delete_rows, fields_of, insert_rows
from core.library.sqlite.rows import SEARCHED, PaperWords, Row, searched_from_row, to_storable


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
