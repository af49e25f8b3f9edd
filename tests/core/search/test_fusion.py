from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.model import Passage
from core.domain.ports import Searched
from core.search.fusion import (
    NEAREST_MAX_RANK,
    Candidates,
    SignalWeights,
    asks_for_table,
    diversify,
    extract_label_keys,
    fuse_scores,
    promote_nearest,
    rank_by_score,
    reciprocal_rank_fusion,
    scale_by_best,
    weighted_sum,
)
from core.search.lru_cache import LruCache
from tests.core.search.fakes import passage

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


def candidates(
    *passages: Passage, dense: Mapping[int, float] | None = None, lexical: Mapping[int, float] | None = None
) -> Candidates:
    rows = {number: Searched.of(item) for number, item in enumerate(passages)}
    return Candidates(dense=dense or {}, lexical=lexical or {}, passages=rows)


NOTHING = SignalWeights(dense=0, lexical=0, table=0, label=0)
PASSAGES = (
    passage("a", 0, "Heat was applied."),
    passage("a", 1, "The yield fell under heat."),
    passage("b", 0, "Control 5.1, heat 3.4", kind="table"),
)


def test_each_signal_counts_by_its_weight() -> None:
    both = candidates(*PASSAGES, dense={0: 0.8, 1: 0.4}, lexical={1: 10.0, 2: 5.0})
    assert fuse_scores("heat", both, replace(NOTHING, dense=2)) == {0: 2.0, 1: 1.0, 2: 0.0}
    assert fuse_scores("heat", both, replace(NOTHING, lexical=1)) == {0: 0.0, 1: 1.0, 2: 0.5}
    assert fuse_scores("heat", both, replace(NOTHING, dense=1, lexical=1)) == {0: 1.0, 1: 1.5, 2: 0.5}


def test_the_nearest_by_meaning_is_among_the_first_and_nothing_else_changes() -> None:
    scores = {number: 10.0 - number for number in range(9)}
    promoted = promote_nearest(scores, {7: 0.9, 8: 0.8})
    assert promoted == scores | {7: pytest.approx(scores[NEAREST_MAX_RANK - 1])}
    assert rank_by_score(promoted) == [0, 1, 2, 7, 3, 4, 5, 6, 8]
    assert promote_nearest(scores, {2: 0.9, 8: 0.8}) == promote_nearest(scores, {}) == scores
    assert promote_nearest({1: 2.0, 2: 1.0}, {2: 0.9}) == {1: 2.0, 2: 1.0}


def test_without_a_weight_of_meaning_no_passage_is_promoted() -> None:
    many = [passage("c", number, "Heat.") for number in range(9)]
    found = candidates(*many, dense={8: 1.0}, lexical={number: 9.0 - number for number in range(9)})
    assert rank_by_score(fuse_scores("heat", found, replace(NOTHING, lexical=1))).index(8) == 8
    assert rank_by_score(fuse_scores("heat", found, replace(NOTHING, lexical=1, dense=0.01))).index(8) == 3


def test_a_table_moves_up_only_where_a_quantity_is_asked_for() -> None:
    found, weights = candidates(*PASSAGES, lexical={0: 1.0, 1: 1.0, 2: 1.0}), replace(NOTHING, lexical=1, table=1)
    assert fuse_scores("How many plots were there?", found, weights) == {0: 1.0, 1: 1.0, 2: 2.0}
    assert set(fuse_scores("Why did the yield fall?", found, weights).values()) == {1.0}


def test_what_carries_the_label_that_is_asked_for_moves_up() -> None:
    found = candidates(PASSAGES[0], replace(PASSAGES[2], label="Table 2"), lexical={0: 1.0, 1: 1.0})
    weights = replace(NOTHING, lexical=1, label=1)
    assert fuse_scores("What does tab. 2 say?", found, weights) == {0: 1.0, 1: 2.0}
    assert fuse_scores("What does Table 3 say?", found, weights) == {0: 1.0, 1: 1.0}


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("see Fig. 3b and Table 2", [("figure", "3"), ("table", "2")]),
        ("Tabla 4", [("table", "4")]),
        ("表2によると", [("table", "2")]),
        ("Eq. (7)", [("formula", "7")]),
        ("Table S1", [("table", "S1")]),
        ("a configuration of 3 tables", []),
    ],
)
def test_labels_are_read_in_several_languages(words: str, keys: list[tuple[str, str]]) -> None:
    assert extract_label_keys(words) == keys


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many lessons are there?", True),
        ("Which model was the fastest?", True),
        ("¿Cuántos pacientes hubo?", True),
        ("多少篇论文？", True),
        ("Why did the author stop?", False),
        ("Wie heißt das Verfahren?", False),
    ],
)
def test_a_quantity_is_recognised_by_its_wording(question: str, wanted: bool) -> None:
    assert asks_for_table(question) is wanted


def test_near_copies_are_shown_once_and_a_paper_keeps_to_its_share() -> None:
    words = "the yield of wheat fell by a third when heat stress was applied at anthesis in both years"
    ranked = [
        (1, Searched.of(passage("a", 0, words))),
        (2, Searched.of(passage("b", 0, words.upper() + "."))),
        (3, Searched.of(passage("a", 1, "Something else was measured in the plots of the second year as well."))),
        (4, Searched.of(passage("a", 2, "A third thing altogether that nobody had thought of before then."))),
    ]
    assert diversify(ranked, k=10, per_paper=None) == [1, 3, 4]
    assert diversify(ranked, k=10, per_paper=1) == [1]
    assert diversify(ranked, k=2, per_paper=None) == [1, 3]


def test_a_short_passage_within_a_long_one_is_no_copy() -> None:
    long = " ".join(f"word{n}" for n in range(60))
    ranked = [
        (1, Searched.of(passage("a", 0, long))),
        (2, Searched.of(passage("a", 1, " ".join(long.split()[:10])))),
    ]
    assert diversify(ranked, k=10, per_paper=None) == [1, 2]
