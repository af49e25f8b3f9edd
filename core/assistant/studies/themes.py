"""Groups what several papers say into themes, and finds sentences that agree or stand against each other. Pure.

Clusters are made by average linkage over cosines (Sokal and Michener, 1958); small enough to be done in full.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from core.assistant.aspects.cue_phrases import combined, english
from core.assistant.aspects.statements import Statement
from core.domain.studies import PairKind
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
_MORE = re.compile(
    r"\b(?:increas|ris|rose|grow|grew|rais|gain|improv|enhanc|elevat|accelerat|strengthen|exceed|outperform|more\b|higher"
    r"|greater|larger|longer|faster|stronger|better|positive|heavier|older)",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:decreas|declin|fall|fell|reduc|los[st]|drop|shr[aiu]nk|diminish|impair|suppress|slow|weaken|worse|less\b|fewer"
    r"|lower|smaller|shorter|weaker|negative|lighter|younger|underperform)",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not?|never|neither|without|cannot|fail(?:s|ed)?|lack(?:s|ed)?)\b|n['’]t\b", re.IGNORECASE)
_CITED = re.compile(r"\([^()]*\b(?:1[89]|20)\d\d[a-z]?\b[^()]*\)")
"""Works that a sentence cites: their authors are no theme."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Statements on one matter, by their indexes in the list that was grouped, the most central first.

    ``about`` names it in a model's prompt.
    """

    label: str
    places: tuple[int, ...]
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Two statements of different papers, by index, and whether they agree."""

    kind: PairKind
    first: int
    second: int


def cluster_themes(statements: Sequence[Statement], vectors: "Vectors", *, most: int) -> tuple[Theme, ...]:
    """At most ``most`` groups, those of most papers first, then the larger ones; last what is in no group."""
    near: list[list[float]] = (vectors @ vectors.T).tolist()
    groups = _linked(near)

    def rank(group: list[int]) -> tuple[int, int, int]:
        papers = {statements[index].passage.paper_id for index in group}
        return -len(papers), -len(group), group[0]

    several = sorted((group for group in groups if len(group) > 1), key=rank)
    single = sorted(group[0] for group in groups if len(group) == 1)
    counts = _counts(statements)
    taken: set[str] = set()
    found = [_theme(group, statements, near, counts, taken) for group in several[:most]]
    if single:
        label = "Also said" if found else "What is said"
        found.append(Theme(label=label, places=tuple(single), about="single points that the papers make"))
    return tuple(found)


def match_pairs(
    places: Sequence[int], statements: Sequence[Statement], vectors: "Vectors", *, most: int
) -> tuple[Match, ...]:
    """Agreements and contradictions between papers within a theme, contradictions first, the closest first."""
    cosines: dict[Match, float] = {}
    for first, second in combinations(places, 2):
        cosine = float(vectors[first] @ vectors[second])
        kind = _kind(statements[first], statements[second], cosine)
        if kind:
            cosines[Match(kind=kind, first=first, second=second)] = cosine
    ordered = sorted(cosines, key=lambda match: (match.kind != "contradiction", -cosines[match]))
    used: set[int] = set()
    kept = []
    for match in ordered:
        if used.isdisjoint((match.first, match.second)):
            used |= {match.first, match.second}
            kept.append(match)
    return tuple(kept[:most])


def _kind(first: Statement, second: Statement, cosine: float) -> PairKind | None:
    """Whether two statements agree or contradict each other; None where neither can be said."""
    comparable = first.passage.paper_id != second.passage.paper_id and _is_claim(first) and _is_claim(second)
    if cosine < OPPOSE or not comparable:
        return None
    shared, share = _shared_words(first, second)
    if shared < SHARED or share < ON_IT["agreement"]:
        return None
    if _opposite(first, second):
        return "contradiction" if share >= ON_IT["contradiction"] else None
    return "agreement" if cosine >= AGREE else None


def _shared_words(first: Statement, second: Statement) -> tuple[int, float]:
    """How many content words two statements share, and what share of the shorter that is."""
    words, others = _content(first), _content(second)
    shared = len(words & others)
    return shared, shared / max(1, min(len(words), len(others)))


def _opposite(first: Statement, second: Statement) -> bool:
    """Whether one says that something rises and the other that it falls, or one denies what the other says."""
    directions = [bool(_MORE.search(item.text)) - bool(_LESS.search(item.text)) for item in (first, second)]
    denied = [len(_DENIES.findall(item.text)) % 2 == 1 for item in (first, second)]
    turned_round = directions[0] * directions[1] < 0
    return turned_round != (denied[0] != denied[1])


def _is_claim(statement: Statement) -> bool:
    """Whether a sentence says what was found or is argued: only such can agree with each other or not."""
    claims = any(cue.search(statement.text) for cue in (combined.FOUND, combined.CHANGED, combined.ARGUES))
    return claims and not english.HYPOTHETICAL.search(statement.text)


def _content(statement: Statement) -> frozenset[str]:
    words = (token for token in statement.tokens if token.isalpha() and len(token) > 2)
    return frozenset(word for word in words if word not in STOP_WORDS)


def _linked(near: Sequence[Sequence[float]]) -> list[list[int]]:
    """Groups of indexes, joined while the closest two are close enough; averages are carried along (Lance, 1967)."""
    groups = {index: [index] for index in range(len(near))}
    between = {pair: near[pair[0]][pair[1]] for pair in combinations(groups, 2)}
    while between:
        (first, second), cosine = max(between.items(), key=lambda item: (item[1], -item[0][0], -item[0][1]))
        if cosine < TOGETHER:
            break
        del between[first, second]
        left, right = len(groups[first]), len(groups[second])
        for third in groups.keys() - {first, second}:
            to_first, to_second = _ordered(first, third), _ordered(second, third)
            between[to_first] = (left * between[to_first] + right * between.pop(to_second)) / (left + right)
        groups[first] += groups.pop(second)
    return list(groups.values())


def _ordered(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _theme(
    group: Sequence[int],
    statements: Sequence[Statement],
    near: Sequence[Sequence[float]],
    counts: Mapping[str, int],
    taken: set[str],
) -> Theme:
    central = sorted(group, key=lambda index: (-sum(near[index][other] for other in group), index))
    label = _label(group, statements, counts, taken)
    return Theme(label=label, places=tuple(central), about=f"what the papers say on {label}")


def _counts(statements: Sequence[Statement]) -> Counter[str]:
    """How many statements hold each content word."""
    return Counter(token for statement in statements for token in _content(statement))


def _label(group: Sequence[int], statements: Sequence[Statement], counts: Mapping[str, int], taken: set[str]) -> str:
    """The words that most of the group's sentences share and few others have, as they are printed."""
    inside = _counts([statements[index] for index in group])
    total = len(statements)
    weight = {token: n * math.log1p(total / counts[token]) for token, n in inside.items()}
    best = sorted(weight, key=lambda token: (-weight[token], token))
    texts = [_CITED.sub(" ", statements[index].text) for index in group]
    printed: list[str] = []
    for token in best:
        word = _printed(token, texts)
        if len(printed) == LABEL:
            break
        if word and word.casefold() not in taken:
            printed.append(word)
            taken.add(word.casefold())
    label = ", ".join(printed)
    return label[:1].upper() + label[1:]


def _printed(token: str, texts: Sequence[str]) -> str:
    """A word of the texts whose token this is; empty where there is none of letters alone."""
    words = (word.strip(".,;:()[]“”\"'’!?") for text in texts for word in text.split())
    for word in words:
        is_word = word.replace("-", "").isalpha()
        if is_word and token in index_tokens(word):
            return word if any(map(str.isupper, word[1:])) else word.lower()
    return ""
