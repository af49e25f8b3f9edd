"""What leaves the chat as a file: a thread as Markdown with footnotes, tables as CSV with pages for the cells. Pure."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

from core.domain.citation_format import computation_text, locator_text, page_label, quotes_text
from core.domain.model import Citation, Paper, Passage, Sentence
from core.domain.records import StoredAnswer
from core.domain.reply import Attachment
from core.domain.studies import Cell, Comparison, Extraction
from core.grounding.citations import CitationNumbering, citation_key

_SIGNS = re.compile(r"([\\`*_\[\]<>#|~^])")
_FORMULA = re.compile(r"^[=+\-@\t\r]")
_NUMBER = re.compile(r"^[+\-]?[\d.,]+\s*%?$")
_CSV = "text/csv; charset=utf-8"


def thread_markdown(
    said: Sequence[StoredAnswer], papers: Mapping[str, Paper], *, title: str = "Questions and answers"
) -> str:
    """Questions and answers of a thread in order, with footnotes numbered through all of them.

    A footnote names paper, page and section and quotes the words; papers that are not in ``papers`` are not cited.
    """
    lines, notes = [f"# {_plain(title)}", ""], _Notes(papers)
    for item in said:
        numbers = {citation.marker: notes.number(citation) for citation in item.answer.citations}
        lines += [f"## {_plain(item.answer.question)}", "", f"*{item.at:%Y-%m-%d %H:%M %Z}*", ""]
        text = " ".join(_sentence(sentence, numbers) for sentence in item.answer.sentences)
        lines += [text or _plain(item.answer.message), ""]
    return "\n".join([*lines, *notes.lines]).rstrip() + "\n"


class _Notes:
    """Footnotes in the order of their first use; the same quote is one footnote."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._papers = papers
        self._numbering = CitationNumbering()

    def number(self, citation: Citation) -> int | None:
        """The footnote's number in the file; None where its paper is not here (any more)."""
        if citation.paper_id not in self._papers:
            return None
        return self._numbering.add(citation, citation_key(citation)).marker

    @property
    def lines(self) -> list[str]:
        """The footnotes so far."""
        citations = self._numbering.all()
        return [f"[^{item.marker}]: {_footnote(item, self._papers[item.paper_id])}" for item in citations]


def _footnote(citation: Citation, paper: Paper) -> str:
    year = f" ({paper.metadata.year})" if paper.metadata.year else ""
    authors = _plain(", ".join(paper.metadata.authors)) + year
    head = ". ".join(filter(None, (authors, f"*{_plain(paper.title)}*")))
    locator = _plain(locator_text(citation, paper.page_labels))
    source = _plain(computation_text(citation) or quotes_text(citation))
    return f"{', '.join(filter(None, (head, locator)))}: {source}"


def _sentence(sentence: Sentence, numbers: Mapping[int, int | None]) -> str:
    marks = "".join(f"[^{numbers[marker]}]" for marker in sentence.markers if numbers.get(marker))
    return _plain(sentence.text) + marks


def table_csv(passage: Passage, paper: Paper, *, name: str) -> Attachment:
    """A paper's own table; its last column says on which page each row is printed. It must be a table's passage."""
    if passage.table is None:
        raise ValueError("this passage is no table")
    rows = [[*row, page_label(paper.page_labels, passage.page)] for row in passage.table.rows]
    return _file(name, [[*passage.table.header, "page"], *rows])


def extraction_csv(extractions: Sequence[Extraction], papers: Mapping[str, Paper]) -> Attachment:
    """A row a paper; beside each field a column with the pages that its cell was found on."""
    fields = list(dict.fromkeys(cell.field for extraction in extractions for cell in extraction.cells))
    head = ["paper", "authors", "year", *(column for field in fields for column in (field, f"{field} (page)"))]
    rows = []
    for extraction in extractions:
        paper = papers[extraction.paper_id]
        cells = {cell.field: cell for cell in extraction.cells}
        values = [part for field in fields for part in _cell(cells.get(field), paper)]
        authors = "; ".join(paper.metadata.authors)
        rows.append([paper.title, authors, str(paper.metadata.year or ""), *values])
    return _file("table.csv", [head, *rows])


def comparison_csv(comparison: Comparison, papers: Mapping[str, Paper]) -> Attachment:
    """A row a field, two columns a paper: what it reports, and on which pages."""
    titles = [papers[id_].title for id_ in comparison.papers]
    head = ["field", *(column for title in titles for column in (title, f"{title} (page)"))]
    sides = [papers[id_] for id_ in comparison.papers]
    rows = [
        [row.field, *(part for cell, paper in zip(row.cells, sides, strict=True) for part in _cell(cell, paper))]
        for row in comparison.rows
    ]
    return _file("comparison.csv", [head, *rows])


def _cell(cell: Cell | None, paper: Paper) -> tuple[str, str]:
    if cell is None or not cell.reported:
        return "Not found", ""
    found = sorted({span.page for citation in cell.citations for span in citation.spans})
    return cell.text, "; ".join(page_label(paper.page_labels, page) for page in found)


def _file(name: str, rows: Iterable[Sequence[str]]) -> Attachment:
    """CSV with the mark by which spreadsheets know UTF-8. No cell is run as a formula when it is opened."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows([[_harmless(cell) for cell in row] for row in rows])
    return Attachment(name=name, mime=_CSV, data=b"\xef\xbb\xbf" + written.getvalue().encode())


def _harmless(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.match(cell) else cell


def _plain(text: str) -> str:
    """Words that cannot turn into layout."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))
