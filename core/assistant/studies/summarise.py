"""The use case "summarise this paper": seven sections, each from what the paper itself says of it, or saying that it
does not.
"""

from core.assistant.aspects import definitions
from core.assistant.aspects.definitions import Aspect
from core.assistant.aspects.statement_ranking import believed, chosen
from core.assistant.aspects.statements import Statement, evidence_of
from core.assistant.studies.section_writer import Composer
from core.assistant.studies.study_context import (
    OpenPaper,
    StudyDependencies,
    embedded,
    held,
    kept_or_made,
    key_of,
    laid_out,
)
from core.domain.studies import Section, Summary
from core.grounding.verify import Verifier

SECTIONS: tuple[tuple[Aspect, int], ...] = (
    (definitions.PROBLEM, 2),
    (definitions.CONTRIBUTION, 2),
    (definitions.DATASET, 2),
    (definitions.METHOD, 3),
    (definitions.RESULTS, 3),
    (definitions.LIMITATIONS, 2),
    (definitions.FUTURE, 2),
)
"""What is told, and in how many sentences at most."""
_TITLES = {"Dataset": "Data", "Method or architecture": "Method", "Main results": "Results"}
WITHIN = 1.6
"""How far behind the best statement of a section another may be."""


async def summarise(paper_id: str, dependencies: StudyDependencies) -> Summary:
    """A paper in sections; stored, and the stored one returned next time. Raises ``NotInScope``."""
    paper = (await held([paper_id], dependencies))[0]
    laid = await laid_out(paper, dependencies)
    return await kept_or_made(
        Summary,
        key_of("summary", [laid.version], dependencies),
        [paper_id],
        lambda: _made(laid, dependencies),
        dependencies,
    )


async def _made(laid: OpenPaper, dependencies: StudyDependencies) -> Summary:
    opened = await embedded(laid, dependencies)
    told: dict[str, tuple[Statement, ...]] = {}
    used: set[int] = set()
    for aspect, most in sorted(SECTIONS, key=lambda part: part[0].turn):
        found = believed(aspect, await opened.ranked(aspect, dependencies))
        told[aspect.name] = chosen(found, most=most, within=WITHIN, beside=used)
        used |= {one.place for one in told[aspect.name]}
    picked = [(aspect, most, told[aspect.name]) for aspect, most in SECTIONS]
    evidence = evidence_of([one for statements in told.values() for one in statements], opened.paper)
    composer = Composer(verifier=Verifier(evidence), dependencies=dependencies)
    sections = []
    for number, (aspect, most, statements) in enumerate(picked):
        await dependencies.progress.step("writing", number, len(picked))
        sentences = await composer.section(aspect, statements, {opened.paper.id: opened.paper}, most=most)
        name = _TITLES.get(aspect.name, aspect.name)
        sections.append(Section(name=name, sentences=sentences, missing="" if sentences else not_stated(name)))
    return Summary(
        paper_id=opened.paper.id,
        sections=tuple(sections),
        citations=composer.citations,
        making=dependencies.making(composer.mode),
    )


def not_stated(name: str) -> str:
    """What is said in place of a section that the paper does not support."""
    return f"The paper does not state this ({name.lower()}), as far as it could be read."
