"""BM25 over SQLite's FTS5, in the library's own file and in the transactions of its papers.

FTS5 is given numbers for words: ``word`` maps the hash of each token of ``core.text`` to a number that is
never used twice. Every token survives exactly, whatever its script or punctuation; in how many passages a word
occurs is one look-up; and the index holds no word that forgetting a paper would have to find in it. When a
paper goes, the numbers of words that only it held lose their meaning at once, while FTS5 clears its old
segments only as it merges (``core/library/forgetting.py`` sees to that).

Scores are BM25 with FTS5's fixed k1 = 1.2 and b = 0.75 (Robertson and Zaragoza, "The Probabilistic Relevance
Framework: BM25 and Beyond", 2009), summed over weighted fields.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import aiosqlite

from core.domain.model import Scope
from core.domain.ports import Filters, Hit
from core.library.database import Database
from core.library.lexical_rows import kind_token, number_token, word_hash
from core.library.rows import Row
from core.library.selection import Selection, Selections

if TYPE_CHECKING:
    from core.domain.ports import Numbers

_ALL = Filters()
MOST_TERMS = 64
"""A longer query keeps its rarest words; the others cost time and say little."""
MOST_SCOPE_TOKENS = 48
"""Beyond this many channels or papers a scope is applied by passage number, which is then cheaper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldWeights:
    """How much a word counts by where it stands; all equal is plain BM25 over the whole indexed text."""

    body: float = 1.0
    title: float = 1.0
    section: float = 1.0
    caption: float = 1.0


EQUAL = FieldWeights()


class FtsIndex:
    """The lexical index of one workspace; written by the library, read here."""

    def __init__(self, database: Database, selections: Selections, weights: FieldWeights = EQUAL) -> None:
        self._database = database
        self._selections = selections
        self._weights = weights

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
        async with self._database.read() as connection:
            selection = await self._selections.papers(connection, scope, filters)
            words = await _known(connection, terms)
            if not words or not selection.papers or limit < 1:
                return ()
            match = "{body title section caption} : (" + _any(number_token(word) for word in words) + ")"
            narrowed, exact = await _narrowed(connection, scope, selection, filters)
            match += narrowed
            if exact:
                return [Hit(number=row[0], score=row[1]) for row in await self._ranked(connection, match, limit)]
            allowed = await self._selections.numbers(connection, scope, filters)
            rows = await self._ranked(connection, match, -1)
            # Thousands of rows may have matched; the event loop does not wait for their sorting out.
            return await asyncio.to_thread(_within, rows, allowed, limit)

    async def _ranked(self, connection: aiosqlite.Connection, match: str, limit: int) -> Sequence[Row]:
        weights = self._weights
        rows = await connection.execute_fetchall(
            "SELECT rowid, -bm25(lexical, ?, ?, ?, ?, 0.0) AS score FROM lexical WHERE lexical MATCH ? "
            "ORDER BY score DESC, rowid LIMIT ?",
            (weights.body, weights.title, weights.section, weights.caption, match, limit),
        )
        return list(rows)

    async def document_frequencies(self, scope: Scope, terms: Sequence[str]) -> Mapping[str, int]:
        """In how many passages of the workspace each term occurs; 0 for a word that no paper holds."""
        self._selections.check(scope)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT hash, passages FROM word WHERE hash IN (SELECT value FROM json_each(?))",
                (json.dumps([word_hash(term) for term in terms]),),
            )
        counts = {row[0]: row[1] for row in rows}
        return {term: counts.get(word_hash(term), 0) for term in terms}


async def _known(connection: aiosqlite.Connection, terms: Sequence[str]) -> list[int]:
    """Numbers of the terms that occur at all, at most ``MOST_TERMS``, the rarest."""
    rows = await connection.execute_fetchall(
        "SELECT id FROM word WHERE hash IN (SELECT value FROM json_each(?)) ORDER BY passages, id LIMIT ?",
        (json.dumps([word_hash(term) for term in terms]), MOST_TERMS),
    )
    return [row[0] for row in rows]


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


def _within(rows: Sequence[Row], allowed: "Numbers", limit: int) -> list[Hit]:
    import numpy as np

    kept = np.isin(np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows)), allowed)
    return [Hit(number=rows[place][0], score=rows[place][1]) for place in np.flatnonzero(kept)[:limit]]
