"""A question that points to what was said long ago is read against it; any other is read against the last turns."""

import pytest

from core.domain.model import Citation, Span, Turn
from core.understanding.recall import reaches_back, recall_turns
from tests.core.agent.small_library import NOON


def asked(text: str) -> Turn:
    return Turn(role="user", text=text, at=NOON)


def answered(text: str, paper: str, label: str | None = None) -> Turn:
    span = Span(passage_id=f"{paper}/1", page=2, quote=text)
    cited = Citation(marker=1, paper_id=paper, section=(), spans=(span,), label=label)
    return Turn(role="assistant", text=text, at=NOON, citations=(cited,))


IRRIGATION = (asked("How was the barley watered?"), answered("Plots received 120 mm of irrigation water.", "barley"))
CURVES = (asked("How does loss develop?"), answered("Loss falls for 40 epochs.", "parsing", "Figure 3"))
NURSES = (asked("How long did the nurses sleep?"), answered("Nurses slept 5.4 hours.", "sleep"))
OLDER = (*IRRIGATION, *CURVES)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What did you say earlier about irrigation?", IRRIGATION),
        ("Going back to the barley plots: who watered them?", IRRIGATION),
        ("Figure 3 that you mentioned before, what are its axes?", CURVES),
        ("In the paper we discussed earlier on loss, which optimiser was used?", CURVES),
        ("What was my first question?", IRRIGATION),
    ],
)
def test_what_was_said_earlier_is_brought_behind_the_last_turns(question: str, meant: tuple[Turn, ...]) -> None:
    assert recall_turns(question, NURSES, OLDER) == (*NURSES, *meant)


@pytest.mark.parametrize(
    "question",
    [
        "And how many nurses were there?",
        "What irrigation did the barley get?",
        "Did sleep improve before the night shift?",
        "What had been shown by previous studies?",
    ],
)
def test_other_questions_are_read_against_the_last_turns_alone(question: str) -> None:
    assert recall_turns(question, NURSES, OLDER) == NURSES


def test_nothing_is_brought_back_that_the_question_does_not_name() -> None:
    assert recall_turns("What did you say earlier about penguins?", NURSES, OLDER) == NURSES
    assert recall_turns("What did you say earlier?", NURSES, OLDER) == NURSES
    assert recall_turns("What did you say earlier about irrigation?", (), ()) == ()


def test_a_forgotten_turn_is_not_brought_back() -> None:
    gone = Turn(role="assistant", text="", at=NOON, forgotten=True)
    assert recall_turns("What did you say earlier about irrigation?", NURSES, (gone,)) == NURSES
    assert reaches_back("What did you say earlier about irrigation?")
