"""Studies of papers as the library keeps them: found again by what they were made from, gone with any of their papers.

Their words lie in ``wording`` like all words of papers, so that forgetting a paper truly removes them.
"""

from collections.abc import Collection
from datetime import datetime
from typing import TypeVar

import aiosqlite

from core.domain.codec import from_json, to_json
from core.library.sqlite import text_store
from core.library.sqlite.database import Database
from core.library.sqlite.removal import all_remembered

Study = TypeVar("Study")


class SqliteStudies:
    """The studies of one workspace; ``key`` names everything that a study depends on."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def kept(self, kind: type[Study], key: str) -> Study | None:
        """The study stored under ``key``, or None."""
        found = await self._database.rows(
            "SELECT w.body FROM study s JOIN wording w ON w.number = s.wording WHERE s.key = ? AND s.kind = ?",
            (key, kind.__name__),
        )
        return next(
            (from_json(kind, text_store.decode_text(row[0])) for row in found if text_store.decode_text(row[0])), None
        )

    async def keep(self, study: object, key: str, *, papers: Collection[str], at: datetime) -> None:
        """Store a study under its key, in place of what stood there.

        One that holds words of a paper forgotten meanwhile is not stored.
        """
        body = to_json(study)

        async def work(connection: aiosqlite.Connection) -> None:
            await _drop(connection, "key = ?", key)
            if not await all_remembered(connection, papers):
                return
            cursor = await connection.execute(
                "INSERT INTO study (kind, key, at, wording) VALUES (?, ?, ?, ?)",
                (type(study).__name__, key, at.isoformat(), await text_store.append_one(connection, body)),
            )
            await connection.executemany(
                "INSERT INTO study_paper (paper_id, study) VALUES (?, ?)",
                [(paper_id, cursor.lastrowid) for paper_id in sorted(papers)],
            )

        await self._database.write(work)


async def _drop(connection: aiosqlite.Connection, condition: str, value: str) -> None:
    rows = await connection.execute_fetchall(f"SELECT number, wording FROM study WHERE {condition}", (value,))
    for number, body in rows:
        await text_store.blank(connection, [body])
        await connection.execute("DELETE FROM study WHERE number = ?", (number,))
