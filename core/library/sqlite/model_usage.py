"""What a language model used up, by day and person: what budgets are held against. Holds numbers, no words."""

from datetime import date, timedelta

import aiosqlite

from core.domain.language_models import ModelSpending
from core.library.sqlite.database import Database
from core.library.sqlite.rows import to_storable

_KEPT_DAYS = 70
_PREFIX = "spent/"


class SqliteSpending:
    """The books of one workspace, a row a person and day; they stay when a thread is forgotten."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, user: str, day: date, spent: ModelSpending) -> None:
        """Put something on a person's account."""
        key = to_storable(f"{_PREFIX}{day.isoformat()}/{user}")

        async def work(connection: aiosqlite.Connection) -> None:
            rows = await connection.execute_fetchall("SELECT value FROM meta WHERE key = ?", (key,))
            now = sum((_read(row[0]) for row in rows), ModelSpending()) + spent
            await connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, f"{now.tokens} {now.cost!r}")
            )
            oldest = f"{_PREFIX}{(day - timedelta(days=_KEPT_DAYS)).isoformat()}"
            await connection.execute("DELETE FROM meta WHERE key >= ? AND key < ?", (_PREFIX, oldest))

        await self._database.write(work)

    async def since(self, first: date, *, user: str | None = None) -> ModelSpending:
        """What was used up on ``first`` and later, by ``user`` or by everybody."""
        rows = await self._database.rows(
            "SELECT key, value FROM meta WHERE key >= ? AND key < 'spent0'", (f"{_PREFIX}{first.isoformat()}",)
        )
        mine = (row[1] for row in rows if user is None or row[0].split("/", 2)[2] == to_storable(user))
        return sum((_read(value) for value in mine), ModelSpending())


def _read(value: str) -> ModelSpending:
    tokens, cost = value.split(" ")
    return ModelSpending(tokens=int(tokens), cost=float(cost))
