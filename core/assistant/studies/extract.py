"""The use case "fill this table from these papers": one row a paper, each value in the paper's words with its place."""

from collections.abc import Sequence

from core.assistant.spotting.fields import aspect_of
from core.assistant.spotting.statements import evidence_of
from core.assistant.studies.cells import SHOWN, cell
from core.assistant.studies.studying import OpenPaper, StudyDesk, embedded, held, kept_or_made, key_of, laid_out
from core.assistant.studies.template import text_of
from core.domain.model import AnswerMode, Paper
from core.domain.studies import Cell, Extraction, Template
from core.grounding.verify import Verifier


async def extract(paper_ids: Sequence[str], template: Template, desk: StudyDesk) -> tuple[Extraction, ...]:
    """One row a paper, in the order asked; each is stored and found again. Raises ``NotInScope``."""
    papers = await held(paper_ids, desk)
    rows = []
    for number, paper in enumerate(papers):
        await desk.progress.step("reading values", number, len(papers))
        if desk.stop.asked:
            break
        rows.append(await row(paper, template, desk))
    return tuple(rows)


async def row(paper: Paper, template: Template, desk: StudyDesk) -> Extraction:
    """A paper's row."""
    laid = await laid_out(paper, desk)
    key = key_of("extraction", [laid.version, text_of(template)], desk)
    return await kept_or_made(Extraction, key, [paper.id], lambda: _made(laid, template, desk), desk)


async def _made(laid: OpenPaper, template: Template, desk: StudyDesk) -> Extraction:
    opened = await embedded(laid, desk)
    wanted = [(aspect, await opened.ranked(aspect, desk)) for aspect in map(aspect_of, template.fields)]
    likely = [one.statement for _, found in wanted for one in found[:SHOWN]]
    verifier = Verifier(evidence_of(likely, opened.paper))
    used: set[int] = set()
    filled = {one.name: Cell(field=one.name) for one in template.fields}
    written = False
    for aspect, found in sorted(wanted, key=lambda one: one[0].turn):
        if desk.stop.asked:
            break
        filled[aspect.name], by_model = await cell(aspect, found, opened, verifier, desk, used)
        written = written or by_model
    cells = [filled[name] for name in template.names]
    mode: AnswerMode = "model" if written else "extractive"
    return Extraction(paper_id=opened.paper.id, cells=tuple(cells), making=desk.making(mode))
