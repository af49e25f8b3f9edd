"""The use case "compare these papers": a field counts where at least two report it; the rest is listed, not guessed."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from core.agent.generative.prompt_injection import orders, repeats
from core.assistant.studies import prompts
from core.assistant.studies.extract import extract
from core.assistant.studies.extraction_template import text_of
from core.assistant.studies.section_writer import sentences_of
from core.assistant.studies.study_context import StudyDependencies, held, kept_or_made, key_of, laid_out
from core.assistant.studies.synthesis import Table, framed, names_of
from core.domain.errors import FootnoteError
from core.domain.model import AnswerMode, Citation, Paper, Sentence
from core.domain.studies import Cell, Comparison, Extraction, NotCompared, Row, Template
from core.grounding.verify import is_refusal

FEWEST, MOST = 2, 8
SENTENCES = 5


class NotComparable(FootnoteError):
    """Too few or too many papers to compare; nothing was done."""


async def compare(paper_ids: Sequence[str], template: Template, dependencies: StudyDependencies) -> Comparison:
    """The papers side by side, in the order asked. Raises ``NotComparable`` or ``NotInScope``."""
    wanted = tuple(dict.fromkeys(paper_ids))
    if not FEWEST <= len(wanted) <= MOST:
        raise NotComparable(f"{FEWEST} to {MOST} papers can be compared, not {len(wanted)}; please name them.")
    papers = await held(wanted, dependencies)
    versions = [(await laid_out(paper, dependencies)).version for paper in papers]
    key = key_of("comparison", [*versions, text_of(template)], dependencies)
    return await kept_or_made(Comparison, key, wanted, lambda: _made(papers, template, dependencies), dependencies)


async def _made(papers: Sequence[Paper], template: Template, dependencies: StudyDependencies) -> Comparison:
    extracted = await extract([paper.id for paper in papers], template, dependencies)
    rows, left = tabled(extracted, template)
    ids = tuple(one.paper_id for one in extracted)
    mode: AnswerMode = "model" if any(one.making.mode == "model" for one in extracted) else "extractive"
    if not rows:
        message = "These papers have nothing in common that could be compared: no field is reported by two of them."
        return Comparison(
            papers=ids, rows=(), not_compared=left, synthesis=(), making=dependencies.making(mode), message=message
        )
    synthesis = await _written(rows, papers, dependencies) if dependencies.writes else ()
    if synthesis:
        mode = "model"
    else:
        synthesis = await asyncio.to_thread(framed, rows, ids, names_of(papers))
        cited = {one.marker: one for row in rows for cell in row.cells for one in cell.citations}
        for sentence in synthesis:
            await dependencies.progress.sentence(sentence, [cited.pop(one) for one in sentence.markers if one in cited])
    return Comparison(papers=ids, rows=rows, not_compared=left, synthesis=synthesis, making=dependencies.making(mode))


def tabled(extracted: Sequence[Extraction], template: Template) -> tuple[tuple[Row, ...], tuple[NotCompared, ...]]:
    """Fields that two papers report, their footnotes numbered through the table, and the fields that are left."""
    rows: list[Row] = []
    left: list[NotCompared] = []
    numbered: dict[tuple[str, int], Citation] = {}
    for place, name in enumerate(template.names):
        cells = [(one.paper_id, one.cells[place]) for one in extracted]
        reporting = tuple(paper for paper, cell in cells if cell.reported)
        if len(reporting) < FEWEST:
            left.append(NotCompared(field=name, reported_by=reporting))
            continue
        rows.append(Row(field=name, cells=tuple(_numbered(paper, cell, numbered) for paper, cell in cells)))
    return tuple(rows), tuple(left)


def _numbered(paper: str, cell: Cell, numbered: dict[tuple[str, int], Citation]) -> Cell:
    for one in cell.citations:
        numbered.setdefault((paper, one.marker), replace(one, marker=len(numbered) + 1))
    return replace(cell, citations=tuple(numbered[paper, one.marker] for one in cell.citations))


async def _written(
    rows: Sequence[Row], papers: Sequence[Paper], dependencies: StudyDependencies
) -> tuple[Sentence, ...]:
    """The model's synthesis as far as the table bears it out."""
    names = names_of(papers)
    shown = [
        (
            row.field,
            [(names[p.id], cell.text) for p, cell in zip(papers, row.cells, strict=True) if cell.reported],
        )
        for row in rows
    ]
    table = await asyncio.to_thread(Table, rows, papers)
    given = orders(table.evidence)
    cited = {one.marker: one for row in rows for cell in row.cells for one in cell.citations}
    found: list[Sentence] = []
    await dependencies.progress.step("writing", 0, 0)
    prompt = prompts.synthesis(shown, SENTENCES)
    async for text in sentences_of(prompt, prompts.COMPARE, dependencies):
        if is_refusal(text) or repeats(text, given) or len(found) >= SENTENCES or dependencies.stop.asked:
            continue
        sentence = await asyncio.to_thread(table.sentence, text)
        if sentence is not None and sentence.text not in {one.text for one in found}:
            found.append(sentence)
            await dependencies.progress.sentence(sentence, [cited.pop(one) for one in sentence.markers if one in cited])
    return tuple(found)
