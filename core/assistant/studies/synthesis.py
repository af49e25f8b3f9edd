"""What a table of several papers shows, in sentences: every figure in them stands in the table, and each is cited.

Without a model the sentences are frames around what the cells say; with one they are drafts that must be borne out by
the cells' own quotes. Pure, but for the reply of the model, which is handed in.
"""

from collections.abc import Iterable, Mapping, Sequence

from core.agent.messages import joined
from core.domain.model import Citation, Evidence, Paper, Passage, Sentence
from core.domain.studies import Cell, Row
from core.grounding import numbers
from core.grounding.verify import DraftSentence, Verifier
from core.text import alphanumeric_key
from core.understanding.query_terms import terms

SHARED = 4
"""Names that are told of a row at most."""
QUOTED_ROWS = ("Main results", "Results", "Limitations")
"""Rows whose cells are set side by side where there is no model to compare them."""


def names_of(papers: Sequence[Paper]) -> Mapping[str, str]:
    """A short name for each paper by id, as it heads the table: authors, or the beginning of the title.

    Papers that would be named alike are told apart by letters, never by numbers of our own.
    """
    plain = {paper.id: _name(paper) for paper in papers}
    seen: dict[str, int] = {}
    for name in plain.values():
        seen[name] = seen.get(name, 0) + 1
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return {id_: f"{name} ({next(letters)})" if seen[name] > 1 else name for id_, name in plain.items()}


def _name(paper: Paper) -> str:
    authors = [one.split(",")[0].split()[-1] for one in paper.metadata.authors if one.strip()]
    if len(authors) > 2:
        return f"{authors[0]} et al."
    if authors:
        return " and ".join(authors)
    words = paper.title.split()
    return " ".join(words[:5]) + ("…" if len(words) > 5 else "")


def framed(rows: Sequence[Row], papers: Sequence[str], names: Mapping[str, str]) -> tuple[Sentence, ...]:
    """What the cells share by name, and what they report side by side, in frames around their own words."""
    found: list[Sentence] = []
    for row in rows:
        told = [(names[id_], cell) for id_, cell in zip(papers, row.cells, strict=True) if cell.reported]
        found += _shared(row.field, told)
    for row in rows:
        told = [(names[id_], cell) for id_, cell in zip(papers, row.cells, strict=True) if cell.reported]
        if row.field in QUOTED_ROWS or (not found and row is rows[-1]):
            found += [
                Sentence(text=f"{row.field}, {name}: “{cell.text.rstrip()}”", markers=cell.markers)
                for name, cell in told
            ]
    return tuple(one for one in found if one.markers and figures_hold(one.text, rows, names.values()))


def _shared(field: str, told: Sequence[tuple[str, Cell]]) -> list[Sentence]:
    """Names and codes that the cells of at least two papers hold."""
    holders: dict[str, list[tuple[str, Cell]]] = {}
    surface: dict[str, str] = {}
    for name, cell in told:
        for key, written in {
            alphanumeric_key(one.surface): one.surface for one in terms(cell.text) if one.entity
        }.items():
            if any(sign.isalpha() for sign in written) and len(key) > 1:
                holders.setdefault(key, []).append((name, cell))
                surface.setdefault(key, written)
    groups: dict[tuple[str, ...], list[str]] = {}
    cells: dict[tuple[str, ...], list[Cell]] = {}
    for key, held in holders.items():
        if len(held) > 1:
            who = tuple(name for name, _ in held)
            groups.setdefault(who, []).append(surface[key])
            cells[who] = [cell for _, cell in held]
    return [
        Sentence(
            text=f"{field}: {joined(who, 'and')} all name {joined(words[:SHARED], 'and')}."
            if len(who) > 2
            else f"{field}: {joined(who, 'and')} both name {joined(words[:SHARED], 'and')}.",
            markers=_markers(cells[who]),
        )
        for who, words in groups.items()
    ]


def figures_hold(text: str, rows: Sequence[Row], names: Iterable[str] = ()) -> bool:
    """Whether every figure of ``text`` stands in a cell of the table, or in the name of one of its papers."""
    told = [cell.text for row in rows for cell in row.cells if cell.reported]
    return not numbers.find_missing_numbers(text, [*told, *names])


class Table:
    """The table as evidence: drafts are held against its cells' quotes and may cite nothing else."""

    def __init__(self, rows: Sequence[Row], papers: Sequence[Paper]) -> None:
        self._rows = rows
        self._marker: dict[tuple[str, str], int] = {}
        by_id = {paper.id: paper for paper in papers}
        cited = {one.marker: one for row in rows for cell in row.cells for one in cell.citations}
        evidence = [_quote(one, by_id[one.paper_id]) for one in cited.values() if one.spans]
        for one in cited.values():
            self._marker.setdefault((one.paper_id, alphanumeric_key(_words(one))), one.marker)
        self.evidence = tuple(evidence)
        self._verifier = Verifier(evidence)

    def sentence(self, text: str) -> Sentence | None:
        """``text`` with the table's own markers, or None where the table does not bear it out."""
        if not figures_hold(text, self._rows):
            return None
        found = self._verifier.sentence(DraftSentence(text=text))
        if not isinstance(found, Sentence):
            return None
        used = {one.marker: one for one in self._verifier.citations}
        markers = [self._marker_of(used[marker]) for marker in found.markers]
        known = tuple(dict.fromkeys(marker for marker in markers if marker))
        return Sentence(text=found.text, markers=known) if known and len(known) == len(set(markers)) else None

    def _marker_of(self, one: Citation) -> int:
        words = alphanumeric_key(_words(one))
        exact = self._marker.get((one.paper_id, words))
        if exact is not None:
            return exact
        return next((m for (paper, held), m in self._marker.items() if paper == one.paper_id and words in held), 0)


def _quote(one: Citation, paper: Paper) -> Evidence:
    """A citation's words as a passage of their own."""
    words = _words(one)
    first = one.spans[0]
    passage = Passage(
        id=f"{one.marker}",
        paper_id=one.paper_id,
        ordinal=one.marker,
        page=first.page,
        section=one.section,
        kind="text",
        text=words,
        indexed_text=words,
        label=one.label,
    )
    return Evidence(passage=passage, paper=paper, score=0.0)


def _words(one: Citation) -> str:
    return " ".join(span.quote for span in one.spans)


def _markers(cells: Iterable[Cell]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(marker for cell in cells for marker in cell.markers))
