"""What a person is told of a language model: what it is used for, what it takes, how it behaves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.domain.language_models import Capability, EndpointFacts
from core.domain.model import Usage

if TYPE_CHECKING:
    from core.services.model_setup import ControlReport

_USED_FOR: dict[Capability, str] = {
    "claims": "it passed the control questions and writes answers, each sentence with its quote",
    "search_words": "it gives search words only, and answers are quoted from the papers",
    "none": "it is not used, and answers are quoted from the papers",
}
_REFUSED = {
    "max_tokens": "a limit called max_tokens",
    "max_completion_tokens": "a limit called max_completion_tokens",
    "temperature": "a temperature",
    "stream_options": "the wish to count tokens while it streams",
}


def used_for(report: "ControlReport") -> str:
    """What the model is used for, and what kept it from more."""
    words = _USED_FOR[report.capability]
    return f"{words}: {'; '.join(report.shortcomings)}" if report.shortcomings else words


def took(report: "ControlReport") -> str:
    """What the control questions took."""
    tokens = report.usage.prompt_tokens + report.usage.reply_tokens
    return f"The {report.usage.calls} calls of the control questions took {report.seconds:.0f} s and {tokens:,} tokens."


COSTS_TIME = "; on this machine they cost time alone."
NO_PRICES = "; with FOOTNOTE_LLM_PROMPT_PRICE and FOOTNOTE_LLM_REPLY_PRICE set, what it costs is shown too."


def question_takes(usage: Usage, without_prices: str) -> str:
    """What one question will take; ``without_prices`` ends the sentence where no prices are set."""
    words = f"A question takes up to about {usage.prompt_tokens:,} tokens read and {usage.reply_tokens:,} written"
    return f"{words}, about {usage.cost:.4f} by the prices that are set." if usage.cost else words + without_prices


def takes_in(context_tokens: int) -> str:
    """How much the model takes in at once, as its server says."""
    return f"It takes in {context_tokens:,} tokens at once, as its server says."


def assumed_to_take_in(context_tokens: int) -> str:
    """The same where the server does not say it."""
    return (
        f"Its server does not say how much it takes in; {context_tokens:,} tokens are assumed "
        "(FOOTNOTE_LLM_CONTEXT_TOKENS)."
    )


def behaves(facts: EndpointFacts) -> Sequence[str]:
    """What was learnt about the endpoint, as far as it explains what one sees."""
    lines = []
    if facts.thinks:
        lines.append("It thinks before it answers, so its first sentence takes a while; its thoughts are not shown.")
    if not facts.streams:
        lines.append("Its server does not stream, so an answer is shown when it is whole.")
    if facts.refused:
        refused = ", ".join(sorted(_REFUSED.get(name, name) for name in facts.refused))
        lines.append(f"Its server does not take {refused}; that is left out.")
    return lines
