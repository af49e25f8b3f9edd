"""How much of a question stands in a passage: shares of its rarer words, by best sentence and as a whole.

Costs nothing to store and needs no weights; on real papers these two shares do what a small reranker is
hoped to do.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.search.lru_cache import LruCache
from core.text import TermMatcher, index_tokens, sentences

CACHE_AFTER_USES = 2
"""How often a passage is looked at for a question alone, before it is taken apart for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermCoverage:
    """Shares between 0 and 1 of the question's weight: in all sentences together, so at least what the best has, and in
    the whole indexed text.
    """

    sentence: float
    passage: float


def inverse_document_frequencies(terms: Sequence[str], frequencies: Mapping[str, int], total: int) -> dict[str, float]:
    """BM25's idf, never negative: ln(1 + (N - n + 0.5) / (n + 0.5)) for a term in n of N passages."""
    found = {}
    for term in terms:
        held = min(frequencies.get(term, 0), total)
        found[term] = math.log(1.0 + (total - held + 0.5) / (held + 0.5))
    return found


class QueryTerms:
    """One question's words with their rarity (``weights``), looked for in many passages.

    Most passages are candidates once or twice: of these only what the question needs is taken apart. What comes up
    more often, as the passages of one paper that is asked about, is split into all its words and remembered.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._whole = sum(weights.values())
        self._sought = _matcher_for(frozenset(weights))

    def coverage_of(self, text: str, indexed_text: str) -> TermCoverage:
        """The shares that a passage holds, at little cost; ``best_sentence`` looks closer."""
        if self._whole <= 0.0:
            return TermCoverage(sentence=0.0, passage=0.0)
        places = _PASSAGE_TERMS.known(text, indexed_text)
        if places is None:
            own = self._sought.held(text)
            lines = () if len(own) == len(self._weights) else _context_lines(text, indexed_text)
            held = own.union(*(self._sought.held(line) for line in lines))
            return TermCoverage(sentence=self._share(own), passage=self._share(held))
        own_weight = other = 0.0
        for term, weight in self._weights.items():
            where = places.get(term, 0)
            if where > _CONTEXT_BIT:
                own_weight += weight
            elif where:
                other += weight
        return TermCoverage(sentence=own_weight / self._whole, passage=(own_weight + other) / self._whole)

    def best_sentence(self, text: str, indexed_text: str) -> float:
        """The largest share of the question that one sentence of ``text`` holds."""
        if self._whole <= 0.0:
            return 0.0
        places = _PASSAGE_TERMS.get_cached(text, indexed_text)
        if places is None:
            held = self._sought.held(text)
            found = [held] if len(held) < 2 else [self._sought.held(sentence) for sentence in sentences(text)]
            return max((self._share(terms) for terms in found), default=0.0)
        held_at = [
            (where >> 1, weight)
            for term, weight in self._weights.items()
            if (where := places.get(term, 0)) > _CONTEXT_BIT
        ]
        return _max_shared_weight(held_at) / self._whole

    def _share(self, terms: frozenset[str]) -> float:
        return sum(self._weights[term] for term in terms) / self._whole


@lru_cache(maxsize=4)
def _matcher_for(terms: frozenset[str]) -> TermMatcher:
    return TermMatcher(terms)  # one question is often searched in several scopes


_CONTEXT_BIT = 1
"""The bit of a word's places that stands for the lines beside the text; the bits above it are the sentences."""


class _PassageTermCache:
    """Passages that came up often, as the places of each word in them: a bit a sentence."""

    def __init__(self, most: int) -> None:
        self._met: LruCache[str, int] = LruCache(most)
        self._places: LruCache[tuple[str, str], Mapping[str, int]] = LruCache(most)

    def known(self, text: str, indexed_text: str) -> Mapping[str, int] | None:
        """The places of its words, where it came up often enough before; this counts as once more."""
        found = self.get_cached(text, indexed_text)
        if found is None:
            met = self._met.get(text) or 0
            self._met.keep(text, met + 1)
            if met >= CACHE_AFTER_USES:
                found = _term_positions(text, indexed_text)
                self._places.keep((text, indexed_text), found)
        return found

    def get_cached(self, text: str, indexed_text: str) -> Mapping[str, int] | None:
        """The places of its words, where they are remembered."""
        return self._places.get((text, indexed_text))


_PASSAGE_TERMS = _PassageTermCache(8_192)


def _term_positions(text: str, indexed_text: str) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for line in _context_lines(text, indexed_text):
        found.update(dict.fromkeys(_line_terms(line), _CONTEXT_BIT))
    for number, sentence in enumerate(sentences(text), start=1):
        for term in frozenset(index_tokens(sentence)):
            found[term] = found.get(term, 0) | 1 << number
    return found


def _max_shared_weight(held_at: Sequence[tuple[int, float]]) -> float:
    """The largest sum of weights that share a bit."""
    if len(held_at) < 2:
        return held_at[0][1] if held_at else 0.0
    sums: dict[int, float] = {}
    for where, weight in held_at:
        while where:
            lowest = where & -where
            sums[lowest] = sums.get(lowest, 0.0) + weight
            where ^= lowest
    return max(sums.values())


@lru_cache(maxsize=2_048)
def _line_terms(line: str) -> frozenset[str]:
    """The words of a title or a heading, which many passages share."""
    return frozenset(index_tokens(line))


@lru_cache(maxsize=8_192)
def _context_lines(text: str, indexed_text: str) -> tuple[str, ...]:
    head, found, tail = indexed_text.partition(text or "\n")
    added = f"{head}\n{tail}" if found else indexed_text
    return tuple(line for line in added.splitlines() if line.strip())
