"""Brings a library file to the schema this code knows, one numbered step a transaction.

It stands alone because it is the only code that may change the shape of a file that a group already owns.
"""

from collections.abc import Sequence

import aiosqlite

from core.domain.errors import LibraryFailure
from core.library.sqlite.schema import s0001_first

STEPS: tuple[Sequence[str], ...] = (s0001_first.STATEMENTS,)
"""Step n (from 1) takes a file from schema n-1 to schema n."""


async def schema_of(connection: aiosqlite.Connection) -> int:
    """The schema number of the file; 0 is a file without tables."""
    rows = await connection.execute_fetchall("PRAGMA user_version")
    return int(next(iter(rows))[0])


async def migrate(connection: aiosqlite.Connection, steps: Sequence[Sequence[str]] = STEPS) -> int:
    """Apply what is missing and return the schema number. Raises ``LibraryFailure`` for a newer file.

    The number is read again inside each transaction, so that two processes that open a new file at once
    do not both create it.
    """
    if await schema_of(connection) == len(steps):
        return len(steps)
    while True:
        await connection.execute("BEGIN IMMEDIATE")
        try:
            current = await schema_of(connection)
            if current > len(steps):
                raise LibraryFailure(
                    f"This library was written by a newer Footnote (schema {current}; this one knows {len(steps)}). "
                    "Please update Footnote; the file was left as it is."
                )
            if current == len(steps):
                await connection.execute("COMMIT")
                return current
            for statement in (*steps[current], f"PRAGMA user_version = {current + 1}"):
                await connection.execute_fetchall(statement)  # run to its end: a commit waits for no statement
            await connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                await connection.execute("ROLLBACK")
            raise
