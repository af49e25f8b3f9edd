"""How much of a question stands in a passage: shares of its rarer words, by best sentence and as a whole.

Costs nothing to store and needs no weights; on real papers these two shares do what a small reranker is
hoped to do.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.text import index_tokens, sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Shares between 0 and 1 of the question's weight: in the best sentence, and in the whole indexed text."""

    sentence: float
    passage: float


def rarity(terms: Sequence[str], frequencies: Mapping[str, int], total: int) -> dict[str, float]:
    """BM25's idf, never negative: ln(1 + (N - n + 0.5) / (n + 0.5)) for a term in n of N passages."""
    found = {}
    for term in terms:
        held = min(frequencies.get(term, 0), total)
        found[term] = math.log(1.0 + (total - held + 0.5) / (held + 0.5))
    return found


def coverage(weights: Mapping[str, float], *, text: str, indexed_text: str) -> Coverage:
    """Of the question's ``weights`` (term to rarity), the shares that ``text`` and ``indexed_text`` hold."""
    whole = sum(weights.values())
    if whole <= 0.0:
        return Coverage(sentence=0.0, passage=0.0)
    found = [weights.keys() & terms for terms in sentence_terms(text)]
    best = max((_weight(weights, terms) for terms in found), default=0.0)
    held = frozenset[str]().union(*found, *(weights.keys() & terms for terms in _added_terms(text, indexed_text)))
    return Coverage(sentence=best / whole, passage=_weight(weights, held) / whole)


@lru_cache(maxsize=8_192)
def sentence_terms(text: str) -> tuple[frozenset[str], ...]:
    """The terms of each sentence of a passage; remembered, since the same passages come up again and again."""
    return tuple(frozenset(index_tokens(sentence)) for sentence in sentences(text))


def _added_terms(text: str, indexed_text: str) -> list[frozenset[str]]:
    """The terms of what is searched beside the text, line by line: a paper's title is the same for all its passages."""
    head, found, tail = indexed_text.partition(text or "\n")
    added = f"{head}\n{tail}" if found else indexed_text
    return [_line_terms(line) for line in added.splitlines() if line.strip()]


@lru_cache(maxsize=8_192)
def _line_terms(line: str) -> frozenset[str]:
    return frozenset(index_tokens(line))


def _weight(weights: Mapping[str, float], terms: Iterable[str]) -> float:
    return sum(weights[term] for term in terms)
