"""Every word that a paper or a person wrote lies in one table, so that words can be truly removed.

SQLite's secure delete zeroes the cell that is deleted, but when a tree rebalances, copies of cells stay in
the unused middle of pages, and nothing clears those. A table that is only ever appended to, and whose rows
are never resized or deleted, does not rebalance: each row exists exactly once in the file. So words are
appended here, and forgetting overwrites a row in place with zeros of the same length. The zeros are given
back by ``Forgetting`` once there are many, with a VACUUM, which writes the file anew.

All other tables name rows of this one and hold no words; they may be changed and deleted as usual.
"""

import json
from collections.abc import Collection, Iterable, Sequence

import aiosqlite

from core.library.sqlite.rows import to_storable


async def append(connection: aiosqlite.Connection, bodies: Sequence[str]) -> range:
    """Store texts and return their row numbers, in order."""
    rows = list(await connection.execute_fetchall("SELECT seq FROM sqlite_sequence WHERE name = 'wording'"))
    first = int(rows[0][0]) + 1 if rows else 1
    numbers = range(first, first + len(bodies))
    await connection.executemany(
        "INSERT INTO wording (number, body) VALUES (?, ?)",
        zip(numbers, (to_storable(body).encode() for body in bodies), strict=True),
    )
    return numbers


async def append_one(connection: aiosqlite.Connection, body: str) -> int:
    """Store one text and return its row number."""
    return (await append(connection, [body]))[0]


async def read(connection: aiosqlite.Connection, numbers: Collection[int]) -> dict[int, str]:
    """Texts by row number; blanked rows are left out."""
    rows = await connection.execute_fetchall(
        "SELECT number, body FROM wording WHERE number IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(numbers)),),
    )
    return {number: text for number, body in rows if (text := decode_text(body))}


def decode_text(body: bytes) -> str:
    """The text of a row; empty where it was blanked."""
    return body.decode() if body[:1].strip(b"\0") else ""


async def blank(connection: aiosqlite.Connection, numbers: Iterable[int]) -> None:
    """Overwrite rows with zeros, in place, and count the bytes that could be given back."""
    asked = (json.dumps(sorted(numbers)),)
    among = "number IN (SELECT value FROM json_each(?))"
    rows = await connection.execute_fetchall(f"SELECT total(length(body)) FROM wording WHERE {among}", asked)
    await connection.execute(f"UPDATE wording SET body = zeroblob(length(body)) WHERE {among}", asked)
    await connection.execute(
        "INSERT INTO meta (key, value) VALUES ('blank', ?1) "
        "ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + ?1 AS TEXT)",
        (int(next(iter(rows))[0]),),
    )


async def blank_bytes(connection: aiosqlite.Connection) -> int:
    """How many bytes of the file are blanked words."""
    rows = await connection.execute_fetchall("SELECT value FROM meta WHERE key = 'blank'")
    return sum(int(row[0]) for row in rows)


async def drop_blank(connection: aiosqlite.Connection) -> None:
    """Delete blanked rows. Only right before a VACUUM: until then copies of their neighbours may lie about.

    The note that it is due is written in the same transaction.
    """
    await connection.execute("DELETE FROM wording WHERE body = zeroblob(length(body))")
    await connection.execute("DELETE FROM meta WHERE key = 'blank'")
    await connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('vacuum', '1')")
