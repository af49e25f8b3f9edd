"""A result that no paper prints: the numbers are printed, the sum is shown, and it was worked out here."""

import json

import pytest

from core.agent.generative.calculation import asked_for
from core.domain.model import Answer
from tests.core.agent.generative.test_reasoner import asked, said
from tests.llm.brains import Brain

HIGHER = "How much higher is the F1 of LayoutTagger than that of BiLSTM?"


async def answered(expression: str, question: str = HIGHER) -> Answer:
    return await asked(Brain(compute=json.dumps({"expression": expression}), write="Nothing."), question)


async def test_a_difference_is_worked_out_from_quoted_numbers_and_cites_both() -> None:
    answer = await answered("88.7 - 79.4")
    first = answer.sentences[0]
    assert first.text == "Difference, worked out from the quoted numbers: 88.7 - 79.4 = 9.3."
    by_marker = {one.marker: one for one in answer.citations}
    derived = [by_marker[marker] for marker in first.markers if by_marker[marker].derivation]
    quoted = [by_marker[marker] for marker in first.markers if not by_marker[marker].derivation]
    assert len(derived) == 1 and derived[0].derivation is not None
    assert derived[0].derivation.operands == tuple(one.marker for one in quoted)
    words = " ".join(span.quote for one in quoted for span in one.spans)
    assert "88.7" in words and "79.4" in words


@pytest.mark.parametrize(
    "expression",
    ["88.7 - 12.5", "9.3", "", "__import__('os').getcwd()", "88.7 ** 79.4", "88.7 - x", "1/0", "LayoutTagger - BiLSTM"],
)
async def test_a_number_from_nowhere_or_anything_but_a_sum_is_not_said(expression: str) -> None:
    answer = await answered(expression)
    assert "worked out" not in said(answer)
    assert not any(one.derivation for one in answer.citations)


async def test_a_result_that_the_model_writes_behind_its_sum_counts_for_nothing() -> None:
    assert "= 9.3." in said(await answered("88.7 - 79.4 = 12"))


@pytest.mark.parametrize(
    ("question", "name"),
    [
        (HIGHER, "Difference"),
        ("By what factor did the number of pages grow?", "Ratio"),
        ("By how many percent did yield fall?", "Relative change"),
        ("How many nurses and doctors were there altogether?", "Sum"),
        ("What F1 does LayoutTagger reach?", ""),
        ("What was the average age?", ""),
        ("Which model is larger?", ""),
    ],
)
def test_only_questions_for_a_result_are_worked_out(question: str, name: str) -> None:
    assert asked_for(question) == name
