"""FTS5 and the scores that are computed beside it agree, whichever way a question is answered."""

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.domain.ports import Hit
from core.library import open_library, workspace_folder
from core.library.common import bm25
from core.library.sqlite import lexical_index
from core.library.sqlite.database import Database
from core.library.sqlite.lexical_index import FtsIndex
from core.library.sqlite.selection import Selections
from tests.core.library.making import HERE, Ports, make, scope

WORDS = [f"word{n}" for n in range(60)]


def texts(count: int) -> list[str]:
    drawn = random.Random(5)
    lengths = [drawn.randrange(5, 90) for _ in range(count)]
    return [" ".join(drawn.choices(WORDS, [1 / (n + 1) for n in range(60)], k=length)) for length in lengths]


TEXTS = texts(500)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await open_library(tmp_path, HERE)
    ports = Ports(opened.library, opened.lexical, opened.memory)
    for place in range(20):
        await ports.add(make(tmp_path, TEXTS[place * 25 : place * 25 + 25], title=f"Paper word{place}"))
    await opened.close()
    again = await Database.open(workspace_folder(tmp_path, HERE) / "library.db")
    yield again
    await again.close()


async def found(database: Database, terms: list[str], *, rows: int) -> list[Hit]:
    index = FtsIndex(database, Selections(database, HERE), most_rows=rows)
    return list(await index.matching(scope(), terms, limit=20))


TERMS = ["word59", "word41", "word7", "word0", "word1"]


async def test_common_words_bring_nothing_but_still_count(database: Database) -> None:
    whole = await found(database, TERMS, rows=10**9)
    rarer = await found(database, TERMS, rows=150)
    assert len(whole) == len(rarer) == 20
    in_whole = {hit.number: hit.score for hit in whole}
    assert len(in_whole.keys() & {hit.number for hit in rarer}) >= 18
    assert all(hit.score == pytest.approx(in_whole.get(hit.number, hit.score), rel=1e-9) for hit in rarer)


async def test_common_words_bring_passages_where_rarer_ones_bring_too_few(database: Database) -> None:
    assert len(await found(database, ["word0", "nowhere"], rows=1)) == 20
    assert [hit.number for hit in await found(database, ["word0", "word1"], rows=1)] != []


async def test_one_paper_is_ranked_as_the_index_ranks_it(database: Database) -> None:
    index = FtsIndex(database, Selections(database, HERE), most_rows=10**9)
    everywhere = await index.matching(scope(), TERMS, limit=500)
    async with database.read() as connection:
        (paper,) = await connection.execute_fetchall("SELECT number, id FROM paper LIMIT 1")
        held = {
            row[0]
            for row in await connection.execute_fetchall("SELECT number FROM passage WHERE paper = ?", (paper[0],))
        }
    expected = {hit.number: hit.score for hit in everywhere if hit.number in held}
    for _ in range(2):  # what is kept of the paper's words after the first question gives the same
        item = await index.matching(scope(papers=[paper[1]]), TERMS, limit=500)
        assert {hit.number: hit.score for hit in item} == pytest.approx(expected, rel=1e-9)


async def test_what_is_kept_of_small_scopes_is_bounded(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexical_index, "_MOST_KEPT", 60)
    index = FtsIndex(database, Selections(database, HERE))
    async with database.read() as connection:
        papers = [row[0] for row in await connection.execute_fetchall("SELECT id FROM paper")]
    for paper in papers:
        assert await index.matching(scope(papers=[paper]), TERMS, limit=5)
        assert index._seen.kept <= 60 + 25  # a scope more than fits, until the next question


@pytest.mark.parametrize("most_tokens", [48, 3])
async def test_what_rarity_brings_lies_within_the_scope(
    database: Database, monkeypatch: pytest.MonkeyPatch, most_tokens: int
) -> None:
    monkeypatch.setattr(
        lexical_index, "MOST_SCOPE_TOKENS", most_tokens
    )  # beyond it a scope is applied by passage number
    async with database.read() as connection:
        papers = list(await connection.execute_fetchall("SELECT number, id FROM paper LIMIT 17"))
        rows = await connection.execute_fetchall("SELECT number, paper FROM passage")
    chosen = {paper[0] for paper in papers}
    inside = {row[0] for row in rows if row[1] in chosen}
    there = scope(papers=[paper[1] for paper in papers])
    few, many = (FtsIndex(database, Selections(database, HERE), most_rows=rows) for rows in (20, 10**9))
    brought = await few.matching(there, TERMS, limit=20)
    assert len(brought) == 20 and {hit.number for hit in brought} <= inside
    best = {hit.number: hit.score for hit in await many.matching(there, TERMS, limit=500)}
    assert [hit.score for hit in brought] == pytest.approx([best[hit.number] for hit in brought], rel=1e-9)
    assert brought[0].score == pytest.approx(max(best.values()), rel=1e-9)


async def test_a_sample_of_lengths_stands_for_a_large_library(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with database.read() as connection:
        whole = await bm25.read_collection(connection)
        monkeypatch.setattr(bm25, "SAMPLED_LENGTHS", 100)
        sampled = await bm25.read_collection(connection)
    assert whole.passages == sampled.passages == len(TEXTS)
    assert sampled.length == pytest.approx(whole.length, rel=0.1)
