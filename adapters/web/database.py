"""The SQLite file under the page's notebook: its schema, one connection while somebody uses it, errors in words.

It stands apart from what is written in it because it must outlive being taken away: whoever clears the workspace
from the command line deletes the file under an open page.
"""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import aiosqlite

from core.domain.errors import LibraryFailure

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS channel (id TEXT PRIMARY KEY, n INTEGER NOT NULL, body TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS message (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        channel TEXT NOT NULL,
        thread TEXT NOT NULL,
        state TEXT NOT NULL,
        key TEXT NOT NULL,
        revision INTEGER NOT NULL,
        body TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS message_revision ON message (revision);
    CREATE INDEX IF NOT EXISTS message_channel ON message (channel, n);
    CREATE TABLE IF NOT EXISTS attachment (
        message TEXT NOT NULL, place INTEGER NOT NULL, body TEXT NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (message, place)
    )
"""
_VERSION = 1


class PageDatabase:
    """One file at ``path``, open while it is held by anybody; a file that was taken away is made anew.

    ``begin`` writes what stands in every new file.
    """

    def __init__(self, path: Path, begin: Callable[[aiosqlite.Connection], Awaitable[None]]) -> None:
        self.path = path
        self._begin = begin
        self._serial = asyncio.Lock()
        self._door = asyncio.Lock()
        self._users = 0

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """The file stays open at least until the block is left."""
        async with self._door:
            if self._users and not await asyncio.to_thread(_is_at, self.path, self._opened):
                async with self._serial:
                    await self._db.close()
                    await self._connect()
            elif self._users == 0:
                await self._connect()
            self._users += 1
        try:
            yield
        finally:
            async with self._door:
                self._users -= 1
                if self._users == 0:
                    await self._db.close()

    async def rows(self, query: str, *values: object) -> Sequence[sqlite3.Row]:
        """What a query finds."""
        async with self.held():
            with _translated():
                return list(await self._db.execute_fetchall(query, values))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """A connection on which everything or nothing is done."""
        async with self.held(), self._serial:
            with _translated():
                try:
                    await self._db.execute("BEGIN IMMEDIATE")
                    yield self._db
                    await self._db.execute("COMMIT")
                except BaseException:
                    with suppress(sqlite3.Error):
                        await self._db.execute("ROLLBACK")
                    raise

    async def wipe(self) -> None:
        """Leave nothing of what was deleted: cells are zeroed, but copies may stay between them and in the log."""
        async with self.held(), self._serial:
            with _translated():
                await self._db.execute_fetchall("VACUUM")
                await self._db.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")

    async def _connect(self) -> None:
        with _translated():
            await asyncio.to_thread(self.path.parent.mkdir, parents=True, exist_ok=True, mode=0o700)
            self._db = await aiosqlite.connect(self.path, isolation_level=None)
            try:
                for pragma in ("busy_timeout = 10000", "journal_mode = WAL", "secure_delete = ON"):
                    # Run to its end: one that answers with a row would keep the transaction below from ending.
                    await self._db.execute_fetchall(f"PRAGMA {pragma}")
                await self._set_up()
                self._opened = await asyncio.to_thread(self.path.stat)
            except BaseException:
                await self._db.close()
                raise

    async def _set_up(self) -> None:
        rows = list(await self._db.execute_fetchall("PRAGMA user_version"))
        version = int(rows[0][0])
        if version > _VERSION:
            raise LibraryFailure(f"{self.path.name} was written by a newer Footnote; update Footnote to use it.")
        if version < _VERSION:
            await self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA}; PRAGMA user_version = {_VERSION}; COMMIT")
            await self._begin(self._db)


def _is_at(path: Path, opened: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), opened)
    except OSError:
        return False


@contextmanager
def _translated() -> Iterator[None]:
    """SQLite's errors as the library's own, in words that a reader can use."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise LibraryFailure("The page's file of conversations cannot be used; is the disk full?") from error
