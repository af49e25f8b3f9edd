"""Finds evidence for a question within a scope: meaning and words side by side, fused, thinned out, with context.

Every filter works before ranking. The weights and choices were measured; docs/search.md has the table.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from core.domain.model import Evidence, Scope
from core.domain.ports import DenseIndex, Embedder, Filters, InContext, LexicalIndex, Library, Reranker, Searched
from core.search.candidate_scores import MEASURED, Candidates, SignalWeights, fuse_scores
from core.search.diversity import diversify
from core.search.fusion import rank_by_score
from core.search.lru_cache import LruCache
from core.search.query_hints import PaperNames, parse_hints
from core.search.term_coverage import inverse_document_frequencies
from core.text import query_tokens

if TYPE_CHECKING:
    from core.domain.ports import Numbers, Vector

_ALL = Filters()
FOUND = 10
"""Passages of a search that names no number."""
DEPTH = 60
"""Candidates taken from each index."""
RERANKED = 24
"""Candidates that the reranker sees: it takes time with each."""
NEIGHBOURS = 1
"""Passages before and behind that are shown with each one found."""
REMEMBERED = 512
"""Searches that are kept with what they found."""
_ScopeKey: TypeAlias = tuple[int, Scope, Filters]
_CACHED_PASSAGES = 512
"""Passages that are kept with their context: about one paper one asks more than once, and sees the same again."""
_SearchKey: TypeAlias = tuple[int, Scope, Filters, str, int, int | None, str]


class HybridRetriever:
    """``Retriever`` over one workspace; as the port says."""

    def __init__(
        self,
        *,
        library: Library,
        lexical: LexicalIndex,
        dense: Callable[[], Awaitable[DenseIndex]],
        embedder: Embedder,
        reranker: Reranker,
        weights: SignalWeights = MEASURED,
        depth: int = DEPTH,
        remembered: int = REMEMBERED,
    ) -> None:
        """``depth`` candidates are taken from each index; ``remembered`` searches are answered without a search."""
        self._weights = weights
        self._depth = depth
        self._library = library
        self._lexical = lexical
        self._dense = dense
        self._embedder = embedder
        self._reranker = reranker
        self._found: LruCache[_SearchKey, tuple[Evidence, ...]] = LruCache(remembered)
        self._allowed: LruCache[_ScopeKey, Numbers] = LruCache(32)
        self._small: LruCache[_ScopeKey, Mapping[int, Searched]] = LruCache(8)
        self._shelves: LruCache[_ScopeKey, PaperNames] = LruCache(8)
        self._shown: LruCache[tuple[int, Scope, int], InContext] = LruCache(_CACHED_PASSAGES)

    async def search(
        self,
        query: str,
        scope: Scope,
        *,
        k: int | None = None,
        filters: Filters = _ALL,
        per_paper: int | None = None,
    ) -> Sequence[Evidence]:
        """At most ``k`` passages of the scope, best first; ``per_paper`` caps how many come from one paper."""
        wanted = k or FOUND
        key = (
            self._library.version,
            scope,
            filters,
            " ".join(query.split()),
            wanted,
            per_paper,
            self._embedder.identity,
        )
        found = self._found.get(key)
        if found is None:
            found, final = await self._search(query, scope, filters, wanted, per_paper)
            if final:
                self._found.keep(key, found)
        return found

    async def _search(
        self, query: str, scope: Scope, filters: Filters, k: int, per_paper: int | None
    ) -> tuple[tuple[Evidence, ...], bool]:
        """Evidence, and whether it may be remembered (not where the reranker was expected and stayed away)."""
        allowed = await self._numbers(scope, filters)
        if len(allowed) == 0 or not query.strip():
            return (), True
        shelf = await self._shelf(scope)
        depth = max(k, self._depth)
        if len(allowed) <= 2 * depth:  # a paper or two: every passage is a candidate
            depth = len(allowed)
        candidates = await self._candidates(query, scope, filters, allowed, shelf, depth)
        scores = fuse_scores(candidates, self._weights)
        order, final = await self._reranked(query, candidates, rank_by_score(scores))
        chosen = diversify([(number, candidates.passages[number]) for number in order], k=k, per_paper=per_paper)
        ranks = {
            "dense": _ranks(candidates.dense),
            "lexical": _ranks(candidates.lexical),
            "fused": _ranks(scores),
        }
        return await self._evidence(chosen, scope, shelf, scores, ranks), final

    async def _numbers(self, scope: Scope, filters: Filters) -> "Numbers":
        key = (self._library.version, scope, filters)
        allowed = self._allowed.get(key)
        if allowed is None:
            allowed = await self._library.numbers(scope, filters=filters)
            self._allowed.keep(key, allowed)
        return allowed

    async def _shelf(self, scope: Scope) -> PaperNames:
        key = (self._library.version, scope, _ALL)
        shelf = self._shelves.get(key)
        if shelf is None:
            shelf = PaperNames.of(await self._library.papers(scope))
            self._shelves.keep(key, shelf)
        return shelf

    async def _candidates(
        self, query: str, scope: Scope, filters: Filters, allowed: "Numbers", shelf: PaperNames, depth: int
    ) -> Candidates:
        terms = list(dict.fromkeys(query_tokens(query)))
        (vector, index), lexical = await asyncio.gather(
            self._asked(query), self._lexical.matching(scope, terms, limit=depth, filters=filters)
        )
        dense = await asyncio.to_thread(index.nearest, vector, allowed=allowed, limit=depth)
        meaning = {hit.number: hit.score for hit in dense}
        words = {hit.number: hit.score for hit in lexical}
        numbers = sorted(meaning.keys() | words.keys())
        # Every candidate is scored by both indexes: a gap is not a zero.
        more_meaning, more_words, passages, frequencies = await asyncio.gather(
            _similarities(index, vector, sorted(words.keys() - meaning.keys())),
            self._matches(scope, terms, sorted(meaning.keys() - words.keys()) if len(lexical) >= depth else ()),
            self._searched(scope, filters, numbers, of=len(allowed)),
            self._lexical.document_frequencies(scope, terms),
        )
        passages = {number: one for number, one in passages.items() if one.paper_id in shelf.papers}
        return Candidates(
            dense={number: score for number, score in (meaning | more_meaning).items() if number in passages},
            lexical={number: score for number, score in {**words, **more_words}.items() if number in passages},
            passages=passages,
            named=shelf.named(terms),
            weights=inverse_document_frequencies(terms, frequencies, max(len(index), 1)),
            hints=parse_hints(query),
        )

    async def _searched(
        self, scope: Scope, filters: Filters, numbers: Sequence[int], *, of: int
    ) -> Mapping[int, Searched]:
        """Candidates; those of a small scope, where all are, are kept until the library changes."""
        if len(numbers) < of:
            return await self._library.searched(scope, numbers)
        key = (self._library.version, scope, filters)
        found = self._small.get(key)
        if found is None:
            found = await self._library.searched(scope, numbers)
            self._small.keep(key, found)
        return found

    async def _matches(self, scope: Scope, terms: Sequence[str], numbers: Sequence[int]) -> Mapping[int, float]:
        return await self._lexical.scores(scope, terms, numbers) if numbers else {}

    async def _asked(self, query: str) -> tuple["Vector", DenseIndex]:
        vector, index = await asyncio.gather(self._embedder.query(query), self._dense())
        return vector, index

    async def _reranked(self, query: str, candidates: Candidates, order: list[int]) -> tuple[list[int], bool]:
        if not self._reranker.identity or not order:
            return order, True
        head = order[:RERANKED]
        scores = await self._reranker.scores(query, [candidates.passages[number].indexed_text for number in head])
        if scores is None:
            return order, False
        again = dict(zip(head, scores, strict=True))
        return [*rank_by_score(again), *order[len(head) :]], True

    async def _evidence(
        self,
        chosen: Sequence[int],
        scope: Scope,
        shelf: PaperNames,
        scores: Mapping[int, float],
        ranks: Mapping[str, Mapping[int, int]],
    ) -> tuple[Evidence, ...]:
        found = await self._in_context(scope, chosen)
        return tuple(
            Evidence(
                passage=found[number].passage,
                paper=shelf.papers[found[number].passage.paper_id],
                score=scores[number],
                ranks={name: places[number] for name, places in ranks.items() if number in places},
                context=found[number].context,
            )
            for number in chosen
            if number in found
        )

    async def _in_context(self, scope: Scope, numbers: Sequence[int]) -> Mapping[int, InContext]:
        """As the library's; what was shown before in this scope is at hand until the library changes."""
        version = self._library.version
        before = {number: self._shown.get((version, scope, number)) for number in numbers}
        found = {number: one for number, one in before.items() if one is not None}
        missing = [number for number in numbers if number not in found]
        if missing:
            more = await self._library.in_context(scope, missing, reach=NEIGHBOURS)
            for number, one in more.items():
                self._shown.keep((version, scope, number), one)
            found |= more
        return found


async def _similarities(index: DenseIndex, vector: "Vector", numbers: Sequence[int]) -> dict[int, float]:
    """How near passages are that only their words brought."""
    import numpy as np

    if not numbers:
        return {}
    given = np.asarray(numbers, dtype=np.int64)
    hits = await asyncio.to_thread(index.nearest, vector, allowed=given, limit=len(numbers))
    return {hit.number: hit.score for hit in hits}


def _ranks(scores: Mapping[int, float]) -> dict[int, int]:
    return {number: rank for rank, number in enumerate(rank_by_score(scores), start=1)}
