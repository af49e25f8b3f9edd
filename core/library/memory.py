"""Threads as the bot remembers them: turns, answers with their citations, and what readers thought of them."""

from collections.abc import Sequence
from datetime import datetime

import aiosqlite

from core.domain.errors import NotInScope
from core.domain.model import Answer, Citation, Thread, Turn, Workspace
from core.library.codec import from_json, to_json
from core.library.database import Database
from core.library.rows import storable, storable_row


class SqliteMemory:
    """The conversations of one workspace, in the library's file so that forgetting is one transaction."""

    def __init__(self, database: Database, workspace: Workspace) -> None:
        self._database = database
        self._workspace = workspace

    async def recent(self, thread: Thread, *, limit: int) -> Sequence[Turn]:
        """The last turns of a thread, oldest first."""
        self._check(thread)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT role, text, at, citations, forgotten FROM turn WHERE channel = ? AND thread = ? "
                "ORDER BY number DESC LIMIT ?",
                (thread.channel.id, thread.id, max(limit, 0)),
            )
        return [_turn_of(row) for row in reversed(list(rows))]

    async def append(self, thread: Thread, *turns: Turn) -> None:
        """Add turns, all or none."""
        self._check(thread)

        async def work(connection: aiosqlite.Connection) -> None:
            for turn in turns:
                cursor = await connection.execute(
                    "INSERT INTO turn (channel, thread, role, text, at, citations, forgotten) VALUES (?,?,?,?,?,?,?)",
                    (thread.channel.id, thread.id, *_turn_row(turn)),
                )
                await connection.executemany(
                    "INSERT OR IGNORE INTO turn_paper (paper_id, turn) VALUES (?, ?)",
                    [(paper_id, cursor.lastrowid) for paper_id in sorted(_cited(turn.citations))],
                )

        await self._database.write(work)

    async def forget(self, thread: Thread) -> int:
        """Forget a thread's turns, answers and feedback; returns how many turns went."""
        self._check(thread)
        place = (thread.channel.id, thread.id)

        async def work(connection: aiosqlite.Connection) -> int:
            await connection.execute("DELETE FROM feedback WHERE channel = ? AND thread = ?", place)
            await connection.execute("DELETE FROM answer WHERE channel = ? AND thread = ?", place)
            cursor = await connection.execute("DELETE FROM turn WHERE channel = ? AND thread = ?", place)
            return cursor.rowcount

        gone = await self._database.write(work)
        await self._database.checkpoint()
        return gone

    async def keep_answer(self, thread: Thread, answer: Answer, *, at: datetime) -> None:
        """Store an answer under its trace id; storing it again replaces it."""
        self._check(thread)
        key = (thread.channel.id, thread.id, answer.trace_id)
        papers = sorted(_cited(answer.citations) | {found.paper.id for found in answer.nearest} | {*answer.candidates})
        row = storable_row((*key, at.isoformat(), answer.question, answer.outcome, to_json(answer)))

        async def work(connection: aiosqlite.Connection) -> None:
            await connection.execute("DELETE FROM answer WHERE channel = ? AND thread = ? AND trace_id = ?", key)
            cursor = await connection.execute(
                "INSERT INTO answer (channel, thread, trace_id, at, question, outcome, body, settings_version) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, "
                "coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'settings_version'), 0))",
                row,
            )
            await connection.executemany(
                "INSERT INTO answer_paper (paper_id, answer) VALUES (?, ?)",
                [(paper_id, cursor.lastrowid) for paper_id in papers],
            )

        await self._database.write(work)

    async def answer(self, thread: Thread, trace_id: str) -> Answer | None:
        """A stored answer of this thread, and of no other."""
        self._check(thread)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT body FROM answer WHERE channel = ? AND thread = ? AND trace_id = ?",
                (thread.channel.id, thread.id, trace_id),
            )
        return next((from_json(Answer, row[0]) for row in rows), None)

    async def keep_feedback(
        self, thread: Thread, trace_id: str, *, user: str, verdict: str, words: str, at: datetime
    ) -> None:
        """What a reader thought of an answer of this thread; a second word of the same reader replaces the first.

        Raises ``NotInScope`` where the thread has no such answer (any more).
        """
        self._check(thread)
        row = storable_row((thread.channel.id, thread.id, trace_id, user, verdict, words, at.isoformat()))

        async def work(connection: aiosqlite.Connection) -> None:
            cursor = await connection.execute(
                "INSERT OR REPLACE INTO feedback (channel, thread, trace_id, user, verdict, words, at) "
                "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS "
                "(SELECT 1 FROM answer WHERE channel = ?1 AND thread = ?2 AND trace_id = ?3)",
                row,
            )
            if cursor.rowcount < 1:
                raise NotInScope("That answer is no longer stored.")

        await self._database.write(work)

    def _check(self, thread: Thread) -> None:
        if thread.channel.workspace != self._workspace:
            raise NotInScope("That is not part of this workspace.")


def _turn_row(turn: Turn) -> tuple[object, ...]:
    words = (turn.role, storable(turn.text), turn.at.isoformat(), storable(to_json(turn.citations)))
    return (*words, int(turn.forgotten))


def _turn_of(row: "Sequence[object]") -> Turn:
    role, text, at, citations, forgotten = row
    return from_json(
        Turn,
        f'{{"role":{to_json(role)},"text":{to_json(text)},"at":{to_json(at)},'
        f'"citations":{citations},"forgotten":{"true" if forgotten else "false"}}}',
    )


def _cited(citations: Sequence[Citation]) -> set[str]:
    return {citation.paper_id for citation in citations}
