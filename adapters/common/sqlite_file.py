"""One SQLite file: its connection and schema, one transaction at a time, errors in words.

The page's messages and the process's jobs stand on it; libraries of papers have a database of their own in core.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import aiosqlite

from core.domain.errors import LibraryFailure

_PRAGMAS = ("busy_timeout = 10000", "journal_mode = WAL", "synchronous = FULL", "secure_delete = ON")


class SqliteFile:
    """The file at ``path``, whose schema is that after all ``migrations``.

    Where it cannot be used every call raises ``LibraryFailure`` with the words ``failure``.
    """

    def __init__(self, path: Path, migrations: Sequence[str], *, failure: str) -> None:
        self.path = path
        self._migrations = migrations
        self._failure = failure
        self._serial = asyncio.Lock()

    async def open(self) -> bool:
        """Connect and bring the schema up to date; whether the file is new. Also raises for that of a newer version."""
        with self.errors():
            self._db = await aiosqlite.connect(self.path, isolation_level=None)
            try:
                for pragma in _PRAGMAS:
                    # Run to its end: one that answers with a row would keep the transaction below from ending.
                    await self._db.execute_fetchall(f"PRAGMA {pragma}")
                return await self._migrate()
            except BaseException:
                await self._db.close()  # or the connection's thread would keep the process from ending
                raise

    async def reopen(self) -> bool:
        """Open the file that is at the path now, once no transaction runs; whether it is new."""
        async with self._serial:
            await self._db.close()
            return await self.open()

    async def close(self) -> None:
        """Close the connection."""
        await self._db.close()

    async def rows(self, query: str, values: Sequence[object] = ()) -> Sequence[sqlite3.Row]:
        """What a query finds."""
        with self.errors():
            return list(await self._db.execute_fetchall(query, tuple(values)))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """A connection on which everything or nothing is done."""
        with self.errors():
            async with self._serial, self._all_or_nothing():
                yield self._db

    async def wipe(self) -> None:
        """Leave nothing of what was deleted.

        Deleted cells are zeroed, but when pages are split or joined copies may stay in their unused middle, so the
        file is written anew; nor must the old words live on in the write-ahead log.
        """
        with self.errors():
            async with self._serial:
                await self._db.execute_fetchall("VACUUM")
                await self._db.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def errors(self) -> Iterator[None]:
        """SQLite's errors and the disk's as the library's own, in words that a reader can use."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise LibraryFailure(self._failure) from error

    @asynccontextmanager
    async def _all_or_nothing(self) -> AsyncIterator[None]:
        try:
            await self._db.execute("BEGIN IMMEDIATE")
            yield
            await self._db.execute("COMMIT")
        except BaseException:
            # Cancelled while BEGIN or COMMIT was on its way, there may be nothing to roll back.
            with suppress(sqlite3.Error):
                await self._db.execute("ROLLBACK")
            raise

    async def _migrate(self) -> bool:
        async with self._all_or_nothing():
            version = int(next(iter(await self._db.execute_fetchall("PRAGMA user_version")))[0])
            if version > len(self._migrations):
                raise LibraryFailure(f"{self.path.name} was written by a newer Footnote; update Footnote to use it.")
            for script in self._migrations[version:]:
                for statement in filter(str.strip, script.split(";")):
                    await self._db.execute(statement)
            await self._db.execute(f"PRAGMA user_version = {len(self._migrations)}")
        return version == 0
