"""Takes a forgotten paper's words out of the conversations: turns, answers and what readers said of them.

A turn loses its words and keeps its place, so that a thread still shows that something was said here; an
answer and the feedback on it go whole. What names no citation but holds a word that only the forgotten paper
held (a question that repeats it, a remark on an answer) is treated as a quote.
"""

import json
from collections import Counter
from collections.abc import Mapping

import aiosqlite

from core.text import index_tokens


async def forget_quotes(
    connection: aiosqlite.Connection, paper_id: str, words: frozenset[str], channels: frozenset[str] | None
) -> Counter[tuple[str, str]]:
    """Forget what quotes ``paper_id`` or holds one of ``words``, in ``channels`` or (None) everywhere.

    Returns how many turns, answers and feedback went, by kind and channel.
    """
    answers = _within(await _answers(connection, paper_id, words), channels)
    turns = _within(await _turns(connection, paper_id, words), channels)
    remarks = _within(await _remarks(connection, answers, words), channels)
    asked = json.dumps(sorted(turns))
    among = "(SELECT value FROM json_each(?))"
    await connection.execute(f"DELETE FROM feedback WHERE number IN {among}", (json.dumps(sorted(remarks)),))
    await connection.execute(f"DELETE FROM answer WHERE number IN {among}", (json.dumps(sorted(answers)),))
    await connection.execute(
        f"UPDATE turn SET text = '', citations = '[]', forgotten = 1 WHERE number IN {among}", (asked,)
    )
    await connection.execute(f"DELETE FROM turn_paper WHERE turn IN {among}", (asked,))
    kinds = (("turns", turns), ("answers", answers), ("feedback", remarks))
    return Counter((kind, channel) for kind, found in kinds for channel in found.values())


async def _answers(connection: aiosqlite.Connection, paper_id: str, words: frozenset[str]) -> dict[int, str]:
    rows = await connection.execute_fetchall(
        "SELECT a.number, a.channel FROM answer a JOIN answer_paper p ON p.answer = a.number WHERE p.paper_id = ?",
        (paper_id,),
    )
    told = await connection.execute_fetchall("SELECT number, channel, question, body FROM answer") if words else ()
    return {row[0]: row[1] for row in rows} | {row[0]: row[1] for row in told if _holds(words, *row[2:])}


async def _turns(connection: aiosqlite.Connection, paper_id: str, words: frozenset[str]) -> dict[int, str]:
    rows = await connection.execute_fetchall(
        "SELECT t.number, t.channel FROM turn t JOIN turn_paper p ON p.turn = t.number WHERE p.paper_id = ?",
        (paper_id,),
    )
    said = (
        await connection.execute_fetchall("SELECT number, channel, text FROM turn WHERE forgotten = 0") if words else ()
    )
    return {row[0]: row[1] for row in rows} | {row[0]: row[1] for row in said if _holds(words, row[2])}


async def _remarks(
    connection: aiosqlite.Connection, answers: Mapping[int, str], words: frozenset[str]
) -> dict[int, str]:
    """Feedback on the answers that go, and feedback that holds one of the words."""
    rows = await connection.execute_fetchall(
        "SELECT f.number, f.channel FROM feedback f JOIN answer a ON a.channel = f.channel AND a.thread = f.thread "
        "AND a.trace_id = f.trace_id WHERE a.number IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(answers)),),
    )
    said = (
        await connection.execute_fetchall("SELECT number, channel, words FROM feedback WHERE words <> ''")
        if words
        else ()
    )
    return {row[0]: row[1] for row in rows} | {row[0]: row[1] for row in said if _holds(words, row[2])}


def _within(found: Mapping[int, str], channels: frozenset[str] | None) -> dict[int, str]:
    return {number: channel for number, channel in found.items() if channels is None or channel in channels}


def _holds(words: frozenset[str], *texts: str) -> bool:
    return any(not words.isdisjoint(index_tokens(text)) for text in texts)
