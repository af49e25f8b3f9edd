import json
import random
from pathlib import Path

import pymupdf
import pytest

from evals.__main__ import main
from evals.entailment.mutations import FALSE, TRUE, Printed

SENTENCE = "However, if the oak plots stay dry, all 14 oaks grow less than the 30 larches, which may die [3]."
PRINTED = Printed(paper="a.pdf", sentence=SENTENCE, words=("granite", "harbour"), after=("MarshNet is small.",))


def test_each_change_changes_one_thing() -> None:
    changed = {kind: change(PRINTED, random.Random(1)) for kind, change in {**FALSE, **TRUE}.items()}
    assert changed["numbers exchanged"] == SENTENCE.replace("14", "x").replace("30", "14").replace("x", "30")
    assert changed["another quantifier"] == SENTENCE.replace("all", "some")
    assert "may" not in changed["hedge left out"]
    assert "if the oak plots stay dry" not in changed["condition left out"]
    assert changed["opener left out"] == "If" + SENTENCE.removeprefix("However, if")
    assert changed["citation left out"] == SENTENCE.replace(" [3]", "")
    assert changed["not inserted"] == SENTENCE.replace("may", "may not")
    assert changed["we told of the authors"] == SENTENCE


def test_a_folder_of_papers_is_measured_alike_each_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pymupdf.open() as document:
        text = "In the north valley 40 oaks were counted, and in the wet marsh 90 larches were larger than elms.\n" * 3
        document.new_page().insert_textbox((50, 50, 500, 700), text)
        document.save(tmp_path / "trees.pdf")
    printed = []
    for _ in range(2):
        assert main(["entailment-mutations", str(tmp_path), "--json"]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    assert printed[0] == printed[1]
    assert printed[0]["metrics"]["false accepts: numbers exchanged"]["total"] > 0
    assert printed[0]["metrics"]["false accepts: numbers exchanged"]["wrong"] == 0


def test_a_folder_without_papers_is_told_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["entailment-mutations", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"There is no PDF in {tmp_path}.\n"
