"""What is told of an answer beside its sentences."""

from core.assistant.asking.answer_scores import describe_usage
from core.domain.model import Answer, Usage


def answered(usage: Usage, cost: float = 0.0) -> Answer:
    return Answer(question="q", outcome="answered", mode="model", model="writer-7", usage=usage, cost=cost)


def test_calls_tokens_and_cost_are_told_as_far_as_they_are_known() -> None:
    usage = Usage(calls=3, prompt_tokens=9_000, reply_tokens=812)
    assert describe_usage(answered(usage)) == "3 calls of writer-7, 9,812 tokens."
    assert describe_usage(answered(Usage(calls=1), cost=0.00412)) == "1 call of writer-7, 0 tokens, cost 0.0041."
    assert describe_usage(answered(Usage())) == ""
