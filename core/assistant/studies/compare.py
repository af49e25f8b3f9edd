"""The use case "compare these papers": a field counts where at least two report it; the rest is listed, not guessed."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from core.assistant.studies.extract import extract, format_template
from core.assistant.studies.study_claims import write_claims
from core.assistant.studies.study_context import (
    StudyDependencies,
    find_papers,
    load_or_make,
    load_statements,
    study_key,
)
from core.assistant.studies.synthesis import TableEvidence, citations_by_marker, quote_table
from core.domain.citation_format import column_labels
from core.domain.errors import FootnoteError
from core.domain.model import Citation, Paper, Sentence
from core.domain.studies import Cell, Comparison, Extraction, NotCompared, Row, Template
from core.grounding.citations import CitationNumbering
from core.llm import prompts

FEWEST, MOST = 2, 8
SENTENCES = 12
_NOTHING_IN_COMMON = "These papers have nothing in common that could be compared: no field is reported by two of them."


class NotComparable(FootnoteError):
    """Too few or too many papers to compare; nothing was done."""


async def compare(paper_ids: Sequence[str], template: Template, dependencies: StudyDependencies) -> Comparison:
    """The papers side by side, in the order asked. Raises ``NotComparable`` or ``NotInScope``."""
    wanted = tuple(dict.fromkeys(paper_ids))
    if not FEWEST <= len(wanted) <= MOST:
        raise NotComparable(f"{FEWEST} to {MOST} papers can be compared, not {len(wanted)}; please name them.")
    papers = await find_papers(wanted, dependencies)
    versions = [(await load_statements(paper, dependencies)).version for paper in papers]
    key = study_key("comparison", [*versions, format_template(template)], dependencies)
    return await load_or_make(Comparison, key, wanted, lambda: _made(papers, template, dependencies), dependencies)


async def _made(papers: Sequence[Paper], template: Template, dependencies: StudyDependencies) -> Comparison:
    extractions = await extract([paper.id for paper in papers], template, dependencies)
    rows, left = align_rows(extractions, template)
    synthesis, written = await _synthesis(rows, papers, extractions, dependencies)
    by_model = written or any(extraction.making.mode == "model" for extraction in extractions)
    return Comparison(
        papers=tuple(extraction.paper_id for extraction in extractions),
        rows=rows,
        not_compared=left,
        synthesis=synthesis,
        making=dependencies.making("model" if by_model else "extractive"),
        message="" if rows else _NOTHING_IN_COMMON,
    )


async def _synthesis(
    rows: Sequence[Row],
    papers: Sequence[Paper],
    extractions: Sequence[Extraction],
    dependencies: StudyDependencies,
) -> tuple[tuple[Sentence, ...], bool]:
    """What the table shows, and whether a model wrote it."""
    if not rows:
        return (), False
    written = await _written(rows, papers, dependencies) if dependencies.writes else ()
    if written:
        return written, True
    ids = [extraction.paper_id for extraction in extractions]
    quoted = await asyncio.to_thread(quote_table, rows, ids, column_labels(papers))
    unreported = citations_by_marker(rows)
    for sentence in quoted:
        await _report(sentence, unreported, dependencies)
    return quoted, False


def align_rows(extracted: Sequence[Extraction], template: Template) -> tuple[tuple[Row, ...], tuple[NotCompared, ...]]:
    """Fields that two papers report, their footnotes numbered through the table, and the fields that are left."""
    rows: list[Row] = []
    left: list[NotCompared] = []
    numbering = CitationNumbering()
    for index, name in enumerate(template.names):
        cells = {extraction.paper_id: extraction.cells[index] for extraction in extracted}
        reporting = tuple(paper_id for paper_id, cell in cells.items() if cell.reported)
        if len(reporting) < FEWEST:
            left.append(NotCompared(field=name, reported_by=reporting))
            continue
        numbered = [_numbered(paper_id, cell, numbering) for paper_id, cell in cells.items()]
        rows.append(Row(field=name, cells=tuple(numbered)))
    return tuple(rows), tuple(left)


def _numbered(paper_id: str, cell: Cell, numbering: CitationNumbering) -> Cell:
    citations = [numbering.add(citation, (paper_id, citation.marker)) for citation in cell.citations]
    return replace(cell, citations=tuple(citations))


async def _written(
    rows: Sequence[Row], papers: Sequence[Paper], dependencies: StudyDependencies
) -> tuple[Sentence, ...]:
    """The model's synthesis as far as the table supports it."""
    table = await asyncio.to_thread(TableEvidence, rows, papers)
    unreported = citations_by_marker(rows)
    accepted: list[Sentence] = []

    async def keep(written: Sentence) -> None:
        sentence = table.with_own_markers(written)
        if sentence is not None:
            accepted.append(sentence)
            await _report(sentence, unreported, dependencies)

    await dependencies.progress.step("writing", 0, 0)
    await write_claims(prompts.COMPARISON, SENTENCES, table.evidence, table.verifier, keep, dependencies)
    return tuple(accepted)


async def _report(sentence: Sentence, unreported: dict[int, Citation], dependencies: StudyDependencies) -> None:
    """Give a sentence to the progress sink, with those of its citations that were not given yet."""
    new = [unreported.pop(marker) for marker in sentence.markers if marker in unreported]
    await dependencies.progress.sentence(sentence, new)
