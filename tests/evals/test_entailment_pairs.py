"""Pairs of a sentence and its quote, and what the entailment check makes of them."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.model import Evidence, Metadata, Paper, Passage, Sentence
from core.grounding.differences import find_differences
from core.grounding.verify import DraftSentence, Verifier
from evals.__main__ import main
from evals.entailment import pairs

EVERY = [pair for path in pairs.OWN for pair in pairs.read_pairs(path)]
FALSE = [pair for pair in EVERY if not pair.faithful]
FAITHFUL = [pair for pair in EVERY if pair.faithful]


def test_the_sets_are_large_balanced_and_free_of_repetition() -> None:
    assert min(len(FALSE), len(FAITHFUL)) >= 300
    assert len({(pair.sentence, pair.quote) for pair in EVERY}) == len(EVERY)


def test_rules_alone_show_no_false_sentence_and_object_to_hardly_a_faithful_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["entailment", "--json"]) == 0
    shares = json.loads(capsys.readouterr().out)["metrics"]
    assert shares["false stopped"]["n"] == len(FALSE)
    assert shares["false stopped"]["value"] >= 0.99
    assert shares["faithful kept"]["value"] >= 0.15
    assert shares["faithful objected to"]["value"] <= 0.015


def test_another_number_unit_bound_or_name_is_a_difference() -> None:
    kinds = ("unit", "bound", "sign", "exponent", "range", "name", "form", "month", "year", "ordinal")
    hard = [pair for pair in pairs.read_pairs(pairs.OWN[1]) if not pair.faithful and pair.kind in kinds]
    assert len(hard) > 15
    assert all(find_differences(pair.sentence, [pair.quote], known=pair.title) for pair in hard)


def test_a_file_of_pairs_is_measured_and_any_other_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    row = {"quote": "Moss grew.", "sentence": "Moss grew?", "faithful": False, "kind": "question", "by": "me"}
    good.write_text(json.dumps(row) + "\n")
    bad.write_text(json.dumps(row) + '\n{"quote": "Moss grew."}\n')
    assert main(["entailment", str(good), "--show"]) == 0
    assert "false stopped: question                       1.00" in capsys.readouterr().out
    assert main(["entailment", str(bad)]) == 2
    assert capsys.readouterr().err == f"Line 2 of {bad} is no pair of a quote and a sentence.\n"


def evidence(text: str) -> Evidence:
    at = datetime(2000, 1, 1, tzinfo=UTC)
    paper = Paper(id="p", file_name="", metadata=Metadata(title="A study"), pages=1, kind="born digital", added_at=at)
    passage = Passage(id=text, paper_id="p", ordinal=0, page=1, section=(), kind="text", text=text, indexed_text=text)
    return Evidence(passage=passage, paper=paper, score=1.0)


def test_a_false_sentence_finds_no_other_quote_that_lets_it_through() -> None:
    sample = FALSE[::6]
    texts = list(dict.fromkeys(pair.quote for pair in sample))
    through = [
        pair.sentence
        for index, pair in enumerate(sample)
        if isinstance(
            Verifier([evidence(text) for text in texts[max(0, index - 3) : index + 4]]).sentence(
                DraftSentence(text=pair.sentence)
            ),
            Sentence,
        )
    ]
    assert through == []
