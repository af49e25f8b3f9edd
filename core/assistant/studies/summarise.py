"""The use case "summarise this paper": seven sections, each from what the paper itself says of it, or saying that it
does not.
"""

from core.assistant.spotting import aspects
from core.assistant.spotting.aspects import Aspect
from core.assistant.spotting.sifting import believed, chosen
from core.assistant.spotting.statements import Statement, evidence_of
from core.assistant.studies.composing import Composer
from core.assistant.studies.studying import OpenPaper, StudyDesk, embedded, held, kept_or_made, key_of, laid_out
from core.domain.studies import Section, Summary
from core.grounding.verify import Verifier

SECTIONS: tuple[tuple[Aspect, int], ...] = (
    (aspects.PROBLEM, 2),
    (aspects.CONTRIBUTION, 2),
    (aspects.DATASET, 2),
    (aspects.METHOD, 3),
    (aspects.RESULTS, 3),
    (aspects.LIMITATIONS, 2),
    (aspects.FUTURE, 2),
)
"""What is told, and in how many sentences at most."""
_TITLES = {"Dataset": "Data", "Method or architecture": "Method", "Main results": "Results"}
WITHIN = 1.6
"""How far behind the best statement of a section another may be."""


async def summarise(paper_id: str, desk: StudyDesk) -> Summary:
    """A paper in sections; stored, and the stored one returned next time. Raises ``NotInScope``."""
    paper = (await held([paper_id], desk))[0]
    laid = await laid_out(paper, desk)
    return await kept_or_made(
        Summary, key_of("summary", [laid.version], desk), [paper_id], lambda: _made(laid, desk), desk
    )


async def _made(laid: OpenPaper, desk: StudyDesk) -> Summary:
    opened = await embedded(laid, desk)
    told: dict[str, tuple[Statement, ...]] = {}
    used: set[int] = set()
    for aspect, most in sorted(SECTIONS, key=lambda part: part[0].turn):
        found = believed(aspect, await opened.ranked(aspect, desk))
        told[aspect.name] = chosen(found, most=most, within=WITHIN, beside=used)
        used |= {one.place for one in told[aspect.name]}
    picked = [(aspect, most, told[aspect.name]) for aspect, most in SECTIONS]
    evidence = evidence_of([one for statements in told.values() for one in statements], opened.paper)
    composer = Composer(verifier=Verifier(evidence), desk=desk)
    sections = []
    for number, (aspect, most, statements) in enumerate(picked):
        await desk.progress.step("writing", number, len(picked))
        sentences = await composer.section(aspect, statements, {opened.paper.id: opened.paper}, most=most)
        name = _TITLES.get(aspect.name, aspect.name)
        sections.append(Section(name=name, sentences=sentences, missing="" if sentences else not_stated(name)))
    return Summary(
        paper_id=opened.paper.id,
        sections=tuple(sections),
        citations=composer.citations,
        making=desk.making(composer.mode),
    )


def not_stated(name: str) -> str:
    """What is said in place of a section that the paper does not support."""
    return f"The paper does not state this ({name.lower()}), as far as it could be read."
