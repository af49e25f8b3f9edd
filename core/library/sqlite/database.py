"""One SQLite file: a connection that writes, a few that read, and the one place that translates its errors.

Readers see the last committed state and never wait for a long write (WAL). A write, once begun, runs to its
commit or rollback even when the task that asked for it is cancelled.
"""

import asyncio
import contextlib
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import aiosqlite

from core.domain.errors import FootnoteError, LibraryFailure, NotInScope
from core.domain.model import Channel, Workspace
from core.library.files.permissions import make_private_database, make_private_folder
from core.library.sqlite.migrations import STEPS, migrate, schema_of

Result = TypeVar("Result")

BUSY_SECONDS = 15.0
READERS = 2
_PAUSE_SECONDS = 0.05
_BUSY = "The library is in use by another process for too long. Please try again."
# What SQLite's primary result codes mean to a person.
_WORDS = {
    sqlite3.SQLITE_FULL: "The disk is full: nothing was stored and nothing was lost. Please free some space.",
    sqlite3.SQLITE_CORRUPT: "The library file is damaged. Please restore it from a backup, or add the papers again.",
    sqlite3.SQLITE_NOTADB: "The library file is damaged: it is no library. Please restore it from a backup.",
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: "The library file may not be written. Please check the data folder's permissions.",
    sqlite3.SQLITE_CANTOPEN: "The library file cannot be opened. Please check the data folder's permissions.",
    sqlite3.SQLITE_IOERR: "The disk failed while the library was in use. Please check it and try again.",
}


@contextlib.contextmanager
def translate_errors() -> Iterator[None]:
    """Turn every vendor error into ``LibraryFailure`` with one clear sentence; the cause is kept."""
    try:
        yield
    except FootnoteError:
        raise
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        words = _WORDS.get(code & 0xFF) if isinstance(code, int) else None
        raise LibraryFailure(words or "The library could not carry that out; nothing was changed.") from error
    except ValueError as error:
        # aiosqlite's word for a connection that is gone; any other ValueError is a fault of the caller.
        if str(error) not in ("no active connection", "Connection closed"):
            raise
        raise LibraryFailure("The library is closed.") from error
    except OSError as error:
        raise LibraryFailure(f"The library's files cannot be used: {error.strerror or 'unknown reason'}.") from error


def file_identity(path: Path) -> tuple[int, int]:
    """Which file lies at ``path``; no file has zeros."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)


def is_writable(folder: Path) -> bool:
    """Whether files can be made in ``folder``; one that is not there yet may still be made."""
    return not folder.exists() or os.access(folder, os.W_OK | os.X_OK)


def read_only_uri(path: Path) -> str:
    """The address of a library file for a connection that never writes, not even beside it."""
    # Where nothing can be written, SQLite cannot make the files it shares with a writer; without a log there is none.
    alone = not is_writable(path.parent) and not path.with_name(f"{path.name}-wal").exists()
    return f"{path.resolve().as_uri()}?mode=ro" + ("&immutable=1" if alone else "")


async def version_of(connection: aiosqlite.Connection) -> int:
    """The library's version in what ``connection`` sees; 0 before the first change."""
    rows = await connection.execute_fetchall("SELECT value FROM meta WHERE key = 'version'")
    return next((int(row[0]) for row in rows), 0)


async def _connect(address: str, *pragmas: str) -> aiosqlite.Connection:
    """A connection with the settings that all have and ``pragmas`` besides; closed again where one of them fails."""
    opened = await aiosqlite.connect(address, uri=True, isolation_level=None, timeout=BUSY_SECONDS)
    async with _closed_on_failure(opened):
        for pragma in ("foreign_keys = ON", "secure_delete = ON", "temp_store = MEMORY", *pragmas):
            # Some answer with a row; as long as it is not fetched the statement runs on, and no transaction can end.
            await opened.execute_fetchall(f"PRAGMA {pragma}")
    return opened


@contextlib.asynccontextmanager
async def _closed_on_failure(connection: aiosqlite.Connection) -> AsyncIterator[None]:
    """Close ``connection`` where the block raises: the thread of one left open keeps the process from ending."""
    try:
        yield
    except BaseException:
        await connection.close()
        raise


def _may_pass(error: sqlite3.OperationalError) -> bool:
    """Whether an opening failed because others were at work on the file, and may succeed a moment later.

    SQLite does not wait for them in every case: not for the change to a write-ahead log, for example.
    """
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_SCHEMA)


class Database:
    """The file of one workspace. ``read`` and ``write`` lend a connection; nothing else touches it."""

    def __init__(self, path: Path, writer: aiosqlite.Connection, address: str) -> None:
        self.path = path
        self._writer = writer
        self._address = address
        self._writing = asyncio.Lock()
        self._readers: list[aiosqlite.Connection] = []
        self._idle: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        self._slots = asyncio.Semaphore(READERS)
        self._closed = False
        self._views: dict[aiosqlite.Connection, int] = {}
        self._version = 0
        self._file = file_identity(path)

    @classmethod
    async def open(cls, path: Path) -> "Database":
        """Open or create the file and bring its schema up to date. Raises ``LibraryFailure``.

        An opening that fails because others are at work on the file is tried again for ``BUSY_SECONDS``.
        """
        with translate_errors():
            await asyncio.to_thread(make_private_folder, path.parent)
            await asyncio.to_thread(make_private_database, path)
            address = await asyncio.to_thread(lambda: path.absolute().as_uri())
            until = time.monotonic() + BUSY_SECONDS
            while True:
                try:
                    return await cls._open_once(path, address)
                except sqlite3.OperationalError as error:
                    if not _may_pass(error) or time.monotonic() > until:
                        raise
                await asyncio.sleep(_PAUSE_SECONDS)

    @classmethod
    async def _open_once(cls, path: Path, address: str) -> "Database":
        # NORMAL would lose the last commits at a power cut; a confirmed paper must stay confirmed.
        writer = await _connect(address, "journal_mode = WAL", "synchronous = FULL")
        async with _closed_on_failure(writer):
            await migrate(writer)
            database = cls(path, writer, address)
            await database._look(writer)
        return database

    @classmethod
    async def open_to_read(cls, path: Path) -> "Database":
        """Open the file as it is, where nothing may be written: every write is refused. Raises ``LibraryFailure``."""
        address = await asyncio.to_thread(read_only_uri, path)
        with translate_errors():
            reader = await _connect(address)
            async with _closed_on_failure(reader):
                if await schema_of(reader) != len(STEPS):
                    raise LibraryFailure(
                        "This library is of another version of Footnote and may not be written here; "
                        "open it once with this version where its folder can be written."
                    )
                database = cls(path, reader, address)
                await database._look(reader)
        return database

    async def replaced(self) -> bool:
        """Whether the file was taken away since it was opened: another process cleared the workspace."""
        return await asyncio.to_thread(file_identity, self.path) != self._file

    @property
    def version(self) -> int:
        """The library's version as of the last read or write here."""
        return self._version

    async def version_seen(self, connection: aiosqlite.Connection) -> int:
        """The version in what ``connection`` sees; that of a read is fixed when it begins and not asked for again."""
        return self._views[connection] if connection in self._views else await version_of(connection)

    async def _look(self, connection: aiosqlite.Connection) -> int:
        """Take over the version; another process may have changed it."""
        seen = await version_of(connection)
        self._version = max(self._version, seen)
        return seen

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[aiosqlite.Connection]:
        """A connection with one consistent view of the last committed state."""
        if self._closed:
            raise LibraryFailure("The library is closed.")
        async with self._slots:
            with translate_errors():
                connection = self._idle.get_nowait() if not self._idle.empty() else await self._new_reader()
                try:
                    await connection.execute("BEGIN")
                    self._views[connection] = await self._look(connection)
                    yield connection
                finally:
                    self._views.pop(connection, None)
                    with contextlib.suppress(sqlite3.Error, ValueError):
                        await asyncio.shield(connection.execute("ROLLBACK"))
                    self._idle.put_nowait(connection)

    async def rows(self, query: str, values: Sequence[object] = ()) -> list[sqlite3.Row]:
        """What a query finds in the last committed state."""
        async with self.read() as connection:
            return list(await connection.execute_fetchall(query, tuple(values)))

    async def execute(self, statement: str, values: Sequence[object] = ()) -> int:
        """Carry out one statement in a transaction of its own; how many rows it changed."""

        async def work(connection: aiosqlite.Connection) -> int:
            return (await connection.execute(statement, tuple(values))).rowcount

        return await self.write(work)

    async def _new_reader(self) -> aiosqlite.Connection:
        connection = await _connect(self._address, "query_only = ON")
        self._readers.append(connection)
        return connection

    async def write(self, work: Callable[[aiosqlite.Connection], Awaitable[Result]]) -> Result:
        """Run ``work`` in one transaction: all of it is stored, or nothing. Does not move the version."""
        return await asyncio.shield(asyncio.ensure_future(self._transaction(work, change=False)))

    async def change(self, work: Callable[[aiosqlite.Connection], Awaitable[Result]]) -> Result:
        """As ``write``, and the library's version grows with it."""
        return await asyncio.shield(asyncio.ensure_future(self._transaction(work, change=True)))

    async def _transaction(self, work: Callable[[aiosqlite.Connection], Awaitable[Result]], *, change: bool) -> Result:
        async with self._writing:
            if self._closed:
                raise LibraryFailure("The library is closed.")
            with translate_errors():
                await self._writer.execute("BEGIN IMMEDIATE")
                try:
                    result = await work(self._writer)
                    if change:
                        await self._writer.execute(
                            "INSERT INTO meta (key, value) VALUES ('version', '1') "
                            "ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)"
                        )
                    await self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:
                        await self._writer.execute("ROLLBACK")
                    raise
                await self._look(self._writer)
                return result

    async def checkpoint(self) -> bool:
        """Fold the write-ahead log into the file and cut it to nothing; False where a reader kept it."""
        async with self._writing:
            if self._closed:
                return False
            with translate_errors():
                rows = await self._writer.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
                return int(next(iter(rows))[0]) == 0

    async def vacuum(self) -> None:
        """Write the whole file anew, without what is unused; costs time and disk in proportion to its size."""
        async with self._writing:
            if self._closed:
                return
            with translate_errors():
                # In memory a large file's copy would not fit.
                await self._writer.execute_fetchall("PRAGMA temp_store = FILE")
                await self._writer.execute_fetchall("VACUUM")
                await self._writer.execute_fetchall("PRAGMA temp_store = MEMORY")

    async def size(self) -> int:
        """Bytes of the file."""
        async with self.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            )
        return int(next(iter(rows))[0])

    async def close(self) -> None:
        """Wait for the running write, then close every connection. Closing twice is harmless."""
        async with self._writing:
            if self._closed:
                return
            self._closed = True
            with translate_errors():
                async with contextlib.AsyncExitStack() as stack:  # closes all of them, also where one cannot be
                    for connection in (self._writer, *self._readers):
                        stack.push_async_callback(connection.close)


class ChannelStore:
    """What one workspace keeps by channel: a channel of another workspace is refused."""

    def __init__(self, database: Database, workspace: Workspace) -> None:
        self._database = database
        self._workspace = workspace

    def _check(self, channel: Channel) -> None:
        if channel.workspace != self._workspace:
            raise NotInScope("That is not part of this workspace.")
