"""The SQLite file under the page's notebook: its schema, and one connection while somebody uses it.

It stands apart from what is written in it because it must outlive being taken away: whoever clears the workspace
from the command line deletes the file under an open page.
"""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite

from adapters.common.sqlite_file import SqliteFile

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
_FAILURE = "The page's file of conversations cannot be used; is the disk full?"


class PageDatabase:
    """One file at ``path``, open while it is held by anybody; a file that was taken away is made anew.

    ``begin`` writes what stands in every new file.
    """

    def __init__(self, path: Path, begin: Callable[[aiosqlite.Connection], Awaitable[None]]) -> None:
        self.path = path
        self._file = SqliteFile(path, (_SCHEMA,), failure=_FAILURE)
        self._begin = begin
        self._door = asyncio.Lock()
        self._users = 0

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """The file stays open at least until the block is left."""
        async with self._door:
            if self._users and not await asyncio.to_thread(_is_at, self.path, self._opened):
                await self._open(self._file.reopen)
            elif self._users == 0:
                await self._open(self._file.open)
            self._users += 1
        try:
            yield
        finally:
            async with self._door:
                self._users -= 1
                if self._users == 0:
                    await self._file.close()

    async def rows(self, query: str, *values: object) -> Sequence[sqlite3.Row]:
        """What a query finds."""
        async with self.held():
            return await self._file.rows(query, values)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """A connection on which everything or nothing is done."""
        async with self.held(), self._file.transaction() as db:
            yield db

    async def wipe(self) -> None:
        """Leave nothing of what was deleted."""
        async with self.held():
            await self._file.wipe()

    async def _open(self, open_file: Callable[[], Awaitable[bool]]) -> None:
        with self._file.errors():
            await asyncio.to_thread(self.path.parent.mkdir, parents=True, exist_ok=True, mode=0o700)
            is_new = await open_file()
            try:
                self._opened = await asyncio.to_thread(self.path.stat)
                if is_new:
                    async with self._file.transaction() as db:
                        await self._begin(db)
            except BaseException:
                await self._file.close()
                raise


def _is_at(path: Path, opened: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), opened)
    except OSError:
        return False
