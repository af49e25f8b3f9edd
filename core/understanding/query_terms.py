"""The words of a question that carry its meaning, with their weight, and how much of them a text bears out.

Judging, picking and asking back all look at the same words, so that they cannot disagree on what was asked.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.text import CJK, index_tokens, query_tokens

_FRAME = (
    "paper papers article study studies author authors text essay review report note work team colleagues according "
    "describe explain mention mentioned say says said state stated list listed give gives given name named call called "
    "mean means meaning does did do done show shows shown find found use used using make made get gets got many much "
    "often kind type sort way thing things question answer please tell one ones two both each other same whole "
    "collection document documents publication what which who whose when where why how"
)
"""Words that questions about papers are built from; they say little about where the answer stands."""

_OTHERS = re.compile(r"\bet\.?\s+al\b\.?")
"""Stands for authors who are not named, and so asks for nothing."""
_SURFACE = re.compile(r"[^\s,;:!?()\[\]{}“”\"„«»《》、。？！，；：]+")
_ENTITY = re.compile(r"(?=.*[A-Z])(?=.*[a-z0-9]).*[A-Z\d].*[A-Z\d]|^[A-Z][A-Z0-9-]+$|\d.*[A-Za-z]|[A-Za-z].*\d|\.\w|_")
LONGEST_ENTITY = 60
"""Letters; what is longer (a sequence, an address) is no name, and the pattern would take long to say so."""
UNSEEN = 0.5
"""Added to a term's count, so that a term which occurs nowhere has a large but finite weight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A word of the question: as written, its tokens (for a compound, the parts), and its weight (rarity)."""

    surface: str
    tokens: tuple[str, ...]
    entity: bool = False
    name: bool = False
    weight: float = 1.0

    def held(self, tokens: frozenset[str]) -> float:
        """The share of this term, 0 to 1, that stands among ``tokens``."""
        return sum(token in tokens for token in self.tokens) / len(self.tokens)


def terms(question: str) -> tuple[Term, ...]:
    """Content words in order, each once. CJK text gives its pairs of characters."""
    kept, frame = frozenset(query_tokens(question)), _frame()
    found: dict[tuple[str, ...], Term] = {}
    for place, match in enumerate(_SURFACE.finditer(_OTHERS.sub(" ", question))):
        surface = match.group().strip(".'’‘`-–/")
        if CJK.search(surface):
            for token in index_tokens(surface):
                if len(token) == 2 or not CJK.match(token):
                    found.setdefault((token,), Term(surface=token, tokens=(token,)))
            continue
        tokens = [token for token in index_tokens(surface) if token in kept and token not in frame]
        parts = tuple(token for token in tokens if "-" not in token[1:-1]) or tuple(tokens)
        if not parts:
            continue
        entity = len(surface) <= LONGEST_ENTITY and bool(_ENTITY.search(surface))
        name = entity or (place > 0 and surface[:1].isupper())
        found.setdefault(parts, Term(surface=surface, tokens=parts, entity=entity, name=name))
    return tuple(found.values())


@lru_cache(maxsize=1)
def _frame() -> frozenset[str]:
    """Made when first needed: stemming loads a library that a start need not wait for."""
    return frozenset(index_tokens(_FRAME))


def unspent(found: Sequence[Term], spent: frozenset[str]) -> tuple[Term, ...]:
    """``found`` without what ``spent`` holds whole, such as words that only name a paper."""
    return tuple(term for term in found if not spent.issuperset(term.tokens))


def weighted(found: Sequence[Term], counts: Mapping[str, int], total: int) -> tuple[Term, ...]:
    """``found`` with weights by rarity: log(1 + total / (count + 0.5)), scaled so that an unseen term has 1."""
    ceiling = math.log1p(max(total, 1) / UNSEEN)
    result = []
    for term in found:
        rarest = min((counts.get(token, 0) for token in term.tokens), default=0)
        weight = math.log1p(max(total, 1) / (rarest + UNSEEN)) / ceiling
        result.append(Term(surface=term.surface, tokens=term.tokens, entity=term.entity, name=term.name, weight=weight))
    return tuple(result)


def coverage(found: Sequence[Term], tokens: frozenset[str]) -> float:
    """The weighted share of ``found``, 0 to 1, that stands among ``tokens``; 0 where there is no term."""
    whole = sum(term.weight for term in found)
    return sum(term.weight * term.held(tokens) for term in found) / whole if whole else 0.0
