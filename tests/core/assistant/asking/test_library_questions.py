"""Questions about the library are answered from its list; a number picks a paper of a list that was shown."""

from datetime import timedelta

import pytest

from core.assistant.asking.ask import ask
from core.domain.model import Answer, Turn
from core.domain.request_context import RequestContext
from core.understanding import library_questions
from core.understanding.papers import PaperResolver
from tests.core.agent.small_library import (
    BARLEY,
    NOON,
    PASSAGES,
    SCOPE,
    SLEEP,
    SQUEEZENET,
    THREAD,
    Heard,
    ShortMemory,
    SmallLibrary,
    dependencies,
    paper,
    passage,
)

WHEAT = paper("wheat", "Heat and the wheat harvest", abstract="Wheat and barley suffered from heat.")
LISTS = (
    "How many papers are here?",
    "How many papers are there?",
    "Which papers do you have?",
    "What papers are in the library?",
    "list the papers",
    "Show me all papers",
    "What have you read?",
    "Which papers have you read so far?",
    "Wie viele Artikel hast du?",
    "Welche Paper gibt es hier?",
    "Combien d'articles avez-vous ?",
    "¿Qué artículos tienes?",
    "Quais artigos temos?",
    "Quanti articoli hai?",
    "你有哪些论文？",
    "ここに論文は何本ありますか",
)
ABOUT = {
    "which paper is about stars?": "stars",
    "Is there a paper on wheat?": "wheat",
    "do you have any papers about tulsi": "tulsi",
    "Which of the papers deals with court documents?": "court documents",
    "find me the paper on sleep": "sleep",
    "Welches Paper handelt von Sternen?": "Sternen",
    "Quel article parle de la sécurité ?": "sécurité",
    "¿Qué artículo trata de la responsabilidad social?": "responsabilidad social",
}
TO_THE_PAPERS = (
    "How many papers are there in S2ORC?",
    "How many papers did the review include?",
    "How many articles were indexed?",
    "How many studies were included?",
    "What documents do they have?",
    "What is in the corpus?",
    "Which paper reports the highest F1?",
    "Which paper is about stars and how old are they?",
    "Which papers are about plants that grow in deserts?",
    "Who shared the data?",
    "Who uploaded the dataset to the repository?",
    "Two papers in the collection deal with holy basil. What does each say it does?",
)


class Asking:
    """A thread over a small library in which things are asked one after the other."""

    def __init__(self, held: SmallLibrary) -> None:
        self._dependencies = dependencies(held, ShortMemory())
        self._at = NOON

    async def __call__(self, question: str) -> Answer:
        self._at += timedelta(minutes=1)
        return await ask(
            question,
            RequestContext(scope=SCOPE, thread=THREAD, at=self._at, trace_id="t", progress=Heard()),
            self._dependencies,
        )


@pytest.fixture
def asking() -> Asking:
    told = passage("wheat", 1, 1, "We found that heat reduced the harvest by a third in dry years.", section="Abstract")
    return Asking(SmallLibrary(held=(BARLEY, SQUEEZENET, SLEEP, WHEAT), texts=(*PASSAGES, told)))


@pytest.mark.parametrize("question", LISTS)
def test_what_is_here_is_asked_in_many_ways(question: str) -> None:
    assert library_questions.read(question, ()) == library_questions.LibraryQuestion(kind="list")


@pytest.mark.parametrize(("question", "topic"), ABOUT.items())
def test_a_paper_is_looked_for_by_its_topic(question: str, topic: str) -> None:
    assert library_questions.read(question, ()) == library_questions.LibraryQuestion(kind="about", topic=topic)


@pytest.mark.parametrize("question", TO_THE_PAPERS)
def test_what_papers_say_stays_a_question_to_them(question: str) -> None:
    assert library_questions.read(question, ()) is None


def test_there_may_mean_what_was_talked_of() -> None:
    before = (Turn(role="user", text="What is S2ORC?", at=NOON), Turn(role="assistant", text="A corpus.", at=NOON))
    assert library_questions.read("How many papers are there?", before) is None


async def test_the_list_says_how_many_papers_are_here_and_which(asking: Asking) -> None:
    answer = await asking("How many papers are here?")
    assert answer.message.splitlines()[:2] == [
        "4 papers are here.",
        "1. “Drought tolerance of barley under field conditions” (Lindqvist et al., 2019)",
    ]
    assert (answer.outcome, answer.sentences) == ("declined", ())
    assert answer.candidates == ("barley", "parsing", "sleep", "wheat")


async def test_of_a_long_list_the_first_are_told() -> None:
    held = tuple(paper(f"p{number}", f"Paper number {number}") for number in range(14))
    answer = await Asking(SmallLibrary(held=held, texts=()))("Which papers do you have?")
    assert len(answer.candidates) == 10
    assert "… and 4 more." in answer.message


async def test_the_one_paper_on_a_topic_is_told_by_its_finding_with_a_footnote(asking: Asking) -> None:
    answer = await asking("Which paper is about the wheat harvest?")
    assert [one.text for one in answer.sentences] == ["We found that heat reduced the harvest by a third in dry years."]
    assert [(one.paper_id, one.spans[0].page) for one in answer.citations] == [("wheat", 1)]
    assert "“Heat and the wheat harvest”" in answer.message


async def test_a_title_says_more_than_an_abstract(asking: Asking) -> None:
    answer = await asking("Which paper is about barley?")
    assert answer.candidates == ("barley",)


async def test_a_topic_of_no_title_or_abstract_is_asked_of_the_papers(asking: Asking) -> None:
    assert "title or abstract" not in (await asking("Is there a paper about annotators?")).message


async def test_a_number_after_several_papers_on_a_topic_tells_that_one(asking: Asking) -> None:
    held = (WHEAT, paper("rye", "Heat and the rye harvest"))
    text = passage("rye", 1, 2, "We show that rye withstands heat better than oats do.", section="Conclusion")
    asked = Asking(SmallLibrary(held=held, texts=(text,)))
    first = await asked("Which paper is about heat?")
    assert (first.outcome, first.candidates) == ("clarify", ("wheat", "rye"))
    second = await asked("2")
    assert [one.paper_id for one in second.citations] == ["rye"]
    assert second.question == "What did “Heat and the rye harvest” find?"


async def test_a_number_after_asking_back_answers_the_question_from_that_paper(asking: Asking) -> None:
    first = await asking("How many participants were there?")
    assert first.outcome == "clarify"
    place = first.candidates.index("sleep") + 1
    second = await asking(f"{place}.")
    assert {one.paper_id for one in second.citations} == {"sleep"}
    assert "310 participants" in second.sentences[0].text
    assert second.question == "How many participants were there? – Obi et al. (2016)"


@pytest.mark.parametrize(("said", "picked"), [("1", BARLEY), ("#2", SLEEP), ("the second one", SLEEP), ("last", SLEEP)])
def test_a_paper_is_picked_by_number_or_place(said: str, picked: object) -> None:
    lines = "Which one?\n1. “Drought tolerance of barley under field conditions” (Lindqvist et al., 2019)\n"
    lines += "2. “Sleep quality of night nurses in regional hospitals” (Obi et al., 2016)"
    turns = (Turn(role="user", text="How many?", at=NOON), Turn(role="assistant", text=lines, at=NOON))
    choice = PaperResolver((BARLEY, SQUEEZENET, SLEEP)).list_item(said, turns)
    assert choice is not None
    assert (choice.paper, choice.question) == (picked, "How many?")


async def test_a_number_that_the_list_lacks_is_said_to_be_none_of_it(asking: Asking) -> None:
    await asking("Which papers do you have?")
    answer = await asking("9")
    assert answer.message.startswith("There is no such number in the list above.")


def test_a_number_where_no_list_was_shown_picks_nothing() -> None:
    turns = (Turn(role="user", text="How many?", at=NOON), Turn(role="assistant", text="Twelve.", at=NOON))
    assert PaperResolver((BARLEY,)).list_item("1", turns) is None
    assert PaperResolver((BARLEY,)).list_item("How many in 2019?", turns) is None


async def test_who_shared_a_paper_is_said_to_stand_in_the_chat(asking: Asking) -> None:
    assert "stands in the chat" in (await asking("Who shared this paper?")).message
