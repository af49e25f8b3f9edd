"""What a table of several papers shows, in sentences: every figure in them stands in the table, and each is cited.

Without a model the sentences quote what the cells say; with one they are drafts that the cells' own quotes must
support. Pure, but for the reply of the model, which is handed in.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.agent.messages import join_words
from core.domain.model import Citation, Evidence, Paper, Passage, Sentence
from core.domain.studies import Cell, Row
from core.grounding.citations import by_marker
from core.grounding.number_comparison import find_missing_numbers
from core.grounding.verify import Verifier
from core.text import alphanumeric_key
from core.understanding.query_terms import terms

SHARED = 4
"""Names that are listed of a row at most."""
QUOTED_ROWS = ("Main results", "Results", "Limitations")
"""Rows whose cells are set side by side where there is no model to compare them."""


def citations_by_marker(rows: Sequence[Row]) -> dict[int, Citation]:
    """Every citation of a table by its number."""
    return dict(by_marker(citation for row in rows for cell in row.cells for citation in cell.citations))


def quote_table(rows: Sequence[Row], papers: Sequence[str], names: Mapping[str, str]) -> tuple[Sentence, ...]:
    """What the cells share by name, and what they report side by side, in the cells' own words."""
    labels = [names[paper_id] for paper_id in papers]
    reported = {row.field: _reported(row, labels) for row in rows}
    sentences: list[Sentence] = []
    for field, cells in reported.items():
        sentences += _shared(field, cells)
    for field, cells in reported.items():
        last_resort = not sentences and field == rows[-1].field
        if field in QUOTED_ROWS or last_resort:
            sentences += [_side_by_side(field, label, cell) for label, cell in cells]
    in_table = [sentence for sentence in sentences if has_only_table_figures(sentence.text, rows, names.values())]
    return tuple(sentence for sentence in in_table if sentence.markers)


def _reported(row: Row, labels: Sequence[str]) -> list[tuple[str, Cell]]:
    """The cells of a row that hold a value, each with its paper's label."""
    return [(label, cell) for label, cell in zip(labels, row.cells, strict=True) if cell.reported]


def _side_by_side(field: str, label: str, cell: Cell) -> Sentence:
    return Sentence(text=f"{field}, {label}: “{cell.text.rstrip()}”", markers=cell.markers)


def _shared(field: str, reported: Sequence[tuple[str, Cell]]) -> list[Sentence]:
    """Names and codes that the cells of at least two papers hold, one sentence for each group of papers."""
    columns: dict[str, list[int]] = {}
    printed: dict[str, str] = {}
    for index, (_, cell) in enumerate(reported):
        for key, surface in _names_in(cell.text).items():
            columns.setdefault(key, []).append(index)
            printed.setdefault(key, surface)
    groups: dict[tuple[int, ...], list[str]] = {}
    for key, indexes in columns.items():
        if len(indexes) > 1:
            groups.setdefault(tuple(indexes), []).append(printed[key])
    return [_all_name(field, [reported[index] for index in group], words) for group, words in groups.items()]


def _names_in(text: str) -> dict[str, str]:
    """Names and codes of a text as printed, by a key that spelling does not change."""
    found = {alphanumeric_key(term.surface): term.surface for term in terms(text) if term.entity}
    return {key: surface for key, surface in found.items() if len(key) > 1 and any(map(str.isalpha, surface))}


def _all_name(field: str, cells: Sequence[tuple[str, Cell]], words: Sequence[str]) -> Sentence:
    labels = join_words([label for label, _ in cells], "and")
    quantifier = "all" if len(cells) > 2 else "both"
    markers = dict.fromkeys(marker for _, cell in cells for marker in cell.markers)
    return Sentence(
        text=f"{field}: {labels} {quantifier} name {join_words(words[:SHARED], 'and')}.", markers=tuple(markers)
    )


def has_only_table_figures(text: str, rows: Sequence[Row], names: Iterable[str] = ()) -> bool:
    """Whether every figure of ``text`` stands in a cell of the table, or in the label of one of its papers."""
    values = [cell.text for row in rows for cell in row.cells if cell.reported]
    return not find_missing_numbers(text, [*values, *names])


class TableEvidence:
    """The table as evidence: claims are checked against its cells' quotes and may cite nothing else."""

    def __init__(self, rows: Sequence[Row], papers: Sequence[Paper]) -> None:
        by_id = {paper.id: paper for paper in papers}
        citations = citations_by_marker(rows).values()
        self._marker: dict[tuple[str, str], int] = {}
        for citation in citations:
            self._marker.setdefault(_key(citation), citation.marker)
        self.evidence = tuple(_quote(citation, by_id[citation.paper_id]) for citation in citations if citation.spans)
        self.verifier = Verifier(self.evidence)

    def with_own_markers(self, sentence: Sentence) -> Sentence | None:
        """A sentence that ``verifier`` let through, with the table's own markers; None where no cell has its quotes."""
        cited = by_marker(self.verifier.citations)
        quoted = [cited[marker] for marker in sentence.markers if cited[marker].derivation is None]
        markers = dict.fromkeys(self._marker_of(citation) for citation in quoted)
        return replace(sentence, markers=tuple(markers)) if markers and 0 not in markers else None

    def _marker_of(self, citation: Citation) -> int:
        """The table's marker for the words of a citation; 0 where no cell has them."""
        exact = self._marker.get(_key(citation))
        if exact is not None:
            return exact
        paper_id, words = _key(citation)
        holding = (marker for (id_, cell), marker in self._marker.items() if id_ == paper_id and words in cell)
        return next(holding, 0)


def _key(citation: Citation) -> tuple[str, str]:
    return citation.paper_id, alphanumeric_key(_words(citation))


def _quote(citation: Citation, paper: Paper) -> Evidence:
    """A citation's words as a passage of their own."""
    words = _words(citation)
    passage = Passage(
        id=f"{citation.marker}",
        paper_id=citation.paper_id,
        ordinal=citation.marker,
        page=citation.spans[0].page,
        section=citation.section,
        kind="text",
        text=words,
        indexed_text=words,
        label=citation.label,
    )
    return Evidence(passage=passage, paper=paper, score=0.0)


def _words(citation: Citation) -> str:
    return " ".join(span.quote for span in citation.spans)
