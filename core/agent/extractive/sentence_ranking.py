"""Ranks the sentences and table rows that could answer, out of the passages that were found.

Every candidate is weighed by the words of the question that it holds (rarer words more), by BM25 among the
candidates, by likeness of meaning, by the rank of its passage and by whether it holds a value of the kind
asked for. Pure; the vectors are handed in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.agent.extractive import table_rows
from core.agent.extractive.abbreviations import spelled_out
from core.agent.extractive.expected_values import defines, fits_kind
from core.aspects.standalone_sentences import only_refers_elsewhere
from core.domain.model import Evidence, Passage
from core.text import (
    asks_for_people,
    index_tokens,
    is_axis_ticks,
    is_name_list,
    is_only_names,
    is_unrequested_notice,
    sentence_spans,
)
from core.text.fragments import is_bibliography_entry, is_broken, is_heading
from core.understanding.figure_labels import labels_asked
from core.understanding.query_terms import Term, coverage
from core.understanding.route import Part

LONGEST = 600
"""A sentence longer than this many characters is a run of words that the page did not punctuate."""
LIST_WHOLE = 700
SHORTEST_WORDS = 3
GRANTED = 0.4
"""Weight of the words of the turn before in BM25."""
OPENING_PAGES = 2
"""Pages on which lines of names are authors, institutions and running heads; the last page is such a one too."""
RUNNING_HEAD = 8
"""Words of a table without a number, at most, that is taken for a running head on one of the first pages."""
BESIDE = 1.0
"""Bonus of a sentence whose passage already speaks: an answer goes on where it began."""
SAME = 0.8
"""Share of common words from which two candidates say the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each sign counts: listwise fit on the development questions, rounded."""

    sentence: float = 1.4
    around: float = 0.8
    passage: float = 2.0
    found: float = 1.4
    first: float = 1.3
    """For the place of its passage among those found: one over the place."""
    meaning: float = 1.7
    ranked: float = 1.4
    value: float = 2.2
    table: float = 2.1
    """For a table, which is one candidate against the many sentences of a text."""
    sure: float = 3.3
    """For the figure or table that is asked for by its label, for the place where an abbreviation that is asked for is
    spelled out, and for a sentence that says what the term whose meaning is asked for is."""
    drawn: float = 1.0
    """Against the words inside a drawing (axes, labels) and captions, which answer little by themselves."""
    elsewhere: float = 1.0
    """Against a sentence that only says in which table, figure or section a matter is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Words of a passage that could be quoted as an answer, with what stands around them."""

    evidence: Evidence
    words: str
    tokens: frozenset[str]
    around: frozenset[str]
    row: bool = False
    lines: tuple[frozenset[str], ...] = ()

    @property
    def passage(self) -> Passage:
        """Where the words stand."""
        return self.evidence.passage

    def near(self, asked: Sequence[Term]) -> frozenset[str]:
        """The words that stand together: the sentence; of a table the one row, with its head, that holds most."""
        return max(self.lines, key=lambda tokens: coverage(asked, tokens), default=self.tokens)

    @property
    def shown(self) -> str:
        """The words behind the heading that they stand under: what is compared with the question in meaning."""
        return " ".join([*self.passage.section[-1:], self.words])


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A unit with its score, its likeness of meaning, and whether it answers beyond doubt."""

    unit: Unit
    score: float
    meaning: float = 1.7
    sure: bool = False


def units(evidence: Sequence[Evidence], question: str = "") -> tuple[Unit, ...]:
    """The candidates of all passages: sentences; tables and short lists whole. What is no sentence about the work
    (headings, broken words, authors, rights, how to cite, ticks of an axis) is none, unless ``question`` asks for it.
    """
    return tuple(unit for item in evidence for unit in _units_of(item, question))


def _units_of(evidence: Evidence, question: str) -> list[Unit]:
    passage = evidence.passage
    if passage.kind == "text" and is_bibliography_entry(passage.text):
        return []
    pieces = _pieces(passage)
    tokens = [frozenset(index_tokens(piece)) for piece in pieces]
    head = frozenset(index_tokens(" ".join([*passage.section[-1:], passage.label or ""])))
    row = passage.kind == "table"
    lines = table_rows.line_tokens(passage) if row else ()
    return [
        Unit(
            evidence=evidence,
            words=piece,
            tokens=tokens[index],
            around=head.union(*tokens[max(0, index - 1) : index + 2]),
            row=row,
            lines=lines,
        )
        for index, piece in enumerate(pieces)
        if (row or len(tokens[index]) >= SHORTEST_WORDS) and not _says_nothing(piece, evidence, question)
    ]


def _says_nothing(piece: str, evidence: Evidence, question: str) -> bool:
    """Whether a piece says nothing of the work itself, and is not asked for."""
    passage = evidence.passage
    opening = passage.page <= OPENING_PAGES
    if passage.kind == "table":
        return opening and len(piece.split()) <= RUNNING_HEAD and not any(map(str.isdigit, piece))
    if passage.kind == "formula":
        return False
    if is_axis_ticks(piece) or is_unrequested_notice(piece, question):
        return True
    if asks_for_people(question):
        return False
    is_whole = passage.kind == "figure" or (passage.kind == "text" and not passage.next_id)
    on_edge = opening or passage.page == evidence.paper.pages
    return (is_whole and (is_heading(piece) or is_broken(piece))) or (on_edge and _is_names(piece, evidence))


def _is_names(piece: str, evidence: Evidence) -> bool:
    identity = evidence.paper.metadata
    return is_name_list(piece) or is_only_names(piece, (identity.title, " ".join(identity.authors)))


def _pieces(passage: Passage) -> list[str]:
    text = passage.text
    if passage.kind == "table" or (passage.kind == "list" and len(text) <= LIST_WHOLE):
        return [text.strip()]
    return [text[start:end] for start, end in sentence_spans(text)]


def rank(
    part: Part, candidates: Sequence[Unit], asked: Sequence[Term], context: Sequence[Term], weights: Weights
) -> tuple[Ranked, ...]:
    """All candidates by their words, best first."""
    if not candidates:
        return ()
    every = (*asked, *context)
    top = max(unit.evidence.score for unit in candidates) or 1.0
    bm25 = _bm25(candidates, asked, context)
    shares = {unit.passage.id: coverage(every, _passage_tokens(unit.evidence)) for unit in candidates}
    order = {key: number for number, key in enumerate(shares, 1)}
    labels = labels_asked(part.question)
    ranked: list[Ranked] = []
    for unit, words in zip(candidates, bm25, strict=True):
        near, passage = unit.near(every), unit.passage
        sure = _is_sure(unit, part.question, labels)
        score = (
            weights.sentence * (coverage(asked, near) + coverage(every, near)) / 2
            + weights.around * coverage(every, unit.around)
            + weights.passage * shares[passage.id]
            + weights.found * max(0.0, unit.evidence.score) / top
            + weights.first / order[passage.id]
            + weights.ranked * words
            + weights.value * fits_kind(part.kind, unit.words, part.question)
            + weights.table * unit.row
            + weights.sure * sure
            - weights.drawn * (passage.kind in ("figure", "caption") and not labels)
            - weights.elsewhere * only_refers_elsewhere(unit.words)
        )
        shortened = 0.9 if len(unit.words) > LONGEST and not unit.row else 1.0
        ranked.append(Ranked(unit=unit, score=score * shortened, sure=sure))
    return tuple(sorted(ranked, key=lambda item: -item.score))


def _is_sure(unit: Unit, question: str, labels: frozenset[str]) -> bool:
    """Whether a unit is the figure or table asked for, or spells out or defines the term asked for."""
    if (unit.passage.label or "").casefold().rstrip(".:") in labels:
        return True
    return not unit.row and (spelled_out(unit.words, question) or defines(unit.words, question))


def add_meaning(ranked: Sequence[Ranked], cosines: Sequence[float], weights: Weights) -> tuple[Ranked, ...]:
    """Ranked anew with ``cosines`` of the first of them with the question; for the others nothing is known."""
    known = [
        replace(item, meaning=cosine, score=item.score + weights.meaning * cosine)
        for item, cosine in zip(ranked, cosines, strict=False)
    ]
    return tuple(sorted([*known, *ranked[len(known) :]], key=lambda item: -item.score))


def _passage_tokens(evidence: Evidence) -> frozenset[str]:
    title = evidence.paper.title
    return frozenset(index_tokens(f"{evidence.passage.indexed_text} {evidence.passage.text} {title}"))


def _bm25(candidates: Sequence[Unit], asked: Sequence[Term], context: Sequence[Term]) -> list[float]:
    """BM25 of each candidate, scaled to 0..1; words taken for granted count less than words asked."""
    from rank_bm25 import BM25Plus

    index = BM25Plus([[*unit.tokens] or [""] for unit in candidates])
    own = index.get_scores([token for term in asked for token in term.tokens])
    before = index.get_scores([token for term in context for token in term.tokens])
    scores = [float(first) + GRANTED * float(second) for first, second in zip(own, before, strict=True)]
    low, high = min(scores), max(scores)
    return [(score - low) / (high - low) if high > low else 0.0 for score in scores]


def select(ranked: Sequence[Ranked], *, most: int) -> tuple[Ranked, ...]:
    """The best first, then what adds most to it: sentences of passages that already speak come before others."""
    chosen: list[Ranked] = list(ranked[:1])
    left = list(ranked[1 : 6 * most])
    while left and len(chosen) < most:
        speaking = {item.unit.passage.id for item in chosen}
        best = max(left, key=lambda item: item.score + BESIDE * (item.unit.passage.id in speaking))
        left.remove(best)
        if not any(_repeats(best.unit, item.unit) for item in chosen):
            chosen.append(best)
    return tuple(chosen)


def side_by_side(ranked: Sequence[Ranked], *, papers: int) -> tuple[Ranked, ...]:
    """The best of each of several papers."""
    best: dict[str, Ranked] = {}
    for item in ranked:
        best.setdefault(item.unit.evidence.paper.id, item)
    return tuple(best.values())[:papers]


def _repeats(unit: Unit, other: Unit) -> bool:
    """Whether most of a unit's words stand in another."""
    return len(unit.tokens & other.tokens) >= SAME * min(len(unit.tokens), len(other.tokens))
