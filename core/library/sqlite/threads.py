"""The conversations of a workspace as a list, and the running summary of each: what memory is beyond its turns.

A summary lies among the turns under a role of its own, so that forgetting a paper or a thread takes it along.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import aiosqlite

from core.domain.errors import NotInScope
from core.domain.model import Answer, Channel, Citation, Thread, Workspace
from core.domain.thread_summaries import Recollection, ThreadNote
from core.library.common.codec import from_json, to_json
from core.library.sqlite import text_store
from core.library.sqlite.database import Database
from core.library.sqlite.removal import all_remembered
from core.library.sqlite.rows import TurnWords

SUMMARY = "summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Body:
    """A summary as it lies in ``wording``; the names of its fields are those of a turn's body where they are one."""

    text: str
    citations: tuple[Citation, ...] = ()
    covers: int = 0
    model: str = ""


class SqliteThreads:
    """Lists the conversations of one workspace and keeps what is remembered of them in short."""

    def __init__(self, database: Database, workspace: Workspace) -> None:
        self._database = database
        self._workspace = workspace

    async def listed(self, channel: Channel, *, limit: int) -> Sequence[ThreadNote]:
        """The channel's conversations, the one that was used last first; those of no other channel."""
        self._check(channel)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT thread, min(number), max(at), sum(role = 'user') FROM turn WHERE channel = ? AND role <> ? "
                "GROUP BY thread ORDER BY max(number) DESC LIMIT ?",
                (channel.id, SUMMARY, max(limit, 0)),
            )
            opened = await connection.execute_fetchall(
                "SELECT t.thread, t.forgotten, w.body FROM turn t JOIN wording w ON w.number = t.wording "
                "WHERE t.number IN (SELECT value FROM json_each(?))",
                (json.dumps([row[1] for row in rows]),),
            )
            cited = await connection.execute_fetchall(
                "SELECT DISTINCT t.thread, p.paper_id FROM turn_paper p JOIN turn t ON t.number = p.turn "
                "WHERE t.channel = ? AND t.thread IN (SELECT value FROM json_each(?)) ORDER BY p.paper_id",
                (channel.id, json.dumps([row[0] for row in rows])),
            )
        said = {row[0]: "" if row[1] else from_json(TurnWords, row[2]).text for row in opened}
        papers: dict[str, list[str]] = {}
        for thread, paper_id in cited:
            papers.setdefault(thread, []).append(paper_id)
        return [
            ThreadNote(
                thread=Thread(channel=channel, id=row[0]),
                opening=said.get(row[0], ""),
                questions=row[3],
                last_at=datetime.fromisoformat(row[2]),
                papers=tuple(papers.get(row[0], ())),
            )
            for row in rows
        ]

    async def count(self, thread: Thread) -> int:
        """How many turns a conversation has."""
        self._check(thread.channel)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT count(*) FROM turn WHERE channel = ? AND thread = ? AND role <> ?",
                (thread.channel.id, thread.id, SUMMARY),
            )
        return int(next(iter(rows))[0])

    async def last_answer(self, thread: Thread) -> Answer | None:
        """The answer that was given last in a conversation."""
        self._check(thread.channel)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT w.body FROM answer a JOIN wording w ON w.number = a.wording "
                "WHERE a.channel = ? AND a.thread = ? ORDER BY a.number DESC LIMIT 1",
                (thread.channel.id, thread.id),
            )
        return next((from_json(Answer, row[0]) for row in rows), None)

    async def recollection(self, thread: Thread) -> Recollection | None:
        """The running summary; None where there is none, or where a paper that it spoke of was forgotten."""
        self._check(thread.channel)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT w.body FROM turn t JOIN wording w ON w.number = t.wording "
                "WHERE t.channel = ? AND t.thread = ? AND t.role = ? AND t.forgotten = 0 "
                "ORDER BY t.number DESC LIMIT 1",
                (thread.channel.id, thread.id, SUMMARY),
            )
        body = next((from_json(_Body, row[0]) for row in rows), None)
        if body is None:
            return None
        return Recollection(text=body.text, covers=body.covers, citations=body.citations, model=body.model)

    async def recollect(self, thread: Thread, summary: Recollection, *, at: datetime) -> None:
        """Keep a running summary in place of the one before; one that quotes a forgotten paper is not kept."""
        self._check(thread.channel)
        place = (thread.channel.id, thread.id, SUMMARY)
        papers = sorted({citation.paper_id for citation in summary.citations})
        body = to_json(
            _Body(text=summary.text, citations=summary.citations, covers=summary.covers, model=summary.model)
        )

        async def work(connection: aiosqlite.Connection) -> None:
            former = await connection.execute_fetchall(
                "SELECT wording FROM turn WHERE channel = ? AND thread = ? AND role = ?", place
            )
            await text_store.blank(connection, [row[0] for row in former])
            await connection.execute("DELETE FROM turn WHERE channel = ? AND thread = ? AND role = ?", place)
            if not await all_remembered(connection, papers):
                return
            row = await text_store.append_one(connection, body)
            cursor = await connection.execute(
                "INSERT INTO turn (channel, thread, role, at, forgotten, wording) VALUES (?, ?, ?, ?, 0, ?)",
                (*place, at.isoformat(), row),
            )
            await connection.executemany(
                "INSERT OR IGNORE INTO turn_paper (paper_id, turn) VALUES (?, ?)",
                [(paper_id, cursor.lastrowid) for paper_id in papers],
            )

        await self._database.write(work)

    def _check(self, channel: Channel) -> None:
        if channel.workspace != self._workspace:
            raise NotInScope("That is not part of this workspace.")
