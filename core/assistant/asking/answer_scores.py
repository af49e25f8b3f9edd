"""How well an answer is borne out and how much it is about its question, computed here and by no language model.

Shown when somebody asks for it; a band says at a glance what a number between 0 and 1 hardly does.
"""

from dataclasses import replace
from typing import Literal, TypeAlias

from core.domain.errors import ModelUnavailable
from core.domain.model import Answer
from core.domain.ports import Embedder

Band: TypeAlias = Literal["high", "moderate", "low"]

HIGH_FAITHFULNESS, MODERATE_FAITHFULNESS = 0.85, 0.65
HIGH_RELEVANCY, MODERATE_RELEVANCY = 0.6, 0.4


def faithfulness_band(value: float) -> Band:
    """The band of a faithfulness: a quote has 1.0, a fair paraphrase about 0.8."""
    return _band(value, HIGH_FAITHFULNESS, MODERATE_FAITHFULNESS)


def relevancy_band(value: float) -> Band:
    """The band of a relevancy, which is lower by nature: an answer is no repetition of its question."""
    return _band(value, HIGH_RELEVANCY, MODERATE_RELEVANCY)


def describe_scores(answer: Answer) -> str:
    """Both in one sentence, for example "Faithfulness 0.97 (high), relevancy 0.52 (moderate)."; empty without any."""
    if answer.faithfulness is None or answer.relevancy is None:
        return ""
    return (
        f"Faithfulness {answer.faithfulness:.2f} ({faithfulness_band(answer.faithfulness)}), "
        f"relevancy {answer.relevancy:.2f} ({relevancy_band(answer.relevancy)})."
    )


def describe_usage(answer: Answer) -> str:
    """What the language model took, for example "3 calls of llama, 9,812 tokens, cost 0.0041."; empty without any."""
    usage = answer.usage
    if not usage.calls:
        return ""
    tokens = usage.prompt_tokens + usage.reply_tokens
    calls = "1 call" if usage.calls == 1 else f"{usage.calls} calls"
    cost = f", cost {answer.cost:.4f}" if answer.cost else ""
    return f"{calls} of {answer.model}, {tokens:,} tokens{cost}."


def _band(value: float, high: float, moderate: float) -> Band:
    if value >= high:
        return "high"
    return "moderate" if value >= moderate else "low"


async def add_scores(answer: Answer, embedder: Embedder) -> Answer:
    """Faithfulness: how close each sentence is to the best of its quotes. Relevancy: question to answer.

    Cosines of the embedder, cut at 0, so that no model judges itself. An embedder that is down costs the
    scores, not the answer.
    """
    if not answer.sentences:
        return answer
    shown = {marker for sentence in answer.sentences for marker in sentence.markers}
    quotes = {one.marker: " ".join(span.quote for span in one.spans) for one in answer.citations if one.marker in shown}
    texts = [sentence.text for sentence in answer.sentences]
    place = {text: index for index, text in enumerate(dict.fromkeys([" ".join(texts), *texts, *quotes.values()]))}
    try:
        asked = await embedder.query(answer.question)
        rows = await embedder.passages(list(place))
    except ModelUnavailable:
        return answer
    near = [
        max((float(rows[place[item.text]] @ rows[place[quotes[m]]]) for m in item.markers if m in quotes), default=0.0)
        for item in answer.sentences
    ]
    return replace(
        answer,
        faithfulness=min(1.0, max(0.0, sum(near) / len(near))),
        relevancy=min(1.0, max(0.0, float(rows[0] @ asked))),
    )
