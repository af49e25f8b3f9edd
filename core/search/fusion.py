"""How the scores of several searches become one order: pure functions over numbers and names.

Reciprocal Rank Fusion is what everyone uses; the weighted sum of scaled scores found more on real papers,
because a rank forgets by how much the first was better than the second.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", int, str)


def reciprocal_rank_fusion(rankings: Iterable[Sequence[Key]], *, k: int = 60) -> dict[Key, float]:
    """Sum of 1 / (k + rank) over rankings that are best first, rank from 1 (Cormack, Clarke, Buettcher 2009)."""
    fused: dict[Key, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            fused[key] = fused.get(key, 0.0) + 1.0 / (k + rank)
    return fused


def scale_by_best(scores: Mapping[Key, float]) -> dict[Key, float]:
    """Each score as a share of the best one; what is not positive becomes 0."""
    best = max(scores.values(), default=0.0)
    if best <= 0.0:
        return dict.fromkeys(scores, 0.0)
    return {key: max(score, 0.0) / best for key, score in scores.items()}


def weighted_sum(signals: Sequence[tuple[float, Mapping[Key, float]]]) -> dict[Key, float]:
    """Sum of weight times score over (weight, scores) pairs; a key that a signal lacks gets 0 from it."""
    fused: dict[Key, float] = {}
    for weight, scores in signals:
        for key, score in scores.items():
            fused[key] = fused.get(key, 0.0) + weight * score
    return fused


def rank_by_score(scores: Mapping[Key, float]) -> list[Key]:
    """Keys by falling score; ties by key, so that the same scores always give the same order."""
    return sorted(scores, key=lambda key: (-scores[key], key))
