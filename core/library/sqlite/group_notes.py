"""Takes away what a group noted about a paper: tags, reading status, journal clubs and their questions.

It stands apart from ``removal`` because these notes hang on a paper and a channel at once: they go with the paper,
and in one channel already when the paper leaves that channel.
"""

import asyncio
import json
from collections.abc import Sequence

import aiosqlite

from core.library.sqlite import text_store
from core.library.sqlite.rows import Row
from core.text import hash_words

_AMONG = "IN (SELECT value FROM json_each(?))"
_WORDED = (
    ("tag", "SELECT number, wording FROM tag WHERE paper = ? AND (? IS NULL OR channel {among})"),
    (
        "club_question",
        "SELECT q.number, q.wording FROM club_question q JOIN club c ON c.number = q.club "
        "WHERE c.paper = ? AND (? IS NULL OR c.channel {among})",
    ),
)


async def forget_notes(connection: aiosqlite.Connection, paper: int, channels: frozenset[str] | None) -> None:
    """Forget what was noted about the paper of this row number, in ``channels`` or (None) everywhere."""
    places = None if channels is None else json.dumps(sorted(channels))
    asked = (paper, places, places)
    for table, query in _WORDED:
        found = list(await connection.execute_fetchall(query.format(among=_AMONG), asked))
        await text_store.blank(connection, [row[1] for row in found])
        await connection.execute(f"DELETE FROM {table} WHERE number {_AMONG}", (json.dumps([row[0] for row in found]),))
    for table in ("reading", "club"):
        await connection.execute(f"DELETE FROM {table} WHERE paper = ? AND (? IS NULL OR channel {_AMONG})", asked)


async def forget_notes_holding(connection: aiosqlite.Connection, words: frozenset[int]) -> None:
    """Forget tags and questions that hold one of ``words`` (hashes), whatever paper they were noted on."""
    if not words:
        return
    for table, _ in _WORDED:
        rows = await connection.execute_fetchall(
            f"SELECT n.number, n.wording, w.body FROM {table} n JOIN wording w ON w.number = n.wording"
        )
        holding = await asyncio.to_thread(_holding, list(rows), words)
        await text_store.blank(connection, [row[1] for row in holding])
        await connection.execute(
            f"DELETE FROM {table} WHERE number {_AMONG}", (json.dumps([row[0] for row in holding]),)
        )


def _holding(rows: Sequence[Row], words: frozenset[int]) -> list[Row]:
    return [row for row in rows if not words.isdisjoint(hash_words(text_store.said(row[2])))]
