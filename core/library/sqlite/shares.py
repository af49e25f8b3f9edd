"""Writes and removes the places of papers, always inside somebody else's transaction.

It stands apart because a share owns words (what its file is called), which have to go when the share goes.
"""

from collections.abc import Sequence

import aiosqlite

from core.domain.model import Share
from core.library.sqlite import text_store
from core.library.sqlite.rows import share_body, share_row

_KNOWN = "SELECT 1 FROM share WHERE paper = ? AND channel = ? AND message = ? AND file_id = ?"
_INSERT = (
    "INSERT INTO share (paper, channel, message, file_id, user, at, added_at, wording) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)


async def add_shares(connection: aiosqlite.Connection, paper: int, shares: Sequence[Share]) -> None:
    """Add places to the paper of this row number; one that it has already stays as it is."""
    for share in shares:
        row = share_row(paper, share)
        if not list(await connection.execute_fetchall(_KNOWN, row[:4])):
            body = await text_store.append_one(connection, share_body(share))
            await connection.execute(_INSERT, (*row, body))


async def drop_shares(connection: aiosqlite.Connection, where: str, asked: Sequence[object]) -> int:
    """Remove the shares that the condition ``where`` holds for, with their words; returns how many there were."""
    found = await connection.execute_fetchall(f"SELECT wording FROM share WHERE {where}", tuple(asked))
    await text_store.blank(connection, [row[0] for row in found])
    return (await connection.execute(f"DELETE FROM share WHERE {where}", tuple(asked))).rowcount
