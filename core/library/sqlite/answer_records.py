"""Answers as they were given, and what readers said of them: for digests, exports, corrections and test questions.

Both are written by memory, beside the turns. What was answered to the asker alone is left out of all answers here.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from core.domain.codec import from_json
from core.domain.model import Answer, Channel, Scope, Thread
from core.domain.records import Feedback, StoredAnswer
from core.library.sqlite.database import ChannelStore, Database
from core.library.sqlite.rows import Row
from core.library.sqlite.selection import Selections

_PUBLIC = (
    "NOT EXISTS (SELECT 1 FROM private_answer p WHERE p.channel = a.channel AND p.thread = a.thread "
    "AND p.trace_id = a.trace_id)"
)
_SAID = (
    "SELECT a.channel, a.thread, a.at, w.body FROM answer a JOIN wording w ON w.number = a.wording "
    f"WHERE a.channel = ? AND {_PUBLIC}"
)


class SqliteRecords(ChannelStore):
    """The answers of one workspace. They are written by memory, beside the turns."""

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
        rows = await self._database.rows(
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
        rows = await self._database.rows(
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
        await self._database.execute(statement, (thread.channel.id, thread.id, trace_id))

    async def _select(self, query: str, asked: Sequence[object]) -> list[StoredAnswer]:
        rows = await self._database.rows(query, asked)
        return [self._said(row) for row in rows]

    def _said(self, row: Row) -> StoredAnswer:
        channel = Channel(workspace=self._workspace, id=row[0])
        return StoredAnswer(
            answer=from_json(Answer, row[3]),
            thread=Thread(channel=channel, id=row[1]),
            at=datetime.fromisoformat(row[2]),
        )


class SqliteFeedback:
    """Reads feedback; it is written through memory, beside the answers."""

    def __init__(self, database: Database, selections: Selections) -> None:
        self._database = database
        self._selections = selections

    async def given(self, scope: Scope) -> Sequence[Feedback]:
        """All feedback on answers that were given in the scope's channels, oldest first."""
        return await self._select(scope)

    async def corrections(self, scope: Scope) -> Sequence[Feedback]:
        """Those that say an answer is wrong and what would be right, oldest first."""
        return await self._select(scope, "AND f.verdict = 'wrong' AND trim(v.body) NOT IN ('\"\"', '')")

    async def _select(self, scope: Scope, fitting: str = "") -> Sequence[Feedback]:
        self._selections.check(scope)
        rows = await self._database.rows(
            "SELECT w.body, a.channel, f.user, f.verdict, v.body, f.at FROM feedback f "
            "JOIN answer a ON a.number = f.answer JOIN wording w ON w.number = a.wording "
            "JOIN wording v ON v.number = f.wording "
            f"WHERE a.channel IN (SELECT value FROM json_each(?)) {fitting} ORDER BY f.number",
            (json.dumps(sorted(scope.channels)),),
        )
        return [
            Feedback(
                answer=from_json(Answer, row[0]),
                channel=row[1],
                user=row[2],
                verdict=row[3],
                words=from_json(str, row[4]),
                at=datetime.fromisoformat(row[5]),
            )
            for row in rows
        ]
