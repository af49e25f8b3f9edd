"""Answers as they were given, read by channel, time or thread: for digests, exports and corrections.

What was answered to the asker alone is left out of all of them.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

import aiosqlite

from core.domain.errors import NotInScope
from core.domain.model import Answer, Channel, Thread, Workspace
from core.domain.records import StoredAnswer
from core.library.common.codec import from_json
from core.library.sqlite.database import Database
from core.library.sqlite.rows import Row

_PUBLIC = (
    "NOT EXISTS (SELECT 1 FROM private_answer p WHERE p.channel = a.channel AND p.thread = a.thread "
    "AND p.trace_id = a.trace_id)"
)
_SAID = (
    "SELECT a.channel, a.thread, a.at, w.body FROM answer a JOIN wording w ON w.number = a.wording "
    f"WHERE a.channel = ? AND {_PUBLIC}"
)


class SqliteRecords:
    """The answers of one workspace. They are written by memory, beside the turns."""

    def __init__(self, database: Database, workspace: Workspace) -> None:
        self._database = database
        self._workspace = workspace

    async def between(self, channel: Channel, since: datetime, until: datetime) -> Sequence[StoredAnswer]:
        """Answers given in a channel after ``since`` and up to ``until``, oldest first."""
        self._check(channel)
        # Times are stored with the offset they came with, so they are compared as times and not as texts; the
        # day on either side lets the database do most of it.
        asked = (channel.id, since.astimezone(UTC).isoformat(), until.astimezone(UTC).isoformat())
        found = await self._select(
            f"{_SAID} AND julianday(a.at) > julianday(?) - 1 AND julianday(a.at) < julianday(?) + 1 ORDER BY a.number",
            asked,
        )
        return [said for said in found if since < said.at <= until]

    async def of_thread(self, thread: Thread) -> Sequence[StoredAnswer]:
        """Every answer of a thread, oldest first."""
        self._check(thread.channel)
        return await self._select(f"{_SAID} AND a.thread = ? ORDER BY a.number", (thread.channel.id, thread.id))

    async def asked_about(self, channel: Channel) -> frozenset[str]:
        """Ids of the papers that an answer given in this channel quotes or showed as nearest."""
        self._check(channel)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT DISTINCT q.paper_id FROM answer_paper q JOIN answer a ON a.number = q.answer "
                f"WHERE a.channel = ? AND {_PUBLIC}",
                (channel.id,),
            )
        return frozenset(row[0] for row in rows)

    async def keep_private(self, thread: Thread, trace_id: str) -> None:
        """The answer is its asker's alone."""
        await self._write(
            "INSERT OR IGNORE INTO private_answer (channel, thread, trace_id) VALUES (?, ?, ?)", thread, trace_id
        )

    async def is_private(self, thread: Thread, trace_id: str) -> bool:
        """Whether the answer is its asker's alone."""
        self._check(thread.channel)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT 1 FROM private_answer WHERE channel = ? AND thread = ? AND trace_id = ?",
                (thread.channel.id, thread.id, trace_id),
            )
        return bool(list(rows))

    async def publish(self, thread: Thread, trace_id: str) -> None:
        """The asker shared the answer with the thread."""
        await self._write(
            "DELETE FROM private_answer WHERE channel = ? AND thread = ? AND trace_id = ?", thread, trace_id
        )

    async def _write(self, statement: str, thread: Thread, trace_id: str) -> None:
        self._check(thread.channel)

        async def work(connection: aiosqlite.Connection) -> None:
            await connection.execute(statement, (thread.channel.id, thread.id, trace_id))

        await self._database.write(work)

    async def _select(self, query: str, asked: Sequence[object]) -> list[StoredAnswer]:
        async with self._database.read() as connection:
            rows = list(await connection.execute_fetchall(query, tuple(asked)))
        return [self._said(row) for row in rows]

    def _said(self, row: Row) -> StoredAnswer:
        channel = Channel(workspace=self._workspace, id=row[0])
        return StoredAnswer(
            answer=from_json(Answer, row[3]),
            thread=Thread(channel=channel, id=row[1]),
            at=datetime.fromisoformat(row[2]),
        )

    def _check(self, channel: Channel) -> None:
        if channel.workspace != self._workspace:
            raise NotInScope("That is not part of this workspace.")
