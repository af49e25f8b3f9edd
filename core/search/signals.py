"""What speaks for each candidate passage, as scores between 0 and 1, and how they add up to one order.

Pure: candidates in, scores out. Which signals are here and how much each weighs was measured on questions
over real papers (``python -m evals.ablation``); equal weights did as well as tuned ones, so they are equal.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.config import SearchConfig
from core.domain.ports import Searched
from core.search.coverage import Asked
from core.search.fusion import best_first, scaled_by_best, weighted_sum
from core.search.hints import Hints, label_keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What both searches found, by passage number, with the passages they stand for.

    ``named`` is how much of the question names each paper, ``weights`` are its terms with their rarity, and
    ``hints`` is what its wording asks for.
    """

    dense: Mapping[int, float]
    lexical: Mapping[int, float]
    passages: Mapping[int, Searched]
    named: Mapping[str, float]
    weights: Mapping[str, float]
    hints: Hints


CLOSELY = 48
"""Candidates that are looked at sentence by sentence: the first by everything else. The others cannot lead."""


NEAREST_AT = 4
"""Measured alike from the second to the fifth place (docs/search.md)."""


def fused(candidates: Candidates, config: SearchConfig) -> dict[int, float]:
    """One score a candidate: the four weighted signals, what the wording asks for, and support by neighbours."""
    asked = Asked(candidates.weights)
    seen = {number: asked.glance(passage.text, passage.indexed_text) for number, passage in candidates.passages.items()}
    most = {number: found.sentence for number, found in seen.items()}
    rest = weighted_sum(
        [
            (config.dense_weight, scaled_by_best(candidates.dense)),
            (config.lexical_weight, scaled_by_best(candidates.lexical)),
            (config.passage_weight, {number: found.passage for number, found in seen.items()}),
            (config.naming_weight, _named(candidates)),
        ]
    )
    first = best_first(weighted_sum([(1.0, rest), (config.sentence_weight, most)]))[:CLOSELY]
    own = weighted_sum([(1.0, rest), (config.sentence_weight, _by_sentence(asked, candidates.passages, most, first))])
    scores = weighted_sum(
        [
            (1.0, own),
            (config.support_weight, supported(own, candidates.passages)),
            (config.table_weight, _tables(candidates)),
            (config.label_weight, _labelled(candidates)),
        ]
    )
    return with_nearest(scores, candidates.dense) if config.dense_weight else scores


def with_nearest(scores: Mapping[int, float], dense: Mapping[int, float]) -> dict[int, float]:
    """``scores`` with the passage nearest by meaning at place ``NEAREST_AT`` or before it.

    What asks in other words than the paper shares none with the answer, and all other signals go by words.
    """
    lifted, order = dict(scores), best_first(scores)
    nearest = next(iter(best_first(dense)), None)
    if nearest is not None and nearest not in order[:NEAREST_AT]:
        lifted[nearest] = math.nextafter(scores[order[NEAREST_AT - 1]], math.inf)
    return lifted


def supported(scores: Mapping[int, float], passages: Mapping[int, Searched]) -> dict[int, float]:
    """The better score of the passages just before and behind, where they are candidates of the same section.

    An answer often stands beside the sentence that repeats the question's words.
    """
    places = {(passage.paper_id, passage.ordinal): number for number, passage in passages.items()}
    found: dict[int, float] = {}
    for number, passage in passages.items():
        beside = (places.get((passage.paper_id, passage.ordinal + step)) for step in (-1, 1))
        near = [scores[other] for other in beside if other is not None and passages[other].section == passage.section]
        found[number] = max(near, default=0.0)
    return found


def _by_sentence(
    asked: Asked, passages: Mapping[int, Searched], most: Mapping[int, float], closely: Sequence[int]
) -> dict[int, float]:
    """The share of the best sentence; of the candidates further behind half of what all sentences hold together."""
    shares = {number: share / 2 for number, share in most.items()}
    for number in closely:
        shares[number] = asked.best_sentence(passages[number].text, passages[number].indexed_text)
    return shares


def _named(candidates: Candidates) -> dict[int, float]:
    """How much of the question's words are names of the passage's paper."""
    return {number: candidates.named.get(passage.paper_id, 0.0) for number, passage in candidates.passages.items()}


def _tables(candidates: Candidates) -> dict[int, float]:
    wanted = float(candidates.hints.table)
    return {number: wanted for number, passage in candidates.passages.items() if passage.kind == "table"}


def _labelled(candidates: Candidates) -> dict[int, float]:
    wanted = candidates.hints.labels
    return {
        number: 1.0
        for number, passage in candidates.passages.items()
        if wanted and passage.label is not None and wanted.intersection(label_keys(passage.label))
    }
