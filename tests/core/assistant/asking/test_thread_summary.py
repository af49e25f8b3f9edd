"""The running summary: short, in order, and in the words of the turns."""

from core.assistant.asking import thread_summary
from core.domain.model import Citation, Span, Turn
from core.domain.records import Recollection
from tests.core.agent.small_library import NOON


def exchange(question: str, answer: str, paper: str = "p") -> tuple[Turn, Turn]:
    cited = Citation(marker=1, paper_id=paper, section=(), spans=(Span(passage_id="x", page=1, quote=answer),))
    asked = Turn(role="user", text=question, at=NOON)
    return asked, Turn(role="assistant", text=answer, at=NOON, citations=(cited,))


TURNS = (
    *exchange("How many nurses took part?", "The survey had 310 participants from six hospitals. It was long.", "s"),
    *exchange("Which cultivar kept its yield?", "The cultivar Halland kept 91 percent of its grain yield.", "b"),
)


def test_the_extract_has_each_question_with_the_first_sentence_of_its_answer() -> None:
    found = thread_summary.extract(TURNS, 4)
    assert found.text.split("\n") == [
        "Asked: How many nurses took part?",
        "Answered: The survey had 310 participants from six hospitals.",
        "Asked: Which cultivar kept its yield?",
        "Answered: The cultivar Halland kept 91 percent of its grain yield.",
    ]
    assert (found.covers, {one.paper_id for one in found.citations}) == (4, {"s", "b"})


def test_the_extract_stays_short_and_keeps_what_was_said_last() -> None:
    many = [turn for n in range(200) for turn in exchange(f"What about number {n}?", f"Number {n} is {n}.")]
    found = thread_summary.extract(many, 400)
    assert len(found.text) <= thread_summary.LONGEST
    assert found.text.endswith("Answered: Number 199 is 199.") and "number 3?" not in found.text


def test_forgotten_turns_are_left_out() -> None:
    gone = Turn(role="assistant", text="", at=NOON, forgotten=True)
    assert thread_summary.extract((gone, *TURNS[2:]), 3).text.startswith("Asked: Which cultivar")


def test_a_summary_is_due_every_few_turns() -> None:
    known = Recollection(text="", covers=4)
    assert thread_summary.due(4, None) and not thread_summary.due(3, None)
    assert thread_summary.due(8, known) and not thread_summary.due(7, known)
