"""What a group says of its papers: tags and reading status, by channel; read in a scope like everything else."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import datetime

import aiosqlite

from core.domain.codec import from_json, to_json
from core.domain.model import Channel, Scope
from core.domain.records import PaperTags, ReadingStatus
from core.library.sqlite import text_store
from core.library.sqlite.database import Database
from core.library.sqlite.rows import Row, to_storable, to_storable_row
from core.library.sqlite.selection import Selections
from core.text import hash_words

_IN = "channel IN (SELECT value FROM json_each(?)) AND paper IN (SELECT value FROM json_each(?))"


class SqliteTags:
    """Tags and statuses of one workspace."""

    def __init__(self, database: Database, selections: Selections) -> None:
        self._database = database
        self._selections = selections

    async def of(self, scope: Scope) -> Mapping[str, PaperTags]:
        """By paper id, what the scope's channels say of the papers in it; papers without a mark are not there."""
        asked = json.dumps(sorted(scope.channels))
        async with self._database.read() as connection:
            held = await self._selections.papers(connection, scope)
            numbers = json.dumps(list(held.papers))
            ids = {
                row[0]: row[1]
                for row in await connection.execute_fetchall(
                    "SELECT number, id FROM paper WHERE number IN (SELECT value FROM json_each(?))", (numbers,)
                )
            }
            tags = list(
                await connection.execute_fetchall(
                    f"SELECT paper, wording FROM tag WHERE {_IN} ORDER BY number", (asked, numbers)
                )
            )
            bodies = await text_store.read(connection, [row[1] for row in tags])
            statuses = list(
                await connection.execute_fetchall(
                    f"SELECT paper, user, status FROM reading WHERE {_IN} ORDER BY at", (asked, numbers)
                )
            )
        named: dict[str, list[str]] = {}
        for paper, body in tags:
            if body in bodies:
                named.setdefault(ids[paper], []).append(from_json(str, bodies[body]))
        told: dict[str, dict[str, ReadingStatus]] = {}
        for paper, user, status in statuses:
            told.setdefault(ids[paper], {})[user] = status
        return {
            paper: PaperTags(
                tags=tuple(dict.fromkeys(named.get(paper, ()))), statuses=tuple(told.get(paper, {}).items())
            )
            for paper in (*named, *told)
        }

    async def tag(self, channel: Channel, scope: Scope, paper_id: str, tag: str, *, user: str, at: datetime) -> None:
        """Put a tag on a paper in this channel; a tag it has already stays as it is. Raises ``NotInScope``."""

        async def work(connection: aiosqlite.Connection) -> None:
            paper = await self._selections.paper(connection, scope, paper_id)
            if await _tags(connection, paper, channel, tag):
                return
            body = await text_store.append_one(connection, to_json(to_storable(tag)))
            await connection.execute(
                "INSERT INTO tag (paper, channel, user, at, wording) VALUES (?, ?, ?, ?, ?)",
                to_storable_row((paper, channel.id, user, at.isoformat(), body)),
            )

        await self._database.write(work)

    async def untag(self, channel: Channel, scope: Scope, paper_id: str, tag: str) -> bool:
        """Take a tag off; False where the paper has none of this name here. Raises ``NotInScope``."""

        async def work(connection: aiosqlite.Connection) -> bool:
            paper = await self._selections.paper(connection, scope, paper_id)
            found = await _tags(connection, paper, channel, tag)
            await text_store.blank(connection, found.values())
            await connection.execute(
                "DELETE FROM tag WHERE number IN (SELECT value FROM json_each(?))", (json.dumps(list(found)),)
            )
            return bool(found)

        return await self._database.write(work)

    async def read(
        self, channel: Channel, scope: Scope, paper_id: str, status: ReadingStatus, *, user: str, at: datetime
    ) -> None:
        """Note how far ``user`` is with a paper (empty: the whole channel). Raises ``NotInScope``."""

        async def work(connection: aiosqlite.Connection) -> None:
            paper = await self._selections.paper(connection, scope, paper_id)
            await connection.execute(
                "INSERT OR REPLACE INTO reading (paper, channel, user, status, at) VALUES (?, ?, ?, ?, ?)",
                to_storable_row((paper, channel.id, user, status, at.isoformat())),
            )

        await self._database.write(work)


async def _tags(connection: aiosqlite.Connection, paper: int, channel: Channel, tag: str) -> dict[int, int]:
    """Tags of this name (whatever its case) on a paper in a channel: row number and row of words."""
    rows = list(
        await connection.execute_fetchall(
            "SELECT number, wording FROM tag WHERE paper = ? AND channel = ?", (paper, channel.id)
        )
    )
    bodies = await text_store.read(connection, [row[1] for row in rows])
    return {
        number: body
        for number, body in rows
        if body in bodies and from_json(str, bodies[body]).casefold() == to_storable(tag).casefold()
    }


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
    return [row for row in rows if not words.isdisjoint(hash_words(text_store.decode_text(row[2])))]
