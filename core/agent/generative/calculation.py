"""Answers that the papers hold the numbers of, but not the result: a difference, a ratio, a sum, a mean.

The model only says which printed numbers go into which sum; the result is worked out here, the numbers are looked
up in the passages, and the sentence is ours, so that nothing of it has to be believed.
"""

import re
from collections.abc import Mapping

from core.grounding.arithmetic import extract_operands, format_result
from core.grounding.verify import Computation, DraftSentence
from core.understanding.route import Part

_ASKED: tuple[tuple[str, str], ...] = (
    ("Ratio", r"\b(?:by (?:what|which) factor|how many times|ratio (?:of|between)|what multiple|how many fold)\b"),
    (
        "Relative change",
        r"\b(?:by (?:what|which|how many) per ?cent(?:age)?\b(?! points?)|relative (?:change|improvement|increase"
        r"|decrease|difference)|percentage (?:change|increase|decrease))\b",
    ),
    (
        "Difference",
        r"\b(?:differences? (?:in|between|of)|by how (?:much|many)|how (?:much|many) (?:\w+ ){0,2}(?:more|less|fewer"
        r"|higher|lower|larger|smaller|longer|shorter|better|worse|older|younger)|how (?:much|many)"
        r" (?:percentage )?points)\b",
    ),
    ("Sum", r"\b(?:in total|altogether|sum (?:of|up)|total (?:number|amount|of)|together|combined)\b"),
    ("Mean", r"\b(?:on average|the (?:mean|average) of)\b"),
)
_RULES = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _ASKED)
MOST_OPERANDS = 12


def asked_for(question: str) -> str:
    """What is to be computed ("Difference", "Ratio", …); empty where the question asks for no result of numbers."""
    return next((name for name, pattern in _RULES if pattern.search(question)), "")


def computed(part: Part, said: Mapping[str, object]) -> DraftSentence | None:
    """The sentence with the result, from the expression that a model wrote; None where that is none of numbers."""
    name = asked_for(part.asked or part.question)
    expression = " ".join(str(said.get("expression", "")).partition("=")[0].split())
    operands = extract_operands(expression)
    result = format_result(expression)
    if not name or not result or not 2 <= len(operands) <= MOST_OPERANDS:
        return None
    shown = expression.replace("*", "×")
    return DraftSentence(
        text=f"{name}, worked out from the quoted numbers: {shown} = {result}.",
        computation=Computation(expression=expression, result=result),
    )
