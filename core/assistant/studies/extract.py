"""The use case "fill this table from these papers": one row a paper, each value in the paper's words with its place.

Also a channel's own table as text ("Organism; Sample size (how many animals); Assay") made a template, and back.
"""

import asyncio
import re
from collections.abc import Sequence

from core.assistant.aspects.statements import collect_evidence
from core.assistant.aspects.template_fields import find_aspect
from core.assistant.studies.study_context import (
    StudiedPaper,
    StudyDependencies,
    embed_statements,
    find_papers,
    load_or_make,
    load_statements,
    study_key,
)
from core.assistant.studies.table_cells import SHOWN, quote_cell, read_values
from core.domain.errors import SettingsInvalid
from core.domain.model import Paper
from core.domain.studies import STANDARD, Cell, Extraction, Template, TemplateField
from core.grounding.verify import Verifier

MOST = 16
LONGEST_NAME = 60
_FIELD = re.compile(r"^(?P<name>[^(:]+?)\s*(?:\((?P<brackets>[^()]*)\)|:\s*(?P<colon>.+))?$", re.DOTALL)


async def extract(
    paper_ids: Sequence[str], template: Template, dependencies: StudyDependencies
) -> tuple[Extraction, ...]:
    """One row a paper, in the order asked; each is stored and found again. Raises ``NotInScope``."""
    papers = await find_papers(paper_ids, dependencies)
    rows = []
    for number, paper in enumerate(papers):
        await dependencies.progress.step("reading values", number, len(papers))
        if dependencies.stop.asked:
            break
        rows.append(await _row(paper, template, dependencies))
    return tuple(rows)


async def _row(paper: Paper, template: Template, dependencies: StudyDependencies) -> Extraction:
    opened = await load_statements(paper, dependencies)
    key = study_key("extraction", [opened.version, format_template(template)], dependencies)
    return await load_or_make(Extraction, key, [paper.id], lambda: _made(opened, template, dependencies), dependencies)


async def _made(paper: StudiedPaper, template: Template, dependencies: StudyDependencies) -> Extraction:
    paper = await embed_statements(paper, dependencies)
    aspects = [find_aspect(field) for field in template.fields]
    ranked = {aspect.name: await paper.ranked(aspect, dependencies) for aspect in aspects}
    likely = [item.statement for found in ranked.values() for item in found[:SHOWN]]
    evidence = collect_evidence(likely, paper.paper)
    verifier = Verifier(evidence)
    written = dict(await read_values(aspects, evidence, verifier, dependencies)) if dependencies.writes else {}
    used: set[int] = set()
    cells = {field.name: Cell(field=field.name) for field in template.fields} | written
    for aspect in sorted(aspects, key=lambda aspect: aspect.turn):
        if dependencies.stop.asked:
            break
        if aspect.name not in written:
            cells[aspect.name] = await asyncio.to_thread(quote_cell, aspect, ranked[aspect.name], verifier, used)
    making = dependencies.making("model" if written else "extractive")
    return Extraction(paper_id=paper.paper.id, cells=tuple(cells[name] for name in template.names), making=making)


def parse_template(text: str) -> Template:
    """The template that ``text`` means: fields separated by semicolons or lines (by commas, where there are neither),
    each with a hint in brackets or behind a colon. Empty is the standard one. Raises ``SettingsInvalid``.
    """
    separator = r"[;\n]" if re.search(r"[;\n]", text) else r","
    pieces = (" ".join(piece.split()) for piece in re.split(separator, text))
    fields = tuple(_field(piece) for piece in pieces if piece)
    if not fields:
        return STANDARD
    if len(fields) > MOST:
        raise SettingsInvalid(f"A table has at most {MOST} fields, not {len(fields)}.")
    _refuse_repeated(fields)
    return Template(fields=fields)


def format_template(template: Template) -> str:
    """The text that gives ``template`` again."""
    return "; ".join(f"{field.name} ({field.hint})" if field.hint else field.name for field in template.fields)


def _field(piece: str) -> TemplateField:
    match = _FIELD.match(piece)
    name = match["name"].strip() if match else ""
    named = any(map(str.isalnum, name)) and len(name) <= LONGEST_NAME
    if match is None or not named:
        raise SettingsInvalid(
            f"“{piece[:LONGEST_NAME]}” is no field; please write NAME or NAME (hint), separated by semicolons."
        )
    hint = match["brackets"] or match["colon"] or ""
    return TemplateField(name=name, hint=hint.strip())


def _refuse_repeated(fields: Sequence[TemplateField]) -> None:
    seen: set[str] = set()
    for field in fields:
        if field.name.casefold() in seen:
            raise SettingsInvalid(f"“{field.name}” is there twice; each field needs a name of its own.")
        seen.add(field.name.casefold())
