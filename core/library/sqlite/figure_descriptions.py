"""What the vision model saw in a figure, written down once beside the figure's caption and forgotten with its paper."""

from dataclasses import replace

import aiosqlite

from core.domain.model import Scope
from core.library.sqlite import text_store
from core.library.sqlite.database import Database
from core.library.sqlite.rows import figure_body, figure_from_row
from core.library.sqlite.selection import Selections


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
                "SELECT f.number, f.wording, f.id, f.page, f.box, f.image, w.body FROM figure f "
                "JOIN paper p ON p.number = f.paper JOIN wording w ON w.number = f.wording "
                "WHERE p.id = ? AND f.id = ?",
                (paper_id, figure_id),
            )
            for number, former, *row in rows:
                figure = replace(figure_from_row(row, paper_id, b""), description=words)
                body = await text_store.append_one(connection, figure_body(figure))
                await text_store.blank(connection, [former])
                await connection.execute("UPDATE figure SET wording = ? WHERE number = ?", (body, number))

        await self._database.write(work)
