import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.fusion import rank_by_score, reciprocal_rank_fusion, scale_by_best, weighted_sum
from core.search.lru_cache import LruCache
from core.search.term_coverage import CACHE_AFTER_USES, QueryTerms, TermCoverage, inverse_document_frequencies
from core.text import query_tokens

scores = st.dictionaries(st.integers(0, 50), st.floats(-10, 1e6), max_size=20)


def test_reciprocal_ranks_add_up() -> None:
    fused = reciprocal_rank_fusion([["a", "b"], ["b", "c"]])
    assert fused == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 62})
    assert rank_by_score(fused) == ["b", "a", "c"]


def test_scaling_keeps_what_a_rank_forgets() -> None:
    assert scale_by_best({1: 8.0, 2: 2.0, 3: -1.0}) == {1: 1.0, 2: 0.25, 3: 0.0}
    assert scale_by_best({}) == {}
    assert scale_by_best({1: -2.0}) == {1: 0.0}


@given(scores)
def test_scaling_stays_within_bounds_and_keeps_the_order(given_scores: dict[int, float]) -> None:
    scaled = scale_by_best(given_scores)
    assert all(0.0 <= score <= 1.0 for score in scaled.values())
    positive = [key for key in rank_by_score(given_scores) if given_scores[key] > 0]
    assert [scaled[key] for key in positive] == sorted((scaled[key] for key in positive), reverse=True)


def test_a_key_that_a_signal_lacks_gets_nothing_from_it() -> None:
    assert weighted_sum([(1.0, {1: 0.5, 2: 1.0}), (2.0, {1: 0.5})]) == {1: 1.5, 2: 1.0}


@given(scores)
def test_equal_scores_come_in_the_order_of_their_keys(given_scores: dict[int, float]) -> None:
    flat = dict.fromkeys(given_scores, 1.0)
    assert rank_by_score(flat) == sorted(flat)


def test_rare_terms_weigh_more_and_none_weighs_less_than_nothing() -> None:
    weights = inverse_document_frequencies(["rare", "common", "unknown"], {"rare": 1, "common": 100}, 100)
    assert weights["unknown"] > weights["rare"] > weights["common"] > 0.0
    assert weights["rare"] == pytest.approx(math.log(1 + 99.5 / 1.5))


def coverage(weights: Mapping[str, float], *, text: str, indexed_text: str) -> TermCoverage:
    asked = QueryTerms(weights)
    seen = asked.coverage_of(text, indexed_text)
    return TermCoverage(sentence=asked.best_sentence(text, indexed_text), passage=seen.passage)


def test_coverage_is_of_the_best_sentence_and_of_the_whole() -> None:
    weights = {"heat": 1.0, "wheat": 1.0, "yield": 2.0}
    text = "Heat stress was applied. The yield fell."
    found = coverage(weights, text=text, indexed_text=f"On wheat\nResults\n{text}")
    assert found.sentence == 0.5
    assert found.passage == 1.0
    assert coverage({}, text=text, indexed_text=text).passage == 0.0
    assert coverage(weights, text="", indexed_text="").sentence == 0.0


def test_a_passage_that_comes_up_often_is_covered_as_at_first() -> None:
    text = "Heat-stress was applied in 2019. The yield of wheat fell.\n\n热胁迫降低了产量。 It didn't recover."
    indexed = f"On wheat and heat\nResults\n{text}"
    for asked in (
        "Did the heat stress lower the yield?",
        "wheat results",
        "热 2019",
        "nothing of that",
        "The yield fell",
    ):
        weights = {term: 1.0 + place for place, term in enumerate(dict.fromkeys(query_tokens(asked)))}
        every = [coverage(weights, text=text, indexed_text=indexed) for _ in range(CACHE_AFTER_USES + 2)]
        apart = coverage(weights, text=f"{text} ", indexed_text=f"{indexed} ")  # another text: not known yet
        for found in every:
            assert found.sentence == pytest.approx(apart.sentence) and found.passage == pytest.approx(apart.passage)


def test_what_was_not_used_for_longest_is_forgotten_first() -> None:
    recent: LruCache[str, int] = LruCache(2)
    recent.keep("a", 1)
    recent.keep("b", 2)
    assert recent.get("a") == 1
    recent.keep("c", 3)
    assert recent.get("b") is None and recent.get("a") == 1 and recent.get("c") == 3 and len(recent) == 2
    nothing: LruCache[str, int] = LruCache(0)
    nothing.keep("a", 1)
    assert nothing.get("a") is None
