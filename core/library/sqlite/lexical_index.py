"""BM25 over SQLite's FTS5, in the library's own file and in the transactions of its papers.

FTS5 is given numbers for words: ``word`` maps the hash of each token of ``core.text`` to a number that is
never used twice. Every token survives exactly, whatever its script or punctuation; in how many passages a word
occurs is one look-up; and the index holds no word that forgetting a paper would have to find in it. When a
paper goes, the numbers of words that only it held lose their meaning at once, while FTS5 clears its old
segments only as it merges (``core/library/sqlite/forgetting.py`` sees to that).

Scores are BM25 with FTS5's fixed k1 = 1.2 and b = 0.75, summed over weighted fields. FTS5's cost is the scoring of
every row that matches. So in a large index it is only asked which rows hold a word, which is ten times cheaper; those
that hold most of a question by rarity are then scored here (``library.common.bm25``), and its commonest words bring
no rows of their own: they only count in the scores of what rarer words brought.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import aiosqlite

from core.domain.model import Scope
from core.domain.ports import Filters, Hit
from core.library.common.bm25 import (
    Collection,
    TermCounts,
    Word,
    count_rows,
    inverse_document_frequency,
    read_collection,
    score_passages,
    token_rows,
)
from core.library.sqlite.database import Database
from core.library.sqlite.lexical_rows import kind_token, number_token
from core.library.sqlite.rows import Row
from core.library.sqlite.selection import Selection, Selections
from core.text import hash_word

if TYPE_CHECKING:
    from core.domain.ports import Numbers

_ALL = Filters()
MOST_TERMS = 64
"""A longer query keeps its rarest words; the others cost time and say little."""
MOST_SCOPE_TOKENS = 48
"""Beyond this many channels or papers a scope is applied by passage number, which is then cheaper."""
MOST_ROWS = 10_000
"""Matching rows that FTS5 scores for one question; where there are more, the best by the rarity of their words are."""
BRINGING = 4
"""How many times as many rows the rarer words of a question may bring; commoner words then only count in scores."""
RESERVE = 180
"""Passages beyond those asked for that are scored in full where only rarity brought them."""
FEW_PAPERS = 16
_ROWS_PER_SCORE = 6
"""Scoring a passage from its tokens costs about as much as six rows that match in the index."""
_REMEMBERED = 20_000
_FIELDS = "{body title section caption} : ("
_NOWHERE = Word(token="", passages=0)
_MOST_KEPT = 2_000
"""Passages of small scopes that are kept until the library changes: one asks about a paper more than once."""


class FtsIndex:
    """The lexical index of one workspace; written by the library, read here."""

    def __init__(
        self,
        database: Database,
        selections: Selections,
        *,
        most_rows: int = MOST_ROWS,
    ) -> None:
        self._database = database
        self._selections = selections
        self._most_rows = most_rows
        self._seen = _Seen(version=-1, held=Collection(passages=0, length=1.0))

    async def matching(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        filters: Filters = _ALL,
    ) -> Sequence[Hit]:
        """Best passages in scope for any of ``terms`` (of ``core.text.query_tokens``), best first."""
        self._selections.check(scope)
        rows = self._seen.rows.get((scope, filters))
        if rows is not None and self._knows(terms):
            return _best(score_passages(rows, _rarest(self._seen, terms), self._seen.held), max(limit, 0))
        async with self._database.read() as connection:
            seen = await self._present(connection, terms)
            words = _rarest(seen, terms)
            rows = seen.rows.get((scope, filters))
            if rows is not None:
                return _best(score_passages(rows, words, seen.held), max(limit, 0))
            selection = await self._selections.papers(connection, scope, filters)
            if not words or not selection.papers or limit < 1:
                return ()
            if len(selection.papers) <= FEW_PAPERS:
                few = (await self._selections.numbers(connection, scope, filters)).tolist()
                if len(few) * _ROWS_PER_SCORE < sum(word.passages for word in words):
                    there = await token_rows(connection, few)
                    rows = seen.rows[scope, filters] = await asyncio.to_thread(_tallied, there)
                    return _best(score_passages(rows, words, seen.held), limit)
            search = _Search(scope=scope, filters=filters, selection=selection)
            if sum(word.passages for word in words) > self._most_rows:
                driving = _driving(words, self._most_rows * BRINGING)
                rarities = [inverse_document_frequency(word.passages, seen.held.passages) for word in driving]
                found = await self._holding(connection, search, driving, rarities, limit + RESERVE)
                if len(found) >= limit:
                    brought = count_rows(await token_rows(connection, found))
                    return _best(score_passages(brought, words, seen.held), limit)
            return await self._found(connection, search, words, limit)

    async def scores(self, scope: Scope, terms: Sequence[str], numbers: Sequence[int]) -> Mapping[int, float]:
        """What ``matching`` gives these passages, those left out that hold no term or lie out of scope."""
        import numpy as np

        self._selections.check(scope)
        async with self._database.read() as connection:
            allowed = await self._selections.numbers(connection, scope, _ALL)
            seen = await self._present(connection, terms)
            words = _rarest(seen, terms)
            asked = np.asarray(numbers, dtype=np.int64)
            if not words or not len(allowed) or not len(asked):
                return {}
            places = np.searchsorted(allowed, asked).clip(max=len(allowed) - 1)
            rows = await token_rows(connection, asked[allowed[places] == asked].tolist())
            return score_passages(count_rows(rows), words, seen.held)

    async def document_frequencies(self, scope: Scope, terms: Sequence[str]) -> Mapping[str, int]:
        """In how many passages of the workspace each term occurs; 0 for a word that no paper holds."""
        self._selections.check(scope)
        if self._knows(terms):
            return {term: self._seen.words[term].passages for term in terms}
        async with self._database.read() as connection:
            seen = await self._present(connection, terms)
        return {term: seen.words[term].passages for term in terms}

    def _knows(self, terms: Sequence[str]) -> bool:
        """Whether all ``terms`` are remembered of the library's present version."""
        return self._seen.version == self._database.version and self._seen.words.keys() >= set(terms)

    async def _present(self, connection: aiosqlite.Connection, terms: Sequence[str]) -> "_Seen":
        """What is known of the library as ``connection`` sees it, ``terms`` among it; another view has its own."""
        seen, version = self._seen, await self._database.version_seen(connection)
        if seen.version != version or len(seen.words) > _REMEMBERED or seen.kept > _MOST_KEPT:
            seen = self._seen = _Seen(version=version, held=await read_collection(connection))
        hashes = {hash_word(term): term for term in terms if term not in seen.words}
        if hashes:
            rows = await connection.execute_fetchall(
                "SELECT hash, id, passages FROM word WHERE hash IN (SELECT value FROM json_each(?))",
                (json.dumps(list(hashes)),),
            )
            found = {hashes[row[0]]: Word(token=number_token(row[1]), passages=row[2]) for row in rows}
            seen.words.update({term: found.get(term, _NOWHERE) for term in hashes.values()})
        return seen

    async def _found(
        self, connection: aiosqlite.Connection, search: "_Search", words: Sequence[Word], limit: int
    ) -> Sequence[Hit]:
        """By FTS5: what holds any of ``words`` within the scope."""
        match = _FIELDS + _any(word.token for word in words) + ")"
        narrowed, exact = await _narrowed(connection, search.scope, search.selection, search.filters)
        match += narrowed
        if exact:
            return [Hit(number=row[0], score=row[1]) for row in await self._ranked(connection, match, limit)]
        allowed = await self._selections.numbers(connection, search.scope, search.filters)
        rows = await self._ranked(connection, match, -1)
        # Thousands of rows may have matched; the event loop does not wait for their sorting out.
        return await asyncio.to_thread(_within, rows, allowed, limit)

    async def _holding(
        self,
        connection: aiosqlite.Connection,
        search: "_Search",
        words: Sequence[Word],
        rarities: Sequence[float],
        limit: int,
    ) -> Sequence[int]:
        """Passages within the scope by the summed rarity of the ``words`` they hold, however often; most first."""
        narrowed, exact = await _narrowed(connection, search.scope, search.selection, search.filters)
        allowed = None if exact else await self._selections.numbers(connection, search.scope, search.filters)
        held = "(SELECT group_concat(rowid) FROM lexical WHERE lexical MATCH ?)"
        rows = await connection.execute_fetchall(
            f"SELECT {', '.join(held for _ in words)}",
            [f'{_FIELDS}"{word.token}"){narrowed}' for word in words],
        )
        return await asyncio.to_thread(_by_rarity, next(iter(rows)), rarities, allowed, limit)

    async def _ranked(self, connection: aiosqlite.Connection, match: str, limit: int) -> Sequence[Row]:
        rows = await connection.execute_fetchall(
            "SELECT rowid, -bm25(lexical, 1.0, 1.0, 1.0, 1.0, 0.0) AS score FROM lexical WHERE lexical MATCH ? "
            "ORDER BY score DESC, rowid LIMIT ?",
            (match, limit),
        )
        return list(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """Words that were asked for and rows of small scopes, as of one version of the library."""

    version: int
    held: Collection
    words: dict[str, Word] = field(default_factory=dict)
    rows: dict[tuple[Scope, Filters], Sequence[TermCounts]] = field(default_factory=dict)

    @property
    def kept(self) -> int:
        """Passages of all scopes together."""
        return sum(len(rows) for rows in self.rows.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """Where is searched."""

    scope: Scope
    filters: Filters
    selection: Selection


def _rarest(seen: _Seen, terms: Sequence[str]) -> Sequence[Word]:
    """The terms that occur at all, rarest first, at most ``MOST_TERMS``."""
    found = {seen.words[term] for term in terms if seen.words[term].passages}
    return sorted(found, key=lambda word: (word.passages, word.token))[:MOST_TERMS]


def _tallied(rows: Iterable[Row]) -> list[TermCounts]:
    return [TermCounts.of(passage) for passage in count_rows(rows)]


def _driving(words: Sequence[Word], most_rows: int) -> Sequence[Word]:
    """The rarest words whose passages together keep within the bound; one at least."""
    held = 0
    for place, word in enumerate(words):
        held += word.passages
        if held > most_rows and place:
            return words[:place]
    return words


def _best(scores: Mapping[int, float], limit: int) -> list[Hit]:
    order = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
    return [Hit(number=number, score=scores[number]) for number in order]


async def _narrowed(
    connection: aiosqlite.Connection, scope: Scope, selection: Selection, filters: Filters
) -> tuple[str, bool]:
    """The scope as an FTS5 clause, and whether that clause says all of it."""
    clause, exact = "", not filters.section
    if not selection.whole:
        tokens = [f"p{number_token(paper)}" for paper in selection.papers]
        by_paper = scope.papers is not None or filters.since or filters.until or filters.author
        if by_paper and len(tokens) > MOST_SCOPE_TOKENS:
            exact = False
        if not by_paper or not exact:
            rows = await connection.execute_fetchall(
                "SELECT id FROM place WHERE channel IN (SELECT value FROM json_each(?))",
                (json.dumps(sorted(scope.channels)),),
            )
            channels = [f"c{number_token(row[0])}" for row in rows]
            tokens = min(tokens, channels, key=len) if not by_paper else channels
        if len(tokens) <= MOST_SCOPE_TOKENS:
            clause += " AND {scope} : (" + _any(tokens) + ")"
        else:
            exact = False
    if filters.kinds:
        clause += " AND {scope} : (" + _any(kind_token(kind) for kind in sorted(filters.kinds)) + ")"
    return clause, exact


def _any(tokens: Iterable[str]) -> str:
    return " OR ".join(f'"{token}"' for token in tokens)


def _by_rarity(
    held: Sequence[str | None], rarities: Sequence[float], allowed: "Numbers | None", limit: int
) -> list[int]:
    """The row numbers of each word, joined by commas, become the rows with the largest sums; ties by number."""
    import numpy as np

    numbers = [np.fromstring(joined or "", dtype=np.int64, sep=",") for joined in held]
    rows, places = np.unique(np.concatenate(numbers), return_inverse=True)
    weights = np.repeat(np.asarray(rarities), [len(item) for item in numbers])
    sums = np.bincount(places, weights=weights, minlength=len(rows))
    if allowed is not None:
        kept = np.isin(rows, allowed, assume_unique=True)
        rows, sums = rows[kept], sums[kept]
    found: list[int] = rows[np.argsort(-sums, kind="stable")[:limit]].tolist()
    return found


def _within(rows: Sequence[Row], allowed: "Numbers", limit: int) -> list[Hit]:
    import numpy as np

    kept = np.isin(np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows)), allowed)
    return [Hit(number=rows[place][0], score=rows[place][1]) for place in np.flatnonzero(kept)[:limit]]
