"""Takes a compound question apart where its parts can be searched on their own, and only there.

"A and B" inside a noun phrase is no split, and a second half that leans on the first ("and how many?") is
answered together with it: a part too many costs the asker more than a part too few.
"""

import re
from dataclasses import dataclass

from core.text import split_sentences
from core.understanding.followups import is_dependent
from core.understanding.query_terms import terms

OWN_WORDS = 3
"""Content words that a half needs to be searched on its own."""

_JOINT = re.compile(
    r"(?:,|;)?\s+(?:and|und|et|y|e)\s+(?=(?:by |in |at |for |to |from |on |with |of |above |below |under )?"
    r"(?:what|which|how|when|where|who|whose|whom|why|did|does|do|is|are|was|were|can|could|has|have|"
    r"wie|was|welche[rsmn]?|wann|wo|wer|warum|qué|cuál|cuánt[oa]s?|cómo|cuándo|quel(?:le)?s?|combien|qual|quais"
    r"|quant[oa]s?)\b)|;\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """A sub-question and the words before it that it takes for granted."""

    question: str
    context: str = ""


def split(question: str, *, at_most: int) -> tuple[Half, ...]:
    """The sub-questions in order; one, the whole, where nothing can be parted safely."""
    asked, statements = _questions(question)
    halves: list[Half] = []
    for one in asked:
        before = " ".join([*statements, *(half.question for half in halves)]) if halves or statements else ""
        halves.extend(_halves(one, before))
    if len(halves) > at_most:
        return (Half(question=question.strip()),)
    return tuple(halves)


def _questions(text: str) -> tuple[list[str], list[str]]:
    """Question sentences, and the statements around them; all of it is a question where no mark tells."""
    pieces = split_sentences(text)
    asked = [piece for piece in pieces if piece.rstrip("\"'”)» ").endswith(("?", "？"))]
    if not asked:
        return [text.strip()], []
    return asked, [piece for piece in pieces if piece not in asked]


def _halves(question: str, before: str) -> list[Half]:
    pieces = [piece.strip() for piece in _JOINT.split(question) if piece and piece.strip()]
    halves: list[str] = []
    for piece in pieces:
        alone = len(terms(piece)) >= OWN_WORDS
        if halves and not (alone and len(terms(halves[-1])) >= OWN_WORDS):
            halves[-1] = question[question.index(halves[-1]) : question.index(piece) + len(piece)]
        else:
            halves.append(piece)
    result: list[Half] = []
    for half in halves:
        context = before
        if result:
            context = f"{before} {result[0].question}".strip()
        elif before and not is_dependent(half) and len(terms(half)) >= OWN_WORDS:
            context = ""
        result.append(Half(question=half, context=context))
    return result
