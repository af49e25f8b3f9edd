"""Puts the candidates of both indexes into one order, a weighted sum of scores between 0 and 1, without copies.

Pure functions. Reciprocal Rank Fusion is kept for comparison: the sum of scaled scores finds more on
real papers, because a rank forgets by how much the first was better than the second (docs/evaluation.md).
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, TypeVar

from core.domain.ports import Searched
from core.text.questions import asks_count, asks_degree, has_superlative

Key = TypeVar("Key", int, str)
LabelKey: TypeAlias = tuple[str, str]
"""What a label names and its number: ("table", "2")."""
NEAREST_MAX_RANK = 4
"""Rank at which the passage nearest by meaning comes at the latest; from the second to the fifth measured alike."""

_MIN_DUPLICATE_OVERLAP = 0.9
_SHINGLE = 5
_Shingles: TypeAlias = frozenset[tuple[str, ...]]
_LABEL = re.compile(
    r"(?P<figure>\bfig(?:ure|ura|\.)?s?\b\.?|\babbildung|\babb\.|图|圖|図)\s*\(?(?P<f>[A-Z]?\d+)"
    r"|(?P<table>\btab(?:le|la|leau|elle|ela|ella|\.)?s?\b\.?|\bcuadro|\bquadro|表)\s*\(?(?P<t>[A-Z]?\d+|[IVX]+\b)"
    r"|(?P<formula>\beq(?:uation|n|\.)?s?\b\.?|\bgleichung|\becuación|\béquation|式)\s*\(?(?P<e>[A-Z]?\d+)",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:table|row|column|tabla|fila|columna|tabelle|zeile|spalte|tableau|ligne|colonne|tabela|linha|coluna)\b|表",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What both indexes found: scores by passage number, and the passages they stand for."""

    dense: Mapping[int, float]
    lexical: Mapping[int, float]
    passages: Mapping[int, Searched]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalWeights:
    """How much each signal counts in the sum; 0 leaves it out."""

    dense: float = 1.0
    """Cosine, as a share of the best."""
    lexical: float = 1.0
    """BM25, as a share of the best."""
    table: float = 0.2
    """For tables, where the question asks for a quantity, an extreme or a table."""
    label: float = 0.5
    """For what carries the label that the question names ("Table 2")."""


def fuse_scores(question: str, candidates: Candidates, weights: SignalWeights) -> dict[int, float]:
    """One score a candidate. Hints of the wording move passages up; none is left out."""
    scores = weighted_sum(
        [
            (weights.dense, scale_by_best(candidates.dense)),
            (weights.lexical, scale_by_best(candidates.lexical)),
            (weights.table, _table_scores(question, candidates.passages)),
            (weights.label, _label_scores(question, candidates.passages)),
        ]
    )
    return promote_nearest(scores, candidates.dense) if weights.dense else scores


def promote_nearest(scores: Mapping[int, float], dense: Mapping[int, float]) -> dict[int, float]:
    """``scores`` with the passage nearest by meaning at rank ``NEAREST_MAX_RANK`` or before it.

    A question in other words than the paper's shares none with the answer, so BM25 cannot find it.
    """
    promoted, order = dict(scores), rank_by_score(scores)
    nearest = next(iter(rank_by_score(dense)), None)
    if nearest is not None and nearest not in order[:NEAREST_MAX_RANK]:
        promoted[nearest] = math.nextafter(scores[order[NEAREST_MAX_RANK - 1]], math.inf)
    return promoted


def asks_for_table(question: str) -> bool:
    """Whether a quantity, an extreme or a table is asked for."""
    names_table = bool(_TABLE.search(question))
    return names_table or asks_count(question) or asks_degree(question) or has_superlative(question)


def extract_label_keys(text: str) -> list[LabelKey]:
    """Every figure, table or equation that ``text`` names, as kind and number."""
    kinds = (("figure", "f"), ("table", "t"), ("formula", "e"))
    return [
        (kind, number.upper())
        for match in _LABEL.finditer(text)
        for kind, group in kinds
        if (number := match[group]) is not None
    ]


def _table_scores(question: str, passages: Mapping[int, Searched]) -> dict[int, float]:
    if not asks_for_table(question):
        return {}
    return {number: 1.0 for number, passage in passages.items() if passage.kind == "table"}


def _label_scores(question: str, passages: Mapping[int, Searched]) -> dict[int, float]:
    wanted = set(extract_label_keys(question))
    if not wanted:
        return {}
    return {
        number: 1.0
        for number, passage in passages.items()
        if wanted.intersection(extract_label_keys(passage.label or ""))
    }


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


def diversify(ranked: Sequence[tuple[int, Searched]], *, k: int, per_paper: int | None) -> list[int]:
    """Numbers of the first ``k`` passages, best first, without near-copies; at most ``per_paper`` of one paper."""
    kept: list[tuple[int, _Shingles]] = []
    taken: Counter[str] = Counter()
    for number, passage in ranked:
        if len(kept) == k:
            break
        if per_paper is not None and taken[passage.paper_id] >= per_paper:
            continue
        shingles = _shingles(passage.text)
        if any(is_near_duplicate(shingles, other) for _, other in kept):
            continue
        taken[passage.paper_id] += 1
        kept.append((number, shingles))
    return [number for number, _ in kept]


def is_near_duplicate(first: _Shingles, second: _Shingles) -> bool:
    """Whether the smaller of two sets of word runs lies nearly whole within the other."""
    few, many = sorted((first, second), key=len)
    if not few or len(few) < _MIN_DUPLICATE_OVERLAP * len(many) / 2:
        return False
    # Most pairs have nothing in common: a dozen runs that are missing tell, and the rest is not looked at.
    missing = 0
    for run in few:
        missing += run not in many
        if len(few) - missing < _MIN_DUPLICATE_OVERLAP * len(few):
            return False
    return True


@lru_cache(maxsize=2_048)
def _shingles(text: str) -> _Shingles:
    words = re.findall(r"\w+", text.lower())
    if len(words) <= _SHINGLE:
        return frozenset([tuple(words)])
    return frozenset(zip(*(words[start:] for start in range(_SHINGLE)), strict=False))
