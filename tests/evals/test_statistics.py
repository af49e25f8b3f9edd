import pytest

from evals.datasets import Gold
from evals.metrics import Found
from evals.statistics import Measure, difference, flat, mean, percentile, proportion, share, trec


def test_a_share_of_few_cases_has_a_wide_interval_and_stays_within_bounds() -> None:
    few, many = share([True, False] * 5), share([True, False] * 500)
    assert few.value == many.value == 0.5
    assert few.high - few.low > 0.4 > 0.1 > many.high - many.low
    perfect = proportion(20, 20)
    assert perfect.value == 1 and perfect.high == 1 and perfect.low == pytest.approx(0.839, abs=0.001)


def test_without_cases_nothing_is_known() -> None:
    assert share([]) == Measure(value=0, n=0, low=0, high=1)
    assert mean([]).n == 0


def test_a_mean_has_the_same_interval_in_every_run() -> None:
    values = [0.0, 0.5, 1.0, 1.0]
    assert mean(values) == mean(values)
    assert mean(values).low < mean(values).value == 0.625 < mean(values).high


def test_paired_differences_are_surer_than_their_parts() -> None:
    theirs = [0.0, 1.0] * 20
    gain = difference([value + 0.1 for value in theirs], theirs)
    assert gain.value == pytest.approx(0.1)
    assert gain.low == pytest.approx(gain.high)


def test_percentiles_are_values_that_occurred() -> None:
    assert percentile([4, 1, 3, 2], 0.5) == 2
    assert percentile(list(range(1, 101)), 0.95) == 95
    assert percentile([], 0.5) == 0


def test_flat_names_carry_the_number_of_cases() -> None:
    numbers = flat({"R@1": Measure(value=0.5, n=2, low=0.1, high=0.9)})
    assert numbers == {"R@1": 0.5, "R@1_n": 2, "R@1_low": 0.1, "R@1_high": 0.9}


def test_trec_metrics_count_a_span_once_and_missed_spans_as_relevant() -> None:
    gold = [Gold(paper="a", page=1, evidence="alpha"), Gold(paper="a", page=1, evidence="omega")]
    passages = [Found(paper="a", page=1, text=text) for text in ("nothing", "alpha", "alpha again")]
    values = trec([("q1", gold, passages), ("q2", gold, [])], frozenset(), cuts=(10,))
    assert values["passage_R@10"] == [0.5, 0.0]
    assert values["MAP@10"] == [pytest.approx(0.25), 0.0]
    assert values["P@10"] == [pytest.approx(0.1), 0.0]
    assert values["nDCG@10"][0] == pytest.approx(0.6309 / 1.6309, abs=0.001)
