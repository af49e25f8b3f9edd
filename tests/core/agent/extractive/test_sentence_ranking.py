"""Which sentences are picked from which pages, and how papers stand side by side."""

import pytest

from core.agent.extractive import expected_values, reasoner, sentence_ranking
from core.assistant.asking.ask import ask
from core.domain.model import Answer, Evidence, Paper, Passage, Table
from core.domain.request_context import RequestContext
from core.grounding.verify import verify
from core.understanding import answer_types
from core.understanding.papers import PaperResolver
from core.understanding.query_terms import terms
from core.understanding.route import Part
from tests.core.agent.small_library import (
    NOON,
    SCOPE,
    THREAD,
    Heard,
    SmallLibrary,
    dependencies,
    paper,
    passage,
)

OATS = paper("oats", "Frost damage in oats", abstract="Frost trials with oats.")
RYE = paper("rye", "Frost damage in rye", abstract="Frost trials with rye.")
CLAY = paper("clay", "Firing of clay tiles")
FIELDS = (
    passage(
        "oats", 1, 2, "Oats lost 31 percent of their grain to frost. They recovered in June. Rain fell on 40 days."
    ),
    passage("oats", 2, 3, "Frost was simulated in a cold chamber. The chamber was built in 1998."),
    passage("rye", 1, 4, "Rye lost 12 percent of its grain to frost. Seeds came from a farm."),
    passage("rye", 2, 6, "Frost came early in the second year."),
    passage("clay", 1, 2, "Tiles were fired at 1,050 degrees for nine hours."),
)


def found(*texts: Passage, by: Paper = OATS) -> list[Evidence]:
    return [Evidence(passage=one, paper=by, score=1.0 / place) for place, one in enumerate(texts, 1)]


def ranked(question: str, evidence: list[Evidence]) -> tuple[sentence_ranking.Ranked, ...]:
    part = Part(number=1, question=question, query=question, kind=answer_types.kind_of(question))
    return sentence_ranking.rank(
        part, sentence_ranking.units(evidence), terms(question), (), sentence_ranking.Weights()
    )


async def asked(question: str) -> Answer:
    held = SmallLibrary(held=(OATS, RYE, CLAY), texts=FIELDS)
    return await ask(
        question,
        RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard()),
        dependencies(held),
    )


def test_of_two_sentences_alike_the_one_of_the_passage_found_first_comes_first() -> None:
    first = passage("oats", 1, 2, "The frost damaged the young leaves.")
    second = passage("oats", 2, 7, "The frost damaged the young roots.")
    assert ranked("What did the frost damage?", found(first, second))[0].unit.passage.id == "oats/1"
    assert ranked("What did the frost damage?", found(second, first))[0].unit.passage.id == "oats/2"


def test_the_words_inside_a_drawing_come_behind_a_sentence() -> None:
    drawn = passage("oats", 1, 2, "frost damage leaves 10 20 30 40 days", kind="figure")
    said = passage("oats", 2, 3, "The frost damaged the young leaves.")
    assert ranked("What did the frost damage?", found(drawn, said))[0].unit.passage.id == "oats/2"


def test_an_answer_goes_on_in_the_passage_where_it_began() -> None:
    first = passage("oats", 1, 2, "The frost damaged the young leaves badly. It happened in May before sunrise.")
    other = passage("oats", 2, 2, "A frost of this kind is a young phenomenon here.")
    told = sentence_ranking.select(ranked("What did the frost damage?", found(first, other)), most=2)
    assert [one.unit.passage.id for one in told] == ["oats/1", "oats/1"]


def test_what_says_the_same_twice_is_quoted_once() -> None:
    first = passage("oats", 1, 2, "The frost damaged the young leaves of the oats.")
    again = passage("oats", 2, 7, "The frost damaged the young leaves of oats.")
    told = sentence_ranking.select(ranked("What did the frost damage?", found(first, again)), most=3)
    assert [one.unit.passage.id for one in told] == ["oats/1"]


@pytest.mark.parametrize(
    "words",
    [
        "3.2 Frost damage to leaves",
        "The frost damaged the leaves of all non-hard-",
        "Halvorsen K. Frost damage of leaves in the north. J Field Sci. 1998;12(3):45-67.",
    ],
)
def test_a_heading_a_broken_word_and_an_entry_of_the_bibliography_answer_nothing(words: str) -> None:
    assert sentence_ranking.units(found(passage("oats", 1, 3, words))) == ()


def test_the_table_that_is_asked_for_by_its_number_comes_first() -> None:
    table = passage("oats", 1, 5, "Plot Loss\nA 31\nB 28", kind="table", label="Table 2")
    said = passage("oats", 2, 3, "The table on frost shows the loss of leaves by frost.")
    assert ranked("What does table 2 show?", found(said, table))[0].unit.passage.id == "oats/1"
    assert ranked("What does the table on frost show?", found(said, table))[0].unit.passage.id == "oats/2"


def test_papers_side_by_side_speak_with_one_sentence_each() -> None:
    evidence = [*found(*FIELDS[:2]), *found(*FIELDS[2:4], by=RYE)]
    told = sentence_ranking.side_by_side(ranked("How much grain was lost to frost?", evidence), papers=2)
    assert {(one.unit.passage.paper_id, one.unit.passage.page) for one in told} == {("oats", 2), ("rye", 4)}


async def test_two_papers_asked_without_a_name_are_both_quoted() -> None:
    answer = await asked("Two papers here deal with frost. How much grain did each lose to frost?")
    assert answer.outcome == "answered"
    assert {citation.paper_id for citation in answer.citations} == {"oats", "rye"}
    said = " ".join(sentence.text for sentence in answer.sentences)
    assert "31 percent" in said
    assert "12 percent" in said


async def test_two_papers_named_are_each_answered_from_their_own_pages() -> None:
    answer = await asked("How much grain was lost to frost in the oats paper and the rye paper?")
    assert {citation.paper_id for citation in answer.citations} == {"oats", "rye"}


async def test_one_sentence_answers_and_the_rest_is_folded() -> None:
    answer = await asked("How much grain did oats lose to frost?")
    assert [sentence.text for sentence in answer.sentences] == ["Oats lost 31 percent of their grain to frost."]
    assert "They recovered in June." in [sentence.text for sentence in answer.more]
    assert answer.sentences[0].markers == (1,)
    assert all(min(sentence.markers) > 1 for sentence in answer.more)


def test_a_sentence_that_begins_with_the_term_and_says_what_it_is_comes_first() -> None:
    said = (
        "Most tools use hardening of seedlings, and hardening is what hardening tests measure.",
        "Hardening: growing seedlings in the cold for some days.",
    )
    told = ranked("What is hardening?", found(*(passage("oats", place, 2, text) for place, text in enumerate(said, 1))))
    assert told[0].unit.words.startswith("Hardening:")


@pytest.mark.parametrize(
    ("words", "question", "told"),
    [
        ("A font subset is a part of a font.", "What is a font subset?", True),
        ("Font subsets (also: partial fonts) are parts of fonts.", "What does font subset mean?", True),
        ("IROA stands for nothing here.", "What does IROA stand for?", False),
        ("Every font subset is a part.", "What is a font subset?", False),
        ("Subsetting: embedding some glyphs.", "Who wrote about subsetting?", False),
    ],
)
def test_a_definition_begins_with_what_it_defines(words: str, question: str, told: bool) -> None:
    assert expected_values.defines(words, question) is told


def test_a_table_with_empty_cells_is_quoted_as_it_is_read() -> None:
    table = Table(header=("Model", "Web", "F1"), rows=tuple((f"Owl{n}", "–", f"0.{n}") for n in range(10, 60)))
    text = "Model Web F1\n" + "\n".join(" ".join(row) for row in table.rows)
    evidence = found(passage("oats", 1, 2, text, kind="table", table=table))
    question = "What F1 did Owl42 reach?"
    part = Part(number=1, question=question, query=question, kind=answer_types.kind_of(question))
    draft = reasoner.drafted(ranked(question, evidence)[0], part, terms(question))
    assert "Owl42 - 0.42" in draft.text
    assert not verify([draft], evidence).dropped


async def test_where_several_things_are_asked_two_sentences_are_shown() -> None:
    answer = await asked("How much grain did oats lose to frost and rain?")
    assert len(answer.sentences) == 2


@pytest.mark.parametrize(
    ("question", "papers"),
    [
        ("Which papers report a limitation of MiniLM?", answer_types.SIDE_BY_SIDE),
        ("Do both studies use the same scale?", 2),
        ("What does each of the papers conclude?", answer_types.SIDE_BY_SIDE),
        ("Welche Arbeiten verwenden BERT?", answer_types.SIDE_BY_SIDE),
        ("Which paper bag was used in the experiment?", 0),
        ("What does the paper conclude?", 0),
    ],
)
def test_how_many_papers_a_question_is_put_to(question: str, papers: int) -> None:
    assert answer_types.papers_asked(question) == papers


def test_a_plural_names_papers_and_a_symbol_names_none() -> None:
    shelf = PaperResolver((OATS, RYE, paper("flat", "Growth of 2D crystals on mica")))
    assert set(shelf.mentions("What do the oats and the rye papers say on frost?").certain) == {"oats", "rye"}
    assert shelf.mentions("What does the 2D plot of the scores show?").certain == ()


def test_more_is_quoted_where_several_things_are_asked() -> None:
    assert answer_types.asks_several("Which two cultivars survived?")
    assert answer_types.asks_several("What are the width and the height?")
    assert not answer_types.asks_several("How much grain was lost to frost?")
