"""Takes a forgotten paper's words out of the conversations and of what was made of it: turns, answers, studies.

A turn loses its words and keeps its place, so that a thread still shows that something was said here; an
answer and the feedback on it go whole. What names no citation but holds a word that only the forgotten paper
held (a question that repeats it, a remark on an answer) is treated as a quote.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import aiosqlite

from core.library.sqlite import text_store
from core.text import hash_words

_AMONG = "IN (SELECT value FROM json_each(?))"


class _Said(NamedTuple):
    number: int
    channel: str
    wording: int


async def forget_quotes(
    connection: aiosqlite.Connection, paper_id: str, words: frozenset[int], channels: frozenset[str] | None
) -> Counter[tuple[str, str]]:
    """Forget what quotes ``paper_id`` or holds one of ``words`` (hashes), in ``channels`` or (None) everywhere.

    Returns how many turns, answers and feedback went, by kind and channel.
    """
    answers = _within(await _answers(connection, paper_id, words), channels)
    turns = _within(await _turns(connection, paper_id, words), channels)
    remarks = _within(await _remarks(connection, [item.number for item in answers], words), channels)
    questions = await connection.execute_fetchall(
        f"SELECT question FROM answer WHERE number {_AMONG}", (_numbers(answers),)
    )
    owned = [item.wording for item in (*answers, *turns, *remarks)]
    await text_store.blank(connection, [*owned, *(row[0] for row in questions)])
    for table, found in (("feedback", remarks), ("answer", answers)):
        await connection.execute(f"DELETE FROM {table} WHERE number {_AMONG}", (_numbers(found),))
    await connection.execute(f"UPDATE turn SET forgotten = 1 WHERE number {_AMONG}", (_numbers(turns),))
    await connection.execute(f"DELETE FROM turn_paper WHERE turn {_AMONG}", (_numbers(turns),))
    kinds = (("turns", turns), ("answers", answers), ("feedback", remarks))
    return Counter((kind, item.channel) for kind, found in kinds for item in found)


async def _answers(connection: aiosqlite.Connection, paper_id: str, words: frozenset[int]) -> list[_Said]:
    naming = "SELECT answer FROM answer_paper WHERE paper_id = ?"
    # The rest of an answer names its papers; only the question can hold words of others.
    query = "SELECT a.number, a.channel, a.wording, w.body FROM answer a JOIN wording w ON w.number = a.question"
    return await _said(connection, query, f"a.number IN ({naming})", paper_id, words)


async def _turns(connection: aiosqlite.Connection, paper_id: str, words: frozenset[int]) -> list[_Said]:
    naming = "SELECT turn FROM turn_paper WHERE paper_id = ?"
    query = "SELECT t.number, t.channel, t.wording, w.body FROM turn t JOIN wording w ON w.number = t.wording"
    unnamed = "t.forgotten = 0 AND NOT EXISTS (SELECT 1 FROM turn_paper p WHERE p.turn = t.number)"
    return await _said(connection, query, f"t.number IN ({naming})", paper_id, words, among=unnamed)


async def _remarks(connection: aiosqlite.Connection, answers: Sequence[int], words: frozenset[int]) -> list[_Said]:
    """Feedback on the answers that go, and feedback that holds one of the words."""
    query = (
        "SELECT f.number, a.channel, f.wording, w.body FROM feedback f JOIN answer a ON a.number = f.answer "
        "JOIN wording w ON w.number = f.wording"
    )
    return await _said(connection, query, f"f.answer {_AMONG}", json.dumps(list(answers)), words)


async def _said(
    connection: aiosqlite.Connection, query: str, naming: str, value: str, words: frozenset[int], among: str = "1"
) -> list[_Said]:
    """What names the paper by ``naming``, and what of ``among`` holds one of ``words``."""
    named = await connection.execute_fetchall(f"{query} WHERE {naming}", (value,))
    found = {row[0]: _Said(*row[:3]) for row in named}
    if words:
        told = await connection.execute_fetchall(f"{query} WHERE {among}")
        holding = await asyncio.to_thread(
            lambda: [row for row in told if _holds(words, text_store.decode_text(row[3]))]
        )
        found |= {row[0]: _Said(*row[:3]) for row in holding}
    return list(found.values())


async def forget_studies(connection: aiosqlite.Connection, paper_id: str) -> int:
    """Forget every summary, table and review that was made of ``paper_id``; returns how many there were."""
    found = await connection.execute_fetchall(
        "SELECT s.number, s.wording FROM study s JOIN study_paper p ON p.study = s.number WHERE p.paper_id = ?",
        (paper_id,),
    )
    await text_store.blank(connection, [row[1] for row in found])
    await connection.execute(f"DELETE FROM study WHERE number {_AMONG}", (json.dumps([row[0] for row in found]),))
    return len(list(found))


def _within(found: Sequence[_Said], channels: frozenset[str] | None) -> list[_Said]:
    return [item for item in found if channels is None or item.channel in channels]


def _numbers(found: Sequence[_Said]) -> str:
    return json.dumps([item.number for item in found])


def _holds(words: frozenset[int], text: str) -> bool:
    return not words.isdisjoint(hash_words(text))
