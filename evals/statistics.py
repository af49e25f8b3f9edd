"""Shares and means with their 95 % intervals, differences between two systems, and the metrics of the TREC tools.

Kept apart from the measures because it says how far a number can be trusted, whatever it counts.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evals.datasets import Gold
from evals.metrics import Found, hits, squeeze

RESAMPLES = 2_000
SEED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A number, how many cases it stands on, and its 95 % interval."""

    value: float
    n: int
    low: float
    high: float


def share(flags: Iterable[bool]) -> Measure:
    """A share of yes among cases, with Wilson's score interval (Wilson, 1927)."""
    answers = list(flags)
    return proportion(sum(answers), len(answers))


def proportion(right: int, n: int) -> Measure:
    """``right`` of ``n``, with Wilson's score interval; without cases the share is 0 and may be anything."""
    if not n:
        return Measure(value=0.0, n=0, low=0.0, high=1.0)
    z = 1.959964
    p = right / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Measure(value=p, n=n, low=max(0.0, middle - half), high=min(1.0, middle + half))


def mean(values: Iterable[float]) -> Measure:
    """A mean over cases; the interval is the bootstrap's percentile interval (Efron, 1979), with a fixed seed."""
    cases = list(values)
    if not cases:
        return Measure(value=0.0, n=0, low=0.0, high=0.0)
    low, high = _bootstrap(cases)
    return Measure(value=sum(cases) / len(cases), n=len(cases), low=low, high=high)


def difference(ours: Sequence[float], theirs: Sequence[float]) -> Measure:
    """The mean of paired differences, case by case, with its bootstrap interval."""
    return mean(left - right for left, right in zip(ours, theirs, strict=True))


def _bootstrap(cases: Sequence[float]) -> tuple[float, float]:
    import numpy as np

    values = np.asarray(cases, dtype=np.float64)
    drawn = np.random.default_rng(SEED).integers(0, len(values), size=(RESAMPLES, len(values)))
    low, high = np.percentile(values[drawn].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def percentile(values: Sequence[float], share_below: float) -> float:
    """The value below which ``share_below`` of the values lie (nearest rank); 0 without values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share_below * len(ordered)) - 1)] if ordered else 0.0


def flat(measures: Mapping[str, Measure]) -> dict[str, float]:
    """Flat names to numbers: NAME, NAME_n, NAME_low, NAME_high."""
    numbers: dict[str, float] = {}
    for name, measure in measures.items():
        numbers |= {name: measure.value, f"{name}_n": measure.n}
        numbers |= {f"{name}_low": measure.low, f"{name}_high": measure.high}
    return numbers


Judged = tuple[str, Sequence[Gold], Sequence[Found]]
"""A question's id, its gold spans and the passages returned for it."""


def trec(
    judged: Sequence[Judged], image_papers: frozenset[str], cuts: Sequence[int] = (5, 10)
) -> dict[str, list[float]]:
    """nDCG, AP, precision and recall at ``cuts`` per question, by trec_eval's code through ir-measures.

    A passage is relevant if it is the first to hit some gold span; a span that no returned passage hits counts
    as a relevant passage that was not returned, so that nothing is divided by what happened to be found.
    """
    import ir_measures
    from ir_measures import AP, P, R, nDCG

    kinds = {"nDCG": nDCG, "MAP": AP, "P": P, "passage_R": R}
    names = {f"{name}@{cut}": kind @ cut for cut in cuts for name, kind in kinds.items()}
    qrels, run = [], []
    for key, gold, passages in judged:
        qrels += [ir_measures.Qrel(key, name, 1) for name in _relevant(gold, passages, image_papers)]
        run += [ir_measures.ScoredDoc(key, f"rank-{at}", float(-at)) for at in range(1, len(passages) + 1)]
    rows = {(row.query_id, row.measure): float(row.value) for row in ir_measures.iter_calc(names.values(), qrels, run)}
    return {name: [rows.get((key, measure), 0.0) for key, _, _ in judged] for name, measure in names.items()}


def _relevant(gold: Sequence[Gold], passages: Sequence[Found], image_papers: frozenset[str]) -> set[str]:
    texts = [squeeze(passage.text) for passage in passages]
    names = set()
    for number, span in enumerate(gold):
        pairs = enumerate(zip(passages, texts, strict=True), 1)
        position = next((at for at, (passage, text) in pairs if hits(span, passage, text, image_papers)), None)
        names.add(f"missed-{number}" if position is None else f"rank-{position}")
    return names
