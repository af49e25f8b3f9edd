"""What speaks for each candidate passage, as scores between 0 and 1, and how they add up to one order.

Pure: candidates in, scores out. Which signals are here and how much each weighs was measured on questions
over real papers (``python -m evals ablation``); equal weights did as well as tuned ones, so they are equal.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.ports import Searched
from core.search.fusion import rank_by_score, scale_by_best, weighted_sum
from core.search.query_hints import QueryHints, extract_label_keys
from core.search.term_coverage import QueryTerms


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
    hints: QueryHints


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalWeights:
    """How much each signal counts in the sum; 0 leaves it out. The defaults were measured, see docs/search.md."""

    dense: float = 1.0
    lexical: float = 1.0
    sentence: float = 0.5
    """Share of the question's rarer words in the passage's best sentence."""
    passage: float = 0.5
    """The same in the whole passage with its title and section: the two halves are the third voice."""
    naming: float = 0.25
    """Share of the question's words that name the passage's paper (title, authors, year, file)."""
    support: float = 0.15
    """Score of the better neighbour in the same section, which an answer often stands beside."""
    table: float = 0.2
    """For tables, where the question asks for a quantity, an extreme or a table."""
    label: float = 0.5
    """For what carries the label that the question names ("Table 2")."""


MEASURED = SignalWeights()
MAX_SENTENCE_SCORED = 48
"""Candidates that are looked at sentence by sentence: the first by everything else. The others cannot lead."""


NEAREST_MAX_RANK = 4
"""Measured alike from the second to the fifth place (docs/search.md)."""


def fuse_scores(candidates: Candidates, weights: SignalWeights = MEASURED) -> dict[int, float]:
    """One score a candidate: the four weighted signals, what the wording asks for, and support by neighbours."""
    asked = QueryTerms(candidates.weights)
    seen = {
        number: asked.coverage_of(passage.text, passage.indexed_text) for number, passage in candidates.passages.items()
    }
    most = {number: found.sentence for number, found in seen.items()}
    rest = weighted_sum(
        [
            (weights.dense, scale_by_best(candidates.dense)),
            (weights.lexical, scale_by_best(candidates.lexical)),
            (weights.passage, {number: found.passage for number, found in seen.items()}),
            (weights.naming, _name_scores(candidates)),
        ]
    )
    first = rank_by_score(weighted_sum([(1.0, rest), (weights.sentence, most)]))[:MAX_SENTENCE_SCORED]
    own = weighted_sum([(1.0, rest), (weights.sentence, _sentence_scores(asked, candidates.passages, most, first))])
    scores = weighted_sum(
        [
            (1.0, own),
            (weights.support, add_neighbour_support(own, candidates.passages)),
            (weights.table, _table_scores(candidates)),
            (weights.label, _label_scores(candidates)),
        ]
    )
    return promote_nearest(scores, candidates.dense) if weights.dense else scores


def promote_nearest(scores: Mapping[int, float], dense: Mapping[int, float]) -> dict[int, float]:
    """``scores`` with the passage nearest by meaning at place ``NEAREST_AT`` or before it.

    What asks in other words than the paper shares none with the answer, and all other signals go by words.
    """
    lifted, order = dict(scores), rank_by_score(scores)
    nearest = next(iter(rank_by_score(dense)), None)
    if nearest is not None and nearest not in order[:NEAREST_MAX_RANK]:
        lifted[nearest] = math.nextafter(scores[order[NEAREST_MAX_RANK - 1]], math.inf)
    return lifted


def add_neighbour_support(scores: Mapping[int, float], passages: Mapping[int, Searched]) -> dict[int, float]:
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


def _sentence_scores(
    asked: QueryTerms, passages: Mapping[int, Searched], most: Mapping[int, float], closely: Sequence[int]
) -> dict[int, float]:
    """The share of the best sentence; of the candidates further behind half of what all sentences hold together."""
    shares = {number: share / 2 for number, share in most.items()}
    for number in closely:
        shares[number] = asked.best_sentence(passages[number].text, passages[number].indexed_text)
    return shares


def _name_scores(candidates: Candidates) -> dict[int, float]:
    """How much of the question's words are names of the passage's paper."""
    return {number: candidates.named.get(passage.paper_id, 0.0) for number, passage in candidates.passages.items()}


def _table_scores(candidates: Candidates) -> dict[int, float]:
    wanted = float(candidates.hints.table)
    return {number: wanted for number, passage in candidates.passages.items() if passage.kind == "table"}


def _label_scores(candidates: Candidates) -> dict[int, float]:
    wanted = candidates.hints.labels
    return {
        number: 1.0
        for number, passage in candidates.passages.items()
        if wanted and passage.label is not None and wanted.intersection(extract_label_keys(passage.label))
    }
