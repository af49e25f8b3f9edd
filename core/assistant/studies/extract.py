"""The use case "fill this table from these papers": one row a paper, each value in the paper's words with its place."""

from collections.abc import Sequence

from core.assistant.aspects.statements import evidence_of
from core.assistant.aspects.template_fields import aspect_of
from core.assistant.studies.extraction_template import text_of
from core.assistant.studies.study_context import (
    OpenPaper,
    StudyDependencies,
    embedded,
    held,
    kept_or_made,
    key_of,
    laid_out,
)
from core.assistant.studies.table_cells import SHOWN, cell
from core.domain.model import AnswerMode, Paper
from core.domain.studies import Cell, Extraction, Template
from core.grounding.verify import Verifier


async def extract(
    paper_ids: Sequence[str], template: Template, dependencies: StudyDependencies
) -> tuple[Extraction, ...]:
    """One row a paper, in the order asked; each is stored and found again. Raises ``NotInScope``."""
    papers = await held(paper_ids, dependencies)
    rows = []
    for number, paper in enumerate(papers):
        await dependencies.progress.step("reading values", number, len(papers))
        if dependencies.stop.asked:
            break
        rows.append(await row(paper, template, dependencies))
    return tuple(rows)


async def row(paper: Paper, template: Template, dependencies: StudyDependencies) -> Extraction:
    """A paper's row."""
    laid = await laid_out(paper, dependencies)
    key = key_of("extraction", [laid.version, text_of(template)], dependencies)
    return await kept_or_made(Extraction, key, [paper.id], lambda: _made(laid, template, dependencies), dependencies)


async def _made(laid: OpenPaper, template: Template, dependencies: StudyDependencies) -> Extraction:
    opened = await embedded(laid, dependencies)
    wanted = [(aspect, await opened.ranked(aspect, dependencies)) for aspect in map(aspect_of, template.fields)]
    likely = [one.statement for _, found in wanted for one in found[:SHOWN]]
    verifier = Verifier(evidence_of(likely, opened.paper))
    used: set[int] = set()
    filled = {one.name: Cell(field=one.name) for one in template.fields}
    written = False
    for aspect, found in sorted(wanted, key=lambda one: one[0].turn):
        if dependencies.stop.asked:
            break
        filled[aspect.name], by_model = await cell(aspect, found, opened, verifier, dependencies, used)
        written = written or by_model
    cells = [filled[name] for name in template.names]
    mode: AnswerMode = "model" if written else "extractive"
    return Extraction(paper_id=opened.paper.id, cells=tuple(cells), making=dependencies.making(mode))
