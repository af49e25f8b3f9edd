"""Studies of papers put into words: summaries, tables, comparisons and reviews as replies. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adapters.common.markdown import escape, table
from bot.replies.general import sentence
from core.domain.model import Citation, Paper
from core.domain.reply import Attachment, Button, Footnote, Reply
from core.domain.studies import Cell, Comparison, Extraction, Making, Pair, Review, Section, StudyOrder, Summary
from core.text.paper_labels import short_authors

NOT_REPORTED = "Not reported"
_MODES = {
    "extractive": "quoted from the papers, no language model",
    "model": "written by the configured model, each sentence checked against the papers",
}
_PAIRS = {"agreement": "In agreement", "contradiction": "Against each other"}
_TITLE = 70
_BUTTON = 60


def summary(made: Summary, paper: Paper) -> Reply:
    """A paper in sections; what it does not state is said."""
    parts = [f"**{escape(paper.title)}**", *(_section(one) for one in made.sections)]
    return _reply("summary", parts, made.citations, {paper.id: paper}, made.making)


def tabled(rows: Sequence[Extraction], papers: Mapping[str, Paper], file: Attachment) -> Reply:
    """What each paper reports for each field: fields down, papers across; ``file`` is the same to take away."""
    numbered = _through(rows)
    heads = ["Field", *(_head(papers[row.paper_id]) for row, _ in numbered if row.paper_id in papers)]
    fields = [cell.field for cell in rows[0].cells] if rows else []
    lines = [
        [field, *(_cell(row.cells[place], shift) for row, shift in numbered if row.paper_id in papers)]
        for place, field in enumerate(fields)
    ]
    cited = [
        Footnote(citation=replace(one, marker=one.marker + shift), paper=papers[row.paper_id])
        for row, shift in numbered
        for one in row.citations
        if row.paper_id in papers
    ]
    return Reply(
        kind="table",
        body=table(heads, lines),
        footnotes=tuple(cited),
        files=(file,) if rows else (),
        footer=_footer(*(row.making for row in rows)),
        papers=frozenset(row.paper_id for row in rows),
    )


def compared(made: Comparison, papers: Mapping[str, Paper], file: Attachment) -> Reply:
    """Papers side by side, what the table shows, and what could not be compared; ``file`` is the table alone."""
    parts = []
    if made.message:
        parts.append(escape(made.message))
    if made.rows:
        heads = ["", *(_head(papers[id_]) for id_ in made.papers)]
        parts.append(table(heads, [[row.field, *(_cell(cell, 0) for cell in row.cells)] for row in made.rows]))
    if made.synthesis:
        parts.append(
            "**What the table shows**\n\n" + "\n".join(f"- {sentence(one.text, one.markers)}" for one in made.synthesis)
        )
    if made.not_compared:
        told = [
            one.field + (f" (only {escape(_head(papers[one.reported_by[0]]))})" if one.reported_by else "")
            for one in made.not_compared
        ]
        parts.append(f"Not compared, since fewer than two of them report it: {', '.join(told)}.")
    reply = _reply("table", parts, made.citations, papers, made.making, shown=made.papers)
    return replace(reply, files=(file,) if made.rows else ())


def reviewed(made: Review, papers: Mapping[str, Paper]) -> Reply:
    """A review in sections or themes; agreements and contradictions stand side by side."""
    parts = [f"**Review: {escape(made.subject)}**", *([escape(made.message)] if made.message else [])]
    parts += [_section(one) for one in made.sections]
    return _reply("review", parts, made.citations, papers, made.making, shown=made.papers)


def which(order: StudyOrder, papers: Mapping[str, Paper]) -> Reply:
    """Asks back which paper is meant; for a summary, with a button a paper."""
    first, *listed = order.message.splitlines()
    body = "\n\n".join([escape(first), "\n".join(f"- {escape(one.removeprefix('- '))}" for one in listed)])
    buttons = [
        Button(label=_short(papers[id_].title, _BUTTON), action="summarise", value=id_[:16])
        for id_ in order.candidates[:5]
        if id_ in papers and order.kind == "summarise"
    ]
    return Reply(kind="choice", body=body, buttons=tuple(buttons), papers=frozenset(order.candidates))


def _section(one: Section) -> str:
    parts = [f"**{escape(one.name)}**"]
    parts += [_pair(pair) for pair in one.pairs]
    if one.sentences:
        parts.append(" ".join(sentence(said.text, said.markers) for said in one.sentences))
    elif one.missing:
        parts.append(escape(one.missing))
    return "\n\n".join(parts)


def _pair(one: Pair) -> str:
    said = [sentence(each.text, each.markers) for each in (one.first, one.second)]
    return f"{_PAIRS[one.kind]}:\n\n- {said[0]}\n- {said[1]}"


def _through(rows: Sequence[Extraction]) -> list[tuple[Extraction, int]]:
    """Each row with what its markers are shifted by, so that footnotes count on from paper to paper."""
    numbered, shift = [], 0
    for row in rows:
        numbered.append((row, shift))
        shift += max((one.marker for one in row.citations), default=0)
    return numbered


def _cell(cell: Cell, shift: int) -> str:
    """A cell's words with its markers; the table escapes them."""
    if not cell.reported:
        return NOT_REPORTED
    return cell.text + " " + "".join(f"[{marker + shift}]" for marker in cell.markers)


def _head(paper: Paper) -> str:
    known = [short_authors(paper), str(paper.metadata.year or "")]
    told = " ".join(part for part in known if part)
    return told if paper.metadata.authors else _short(paper.title, _TITLE)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _footer(*makings: Making) -> str:
    """How it came about; of several rows one that a model wrote makes it the model's."""
    modes = {one.mode for one in makings}
    mode = "model" if "model" in modes else "extractive"
    return " · ".join([_MODES[mode], *dict.fromkeys(note for one in makings for note in one.notes)])


def _reply(
    kind: str,
    parts: Sequence[str],
    citations: Sequence[Citation],
    papers: Mapping[str, Paper],
    making: Making,
    shown: Sequence[str] = (),
) -> Reply:
    notes = tuple(Footnote(citation=one, paper=papers[one.paper_id]) for one in citations if one.paper_id in papers)
    named = {note.paper.id for note in notes} | set(shown) | ({*papers} if kind == "summary" else set())
    return Reply(
        kind="summary" if kind == "summary" else "review" if kind == "review" else "table",
        body="\n\n".join(part for part in parts if part),
        footnotes=notes,
        footer=_footer(making),
        papers=frozenset(named),
    )
