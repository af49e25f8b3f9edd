import json
from datetime import UTC, datetime

import pytest

from core.domain.model import Evidence, Metadata, Paper, Passage, Sentence
from core.grounding.verify import DraftSentence, Verifier
from evals.__main__ import main
from evals.entailment import pairs


def test_the_set_is_large_balanced_and_free_of_repetition() -> None:
    every = pairs.pairs()
    assert sum(pair.supported for pair in every) >= 150
    assert sum(not pair.supported for pair in every) >= 150
    assert len({(pair.sentence, pair.passage) for pair in every}) == len(every)
    assert {pair.passage for pair in pairs.pairs("dev")}.isdisjoint(pair.passage for pair in pairs.pairs("test"))


def test_false_accepts_and_rejects_stay_rare() -> None:
    rows = {row.name: row for row in pairs.shares(pairs.judge(pairs.pairs()))}
    assert rows["false accepts"].wrong <= 0.04 * rows["false accepts"].total
    assert rows["false rejects"].wrong <= 0.06 * rows["false rejects"].total


def test_shares_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["entailment-pairs", "--part", "test", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["metrics"]["false accepts"]["total"] == sum(not pair.supported for pair in pairs.pairs("test"))


def evidence(text: str) -> Evidence:
    at = datetime(2000, 1, 1, tzinfo=UTC)
    paper = Paper(id="p", file_name="", metadata=Metadata(title="A study"), pages=1, kind="born digital", added_at=at)
    passage = Passage(id=text, paper_id="p", ordinal=0, page=1, section=(), kind="text", text=text, indexed_text=text)
    return Evidence(passage=passage, paper=paper, score=1.0)


def test_a_false_sentence_finds_no_other_quote_that_lets_it_through() -> None:
    every = [pair for pair in pairs.pairs("test") if not pair.supported]
    texts = [pair.passage for pair in every]
    through = [
        pair.id
        for at, pair in enumerate(every)
        if isinstance(
            Verifier([evidence(text) for text in dict.fromkeys(texts[max(0, at - 6) : at + 7])]).sentence(
                DraftSentence(text=pair.sentence)
            ),
            Sentence,
        )
    ]
    assert len(through) <= 0.04 * len(every), through
