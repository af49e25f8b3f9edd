"""Naming a paper makes its answer no worse: the name is spent, lines about the paper are no answer, silence is told."""

import pytest

from core.agent import messages
from core.agent.extractive.sentence_ranking import units
from core.agent.state import Finding, Judgement, Support
from core.agent.steps import papers_without_answer
from core.assistant.asking.ask import ask
from core.domain.model import Answer, Evidence, PassageKind
from core.domain.request_context import RequestContext
from core.understanding.papers import PaperResolver
from core.understanding.query_terms import terms, unspent
from core.understanding.route import Part
from tests.core.agent.small_library import NOON, SCOPE, THREAD, Heard, SmallLibrary, dependencies, paper, passage

GULLS = paper("gulls", "Gulls in noisy harbours", authors=("Ada Lindqvist", "Tomas Ferreira"), year=2019)
MOSS = paper("moss", "Moss on city roofs", authors=("Mei Tanaka",), year=2021)
TEXTS = (
    passage("gulls", 1, 1, "Ada Lindqvist & Tomas Ferreira", section=""),
    passage("gulls", 2, 1, "Correspondence should be addressed to Ada Lindqvist (ada@example.org)", section=""),
    passage("gulls", 3, 1, "Copyright © 2019 Lindqvist, released under a Creative Commons license.", section=""),
    passage("gulls", 4, 4, "The gulls left the piers because the ferries were louder in spring. Nests were counted."),
    passage("moss", 1, 3, "Moss held 12 litres of rain on each roof. Roofs were flat."),
)


async def asked(question: str) -> Answer:
    held = SmallLibrary(held=(GULLS, MOSS), texts=TEXTS)
    return await ask(
        question,
        RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard()),
        dependencies(held),
    )


@pytest.mark.parametrize(
    "question",
    ["Why did the gulls leave the piers in Lindqvist 2019?", "Why were the piers left by Lindqvist's gulls?"],
)
async def test_a_question_that_names_the_author_is_answered_by_the_work(question: str) -> None:
    answer = await asked(question)
    assert answer.sentences[0].text.startswith("The gulls left the piers because")
    assert not any("Lindqvist" in one.text for one in answer.sentences)


async def test_who_wrote_to_whom_is_still_found_where_it_is_asked_for() -> None:
    answer = await asked("To whom should correspondence to Lindqvist be addressed?")
    shown = [*(one.text for one in answer.sentences), *(near.passage.text for near in answer.nearest)]
    assert "ada@example.org" in " ".join(shown)


def test_the_words_by_which_a_paper_is_called_are_granted_and_others_are_not() -> None:
    named = PaperResolver((GULLS, MOSS)).mentions("Which roofs hold rain in the moss paper?")
    left = unspent(terms("Which roofs hold rain in the moss paper?"), named.called)
    assert named.certain == ("moss",)
    assert [one.surface for one in left] == ["roofs", "hold", "rain"]


async def test_where_nothing_but_the_name_is_asked_the_name_is_what_is_asked() -> None:
    answer = await asked("What does the moss paper say?")
    assert answer.sentences[0].text == "Moss held 12 litres of rain on each roof."


def test_an_author_who_is_asked_for_is_not_spent() -> None:
    assert not PaperResolver((GULLS, MOSS)).mentions("Which affiliation has Lindqvist?").people


@pytest.mark.parametrize(
    ("page", "kind", "text"),
    [
        (1, "text", "2 Harbour Engineer, Lakeside, Sweden."),
        (9, "text", "Ada Lindqvist, Department of Zoology, Lund."),
        (1, "table", "Sweden / Original article Harbour notes"),
        (5, "figure", "0 50 100 150 200 0.0 0.2"),
        (1, "text", "Gulls in noisy harbours"),
    ],
)
def test_what_is_no_sentence_about_the_work_is_no_candidate(page: int, kind: PassageKind, text: str) -> None:
    found = Evidence(passage=passage("gulls", 1, page, text, kind=kind), paper=GULLS, score=1.0)
    assert units((found,), "Which harbour notes do they use?") == ()


def finding(paper_id: str, support: Support) -> Finding:
    part = Part(number=1, question="q", query="q", only=frozenset({paper_id}))
    return Finding(part=part, evidence=(), judgement=Judgement(support=support))


def test_of_two_papers_named_the_one_without_a_clear_answer_is_told() -> None:
    without = papers_without_answer((finding("gulls", "clear"), finding("moss", "unclear")), (GULLS, MOSS))
    assert without == (MOSS,)
    assert messages.no_answer_in(without) == "in “Moss on city roofs” (Tanaka, 2021) nothing clear was found"


def test_nothing_is_told_where_both_or_neither_or_only_one_was_asked() -> None:
    both = (finding("gulls", "clear"), finding("moss", "clear"))
    neither = (finding("gulls", "none"), finding("moss", "unclear"))
    for findings in (both, neither, both[:1], neither[:1]):
        assert papers_without_answer(findings, (GULLS, MOSS)) == ()


async def test_an_answer_over_two_named_papers_says_which_was_silent() -> None:
    answer = await asked("Why did the gulls leave the piers in the gulls paper and the moss paper?")
    assert answer.outcome == "answered"
    assert any("Moss on city roofs" in note and "nothing clear" in note for note in answer.notes)
