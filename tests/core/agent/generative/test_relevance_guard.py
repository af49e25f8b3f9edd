"""True sentences that answer nothing: left out where they share no word with the question, else the quote is added."""

import pytest

from core.domain.model import Answer
from tests.core.agent.generative.test_reasoner import asked, said, supported
from tests.llm.brains import Brain

SLEPT = "How many hours did the nurses sleep after a night shift?"
HOURS = "Nurses slept 5.4 hours after a night shift."


async def answered(question: str, writes: str) -> Answer:
    return await asked(Brain(write=writes), question)


async def test_the_quote_is_added_to_a_true_answer_without_the_number_that_was_asked_for() -> None:
    beside = "A limitation is that sleep was reported by the nurses themselves and not measured."
    answer = await answered(SLEPT, beside)
    assert [one.text for one in answer.sentences] == [beside, HOURS]
    assert answer.mode == "model" and supported(answer)


@pytest.mark.parametrize("right", [HOURS, "The nurses slept 5.4 h after a night shift."])
async def test_nothing_is_added_to_an_answer_that_answers(right: str) -> None:
    assert said(await answered(SLEPT, right)) == right


async def test_a_true_sentence_that_shares_no_word_with_the_question_is_left_out() -> None:
    answer = await answered("Which cultivar kept its grain yield under drought?", "Participants were 24 students.")
    assert "students" not in said(answer)
    assert "Halland" in said(answer)
