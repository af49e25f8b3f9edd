"""Lays passages before a model: as many of the best as fit its context, each of them whole, fenced as data.

The head of a passage is never passed off as the passage: one that does not fit is left out.
"""

import hashlib
from collections.abc import Sequence

from core.domain.model import Evidence
from core.text import CJK

CHARACTERS_A_TOKEN = 3.0
"""Of Latin script, on the safe side: papers are full of numbers and formulas, which split finely."""
FRAME = 450
"""Tokens kept for the texts around the passages and the question."""


def tokens(text: str) -> int:
    """About how many tokens ``text`` is for a model whose tokeniser is not known."""
    wide = len(CJK.findall(text))
    return int(wide + (len(text) - wide) / CHARACTERS_A_TOKEN) + 1


def room(context_tokens: int, reply_tokens: int) -> int:
    """Tokens that are left for passages."""
    return max(0, context_tokens - min(reply_tokens, context_tokens // 3) - FRAME)


def fitting(evidence: Sequence[Evidence], budget: int) -> tuple[Evidence, ...]:
    """The best passages that fit into ``budget`` tokens together, in their order."""
    chosen: list[Evidence] = []
    left = budget
    for one in evidence:
        cost = tokens(_shown(one))
        if cost <= left:
            chosen.append(one)
            left -= cost
    return tuple(chosen)


def fenced(evidence: Sequence[Evidence]) -> str:
    """The passages between marks that none of them can contain, since the marks depend on their words."""
    texts = [_shown(one) for one in evidence]
    mark = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]
    return "\n".join(f"[passage {mark}]\n{text}\n[end {mark}]" for text in texts)


def heading(one: Evidence) -> str:
    """How the line above a passage begins: our words, which no answer may take for the paper's."""
    return f"{one.paper.title}, page {one.passage.page}"


def _shown(one: Evidence) -> str:
    passage = one.passage
    place = " > ".join(passage.section)
    head = heading(one) + (f", {place}" if place else "")
    text = passage.text if passage.kind == "table" else " ".join(passage.text.split())
    return f"{head}\n{text}"
