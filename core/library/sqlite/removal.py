"""Takes papers out of the rows, the index and all that was said of them, in one transaction; ``forgetting`` goes on.

A turn loses its words and keeps its place, so that a thread still shows that something was said here; an answer and
the feedback on it go whole. What names no citation but holds a word that only the forgotten paper held (a question
that repeats it, a remark on an answer) is treated as a quote.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import aiosqlite

from core.library.sqlite import text_store
from core.library.sqlite.adding import number_of_paper
from core.library.sqlite.lexical_rows import delete_rows, rescope
from core.library.sqlite.paper_listing import drop_shares
from core.library.sqlite.recovery import open_note
from core.library.sqlite.tags import forget_notes, forget_notes_holding
from core.text import hash_as_text, hash_words

_IN_CHANNELS = "channel IN (SELECT value FROM json_each(?))"
_COUNTED = {
    "passages": "SELECT count(*) FROM passage WHERE paper = ?",
    "tables": "SELECT count(*) FROM passage WHERE paper = ? AND kind = 'table'",
    "vectors": "SELECT count(*) FROM vector v JOIN passage p USING (number) WHERE p.paper = ?",
    "figures": "SELECT count(*) FROM figure WHERE paper = ?",
    "files": "SELECT 1 + count(DISTINCT image) FROM figure WHERE paper = ? AND image <> ''",
}
# Every row of ``wording`` that a paper owns.
_OWNED = """
    SELECT wording FROM paper WHERE number = :paper
    UNION ALL SELECT headings FROM paper WHERE number = :paper
    UNION ALL SELECT "references" FROM paper WHERE number = :paper
    UNION ALL SELECT wording FROM share WHERE paper = :paper
    UNION ALL SELECT wording FROM correction WHERE paper = :paper
    UNION ALL SELECT wording FROM passage WHERE paper = :paper
    UNION ALL SELECT wording FROM figure WHERE paper = :paper
"""


@dataclass(slots=True)
class RemovedData:
    """What one transaction took away, with hashes of the words that are gone, and which files are still to go."""

    papers: list[str] = field(default_factory=list)
    pictures: set[str] = field(default_factory=set)
    words: set[int] = field(default_factory=set)
    left: set[tuple[str, str]] = field(default_factory=set)
    """Papers that live on elsewhere, each with a channel that they were taken from."""
    counts: Counter[str] = field(default_factory=Counter)


async def remove_papers(connection: aiosqlite.Connection, paper_ids: Sequence[str]) -> RemovedData:
    """Remove papers wherever they were shared; unknown ids are passed over."""
    gone = RemovedData()
    for paper_id in dict.fromkeys(paper_ids):
        number = await number_of_paper(connection, paper_id)
        if number is not None:
            gone.counts += await _counts(connection, number)
            gone.counts["shares"] += await _one(connection, "SELECT count(*) FROM share WHERE paper = ?", number)
            gone.counts += _by_kind(await _remove(connection, number, paper_id, gone))
    return await _noted(connection, gone)


async def remove_place(connection: aiosqlite.Connection, *, channel: str, message: str, file_id: str) -> RemovedData:
    """Remove one place (all files of the message without ``file_id``) and the papers that it leaves without any."""
    gone = RemovedData()
    place = "channel = ? AND message = ? AND (? = '' OR file_id = ?)"
    asked = (channel, message, file_id, file_id)
    shared = await connection.execute_fetchall(
        f"SELECT DISTINCT p.number, p.id FROM share JOIN paper p ON p.number = share.paper WHERE {place}", asked
    )
    gone.counts["shares"] += await drop_shares(connection, place, asked)
    for number, paper_id in shared:
        if await _one(connection, "SELECT count(*) FROM share WHERE paper = ?", number):
            await rescope(connection, number)
            if not await _one(
                connection, "SELECT count(*) FROM share WHERE paper = ? AND channel = ?", number, channel
            ):
                await forget_notes(connection, number, frozenset({channel}))
        else:
            gone.counts += await _counts(connection, number)
            gone.counts += _by_kind(await _remove(connection, number, paper_id, gone))
    return await _noted(connection, gone)


async def remove_from(
    connection: aiosqlite.Connection, paper_ids: Sequence[str], channels: frozenset[str]
) -> tuple[RemovedData, Counter[str]]:
    """Remove papers from ``channels``, and whole where they were shared nowhere else.

    The second value counts what these channels saw of them, the same whether or not a paper lives on.
    """
    gone, seen = RemovedData(), Counter[str]()
    asked = json.dumps(sorted(channels))
    for paper_id in dict.fromkeys(paper_ids):
        number = await number_of_paper(connection, paper_id)
        if number is None:
            continue
        seen += await _counts(connection, number)
        seen["shares"] += await drop_shares(connection, f"paper = ? AND {_IN_CHANNELS}", (number, asked))
        if await _one(connection, "SELECT count(*) FROM share WHERE paper = ?", number):
            await rescope(connection, number)
            await forget_notes(connection, number, channels)
            said = await forget_quotes(connection, paper_id, frozenset(), channels)
            gone.left.update((paper_id, channel) for channel in channels)
        else:
            said = await _remove(connection, number, paper_id, gone)
        seen += _by_kind(Counter({key: count for key, count in said.items() if key[1] in channels}))
    return await _noted(connection, gone), seen


async def _remove(
    connection: aiosqlite.Connection, number: int, paper_id: str, gone: RemovedData
) -> Counter[tuple[str, str]]:
    """Remove one paper whole; counts of what was said of it, by kind and channel."""
    words = await delete_rows(connection, number)
    pictures = await connection.execute_fetchall(
        "SELECT DISTINCT image FROM figure f WHERE paper = ? AND image <> '' AND NOT EXISTS "
        "(SELECT 1 FROM figure g WHERE g.image = f.image AND g.paper <> f.paper)",
        (number,),
    )
    owned = await connection.execute_fetchall(_OWNED, {"paper": number})
    await text_store.blank(connection, [row[0] for row in owned])
    await forget_notes(connection, number, None)
    await forget_notes_holding(connection, words)
    await connection.execute("DELETE FROM paper WHERE number = ?", (number,))
    await connection.execute("DELETE FROM forgotten WHERE at < strftime('%s', 'now') - 86400")
    await connection.execute(
        "INSERT OR REPLACE INTO forgotten (paper_id, at) VALUES (?, strftime('%s', 'now'))", (paper_id,)
    )
    gone.papers.append(paper_id)
    gone.pictures.update(row[0] for row in pictures)
    gone.words.update(words)
    gone.counts["studies"] += await forget_studies(connection, paper_id)
    return await forget_quotes(connection, paper_id, words, None)


async def _noted(connection: aiosqlite.Connection, gone: RemovedData) -> RemovedData:
    """Note what is still to do in the same transaction; an older note that was not finished is joined."""
    if gone.papers or gone.left:
        older = await open_note(connection)
        note = {
            "papers": sorted({*older.papers, *gone.papers}),
            "marks": sorted({*older.marks, *map(hash_as_text, gone.words)}),
            "left": sorted({*older.left, *gone.left}),
            "pictures": sorted({*older.pictures, *gone.pictures}),
        }
        await connection.executemany(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
            [("forgetting", json.dumps(note)), *([("clearing", "1")] if gone.papers else [])],
        )
    return gone


async def all_remembered(connection: aiosqlite.Connection, papers: Collection[str]) -> bool:
    """Whether none of these papers was forgotten within the last day (and not added again since)."""
    rows = await connection.execute_fetchall(
        "SELECT 1 FROM forgotten WHERE paper_id IN (SELECT value FROM json_each(?)) LIMIT 1",
        (json.dumps(sorted(papers)),),
    )
    return not list(rows)


async def _counts(connection: aiosqlite.Connection, number: int) -> Counter[str]:
    return Counter({kind: await _one(connection, query, number) for kind, query in _COUNTED.items()})


async def _one(connection: aiosqlite.Connection, query: str, *asked: object) -> int:
    rows = await connection.execute_fetchall(query, asked)
    return int(next(iter(rows))[0])


def _by_kind(said: Counter[tuple[str, str]]) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for (kind, _), count in said.items():
        kinds[kind] += count
    return kinds


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
