"""Groups what several papers say into themes, and finds sentences that agree or stand against each other. Pure.

Clusters are made by average linkage over cosines (Sokal and Michener, 1958); small enough to be done in full.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.assistant.statements import Statement
from core.domain.studies import PairKind
from core.grounding.agreement import direction, negation
from core.grounding.claims import claim
from core.text import STOP_WORDS, index_tokens

if TYPE_CHECKING:
    from core.domain.ports import Vectors

TOGETHER = 0.42
"""Average cosine from which two groups are one theme."""
AGREE = 0.62
"""Cosine from which sentences of two papers say the same, if nothing speaks against it."""
OPPOSE = 0.5
"""Cosine from which two sentences are on one matter, so that opposite words in them mean a contradiction."""
SHARED = 3
"""Content words that two sentences of a pair have in common at least."""
LABEL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Statements on one matter, by their places in the list that was grouped, the most central first."""

    label: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Two statements of different papers, by place, and how they stand to each other."""

    kind: PairKind
    first: int
    second: int


def themes(statements: Sequence[Statement], vectors: "Vectors", *, most: int) -> tuple[Theme, ...]:
    """At most ``most`` groups, those that most papers speak to first, then the larger ones."""
    near: list[list[float]] = (vectors @ vectors.T).tolist()
    groups = _linked(near)

    def papers(group: list[int]) -> int:
        return len({statements[place].passage.paper_id for place in group})

    ordered = sorted(groups, key=lambda group: (-papers(group), -len(group), group[0]))[:most]
    counts = _counts(statements)
    taken: set[str] = set()
    return tuple(_theme(group, statements, near, counts, taken) for group in ordered)


def pairs(
    places: Sequence[int], statements: Sequence[Statement], vectors: "Vectors", *, most: int
) -> tuple[Match, ...]:
    """Agreements and contradictions between papers within a theme, contradictions first, the closest first."""
    found: list[tuple[float, Match]] = []
    for at, one in enumerate(places):
        for other in places[at + 1 :]:
            near = float(vectors[one] @ vectors[other])
            kind = _kind(statements[one], statements[other], near)
            if kind:
                found.append((near, Match(kind=kind, first=one, second=other)))
    found.sort(key=lambda item: (item[1].kind != "contradiction", -item[0]))
    used: set[int] = set()
    kept = []
    for _, match in found:
        if match.first not in used and match.second not in used:
            used |= {match.first, match.second}
            kept.append(match)
    return tuple(kept[:most])


def _kind(one: Statement, other: Statement, near: float) -> PairKind | None:
    if one.passage.paper_id == other.passage.paper_id or near < OPPOSE:
        return None
    if len(_content(one) & _content(other)) < SHARED:
        return None
    said, told = claim(one.text), claim(other.text)
    opposite = direction(said, told).startswith("direction differs") or direction(told, said).startswith(
        "direction differs"
    )
    if opposite or negation(said, told):
        return "contradiction"
    return "agreement" if near >= AGREE else None


def _content(one: Statement) -> frozenset[str]:
    return frozenset(token for token in one.tokens if token not in STOP_WORDS and token.isalpha() and len(token) > 2)


def _linked(near: Sequence[Sequence[float]]) -> list[list[int]]:
    """Groups of places, joined while the closest two are close enough; averages are carried along (Lance, 1967)."""
    groups = {place: [place] for place in range(len(near))}
    between = {(a, b): near[a][b] for a in groups for b in groups if a < b}
    while between:
        (one, other), value = max(between.items(), key=lambda item: (item[1], -item[0][0], -item[0][1]))
        if value < TOGETHER:
            break
        left, right = len(groups[one]), len(groups[other])
        for third in groups:
            if third not in (one, other):
                near_one, near_other = (min(one, third), max(one, third)), (min(other, third), max(other, third))
                between[near_one] = (left * between[near_one] + right * between.pop(near_other)) / (left + right)
        del between[one, other]
        groups[one] += groups.pop(other)
    return list(groups.values())


def _theme(
    group: Sequence[int],
    statements: Sequence[Statement],
    near: Sequence[Sequence[float]],
    counts: dict[str, int],
    taken: set[str],
) -> Theme:
    central = sorted(group, key=lambda place: (-sum(near[place][other] for other in group), place))
    return Theme(label=_label(group, statements, counts, taken), places=tuple(central))


def _counts(statements: Sequence[Statement]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in statements:
        for token in _content(one):
            counts[token] = counts.get(token, 0) + 1
    return counts


def _label(group: Sequence[int], statements: Sequence[Statement], counts: dict[str, int], taken: set[str]) -> str:
    """The words that most of the group's sentences share and few others have, as they are printed."""
    inside: dict[str, int] = {}
    for place in group:
        for token in _content(statements[place]):
            inside[token] = inside.get(token, 0) + 1
    total = len(statements)
    weight = {token: n * math.log1p(total / counts[token]) for token, n in inside.items()}
    best = sorted(weight, key=lambda token: (-weight[token], token))
    printed: list[str] = []
    for token in best:
        word = _printed(token, [statements[place].text for place in group])
        if word and word.casefold() not in taken and len(printed) < LABEL:
            printed.append(word)
    taken |= {word.casefold() for word in printed}
    label = ", ".join(printed)
    return label[:1].upper() + label[1:]


def _printed(token: str, texts: Sequence[str]) -> str:
    """A word of the texts whose token this is; empty where there is none of letters alone."""
    for text in texts:
        for word in text.split():
            plain = word.strip(".,;:()[]“”\"'’!?")
            if plain.replace("-", "").isalpha() and token in index_tokens(plain):
                return plain if any(sign.isupper() for sign in plain[1:]) else plain.lower()
    return ""
