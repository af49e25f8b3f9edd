"""The use case "review": of one paper what it argues and on what evidence, of several what they say on a matter, by
theme, with agreements and contradictions quoted side by side.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from core.agent.generative.prompt_injection import instructions_in, repeats_instruction
from core.aspects import definitions
from core.aspects.definitions import Aspect
from core.aspects.standalone_sentences import select_standalone
from core.aspects.statement_ranking import RankedStatement, above_least_score, are_alike, select_statements
from core.aspects.statements import Statement, collect_evidence_by_paper
from core.assistant.studies.quotations import quotable_statements
from core.assistant.studies.section_writer import Part, SectionWriter, compose_parts
from core.assistant.studies.study_context import (
    StudiedPaper,
    StudyDependencies,
    embed_statements,
    find_papers,
    load_or_make,
    load_statements,
    study_key,
)
from core.assistant.studies.themes import Match, Theme, cluster_themes, match_pairs
from core.domain.errors import FootnoteError
from core.domain.model import Evidence, Paper
from core.domain.studies import Pair, Review, Section
from core.grounding.verify import Verifier

_NOT_STATED = {
    "Future directions": "The paper states no future directions.",
    "Limitations": "The paper states no limitations of its own.",
}


def _part(aspect: Aspect, most: int) -> Part:
    missing = _NOT_STATED.get(aspect.name, f"The paper states no {aspect.name.lower()} that could be found.")
    return Part(name=aspect.name, aspect=aspect, most=most, missing=missing)


PARTS = (
    _part(definitions.BACKGROUND, 3),
    _part(definitions.ARGUMENTS, 3),
    _part(definitions.EVIDENCE, 4),
    _part(definitions.LIMITATIONS, 3),
    _part(replace(definitions.FUTURE, name="Future directions"), 3),
)
WITHIN = 2.0
"""How far behind the best statement of a section another may be."""
WITHIN_SEVERAL = 3.0
"""… and behind the best of a paper in a review of several."""
MOST_PAPERS = 20
A_PAPER = 7
"""Statements that one paper brings into a review of several."""
MOST_THEMES = 6
A_THEME = 5
SENTENCES = 3
"""What a model may write of a theme."""
PAIRS = 3
NEAR_TOPIC = 0.3
"""Cosine with the topic from which a statement is on it."""
BESIDE_BEST = 0.6
"""… and what share of the best one's cosine: where papers are right on the topic, what touches it stays out."""
FOUND = 60
"""Passages that a topic is looked for in."""


class NothingToReview(FootnoteError):
    """No paper here says anything on what was asked; nothing was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A statement with its paper."""

    statement: Statement
    paper: Paper


async def review(paper_id: str, dependencies: StudyDependencies) -> Review:
    """One paper: background, arguments, evidence, limitations, future directions. Raises ``NotInScope``."""
    (paper,) = await find_papers([paper_id], dependencies)
    opened = await load_statements(paper, dependencies)
    key = study_key("review", [opened.version], dependencies)
    return await load_or_make(Review, key, [paper_id], lambda: _of_one(opened, dependencies), dependencies)


async def review_papers(paper_ids: Sequence[str], dependencies: StudyDependencies) -> Review:
    """Several papers by theme. Raises ``NothingToReview`` or ``NotInScope``."""
    wanted = tuple(dict.fromkeys(paper_ids))
    if not 2 <= len(wanted) <= MOST_PAPERS:
        raise NothingToReview(f"2 to {MOST_PAPERS} papers can be reviewed together, not {len(wanted)}.")
    opened = [await load_statements(paper, dependencies) for paper in await find_papers(wanted, dependencies)]
    key = study_key("review of papers", [paper.version for paper in opened], dependencies)
    return await load_or_make(Review, key, wanted, lambda: _of_several(opened, dependencies), dependencies)


async def review_topic(topic: str, dependencies: StudyDependencies) -> Review:
    """What the papers in scope say on a topic, by theme. Raises ``NothingToReview``.

    Not stored: what it depends on is the whole library, which changes with every paper.
    """
    await dependencies.progress.step("searching", 0, 0)
    hits = await dependencies.retriever.search(topic, dependencies.scope, k=FOUND, per_paper=A_PAPER)
    gathered = await _on_topic(topic, hits, dependencies)
    if not gathered:
        raise NothingToReview(f"No paper here says anything on “{topic}” that could be reviewed.")
    return await _by_theme(topic, gathered, dependencies)


async def _of_one(opened: StudiedPaper, dependencies: StudyDependencies) -> Review:
    opened = await embed_statements(opened, dependencies)
    sections, composer = await compose_parts(opened, PARTS, within=WITHIN, dependencies=dependencies)
    return Review(
        subject=opened.paper.title,
        papers=(opened.paper.id,),
        sections=sections,
        citations=composer.citations,
        making=dependencies.making(composer.mode),
    )


async def _of_several(papers: Sequence[StudiedPaper], dependencies: StudyDependencies) -> Review:
    gathered: list[_Said] = []
    for number, paper in enumerate(papers):
        await dependencies.progress.step("reading", number, len(papers))
        gathered += await _of_each(await embed_statements(paper, dependencies), dependencies)
    if not gathered:
        raise NothingToReview("None of these papers states results or arguments that could be found.")
    return await _by_theme("", gathered, dependencies)


async def _of_each(opened: StudiedPaper, dependencies: StudyDependencies) -> list[_Said]:
    """The results and arguments that one paper brings into a review of several."""
    found: list[RankedStatement] = []
    for aspect in (definitions.RESULTS, definitions.ARGUMENTS):
        found += above_least_score(aspect, await opened.ranked(aspect, dependencies))
    best = select_statements(sorted(found, key=lambda item: -item.score), most=A_PAPER, within=WITHIN_SEVERAL)
    return [_Said(statement=statement, paper=opened.paper) for statement in best]


async def _on_topic(topic: str, hits: Sequence[Evidence], dependencies: StudyDependencies) -> list[_Said]:
    """The statements of the passages found that are on the topic, some of each paper."""
    said = [_Said(statement=statement, paper=hit.paper) for hit in hits for statement in _quotable(hit)]
    if not said:
        return []
    query = await dependencies.embedder.query(topic)
    vectors = await dependencies.embedder.passages([item.statement.text for item in said])
    cosines = [float(cosine) for cosine in vectors @ query]
    least = max(NEAR_TOPIC, BESIDE_BEST * max(cosines))
    ranked = sorted(zip(cosines, said, strict=True), key=lambda pair: -pair[0])
    return _spread([item for cosine, item in ranked if cosine >= least])


def _quotable(hit: Evidence) -> list[Statement]:
    """The statements of a passage that can be quoted by themselves and repeat no order to a program."""
    continued = [passage for passage in hit.context if passage.id == hit.passage.next_id]
    statements = quotable_statements(hit.paper, [hit.passage, *continued])
    own = select_standalone([statement for statement in statements if statement.passage.id == hit.passage.id])
    injected = instructions_in([hit])
    return [statement for statement in own if not repeats_instruction(statement.text, injected)]


def _spread(ranked: Sequence[_Said]) -> list[_Said]:
    """The first of each paper, and no two of one paper that say the same."""
    kept: dict[str, list[_Said]] = {}
    result = []
    for item in ranked:
        same_paper = kept.setdefault(item.paper.id, [])
        repeated = any(are_alike(item.statement, other.statement) for other in same_paper)
        if len(same_paper) < A_PAPER and not repeated:
            same_paper.append(item)
            result.append(item)
    return result


async def _by_theme(subject: str, gathered: Sequence[_Said], dependencies: StudyDependencies) -> Review:
    statements = [item.statement for item in gathered]
    papers = {item.paper.id: item.paper for item in gathered}
    vectors = await dependencies.embedder.passages([statement.text for statement in statements])
    found = await asyncio.to_thread(cluster_themes, statements, vectors, most=MOST_THEMES)
    matched = [await asyncio.to_thread(match_pairs, theme.places, statements, vectors, most=PAIRS) for theme in found]
    verifier = Verifier(collect_evidence_by_paper(statements, papers))
    composer = SectionWriter(verifier=verifier, dependencies=dependencies)
    sections = []
    for number, (theme, matches) in enumerate(zip(found, matched, strict=True)):
        await dependencies.progress.step("writing", number, len(found))
        section = await _section(theme, matches, statements, papers, composer)
        if section.sentences or section.pairs:
            sections.append(section)
    return Review(
        subject=subject or ", ".join(paper.title for paper in papers.values()),
        papers=tuple(papers),
        sections=tuple(sections),
        citations=composer.citations,
        making=dependencies.making(composer.mode),
    )


async def _section(
    theme: Theme,
    matches: Sequence[Match],
    statements: Sequence[Statement],
    papers: Mapping[str, Paper],
    composer: SectionWriter,
) -> Section:
    """The pairs side by side, then what else the papers say, each paper in its turn."""
    quoted_pairs = []
    paired: set[int] = set()
    for match in matches:
        first = await composer.quote(statements[match.first])
        second = await composer.quote(statements[match.second])
        if first is not None and second is not None:
            quoted_pairs.append(Pair(kind=match.kind, first=first, second=second))
            paired |= {match.first, match.second}
    left = [statements[index] for index in _in_turns(theme.places, statements) if index not in paired]
    aspect = Aspect(name=theme.label, query=theme.about, cues=(), zones={})
    sentences = await composer.section(aspect, left[:A_THEME], papers, most=SENTENCES)
    return Section(name=theme.label, sentences=sentences, pairs=tuple(quoted_pairs))


def _in_turns(indexes: Sequence[int], statements: Sequence[Statement]) -> list[int]:
    """Indexes of statements, one of each paper after the other, then the second of each, and so on."""
    by_paper: dict[str, list[int]] = {}
    for index in indexes:
        by_paper.setdefault(statements[index].passage.paper_id, []).append(index)
    rounds = zip_longest(*by_paper.values())
    return [index for turn in rounds for index in turn if index is not None]
