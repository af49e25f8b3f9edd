"""What readers said of answers becomes a corpus that the commands can run on; what does not is named and why."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from core.domain.model import (
    Answer,
    Channel,
    Citation,
    Metadata,
    Paper,
    Passage,
    Reading,
    Sentence,
    Share,
    Span,
    Thread,
    Workspace,
)
from core.domain.records import Feedback
from core.library import open_library
from evals import datasets, feedback_testset
from evals.__main__ import main
from evals.feedback_testset import ScopedPapers, made_of

HERE = Workspace(platform="local", id="moss")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def _paper(key: str, title: str, author: str) -> Paper:
    share = Share(paper_id=key, channel="C", message=key, user="u", at=NOON)
    metadata = Metadata(title=title, authors=(author,), year=2020)
    return Paper(
        id=key,
        file_name=f"{title.split()[0].lower()}.pdf",
        metadata=metadata,
        pages=2,
        kind="born digital",
        added_at=NOON,
        shares=(share,),
    )


def _passage(paper: str, page: int, text: str) -> Passage:
    return Passage(
        id=f"{paper}/{page}",
        paper_id=paper,
        ordinal=page,
        page=page,
        section=("Results",),
        kind="text",
        text=text,
        indexed_text=text,
    )


MOSS, BEES = _paper("a" * 64, "Moss on Roofs", "Ann Lee"), _paper("b" * 64, "Bees in Cities", "Bo Ray")
TEXTS = {
    MOSS.id: (
        _passage(MOSS.id, 1, "Moss grows on old barns. It was seen in 38 villages."),
        _passage(MOSS.id, 2, "The mean cover on north slopes was 38 percent. On south slopes it was 11 percent."),
    ),
    BEES.id: (_passage(BEES.id, 1, "We counted 412 bees in nine parks. The counting took all summer."),),
}
SHELF = ScopedPapers(papers={MOSS.id: MOSS, BEES.id: BEES}, passages=TEXTS)


def _answer(question: str, *, outcome: str = "answered", cites: str = MOSS.id) -> Answer:
    span = Span(passage_id=f"{cites}/1", page=1, quote="Moss grows on old barns.")
    cited = Citation(marker=1, paper_id=cites, section=("Results",), spans=(span,))
    return Answer(
        question=question,
        outcome=outcome,  # type: ignore[arg-type]
        mode="extractive",
        sentences=(Sentence(text=span.quote, markers=(1,)),) if outcome == "answered" else (),
        citations=(cited,) if outcome == "answered" else (),
        trace_id=question[:8],
    )


def _said(answer: Answer, verdict: str, words: str = "") -> Feedback:
    return Feedback(answer=answer, channel="C", user="u", verdict=verdict, words=words, at=NOON)


def _only(feedback: Feedback) -> dict[str, object]:
    made = made_of([feedback], SHELF)
    assert made.left_out == ()
    return dict(made.rows[0])


def test_an_answer_judged_good_becomes_a_question_with_what_it_cited() -> None:
    row = _only(_said(_answer("Where does moss grow?"), "good"))
    assert row["gold_paper"] == ["moss.pdf"]
    assert row["gold_pages"] == [1]
    assert row["gold_evidence"] == ["Moss grows on old barns."]
    assert row["gold_answer"] == "Moss grows on old barns."


def test_a_correction_is_looked_for_on_the_page_that_the_reader_named() -> None:
    row = _only(_said(_answer("How much moss is on north slopes?"), "wrong", "38 percent · Lee 2020, p. 2"))
    assert row["gold_pages"] == [2]
    assert row["gold_evidence"] == ["The mean cover on north slopes was 38 percent."]
    assert row["answer_keywords"] == ["38"]
    assert row["gold_answer"] == "38 percent"
    told = _only(_said(_answer("How much moss is on north slopes?"), "wrong", "38 percent, on page 2 · p. 2"))
    assert told["answer_keywords"] == ["38"]


def test_without_a_page_the_sentence_must_hold_what_the_correction_says() -> None:
    row = _only(_said(_answer("How many bees were there?", cites=BEES.id), "wrong", "412 bees"))
    assert (row["gold_paper"], row["gold_evidence"]) == (["bees.pdf"], ["We counted 412 bees in nine parks."])
    made = made_of([_said(_answer("How many bees were there?", cites=BEES.id), "wrong", "999 bees")], SHELF)
    assert made.rows == ()
    assert made.left_out == ("“How many bees were there?”: no sentence of bees.pdf holds what the correction says",)


def test_the_paper_that_a_reader_names_counts_more_than_the_one_that_was_cited() -> None:
    row = _only(_said(_answer("How many were counted?", cites=MOSS.id), "wrong", "412 · the bees paper, page 1"))
    assert row["gold_paper"] == ["bees.pdf"]


def test_a_refusal_judged_good_stays_a_refusal() -> None:
    row = _only(_said(_answer("What do otters eat?", outcome="not_found"), "good"))
    assert row["expected_behavior"] == "abstain"
    assert "gold_paper" not in row


def test_the_last_verdict_on_a_question_counts() -> None:
    answer = _answer("Where does moss grow?")
    made = made_of([_said(answer, "good"), _said(answer, "wrong")], SHELF)
    assert made.rows == ()
    assert made.left_out == ("“Where does moss grow?”: judged wrong, but nobody said what would be right",)


def test_no_two_papers_share_a_file_name() -> None:
    other = _paper("c" * 64, "Moss again", "Cy Dew")
    files = ScopedPapers(papers={MOSS.id: MOSS, other.id: other}, passages={}).files
    assert len(set(files.values())) == 2


async def _filled(data: Path, pdf: Path) -> None:
    opened = await open_library(data, HERE)
    for paper in (MOSS, BEES):
        vectors = np.full((len(TEXTS[paper.id]), 4), 0.5, dtype=np.float32)
        reading = Reading(metadata=paper.metadata, kind=paper.kind, pages=2, passages=TEXTS[paper.id])
        await opened.library.add(paper, reading, vectors, embedder="e", pdf=pdf)
    for channel, verdict, words in (("C", "wrong", "38 percent · Lee, p. 2"), ("D", "good", "")):
        thread = Thread(channel=Channel(workspace=HERE, id=channel), id="T")
        answer = _answer(f"How much moss is on north slopes, {channel}?")
        await opened.memory.keep_answer(thread, answer, at=NOON)
        await opened.memory.keep_feedback(thread, answer.trace_id, user="u", verdict=verdict, words=words, at=NOON)
    await opened.close()


async def test_the_command_writes_a_corpus_of_one_channel_alone(tmp_path: Path) -> None:
    pdf = tmp_path / "a.pdf"
    pdf.write_bytes(b"%PDF-1.7\n")
    await _filled(tmp_path / "data", pdf)
    out = tmp_path / "out"
    made = await feedback_testset.export(tmp_path / "data", HERE, ["C"], out)
    assert len(made.rows) == 1
    corpus = datasets.load(out)
    assert {path.name for path in corpus.papers} == {"moss.pdf", "bees.pdf"}
    assert [one.text for one in corpus.answerable] == ["How much moss is on north slopes, C?"]
    assert corpus.answerable[0].keywords == ("38",)


@pytest.mark.parametrize("workspace", ["local:nowhere", "local:moss"])
def test_where_nothing_can_be_made_one_sentence_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], workspace: str
) -> None:
    (tmp_path / "data").mkdir()
    order = ["--data", str(tmp_path / "data"), "--workspace", workspace, "--channel", "C", "--out", str(tmp_path / "o")]
    assert main(["feedback-to-testset", *order]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not (tmp_path / "o").exists()
