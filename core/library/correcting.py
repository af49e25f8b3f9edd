"""A reader's corrections of what identifies a paper: the index follows, the first reading is kept."""

import json
from datetime import datetime

import aiosqlite

from core.domain.errors import NotInScope
from core.domain.model import Metadata
from core.library import rows
from core.library.adding import number_of_paper
from core.library.codec import to_json
from core.library.database import Database
from core.library.lexical_rows import delete_rows, fields_of, insert_rows


async def correct_paper(database: Database, paper_id: str, metadata: Metadata, *, user: str, at: datetime) -> None:
    """Replace a paper's metadata. Raises ``NotInScope`` for an unknown paper.

    Passages keep their ``indexed_text`` and vectors: the title's own field in the index is what changes.
    """
    after = rows.storable(to_json(metadata))

    async def work(connection: aiosqlite.Connection) -> None:
        number = await number_of_paper(connection, paper_id)
        if number is None:
            raise NotInScope("There is no such paper here.")
        await connection.execute(
            "INSERT INTO correction (paper, before, after, user, at) "
            "SELECT number, metadata, ?, ?, ? FROM paper WHERE number = ?",
            (after, user, at.isoformat(), number),
        )
        before = list(await connection.execute_fetchall("SELECT metadata FROM paper WHERE number = ?", (number,)))
        await connection.execute(
            "UPDATE paper SET metadata = ?, year = ? WHERE number = ?", (after, metadata.year, number)
        )
        if json.loads(before[0][0])["title"] != metadata.title:
            await reindex_paper(connection, number)

    await database.change(work)


async def reindex_paper(connection: aiosqlite.Connection, number: int) -> None:
    """Write a paper's lexical rows anew from its passages, as they are stored."""
    await delete_rows(connection, number)
    papers = list(await connection.execute_fetchall(f"SELECT {rows.PAPER} FROM paper p WHERE p.number = ?", (number,)))
    paper = rows.paper_of(papers[0], (), ())
    found = await connection.execute_fetchall(
        f"SELECT {rows.PASSAGE} FROM passage p WHERE p.paper = ? ORDER BY p.ordinal", (number,)
    )
    corrections = await connection.execute_fetchall("SELECT before FROM correction WHERE paper = ?", (number,))
    former = [json.loads(row[0])["title"] for row in corrections]
    shares = await connection.execute_fetchall("SELECT channel FROM share WHERE paper = ?", (number,))
    passages = [(row[0], rows.passage_of(row, paper.id)) for row in found]
    await insert_rows(
        connection,
        number,
        [(place, passage.kind, fields_of(paper.title, passage, former)) for place, passage in passages],
        [row[0] for row in shares],
    )
