"""BM25 of passages that are at hand, from the tokens in their rows: the numbers that FTS5 gives, row by row.

It stands apart from the index because asking the index costs by how often a word occurs anywhere, and this by how
many passages are scored: a few papers, or the candidates that something else brought.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; constants as in FTS5.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import aiosqlite

from core.library.sqlite.rows import Row

K1, B = 1.2, 0.75
SAMPLED_LENGTHS = 4_000
"""Passages whose lengths stand for all; the mean of so many is good to about one per cent."""
_LEAST_RARITY = 1e-6
_COLUMNS = ("body", "title", "section", "caption", "scope")
_LENGTH = " + ".join(f"length({name}) - length(replace({name}, ' ', '')) + ({name} <> '')" for name in _COLUMNS)
"""Tokens of a row, in SQL: those of a column are separated by single spaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of the index: its token there, and in how many passages it stands."""

    token: str
    passages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """How many passages the index holds, and how many tokens one has on average."""

    passages: int
    length: float


async def read_collection(connection: aiosqlite.Connection) -> Collection:
    """The number of passages, and their mean length: of all, or of a sample spread evenly over a large library."""
    totals = await connection.execute_fetchall("SELECT count(*), coalesce(max(number), 0) FROM passage")
    passages, highest = next(iter(totals))
    if passages <= SAMPLED_LENGTHS:
        lengths = await connection.execute_fetchall(f"SELECT avg({_LENGTH}) FROM lexical_row")
    else:
        numbers = list(range(1, highest + 1, passages // SAMPLED_LENGTHS))
        lengths = await connection.execute_fetchall(
            f"SELECT avg({_LENGTH}) FROM lexical_row WHERE number IN (SELECT value FROM json_each(?))",
            (json.dumps(numbers),),
        )
    mean_length = next(iter(lengths))[0]
    return Collection(passages=passages, length=mean_length or 1.0)


async def token_rows(connection: aiosqlite.Connection, numbers: Sequence[int]) -> Iterable[Row]:
    """Number and the five columns of each passage, scope last."""
    return await connection.execute_fetchall(
        f"SELECT number, {', '.join(_COLUMNS)} FROM lexical_row WHERE number IN (SELECT value FROM json_each(?))",
        (json.dumps(numbers),),
    )


class Scorable(Protocol):
    """A passage that counts its tokens."""

    @property
    def number(self) -> int:
        """Of the passage."""

    @property
    def length(self) -> int:
        """Tokens of all columns, the scope's among them."""

    def times(self, tokens: Sequence[str]) -> Sequence[int]:
        """How often each token stands here; a token is given with a space on both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRow:
    """A passage ready for counting: its tokens with a space on both sides of each."""

    number: int
    text: str
    length: int

    def times(self, tokens: Sequence[str]) -> Sequence[int]:
        """As ``Scorable`` says: one pass over the text for each token."""
        return [self.text.count(token) for token in tokens]


@dataclass(frozen=True, slots=True, kw_only=True)
class TermCounts:
    """A passage all of whose tokens are counted: as dear as counting a question's twice, and then free."""

    number: int
    counts: Mapping[str, int]
    length: int

    @classmethod
    def of(cls, passage: CountedRow) -> "TermCounts":
        """Every token that stands in ``passage``."""
        counts = {f" {token} ": count for token, count in Counter(passage.text.split()).items()}
        return cls(number=passage.number, counts=counts, length=passage.length)

    def times(self, tokens: Sequence[str]) -> Sequence[int]:
        """As ``Scorable`` says."""
        return [self.counts.get(token, 0) for token in tokens]


def count_rows(rows: Iterable[Row]) -> list[CountedRow]:
    """Rows of ``token_rows`` made ready."""
    passages = []
    for number, *columns, scope in rows:
        tokens = " ".join(column for column in columns if column)
        length = tokens.count(" ") + scope.count(" ") + 2
        # A space on both sides of every token, none shared: then counting is one pass of C over the string.
        passages.append(CountedRow(number=number, text=f" {tokens.replace(' ', '  ')} ", length=length))
    return passages


def score_passages(passages: Iterable[Scorable], words: Sequence[Word], held: Collection) -> Mapping[int, float]:
    """Scores of the passages that hold a word."""
    tokens = [f" {word.token} " for word in words]
    worths = [inverse_document_frequency(word.passages, held.passages) * (K1 + 1.0) for word in words]
    scores: dict[int, float] = {}
    for passage in passages:
        damping = K1 * (1.0 - B + B * passage.length / held.length)
        counts = zip(passage.times(tokens), worths, strict=True)
        score = sum(worth * count / (count + damping) for count, worth in counts if count)
        if score > 0.0:
            scores[passage.number] = score
    return scores


def inverse_document_frequency(passages: int, total: int) -> float:
    """A word's weight by how many of all passages hold it; as in FTS5 next to nothing for a word of half of them."""
    return max(math.log((total - passages + 0.5) / (passages + 0.5)), _LEAST_RARITY)
