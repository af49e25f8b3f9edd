"""How much of a question stands in a passage: shares of its rarer words, by best sentence and as a whole.

Costs nothing to store and needs no weights; on real papers these two shares do what a small reranker is
hoped to do.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.search.cache import Recent
from core.text import Sought, index_tokens, sentences

OFTEN = 2
"""How often a passage is looked at for a question alone, before it is taken apart for all."""


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
    seen = glance(weights, text=text, indexed_text=indexed_text)
    return Coverage(sentence=best_sentence(weights, text), passage=seen.passage)


def glance(weights: Mapping[str, float], *, text: str, indexed_text: str) -> Coverage:
    """The same at less cost: ``sentence`` is what all sentences of ``text`` hold together, so at least the best's."""
    whole = sum(weights.values())
    if whole <= 0.0:
        return Coverage(sentence=0.0, passage=0.0)
    own = _LOOKS.whole(text, weights)
    held = own if len(own) == len(weights) else own.union(*_added(text, indexed_text, weights))
    return Coverage(sentence=_weight(weights, own) / whole, passage=_weight(weights, held) / whole)


def best_sentence(weights: Mapping[str, float], text: str) -> float:
    """The largest share of ``weights`` that one sentence of ``text`` holds."""
    whole = sum(weights.values())
    found = _LOOKS.sentences(text, weights) if whole > 0.0 else ()
    return max((_weight(weights, terms) for terms in found), default=0.0) / (whole or 1.0)


class _Looks:
    """What of a question stands in a passage.

    Most passages are candidates once or twice: of these only what the question needs is taken apart. What comes up
    more often, as the passages of one paper that is asked about, is split into all its words and remembered.
    """

    def __init__(self, most: int) -> None:
        self._met: Recent[str, int] = Recent(most)
        self._terms: Recent[str, tuple[frozenset[str], tuple[frozenset[str], ...]]] = Recent(most)

    def whole(self, text: str, weights: Mapping[str, float]) -> frozenset[str]:
        """The terms of the question that stand anywhere in ``text``."""
        known = self._terms.get(text)
        if known is not None:
            return known[0].intersection(weights)
        met = self._met.get(text) or 0
        if met >= OFTEN:
            parts = sentence_terms(text)
            whole = frozenset[str]().union(*parts)
            self._terms.keep(text, (whole, parts))
            return whole.intersection(weights)
        self._met.keep(text, met + 1)
        return _sought(frozenset(weights)).held(text)

    def sentences(self, text: str, weights: Mapping[str, float]) -> Sequence[frozenset[str]]:
        """Those that stand together, sentence by sentence."""
        known = self._terms.get(text)
        if known is not None:
            return [terms.intersection(weights) for terms in known[1]]
        sought = _sought(frozenset(weights))
        held = sought.held(text)
        return [held] if len(held) < 2 else [sought.held(sentence) for sentence in sentences(text)]


_LOOKS = _Looks(8_192)


@lru_cache(maxsize=4)
def _sought(terms: frozenset[str]) -> Sought:
    return Sought(terms)


def sentence_terms(text: str) -> tuple[frozenset[str], ...]:
    """The terms of each sentence of a passage."""
    return tuple(frozenset(index_tokens(sentence)) for sentence in sentences(text))


def _added(text: str, indexed_text: str, weights: Mapping[str, float]) -> list[frozenset[str]]:
    """What is held by the lines that are searched beside the text: a paper's title is the same for all its passages."""
    sought = _sought(frozenset(weights))
    return [sought.held(line) for line in _added_lines(text, indexed_text)]


@lru_cache(maxsize=8_192)
def _added_lines(text: str, indexed_text: str) -> tuple[str, ...]:
    head, found, tail = indexed_text.partition(text or "\n")
    added = f"{head}\n{tail}" if found else indexed_text
    return tuple(line for line in added.splitlines() if line.strip())


def _weight(weights: Mapping[str, float], terms: Iterable[str]) -> float:
    return sum(weights[term] for term in terms)
