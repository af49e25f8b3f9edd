"""BM25 of passages that are at hand, from the tokens in their rows: the same numbers as FTS5 gives, row by row.

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
_LEAST_RARITY = 1e-6


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


async def collection(connection: aiosqlite.Connection) -> Collection:
    """From FTS5's own record of totals: the number of rows, then the tokens of each column, as varints."""
    rows = await connection.execute_fetchall("SELECT block FROM lexical_data WHERE id = 1")
    totals = _varints(next((row[0] for row in rows), b""))
    passages = totals[0] if totals else 0
    return Collection(passages=passages, length=sum(totals[1:]) / max(passages, 1))


def _varints(packed: bytes) -> list[int]:
    """SQLite's variable-length integers: seven bits a byte, most significant first, the ninth byte whole."""
    found: list[int] = []
    number = used = 0
    for byte in packed:
        used += 1
        number = number << 8 | byte if used == 9 else number << 7 | byte & 127
        if byte < 128 or used == 9:
            found.append(number)
            number = used = 0
    return found


async def token_rows(connection: aiosqlite.Connection, numbers: Sequence[int]) -> Iterable[Row]:
    """Number and the five columns of each passage, scope last."""
    return await connection.execute_fetchall(
        "SELECT number, body, title, section, caption, scope FROM lexical_row "
        "WHERE number IN (SELECT value FROM json_each(?))",
        (json.dumps(numbers),),
    )


class Scorable(Protocol):
    """A passage of which it can be told how often words stand in it."""

    @property
    def number(self) -> int:
        """Of the passage."""

    @property
    def length(self) -> int:
        """Tokens of all columns, the scope's among them."""

    def times(self, tokens: Sequence[str]) -> Sequence[float]:
        """How often each token stands here, by its columns' weights; a token has a space on both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A passage ready for counting: its columns' tokens by weight."""

    number: int
    parts: tuple[tuple[float, str], ...]
    length: int

    def times(self, tokens: Sequence[str]) -> Sequence[float]:
        """As ``Scorable`` says: one pass over the text for each token."""
        if len(self.parts) == 1:
            ((weight, text),) = self.parts
            return [weight * text.count(token) for token in tokens]
        return [sum(weight * text.count(token) for weight, text in self.parts) for token in tokens]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tallied:
    """A passage all of whose tokens are counted: as dear as counting a question's twice, and then free."""

    number: int
    counts: Mapping[str, float]
    length: int

    @classmethod
    def of(cls, item: Counted) -> "Tallied":
        """Every token that stands in ``one``."""
        counts: dict[str, float] = {}
        for weight, text in item.parts:
            for token, count in Counter(text.split()).items():
                counts[f" {token} "] = counts.get(f" {token} ", 0.0) + weight * count
        return cls(number=item.number, counts=counts, length=item.length)

    def times(self, tokens: Sequence[str]) -> Sequence[float]:
        """As ``Scorable`` says."""
        return [self.counts.get(token, 0.0) for token in tokens]


def counted(rows: Iterable[Row], weights: Sequence[float]) -> list[Counted]:
    """Rows of ``token_rows`` made ready; ``weights`` are those of the columns body, title, section, caption."""
    same = all(weight == weights[0] for weight in weights)
    found = []
    for number, *columns, scope in rows:
        parts = [(weight, column) for weight, column in zip(weights, columns, strict=True) if column]
        if same:
            parts = [(weights[0], " ".join(column for _, column in parts))]
        length = sum(text.count(" ") + 1 for _, text in parts) + scope.count(" ") + 1
        # A space on both sides of every token, none shared: then counting is one pass of C over the string.
        spaced = tuple((weight, f" {text.replace(' ', '  ')} ") for weight, text in parts)
        found.append(Counted(number=number, parts=spaced, length=length))
    return found


def scored(passages: Iterable[Scorable], words: Sequence[Word], held: Collection) -> Mapping[int, float]:
    """Scores of the passages that hold a word."""
    tokens = [f" {word.token} " for word in words]
    worths = [rarity(word.passages, held.passages) * (K1 + 1.0) for word in words]
    found: dict[int, float] = {}
    for item in passages:
        damping = K1 * (1.0 - B + B * item.length / held.length)
        times = zip(item.times(tokens), worths, strict=True)
        score = sum(worth * count / (count + damping) for count, worth in times if count)
        if score > 0.0:
            found[item.number] = score
    return found


def rarity(passages: int, total: int) -> float:
    """A word's weight by how many of all passages hold it; as in FTS5 next to nothing for a word of half of them."""
    return max(math.log((total - passages + 0.5) / (passages + 0.5)), _LEAST_RARITY)
