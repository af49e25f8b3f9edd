"""Tells what a message wants beside a plain question: a summary or a comparison.

Detection only, and narrow: what merely mentions a summary or a comparison is still a question on the papers.
"""

import re
from typing import Literal, TypeAlias

Intent: TypeAlias = Literal["question", "summarise", "compare"]

_POLITE = (
    r"^\W*(?:(?:please|hi|hey|hello|can you|could you|would you|will you|i(?:'d| would) like (?:you to|a|an)"
    r"|give (?:me|us)|i (?:want|need)|let'?s|show (?:me|us))\W+)*"
)
_PAPER = (
    r"(?:papers?|articles?|stud(?:y|ies)|documents?|pdfs?|publications?|reviews?|reports?|notes?|thesis|theses"
    r"|essays?|this|it|them|these|both|all)"
)
_WORDINGS: tuple[tuple[Intent, str], ...] = (
    (
        "compare",
        _POLITE
        + rf"(?:compare|contrast)\b.{{0,80}}\b(?:{_PAPER}|and|with|to)\b|"
        + _POLITE
        + r"(?:an? )?comparison (?:of|between)\b|^\W*[\w .'’-]{2,60}\s+(?:vs\.?"
        r"|versus)\s+[\w .'’-]{2,60}\W*$",
    ),
    (
        "summarise",
        _POLITE
        + r"(?:summari[sz]e|sum up|outline|tl;?dr)\b|"
        + _POLITE
        + r"(?:an? |the )?(?:short |brief |quick |one-?paragraph )?(?:summary|overview|gist"
        r"|abstract|key points|main points|takeaways)"
        + r" (?:of|for|from)\b|^\W*what (?:is|are|does) (?:this|the|that) \w{0,20} ?(?:paper|article"
        r"|study)s? (?:about|on)\W*$|^\W*tl;?dr\b",
    ),
)
_RULES = tuple((intent, re.compile(pattern, re.IGNORECASE)) for intent, pattern in _WORDINGS)


def intent_of(message: str) -> Intent:
    """The first intent whose wording fits; ``question`` where none does."""
    return next((intent for intent, pattern in _RULES if pattern.search(message)), "question")
