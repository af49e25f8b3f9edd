"""Which of the ranked passages are shown: no two that say the same, and not all from one paper where that is asked."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from core.domain.ports import Searched

_MIN_DUPLICATE_OVERLAP = 0.9
_SHINGLE = 5
_Shingles: TypeAlias = frozenset[tuple[str, ...]]


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


def is_near_duplicate(one: _Shingles, other: _Shingles) -> bool:
    """Whether the smaller of two sets of word runs lies nearly whole within the other."""
    few, many = sorted((one, other), key=len)
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
    return frozenset(zip(*(words[at:] for at in range(_SHINGLE)), strict=False))
