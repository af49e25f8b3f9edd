"""Finds out whether a question leans on the turns before it, and which words and papers it leans on.

Putting the previous question in front of an elliptical one is what helped most for its cost; anything
cleverer needs a language model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.model import Turn
from core.understanding.query_terms import terms
from core.understanding.recall import reaches_back

CHAIN = 3
"""How many questions back a chain of follow-ups is traced."""
FEW_WORDS = 2

_OPENING = re.compile(
    r"^\W*(?:and|but|or|also|then|so|what about|how about|what if|same for|und|aber|oder|et|mais|y|pero|e|mas"
    r"|那么?|では|じゃあ)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|she|his|her|hers|him|those|these|this|"
    r"(?:of|for|in|on|with|about|by|than|from|does|did|was|were|is|are|do|has|had|can|could) that)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:the (?:same|latter|former|others|rest)|instead\W*$|(?:that|this|which|the (?:first|second|third|last"
    r"|other)) one|"
    r"the (?:first|second|third|last|other) (?:paper|study|article)|(?:of|these|those) (?:those|two|papers|studies))\b",
    re.IGNORECASE,
)
OWN_ANTECEDENT = 2
"""A pronoun behind this many content words may well point at one of them."""
_THERE = re.compile(r"\b(?:there|then)\W*$", re.IGNORECASE)
_ORDINAL = re.compile(
    r"\b(?:the )?(first|second|third|fourth|last|other) (?:one|paper|study|article|work|publication)\b", re.IGNORECASE
)
_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "other": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """What a question takes from its thread. ``context`` is empty where the question stands alone.

    ``cited`` are papers of the last answer, in order of use; ``chosen`` is the one picked by its ordinal.
    """

    context: str = ""
    cited: tuple[str, ...] = ()
    chosen: str = ""


def resolve(question: str, turns: Sequence[Turn]) -> FollowUp:
    """Read ``question`` against ``turns`` (oldest first)."""
    known = [turn for turn in turns if not turn.forgotten]
    asked = [turn.text for turn in known if turn.role == "user"]
    answers = [turn for turn in known if turn.role == "assistant"]
    cited = tuple(dict.fromkeys(citation.paper_id for citation in answers[-1].citations)) if answers else ()
    ordinal = _ORDINAL.search(question)
    chosen = ""
    if ordinal and cited:
        place = _PLACES[ordinal.group(1).lower()]
        chosen = cited[place] if place < len(cited) else ""
    if not asked or not (is_dependent(question) or chosen or reaches_back(question)):
        return FollowUp(cited=cited, chosen=chosen)
    return FollowUp(context=_chain(asked), cited=cited, chosen=chosen)


def is_dependent(question: str) -> bool:
    """Whether ``question`` says too little without what was said before."""
    if _OPENING.search(question) or _BACK.search(question) or _THERE.search(question):
        return True
    pointing = _POINTING.search(question)
    if pointing and len(terms(question[: pointing.start()])) < OWN_ANTECEDENT:
        return True
    return len(terms(question)) <= FEW_WORDS


def _chain(asked: Sequence[str]) -> str:
    """The last question that stands alone and the follow-ups after it, oldest first."""
    chain: list[str] = []
    for question in reversed(asked[-CHAIN:]):
        chain.insert(0, question)
        if not is_dependent(question):
            break
    return " ".join(chain)
