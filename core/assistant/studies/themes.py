"""Groups what several papers say into themes, and finds sentences that agree or stand against each other. Pure.

Clusters are made by average linkage over cosines (Sokal and Michener, 1958); small enough to be done in full.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.assistant.aspects.cue_phrases import combined, english
from core.assistant.aspects.statements import Statement
from core.domain.studies import PairKind
from core.grounding.entailment.agreement import check_direction, check_negation
from core.grounding.entailment.claims import parse_text
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
ON_IT = {"agreement": 0.3, "contradiction": 0.5}
"""The share of the shorter sentence's content words that it is: two sentences that merely speak of the same field do
not stand against each other because one has "smaller" and the other "large".
"""
LABEL = 3
_CITED = re.compile(r"\([^()]*\b(?:1[89]|20)\d\d[a-z]?\b[^()]*\)")
"""Works that a sentence cites: their authors are no theme."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Statements on one matter, by their places in the list that was grouped, the most central first.

    ``about`` says it in words that a model is asked with.
    """

    label: str
    places: tuple[int, ...]
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Two statements of different papers, by place, and how they stand to each other."""

    kind: PairKind
    first: int
    second: int


def themes(statements: Sequence[Statement], vectors: "Vectors", *, most: int) -> tuple[Theme, ...]:
    """At most ``most`` groups, those that most papers speak to first, then the larger ones; last what stands alone."""
    near: list[list[float]] = (vectors @ vectors.T).tolist()
    groups = _linked(near)

    def papers(group: list[int]) -> int:
        return len({statements[place].passage.paper_id for place in group})

    several = sorted((one for one in groups if len(one) > 1), key=lambda group: (-papers(group), -len(group), group[0]))
    counts = _counts(statements)
    taken: set[str] = set()
    found = [_theme(group, statements, near, counts, taken) for group in several[:most]]
    alone = tuple(sorted(group[0] for group in groups if len(group) == 1))
    if alone:
        label = "Also said" if found else "What is said"
        found.append(Theme(label=label, places=alone, about="single points that the papers make"))
    return tuple(found)


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
    if one.passage.paper_id == other.passage.paper_id or near < OPPOSE or not (_finds(one) and _finds(other)):
        return None
    mine, theirs = _content(one), _content(other)
    shared = len(mine & theirs)
    least = min(len(mine), len(theirs))
    if shared < SHARED or shared < ON_IT["agreement"] * least:
        return None
    said, told = parse_text(one.text), parse_text(other.text)
    opposite = check_direction(said, told).startswith("direction differs") or check_direction(told, said).startswith(
        "direction differs"
    )
    if opposite or check_negation(said, told):
        return "contradiction" if shared >= ON_IT["contradiction"] * least else None
    return "agreement" if near >= AGREE else None


def _finds(one: Statement) -> bool:
    """Whether a sentence tells what was found or is argued: only such can agree with each other or not."""
    told = any(sign.search(one.text) for sign in (combined.FOUND, combined.CHANGED, combined.ARGUES))
    return told and not english.HYPOTHETICAL.search(one.text)


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
    label = _label(group, statements, counts, taken)
    return Theme(label=label, places=tuple(central), about=f"what the papers say on {label}")


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
    texts = [_CITED.sub(" ", statements[place].text) for place in group]
    printed: list[str] = []
    for token in best:
        word = _printed(token, texts)
        if word and word.casefold() not in taken and len(printed) < LABEL:
            printed.append(word)
            taken.add(word.casefold())
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
