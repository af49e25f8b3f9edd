"""Picks the sentences and table rows that answer, out of the passages that were found.

Every candidate is weighed by the words of the question that it holds (rarer words more), by BM25 among the
candidates, by likeness of meaning, by the rank of its passage and by whether it holds a value of the kind
asked for. Pure; the vectors are handed in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.agent.extractive import table_rows
from core.agent.extractive.abbreviations import spelled_out
from core.agent.extractive.expected_values import defines, fits_kind, tells
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
from core.understanding.query_terms import Term, coverage
from core.understanding.route import Part

LONGEST = 600
"""A sentence longer than this many characters is a run of words that the page did not punctuate."""
LIST_WHOLE = 700
SHORTEST_WORDS = 3
GRANTED = 0.4
"""Weight of the words of the turn before in BM25."""
FAR_BEHIND = 2.0
"""A sentence this far behind the best of its page adds nothing that a reader would want beside it."""

OPENING_PAGES = 2
"""Pages on which lines of names are authors, institutions and running heads; the last page is such a one too."""
RUNNING_HEAD = 8
"""Words of a table without a number, at most, that is taken for a running head on one of the first pages."""
BESIDE = 1.0
"""Bonus of a sentence whose passage already speaks: an answer goes on where it began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each sign counts: listwise fit on the development questions, rounded; see docs/agent.md."""

    sentence: float = 0.7
    around: float = 0.5
    passage: float = 0.6
    found: float = 0.5
    first: float = 1.3
    """For the place of its passage among those found: one over the place."""
    meaning: float = 0.6
    ranked: float = 1.3
    value: float = 0.9
    table: float = 0.7
    """For a table, which is one candidate against the many sentences of a text."""
    sure: float = 3.0
    """For what stands under a heading that names all that is asked ("What are the limitations?"), for the place where
    an abbreviation that is asked for is spelled out, and for words that only serve what is asked ("funded by")."""
    defined: float = 1.5
    """For a sentence that begins with the term whose meaning is asked for and goes on to say what it is."""
    drawn: float = 1.0
    """Against the words inside a drawing (axes, labels), which answer nothing by themselves; captions are apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Words of a passage that could be quoted as an answer, with what stands around them."""

    evidence: Evidence
    place: int
    words: str
    tokens: frozenset[str]
    around: frozenset[str]
    row: bool = False
    head: frozenset[str] = frozenset()
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
class Picked:
    """A unit with its score, its likeness of meaning, and whether it answers beyond doubt."""

    unit: Unit
    score: float
    meaning: float
    sure: bool = False


def units(evidence: Sequence[Evidence], question: str = "") -> tuple[Unit, ...]:
    """The candidates of all passages: sentences; tables and short lists whole. Lines that are no sentence about the
    work (authors, rights, how to cite, ticks of an axis) are none, unless ``question`` asks for them.
    """
    found: list[Unit] = []
    for one in evidence:
        pieces = _pieces(one.passage)
        tokens = [frozenset(index_tokens(piece)) for piece in pieces]
        head = frozenset(index_tokens(" ".join([*one.passage.section[-1:], one.passage.label or ""])))
        row = one.passage.kind == "table"
        for place, piece in enumerate(pieces):
            if _beside(piece, one, question) or (len(tokens[place]) < SHORTEST_WORDS and not row):
                continue
            near = tokens[max(0, place - 1) : place + 2]
            around = frozenset[str]().union(head, *near)
            found.append(
                Unit(
                    evidence=one,
                    place=place,
                    words=piece,
                    tokens=tokens[place],
                    around=around,
                    row=row,
                    head=head,
                    lines=table_rows.line_tokens(one.passage) if row else (),
                )
            )
    return tuple(found)


def _beside(piece: str, evidence: Evidence, question: str) -> bool:
    """Whether a piece says nothing of the work itself, and is not asked for."""
    passage, identity = evidence.passage, evidence.paper.metadata
    opening = passage.page <= OPENING_PAGES
    if passage.kind == "table":
        return opening and len(piece.split()) <= RUNNING_HEAD and not any(map(str.isdigit, piece))
    if passage.kind == "formula":
        return False
    if is_axis_ticks(piece) or is_unrequested_notice(piece, question):
        return True
    if asks_for_people(question) or not (opening or passage.page == evidence.paper.pages):
        return False
    return is_name_list(piece) or is_only_names(piece, (identity.title, " ".join(identity.authors)))


def _pieces(passage: Passage) -> list[str]:
    text = passage.text
    if passage.kind == "table" or (passage.kind == "list" and len(text) <= LIST_WHOLE):
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
    bm25 = _bm25(candidates, asked, context)
    whole = {one.passage.id: _passage_tokens(one.evidence) for one in candidates}
    order = {key: place for place, key in enumerate(dict.fromkeys(one.passage.id for one in candidates), 1)}
    picked: list[Picked] = []
    for index, unit in enumerate(candidates):
        near = unit.near(every)
        sentence = (coverage(asked, near) + coverage(every, near)) / 2
        passage = coverage(every, whole[unit.passage.id])
        meaning = likeness.get(index, 0.0)
        value = fits_kind(part.kind, unit.words, part.question)
        sure = _headed(unit, asked) or (not unit.row and spelled_out(unit.words, part.question))
        score = (
            weights.sentence * sentence
            + weights.around * coverage(every, unit.around)
            + weights.passage * passage
            + weights.found * max(0.0, unit.evidence.score) / top
            + weights.first / order[unit.passage.id]
            + weights.meaning * meaning
            + weights.ranked * bm25[index]
            + weights.value * value
            + weights.table * unit.row
            + weights.sure * (sure or (not unit.row and tells(unit.words, part.question)))
            + weights.defined * (not unit.row and defines(unit.words, part.question))
            - weights.drawn * (unit.passage.kind == "figure")
        )
        if len(unit.words) > LONGEST and not unit.row:
            score *= 0.9
        picked.append(Picked(unit=unit, score=score, meaning=meaning, sure=sure))
    return tuple(sorted(picked, key=lambda one: -one.score))


def _headed(unit: Unit, asked: Sequence[Term]) -> bool:
    return bool(asked) and all(term.held(unit.head) == 1 for term in asked)


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


def margin(picked: Sequence[Picked]) -> float:
    """By how much the best page leads the next; all of its score where there is no other."""
    best = picked[0].score if picked else 0.0
    return best - next((one.score for one in picked if _page(one) != _page(picked[0])), 0.0)


def chosen(picked: Sequence[Picked], *, pages: int, each: int) -> tuple[Picked, ...]:
    """What to say, page by page in turns: the best candidates of the best pages that say something new."""
    groups: dict[tuple[str, int], list[Picked]] = {}
    for one in picked:
        groups.setdefault(_page(one), []).append(one)
    return _in_turns([_told(group, each) for group in list(groups.values())[:pages]])


def side_by_side(picked: Sequence[Picked], *, papers: int, each: int) -> tuple[Picked, ...]:
    """The same for several papers: each speaks with its own best page."""
    groups: dict[str, list[Picked]] = {}
    for one in picked:
        group = groups.setdefault(one.unit.evidence.paper.id, [])
        if not group or _page(group[0]) == _page(one):
            group.append(one)
    return _in_turns([_told(group, each) for group in list(groups.values())[:papers]])


def _page(one: Picked) -> tuple[str, int]:
    return (one.unit.evidence.paper.id, one.unit.passage.page)


def _told(group: Sequence[Picked], each: int) -> list[Picked]:
    """The best of one page, then what adds most to it: sentences of passages that already speak come first."""
    told = [group[0]]
    left = list(group[1:])
    while left and len(told) < each:
        speaking = {one.unit.passage.id for one in told}
        best = max(left, key=lambda one: one.score + BESIDE * (one.unit.passage.id in speaking))
        left.remove(best)
        if told[0].score - best.score < FAR_BEHIND and not _said(best, told):
            told.append(best)
    return told


def _in_turns(groups: Sequence[Sequence[Picked]]) -> tuple[Picked, ...]:
    deepest = max(map(len, groups), default=0)
    return tuple(group[depth] for depth in range(deepest) for group in groups if depth < len(group))


def _said(one: Picked, group: Sequence[Picked]) -> bool:
    """Whether most of a candidate's words were said already."""
    return any(
        len(one.unit.tokens & other.unit.tokens) >= 0.8 * min(len(one.unit.tokens), len(other.unit.tokens))
        for other in group
    )
