"""Studies of papers as replies: summaries, tables, comparisons and reviews. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from adapters.common.markdown import escape, table
from bot.replies.general import ID_IN_BUTTON, footnotes_of, sentence
from core.domain.citation_format import short_authors
from core.domain.model import Citation, Paper
from core.domain.reply import Attachment, Button, Reply
from core.domain.studies import (
    Cell,
    Comparison,
    Extraction,
    NotCompared,
    Pair,
    Provenance,
    Review,
    Section,
    StudyRequest,
    Summary,
)

NOT_FOUND = "Not found"
_MODES = {
    "extractive": "quoted from the papers, no language model",
    "model": "written by the configured model, each sentence checked against the papers",
}
_PAIRS = {"agreement": "In agreement", "contradiction": "Against each other"}
_TITLE = 70
_BUTTON = 60


def summary(made: Summary, paper: Paper) -> Reply:
    """A paper in sections; what was not found in it is said."""
    parts = [f"**{escape(paper.title)}**", *map(_section, made.sections)]
    return _reply("summary", parts, made.citations, {paper.id: paper}, made.making, shown=[paper.id])


def extraction_table(rows: Sequence[Extraction], papers: Mapping[str, Paper], file: Attachment) -> Reply:
    """What each paper reports for each field: fields down, papers across; ``file`` is the same to take away."""
    columns = [(row, shift) for row, shift in _with_shifts(rows) if row.paper_id in papers]
    heads = ["Field", *(_head(papers[row.paper_id]) for row, _ in columns)]
    fields = [cell.field for cell in rows[0].cells] if rows else []
    lines = [
        [field, *(_cell(row.cells[index], shift) for row, shift in columns)]  # a line a field
        for index, field in enumerate(fields)
    ]
    cited = [_renumbered(citation, shift) for row, shift in columns for citation in row.citations]
    return Reply(
        kind="table",
        body=table(heads, lines),
        footnotes=footnotes_of(cited, papers),
        files=(file,) if rows else (),
        footer=_footer(*(row.making for row in rows)),
        papers=frozenset(row.paper_id for row in rows),
    )


def comparison_table(made: Comparison, papers: Mapping[str, Paper], file: Attachment) -> Reply:
    """Papers side by side, what the table shows, and what could not be compared; ``file`` is the table alone."""
    parts = []
    if made.message:
        parts.append(escape(made.message))
    if made.rows:
        heads = ["", *(_head(papers[id_]) for id_ in made.papers)]
        parts.append(table(heads, [[row.field, *(_cell(cell, 0) for cell in row.cells)] for row in made.rows]))
    if made.synthesis:
        parts.append(
            "**What the table shows**\n\n"
            + "\n".join(f"- {sentence(item.text, item.markers)}" for item in made.synthesis)
        )
    if made.not_compared:
        fields = ", ".join(_not_compared(item, papers) for item in made.not_compared)
        parts.append(f"Not compared, since it was found in fewer than two of them: {fields}.")
    reply = _reply("table", parts, made.citations, papers, made.making, shown=made.papers)
    return replace(reply, files=(file,) if made.rows else ())


def _not_compared(item: NotCompared, papers: Mapping[str, Paper]) -> str:
    if not item.reported_by:
        return item.field
    return f"{item.field} (only {escape(_head(papers[item.reported_by[0]]))})"


def review(made: Review, papers: Mapping[str, Paper]) -> Reply:
    """A review in sections or themes; agreements and contradictions stand side by side."""
    parts = [f"**Review: {escape(made.subject)}**", *([escape(made.message)] if made.message else [])]
    parts += map(_section, made.sections)
    return _reply("review", parts, made.citations, papers, made.making, shown=made.papers)


def ask_which_paper(order: StudyRequest, papers: Mapping[str, Paper]) -> Reply:
    """Asks back which paper is meant; for a summary, with a button a paper."""
    first, *listed = order.message.splitlines()
    body = "\n\n".join([escape(first), "\n".join(f"- {escape(line.removeprefix('- '))}" for line in listed)])
    buttons = [
        Button(label=_short(papers[id_].title, _BUTTON), action="summarise", value=id_[:ID_IN_BUTTON])
        for id_ in order.candidates[:5]
        if id_ in papers and order.kind == "summarise"
    ]
    return Reply(kind="choice", body=body, buttons=tuple(buttons), papers=frozenset(order.candidates))


def _section(section: Section) -> str:
    text = " ".join(sentence(item.text, item.markers) for item in section.sentences)
    parts = [f"**{escape(section.name)}**", *map(_pair, section.pairs), text or escape(section.missing)]
    return "\n\n".join(filter(None, parts))


def _pair(pair: Pair) -> str:
    first = sentence(pair.first.text, pair.first.markers)
    second = sentence(pair.second.text, pair.second.markers)
    return f"{_PAIRS[pair.kind]}:\n\n- {first}\n- {second}"


def _with_shifts(rows: Sequence[Extraction]) -> list[tuple[Extraction, int]]:
    """Each row with what its markers are shifted by, so that footnotes count on from paper to paper."""
    numbered, shift = [], 0
    for row in rows:
        numbered.append((row, shift))
        shift += max((citation.marker for citation in row.citations), default=0)
    return numbered


def _renumbered(citation: Citation, shift: int) -> Citation:
    """The citation with its marker, and those that its computation names, ``shift`` higher."""
    derivation = citation.derivation
    if derivation is not None:
        derivation = replace(derivation, operands=tuple(marker + shift for marker in derivation.operands))
    return replace(citation, marker=citation.marker + shift, derivation=derivation)


def _cell(cell: Cell, shift: int) -> str:
    """A cell's words with its markers; the table escapes them."""
    if not cell.reported:
        return NOT_FOUND
    return cell.text + " " + "".join(f"[{marker + shift}]" for marker in cell.markers)


def _head(paper: Paper) -> str:
    if not paper.metadata.authors:
        return _short(paper.title, _TITLE)
    return " ".join(filter(None, (short_authors(paper), str(paper.metadata.year or ""))))


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _footer(*makings: Provenance) -> str:
    """How the study was made: by the model if any of its rows was, and every note once."""
    modes = {making.mode for making in makings}
    mode = "model" if "model" in modes else "extractive"
    return " · ".join([_MODES[mode], *dict.fromkeys(note for making in makings for note in making.notes)])


def _reply(
    kind: Literal["summary", "table", "review"],
    parts: Sequence[str],
    citations: Sequence[Citation],
    papers: Mapping[str, Paper],
    making: Provenance,
    shown: Sequence[str] = (),
) -> Reply:
    notes = footnotes_of(citations, papers)
    return Reply(
        kind=kind,
        body="\n\n".join(filter(None, parts)),
        footnotes=notes,
        footer=_footer(making),
        papers=frozenset(note.paper.id for note in notes) | frozenset(shown),
    )
