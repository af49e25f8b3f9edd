"""Answers as they were given, read by channel, time or thread: for digests, exports and corrections."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from core.domain.errors import NotInScope
from core.domain.model import Answer, Channel, Thread, Workspace
from core.domain.records import Said
from core.library.codec import from_json
from core.library.database import Database
from core.library.rows import Row

_SAID = (
    "SELECT a.channel, a.thread, a.at, w.body FROM answer a JOIN wording w ON w.number = a.wording WHERE a.channel = ?"
)


class SqliteRecords:
    """The answers of one workspace. They are written by memory, beside the turns."""

    def __init__(self, database: Database, workspace: Workspace) -> None:
        self._database = database
        self._workspace = workspace

    async def between(self, channel: Channel, since: datetime, until: datetime) -> Sequence[Said]:
        """Answers given in a channel after ``since`` and up to ``until``, oldest first."""
        self._check(channel)
        # Times are stored with the offset they came with, so they are compared as times and not as texts.
        asked = (channel.id, since.astimezone(UTC).isoformat(), until.astimezone(UTC).isoformat())
        return await self._read(
            f"{_SAID} AND julianday(a.at) > julianday(?) - 1 AND julianday(a.at) < julianday(?) + 1 ORDER BY a.number",
            asked,
            keep=lambda at: since < at <= until,
        )

    async def of_thread(self, thread: Thread) -> Sequence[Said]:
        """Every answer of a thread, oldest first."""
        self._check(thread.channel)
        return await self._read(f"{_SAID} AND a.thread = ? ORDER BY a.number", (thread.channel.id, thread.id))

    async def asked_about(self, channel: Channel) -> frozenset[str]:
        """Ids of the papers that an answer given in this channel quotes or showed as nearest."""
        self._check(channel)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT DISTINCT p.paper_id FROM answer_paper p JOIN answer a ON a.number = p.answer "
                "WHERE a.channel = ?",
                (channel.id,),
            )
        return frozenset(row[0] for row in rows)

    async def _read(
        self, query: str, asked: Sequence[object], keep: Callable[[datetime], bool] = lambda at: True
    ) -> Sequence[Said]:
        async with self._database.read() as connection:
            rows = list(await connection.execute_fetchall(query, tuple(asked)))
        return [self._said(row) for row in rows if keep(datetime.fromisoformat(row[2]))]

    def _said(self, row: Row) -> Said:
        channel = Channel(workspace=self._workspace, id=row[0])
        return Said(
            answer=from_json(Answer, row[3]),
            thread=Thread(channel=channel, id=row[1]),
            at=datetime.fromisoformat(row[2]),
        )

    def _check(self, channel: Channel) -> None:
        if channel.workspace != self._workspace:
            raise NotInScope("That is not part of this workspace.")
