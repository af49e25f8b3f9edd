"""Threads as the bot remembers them: turns, answers, feedback, the list of threads and a summary of each.

A summary lies among the turns under a role of its own, so that forgetting a paper or a thread takes it along.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import aiosqlite

from core.domain.codec import from_json, to_json
from core.domain.errors import NotInScope
from core.domain.model import Answer, Channel, Citation, Thread, Turn
from core.domain.records import Recollection, ThreadNote
from core.library.sqlite import text_store
from core.library.sqlite.database import ChannelStore
from core.library.sqlite.removal import all_remembered
from core.library.sqlite.rows import TurnWords, turn_from_row


class SqliteMemory(ChannelStore):
    """The conversations of one workspace, in the library's file so that forgetting is one transaction."""

    async def recent(self, thread: Thread, *, limit: int) -> Sequence[Turn]:
        """The last turns of a thread, oldest first."""
        self._check(thread.channel)
        found = await self._database.rows(
            "SELECT t.role, t.at, t.forgotten, w.body FROM turn t LEFT JOIN wording w ON w.number = t.wording "
            "WHERE t.channel = ? AND t.thread = ? AND t.role <> ? ORDER BY t.number DESC LIMIT ?",
            (thread.channel.id, thread.id, SUMMARY, max(limit, 0)),
        )
        return [turn_from_row(row) for row in reversed(list(found))]

    async def append(self, thread: Thread, *turns: Turn) -> None:
        """Add turns, all or none. A turn that quotes a paper forgotten meanwhile is stored without its words."""
        self._check(thread.channel)

        async def work(connection: aiosqlite.Connection) -> None:
            kept = [await _without_forgotten(connection, turn) for turn in turns]
            bodies = [to_json(TurnWords(text=turn.text, citations=turn.citations)) for turn in kept]
            for turn, body in zip(kept, await text_store.append(connection, bodies), strict=True):
                cursor = await connection.execute(
                    "INSERT INTO turn (channel, thread, role, at, forgotten, wording) VALUES (?, ?, ?, ?, ?, ?)",
                    (thread.channel.id, thread.id, turn.role, turn.at.isoformat(), int(turn.forgotten), body),
                )
                await connection.executemany(
                    "INSERT OR IGNORE INTO turn_paper (paper_id, turn) VALUES (?, ?)",
                    [(paper_id, cursor.lastrowid) for paper_id in sorted(_cited(turn.citations))],
                )

        await self._database.write(work)

    async def forget(self, thread: Thread) -> int:
        """Forget a thread's turns, answers and feedback; returns how many turns went."""
        self._check(thread.channel)
        place = (thread.channel.id, thread.id)

        async def work(connection: aiosqlite.Connection) -> int:
            owned = await connection.execute_fetchall(
                "SELECT wording FROM turn WHERE channel = ?1 AND thread = ?2 "
                "UNION ALL SELECT question FROM answer WHERE channel = ?1 AND thread = ?2 "
                "UNION ALL SELECT wording FROM answer WHERE channel = ?1 AND thread = ?2 "
                "UNION ALL SELECT f.wording FROM feedback f JOIN answer a ON a.number = f.answer "
                "WHERE a.channel = ?1 AND a.thread = ?2",
                place,
            )
            await text_store.blank(connection, [row[0] for row in owned])
            await connection.execute("DELETE FROM answer WHERE channel = ? AND thread = ?", place)
            summary = "DELETE FROM turn WHERE channel = ? AND thread = ? AND role = ?"
            await connection.execute(summary, (*place, SUMMARY))
            cursor = await connection.execute("DELETE FROM turn WHERE channel = ? AND thread = ?", place)
            return cursor.rowcount

        gone = await self._database.write(work)
        await self._database.checkpoint()
        return gone

    async def keep_answer(self, thread: Thread, answer: Answer, *, at: datetime) -> None:
        """Store an answer under its trace id; storing it again replaces it, and what was said of it.

        An answer that quotes a paper forgotten meanwhile is not stored.
        """
        self._check(thread.channel)
        key = (thread.channel.id, thread.id, answer.trace_id)
        papers = sorted(_cited(answer.citations) | {found.paper.id for found in answer.nearest} | {*answer.candidates})
        text = to_json(answer)

        async def work(connection: aiosqlite.Connection) -> None:
            await _drop_answer(connection, key)
            if not await all_remembered(connection, papers):
                return
            question, body = await text_store.append(connection, [answer.question, text])
            cursor = await connection.execute(
                "INSERT INTO answer (channel, thread, trace_id, at, outcome, question, wording, "
                "settings_version) VALUES (?, ?, ?, ?, ?, ?, ?, "
                "coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'settings_version'), 0))",
                (*key, at.isoformat(), answer.outcome, question, body),
            )
            await connection.executemany(
                "INSERT INTO answer_paper (paper_id, answer) VALUES (?, ?)",
                [(paper_id, cursor.lastrowid) for paper_id in papers],
            )

        await self._database.write(work)

    async def answer(self, thread: Thread, trace_id: str) -> Answer | None:
        """A stored answer of this thread, and of no other."""
        self._check(thread.channel)
        found = await self._database.rows(
            "SELECT w.body FROM answer a JOIN wording w ON w.number = a.wording "
            "WHERE a.channel = ? AND a.thread = ? AND a.trace_id = ?",
            (thread.channel.id, thread.id, trace_id),
        )
        return next((from_json(Answer, row[0]) for row in found), None)

    async def keep_feedback(
        self, thread: Thread, trace_id: str, *, user: str, verdict: str, words: str, at: datetime
    ) -> None:
        """What a reader thought of an answer of this thread; a second word of the same reader replaces the first.

        Raises ``NotInScope`` where the thread has no such answer (any more).
        """
        self._check(thread.channel)
        place = (thread.channel.id, thread.id, trace_id)

        async def work(connection: aiosqlite.Connection) -> None:
            rows = list(
                await connection.execute_fetchall(
                    "SELECT number FROM answer WHERE channel = ? AND thread = ? AND trace_id = ?", place
                )
            )
            if not rows:
                raise NotInScope("That answer is no longer stored.")
            number = rows[0][0]
            former = await connection.execute_fetchall(
                "SELECT wording FROM feedback WHERE answer = ? AND user = ?", (number, user)
            )
            await text_store.blank(connection, [row[0] for row in former])
            body = await text_store.append_one(connection, to_json(words))
            await connection.execute(
                "INSERT OR REPLACE INTO feedback (answer, user, verdict, at, wording) VALUES (?, ?, ?, ?, ?)",
                (number, user, verdict, at.isoformat(), body),
            )

        await self._database.write(work)


async def _without_forgotten(connection: aiosqlite.Connection, turn: Turn) -> Turn:
    if await all_remembered(connection, _cited(turn.citations)):
        return turn
    return replace(turn, text="", citations=(), forgotten=True)


async def _drop_answer(connection: aiosqlite.Connection, key: tuple[str, str, str]) -> None:
    rows = await connection.execute_fetchall(
        "SELECT number, question, wording FROM answer WHERE channel = ? AND thread = ? AND trace_id = ?", key
    )
    for number, question, body in rows:
        remarks = await connection.execute_fetchall("SELECT wording FROM feedback WHERE answer = ?", (number,))
        await text_store.blank(connection, [question, body, *(row[0] for row in remarks)])
        await connection.execute("DELETE FROM answer WHERE number = ?", (number,))


def _cited(citations: Sequence[Citation]) -> set[str]:
    return {citation.paper_id for citation in citations}


SUMMARY = "summary"


class SqliteThreads(ChannelStore):
    """Lists the conversations of one workspace and keeps what is remembered of them in short."""

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
        rows = await self._database.rows(
            "SELECT count(*) FROM turn WHERE channel = ? AND thread = ? AND role <> ?",
            (thread.channel.id, thread.id, SUMMARY),
        )
        return int(next(iter(rows))[0])

    async def last_answer(self, thread: Thread) -> Answer | None:
        """The answer that was given last in a conversation."""
        self._check(thread.channel)
        rows = await self._database.rows(
            "SELECT w.body FROM answer a JOIN wording w ON w.number = a.wording "
            "WHERE a.channel = ? AND a.thread = ? ORDER BY a.number DESC LIMIT 1",
            (thread.channel.id, thread.id),
        )
        return next((from_json(Answer, row[0]) for row in rows), None)

    async def recollection(self, thread: Thread) -> Recollection | None:
        """The running summary; None where there is none, or where a paper that it spoke of was forgotten."""
        self._check(thread.channel)
        rows = await self._database.rows(
            "SELECT w.body FROM turn t JOIN wording w ON w.number = t.wording "
            "WHERE t.channel = ? AND t.thread = ? AND t.role = ? AND t.forgotten = 0 "
            "ORDER BY t.number DESC LIMIT 1",
            (thread.channel.id, thread.id, SUMMARY),
        )
        return next((from_json(Recollection, row[0]) for row in rows), None)

    async def recollect(self, thread: Thread, summary: Recollection, *, at: datetime) -> None:
        """Keep a running summary in place of the one before; one that quotes a forgotten paper is not kept."""
        self._check(thread.channel)
        place = (thread.channel.id, thread.id, SUMMARY)
        papers = sorted(_cited(summary.citations))
        body = to_json(summary)  # its fields go by the names that a turn's body has where they are one

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
