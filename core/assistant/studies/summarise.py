"""The use case "summarise this paper": seven sections, each from what the paper itself says of it, or saying that it
does not.
"""

from dataclasses import replace

from core.aspects import definitions
from core.aspects.definitions import Aspect
from core.assistant.studies.section_writer import Part, compose_parts
from core.assistant.studies.study_context import (
    StudiedPaper,
    StudyDependencies,
    embed_statements,
    find_papers,
    load_or_make,
    load_statements,
    study_key,
)
from core.domain.studies import Summary

WITHIN = 1.6
"""How far behind the best statement of a section another may be."""


def _part(name: str, aspect: Aspect, most: int) -> Part:
    missing = f"Not found in this paper: {name.lower()}."
    return Part(name=name, aspect=aspect, most=most, missing=missing)


PARTS = (
    _part("Problem", definitions.PROBLEM, 2),
    _part("Contribution", definitions.CONTRIBUTION, 2),
    _part("Data", definitions.DATASET, 2),
    _part("Method", definitions.METHOD, 3),
    _part("Results", definitions.RESULTS, 3),
    _part("Limitations", definitions.LIMITATIONS, 2),
    _part("Future work", definitions.FUTURE, 2),
)


async def summarise(paper_id: str, dependencies: StudyDependencies) -> Summary:
    """A paper in sections; stored, and the stored one returned next time. Raises ``NotInScope``."""
    (paper,) = await find_papers([paper_id], dependencies)
    opened = await load_statements(paper, dependencies)
    key = study_key("summary", [opened.version], dependencies)
    return await load_or_make(Summary, key, [paper_id], lambda: _made(opened, dependencies), dependencies)


async def _made(opened: StudiedPaper, dependencies: StudyDependencies) -> Summary:
    opened = await embed_statements(opened, dependencies)
    sections, composer = await compose_parts(opened, PARTS, within=WITHIN, dependencies=dependencies)
    return Summary(
        paper_id=opened.paper.id,
        sections=sections,
        citations=composer.citations,
        making=dependencies.making(composer.mode),
    )


_SAYING_MOST = ("Contribution", "Results", "Method", "Data", "Problem", "Limitations", "Future work")


def shorten(summary: Summary, most: int) -> Summary:
    """The same in ``most`` sentences: the first of each section, the sections that say most of a paper first."""
    by_name = {section.name: section for section in summary.sections}
    ordered = [by_name[name] for name in _SAYING_MOST if name in by_name and by_name[name].sentences]
    deepest = max((len(section.sentences) for section in ordered), default=0)
    in_turns = [
        (section.name, section.sentences[depth])
        for depth in range(deepest)
        for section in ordered
        if depth < len(section.sentences)
    ]
    chosen = in_turns[:most]
    kept = [
        replace(section, sentences=tuple(item for name, item in chosen if name == section.name))
        for section in summary.sections
    ]
    markers = {marker for _, sentence in chosen for marker in sentence.markers}
    return replace(
        summary,
        sections=tuple(section for section in kept if section.sentences),
        citations=tuple(citation for citation in summary.citations if citation.marker in markers),
    )
