"""Which papers "summarise this" and "compare these" mean, and what stays a question although it mentions them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.domain.model import Citation, Paper, Share, Span, Thread, Turn
from core.domain.studies import StudyRequest
from core.understanding.papers import PaperResolver
from core.understanding.study_requests import study_request
from tests.core.agent.small_library import CHANNEL, NOON, paper

BARLEY = paper("b" * 64, "Drought tolerance of barley landraces", authors=["Ann Lee"], year=2020)
TAGGER = paper("t" * 64, "LayoutTagger: tagging tokens of scanned pages", authors=["Bo Sen"], year=2021)
SPLIT = paper("s" * 64, "DOCSPLIT: splitting documents", authors=["Cy Ng"], year=2022)
SHELF = (BARLEY, TAGGER, SPLIT)
THREAD = Thread(channel=CHANNEL, id="m9")


def dropped(one: Paper, message: str = "m9") -> Paper:
    share = Share(paper_id=one.id, channel=CHANNEL.id, message=message, user="ann", at=NOON)
    return replace(one, shares=(share,))


def answered(*papers: Paper) -> Turn:
    cited = tuple(
        Citation(marker=n, paper_id=one.id, section=(), spans=(Span(passage_id="p", page=1, quote="words of it"),))
        for n, one in enumerate(papers, 1)
    )
    return Turn(role="assistant", text="It says so.", at=NOON, citations=cited)


def asked(text: str, turns: Sequence[Turn] = (), papers: Sequence[Paper] = SHELF) -> StudyRequest | None:
    return study_request(text, THREAD, turns, PaperResolver(papers))


@pytest.mark.parametrize(
    "text",
    ["Summarise this", "tl;dr", "Please summarize the paper", "What is this paper about?", "give me a summary of it"],
)
def test_this_is_the_paper_that_the_thread_began_with(text: str) -> None:
    papers = (BARLEY, dropped(TAGGER), SPLIT)
    assert asked(text, [answered(BARLEY)], papers) == StudyRequest(kind="summarise", papers=(TAGGER.id,))


def test_this_is_the_paper_that_the_last_answers_were_about() -> None:
    assert asked("Summarise this", [answered(SPLIT)]) == StudyRequest(kind="summarise", papers=(SPLIT.id,))


def test_the_only_paper_there_is_needs_no_name() -> None:
    assert asked("Summarise this", papers=[BARLEY]) == StudyRequest(kind="summarise", papers=(BARLEY.id,))


def test_where_several_could_be_meant_it_asks_back() -> None:
    order = asked("Summarise this", [answered(BARLEY, SPLIT)])
    assert order is not None
    assert (order.papers, set(order.candidates)) == ((), {BARLEY.id, SPLIT.id})
    assert order.message.startswith("Which paper shall I summarise?")
    assert "Drought tolerance" in order.message


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Summarise the barley paper", BARLEY),
        ("I'd like an overview of the DOCSPLIT paper", SPLIT),
        ("summarise paper 2", TAGGER),
        ("a short summary of Lee 2020, please", BARLEY),
    ],
)
def test_a_paper_is_meant_by_what_it_is_called(text: str, meant: Paper) -> None:
    assert asked(text, [answered(TAGGER)]) == StudyRequest(kind="summarise", papers=(meant.id,))


@pytest.mark.parametrize(
    "text",
    [
        "How large was the summary table?",
        "Summarise the limitations of the evaluation",
        "What baselines did they compare against?",
        "How did the tuned models compare with the rest?",
        "compare the yields under drought and irrigation",
        "Which papers cite the corpus?",
    ],
)
def test_what_only_mentions_a_summary_or_comparison_stays_a_question(text: str) -> None:
    assert asked(text, [answered(BARLEY)]) is None


def test_these_are_the_papers_of_the_thread() -> None:
    order = asked("Compare these", [answered(BARLEY), answered(SPLIT)])
    assert order is not None
    assert (order.kind, set(order.papers)) == ("compare", {BARLEY.id, SPLIT.id})


@pytest.mark.parametrize(
    "text", ["Compare LayoutTagger with DOCSPLIT", "compare 2 and 3", "LayoutTagger vs DOCSPLIT", "compare papers 2, 3"]
)
def test_papers_to_compare_may_be_named(text: str) -> None:
    assert asked(text) == StudyRequest(kind="compare", papers=(TAGGER.id, SPLIT.id))


def test_two_papers_are_all_there_is_to_compare() -> None:
    assert asked("Compare these papers", papers=SHELF[:2]) == StudyRequest(
        kind="compare", papers=(BARLEY.id, TAGGER.id)
    )
    order = asked("Compare these papers")
    assert order is not None
    assert (order.papers, len(order.candidates)) == ((), 3)


def test_a_thread_without_history_is_on_no_paper() -> None:
    assert PaperResolver(SHELF).of_thread(THREAD, []) == ()
    assert asked("Summarise this", papers=[]) is None


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("Summarise the barley paper in two sentences", 2),
        ("Summarise the barley paper in one sentence.", 1),
        ("Please sum up the barley paper with 3 short sentences", 3),
        ("Summarise the barley paper", 0),
    ],
)
def test_how_long_a_summary_shall_be_is_heard(text: str, most: int) -> None:
    assert asked(text) == StudyRequest(kind="summarise", papers=(BARLEY.id,), most=most)
