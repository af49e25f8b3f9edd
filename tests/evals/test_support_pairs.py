import json

import pytest

from evals import support


def test_the_set_is_large_balanced_and_free_of_repetition() -> None:
    every = support.pairs()
    assert sum(pair.supported for pair in every) >= 150
    assert sum(not pair.supported for pair in every) >= 150
    assert len({(pair.sentence, pair.passage) for pair in every}) == len(every)
    assert {pair.passage for pair in support.pairs("dev")}.isdisjoint(pair.passage for pair in support.pairs("test"))


def test_false_accepts_and_rejects_stay_rare() -> None:
    rows = {row.name: row for row in support.shares(support.judge(support.pairs()))}
    assert rows["false accepts"].wrong <= 0.04 * rows["false accepts"].total
    assert rows["false rejects"].wrong <= 0.06 * rows["false rejects"].total


def test_shares_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert support.main(["--part", "test", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["metrics"]["false accepts"]["total"] == sum(not pair.supported for pair in support.pairs("test"))
