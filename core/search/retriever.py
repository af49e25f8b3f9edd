"""Finds evidence for a question within a scope: dense and lexical candidates, fused, without copies, with context.

Every filter works before ranking. docs/search.md has the design, docs/evaluation.md what it was measured to find.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from core.domain.model import Evidence, Scope
from core.domain.ports import DenseIndex, Embedder, Filters, LexicalIndex, Library, Reranker
from core.search.fusion import Candidates, SignalWeights, diversify, fuse_scores, rank_by_score
from core.search.lru_cache import LruCache
from core.text import query_tokens

if TYPE_CHECKING:
    from core.domain.ports import Numbers, Vector

_ALL = Filters()
_WEIGHTS = SignalWeights()
FOUND = 10
"""Passages of a search that names no number."""
DEPTH = 60
"""Candidates taken from each index."""
RERANKED = 24
"""Candidates that the reranker sees: it takes time with each."""
NEIGHBOURS = 1
"""Passages before and behind that are shown with each one found."""
REMEMBERED = 512
"""Searches whose results are cached until the library changes."""
_SearchKey: TypeAlias = tuple[Scope, Filters, str, int, int | None, str]
_Ranks: TypeAlias = Mapping[str, Mapping[int, int]]


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
        weights: SignalWeights = _WEIGHTS,
        depth: int = DEPTH,
        remembered: int = REMEMBERED,
    ) -> None:
        """``depth`` candidates are taken from each index; the results of ``remembered`` searches are cached."""
        self._weights = weights
        self._depth = depth
        self._library = library
        self._lexical = lexical
        self._dense = dense
        self._embedder = embedder
        self._reranker = reranker
        self._results: LruCache[_SearchKey, tuple[Evidence, ...]] = LruCache(remembered)
        self._cached_version = library.version

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
        version = self._library.version
        if version != self._cached_version:  # nothing of a forgotten paper stays here
            self._results.clear()
            self._cached_version = version
        key = (scope, filters, " ".join(query.split()), wanted, per_paper, self._embedder.identity)
        result = self._results.get(key)
        if result is None:
            result, complete = await self._search(query, scope, filters, wanted, per_paper)
            if complete and self._library.version == self._cached_version == version:
                self._results.keep(key, result)
        return result

    async def _search(
        self, query: str, scope: Scope, filters: Filters, k: int, per_paper: int | None
    ) -> tuple[tuple[Evidence, ...], bool]:
        """Evidence, and whether it is complete (not where the reranker was expected and gave no scores)."""
        allowed = await self._library.numbers(scope, filters=filters)
        if len(allowed) == 0 or not query.strip():
            return (), True
        candidates = await self._candidates(query, scope, filters, allowed, self._candidate_depth(k, len(allowed)))
        scores = fuse_scores(query, candidates, self._weights)
        order, complete = await self._rerank(query, candidates, rank_by_score(scores))
        chosen = diversify([(number, candidates.passages[number]) for number in order], k=k, per_paper=per_paper)
        ranks = {
            "dense": _ranks(candidates.dense),
            "lexical": _ranks(candidates.lexical),
            "fused": _ranks(scores),
        }
        return await self._evidence(chosen, scope, scores, ranks), complete

    def _candidate_depth(self, k: int, allowed: int) -> int:
        """Candidates from each index; in a paper or two every passage is one."""
        depth = max(k, self._depth)
        return allowed if allowed <= 2 * depth else depth

    async def _candidates(
        self, query: str, scope: Scope, filters: Filters, allowed: "Numbers", depth: int
    ) -> Candidates:
        terms = list(dict.fromkeys(query_tokens(query)))
        vector, index, lexical_hits = await asyncio.gather(
            self._embedder.query(query),
            self._dense(),
            self._lexical.matching(scope, terms, limit=depth, filters=filters),
        )
        dense_hits = await asyncio.to_thread(index.nearest, vector, allowed=allowed, limit=depth)
        dense = {hit.number: hit.score for hit in dense_hits}
        lexical = {hit.number: hit.score for hit in lexical_hits}
        lexical_was_cut = len(lexical_hits) >= depth
        unmatched = sorted(dense.keys() - lexical.keys()) if lexical_was_cut else []
        # Every candidate is scored by both indexes: a gap is not a zero.
        more_dense, more_lexical, passages = await asyncio.gather(
            _similarities(index, vector, sorted(lexical.keys() - dense.keys())),
            self._matches(scope, terms, unmatched),
            self._library.searched(scope, sorted(dense.keys() | lexical.keys())),
        )
        dense |= more_dense
        lexical |= more_lexical
        return Candidates(
            dense={number: score for number, score in dense.items() if number in passages},
            lexical={number: score for number, score in lexical.items() if number in passages},
            passages=passages,
        )

    async def _matches(self, scope: Scope, terms: Sequence[str], numbers: Sequence[int]) -> Mapping[int, float]:
        return await self._lexical.scores(scope, terms, numbers) if numbers else {}

    async def _rerank(self, query: str, candidates: Candidates, order: list[int]) -> tuple[list[int], bool]:
        """The order after the reranker, and whether it did what was asked of it."""
        if not self._reranker.identity or not order:
            return order, True
        head = order[:RERANKED]
        scores = await self._reranker.scores(query, [candidates.passages[number].indexed_text for number in head])
        if scores is None:
            return order, False
        reranked = rank_by_score(dict(zip(head, scores, strict=True)))
        return [*reranked, *order[len(head) :]], True

    async def _evidence(
        self, chosen: Sequence[int], scope: Scope, scores: Mapping[int, float], ranks: _Ranks
    ) -> tuple[Evidence, ...]:
        """Evidence in the order of ``chosen``; what was forgotten or withdrawn meanwhile is left out."""
        in_context = await self._library.in_context(scope, chosen, reach=NEIGHBOURS)
        paper_ids = frozenset(item.passage.paper_id for item in in_context.values())
        papers = {paper.id: paper for paper in await self._library.papers(scope.within(paper_ids))}
        return tuple(
            Evidence(
                passage=in_context[number].passage,
                paper=papers[in_context[number].passage.paper_id],
                score=scores[number],
                ranks={name: by_number[number] for name, by_number in ranks.items() if number in by_number},
                context=in_context[number].context,
            )
            for number in chosen
            if number in in_context and in_context[number].passage.paper_id in papers
        )


async def _similarities(index: DenseIndex, vector: "Vector", numbers: Sequence[int]) -> dict[int, float]:
    """Scores by meaning of passages that only the lexical index brought."""
    import numpy as np

    if not numbers:
        return {}
    allowed = np.asarray(numbers, dtype=np.int64)
    hits = await asyncio.to_thread(index.nearest, vector, allowed=allowed, limit=len(numbers))
    return {hit.number: hit.score for hit in hits}


def _ranks(scores: Mapping[int, float]) -> dict[int, int]:
    return {number: rank for rank, number in enumerate(rank_by_score(scores), start=1)}
