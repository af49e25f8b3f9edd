"""Picks the sentences and table rows that answer, out of the passages that were found.

Every candidate is weighed by the words of the question that it holds (rarer words more), by BM25 among the
candidates, by likeness of meaning, by the rank of its passage and by whether it holds a value of the kind
asked for. Pure; the vectors are handed in.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.agent.state import Part
from core.agent.terms import Term, coverage
from core.agent.values import fits_kind
from core.domain.model import Evidence, Passage
from core.text import index_tokens, sentence_spans

LONGEST = 600
"""A sentence longer than this many characters is a run of words that the page did not punctuate."""
LIST_WHOLE = 700
SHORTEST_WORDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each sign counts; measured, see docs/agent.md."""

    sentence: float = 1.0
    around: float = 0.6
    passage: float = 0.6
    found: float = 0.7
    meaning: float = 1.0
    ranked: float = 0.4
    value: float = 0.25
    wanted: float = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Words of a passage that could be quoted as an answer, with what stands around them."""

    evidence: Evidence
    place: int
    words: str
    tokens: frozenset[str]
    around: frozenset[str]
    row: bool = False

    @property
    def passage(self) -> Passage:
        """Where the words stand."""
        return self.evidence.passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """A unit with its score and the share of the question's words that it and its passage hold."""

    unit: Unit
    score: float
    sentence: float
    passage: float
    meaning: float
    value: bool


def units(evidence: Sequence[Evidence]) -> tuple[Unit, ...]:
    """The candidates of all passages: sentences, table rows, short lists whole."""
    found: list[Unit] = []
    for one in evidence:
        pieces = _pieces(one.passage)
        tokens = [frozenset(index_tokens(piece)) for piece in pieces]
        head = frozenset(index_tokens(" ".join([*one.passage.section[-1:], one.passage.label or ""])))
        row = one.passage.kind == "table"
        top = tokens[0] if row and tokens else frozenset[str]()
        for place, piece in enumerate(pieces):
            if len(index_tokens(piece)) < SHORTEST_WORDS and not row:
                continue
            near = tokens[max(0, place - 1) : place + 2]
            found.append(
                Unit(
                    evidence=one,
                    place=place,
                    words=piece,
                    tokens=tokens[place],
                    around=frozenset[str]().union(head, top, *near),
                    row=row,
                )
            )
    return tuple(found)


def _pieces(passage: Passage) -> list[str]:
    text = passage.text
    if passage.kind == "table":
        return [line.strip() for line in text.splitlines() if line.strip()]
    if passage.kind == "list" and len(text) <= LIST_WHOLE:
        return [text.strip()]
    return [text[start:end] for start, end in sentence_spans(text)]


def pick(
    part: Part,
    candidates: Sequence[Unit],
    asked: Sequence[Term],
    context: Sequence[Term],
    likeness: Mapping[int, float],
    weights: Weights,
) -> tuple[Picked, ...]:
    """All candidates, best first. ``likeness`` maps a candidate's index to the cosine with the question."""
    if not candidates:
        return ()
    every = (*asked, *context)
    top = max((one.evidence.score for one in candidates), default=0.0) or 1.0
    bm25 = _bm25(candidates, [token for term in every for token in term.tokens])
    whole = {one.passage.id: _passage_tokens(one.evidence) for one in candidates}
    picked: list[Picked] = []
    for index, unit in enumerate(candidates):
        sentence = coverage(asked, unit.tokens)
        passage = coverage(every, whole[unit.passage.id])
        meaning = likeness.get(index, 0.0)
        value = fits_kind(part.kind, unit.words, part.question)
        score = (
            weights.sentence * sentence
            + weights.around * coverage(every, unit.around | unit.tokens)
            + weights.passage * passage
            + weights.found * max(0.0, unit.evidence.score) / top
            + weights.meaning * meaning
            + weights.ranked * bm25[index]
            + weights.value * value
            + weights.wanted * (unit.passage.kind in part.wants)
        )
        if len(unit.words) > LONGEST:
            score *= 0.9
        picked.append(Picked(unit=unit, score=score, sentence=sentence, passage=passage, meaning=meaning, value=value))
    return tuple(sorted(picked, key=lambda one: -one.score))


def _passage_tokens(evidence: Evidence) -> frozenset[str]:
    title = evidence.paper.title
    return frozenset(index_tokens(f"{evidence.passage.indexed_text} {evidence.passage.text} {title}"))


def _bm25(candidates: Sequence[Unit], query: Sequence[str]) -> list[float]:
    """BM25 of each candidate, scaled to 0..1."""
    from rank_bm25 import BM25Plus

    texts = [[*unit.tokens] or [""] for unit in candidates]
    scores = [float(score) for score in BM25Plus(texts).get_scores(list(query))]
    low, high = min(scores), max(scores)
    return [(score - low) / (high - low) if high > low else 0.0 for score in scores]


_GAP = re.compile(r"\s+")


def chosen(picked: Sequence[Picked], *, at_most: int, margin: float, asked: Sequence[Term]) -> tuple[Picked, ...]:
    """The first and those near it that say something new; in reading order where they share a page."""
    if not picked:
        return ()
    taken = [picked[0]]
    for one in picked[1:]:
        if len(taken) == at_most or one.score < picked[0].score * margin:
            break
        if any(_same(one.unit, other.unit) for other in taken):
            continue
        taken.append(one)
    return tuple(taken)


def _same(one: Unit, other: Unit) -> bool:
    shared = len(one.tokens & other.tokens)
    return shared >= 0.8 * min(len(one.tokens), len(other.tokens))
