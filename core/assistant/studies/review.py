"""The use case "review": of one paper what it argues and on what evidence, of several what they say on a matter, by
theme, with agreements and contradictions quoted side by side.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.agent.generative.prompt_injection import orders, repeats
from core.assistant.aspects import definitions
from core.assistant.aspects.definitions import Aspect
from core.assistant.aspects.standalone_sentences import standing
from core.assistant.aspects.statement_ranking import alike, believed, chosen
from core.assistant.aspects.statements import Statement, evidence_of
from core.assistant.studies.quoted_sentences import sayable
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
from core.assistant.studies.themes import Match, Theme, pairs, themes
from core.domain.errors import FootnoteError
from core.domain.model import Evidence, Paper
from core.domain.studies import Pair, Review, Section
from core.grounding.verify import Verifier

PARTS: tuple[tuple[Aspect, int], ...] = (
    (definitions.BACKGROUND, 3),
    (definitions.ARGUMENTS, 3),
    (definitions.EVIDENCE, 4),
    (definitions.LIMITATIONS, 3),
    (replace(definitions.FUTURE, name="Future directions"), 3),
)
NOT_STATED = {
    "Future directions": "The paper states no future directions.",
    "Limitations": "The paper states no limitations of its own.",
}
WITHIN = 2.0
MOST_PAPERS = 12
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


async def review(paper_id: str, dependencies: StudyDependencies) -> Review:
    """One paper: background, arguments, evidence, limitations, future directions. Raises ``NotInScope``."""
    paper = (await held([paper_id], dependencies))[0]
    laid = await laid_out(paper, dependencies)
    return await kept_or_made(
        Review,
        key_of("review", [laid.version], dependencies),
        [paper_id],
        lambda: _of_one(laid, dependencies),
        dependencies,
    )


async def review_papers(paper_ids: Sequence[str], dependencies: StudyDependencies) -> Review:
    """Several papers by theme. Raises ``NothingToReview`` or ``NotInScope``."""
    wanted = tuple(dict.fromkeys(paper_ids))
    if not 2 <= len(wanted) <= MOST_PAPERS:
        raise NothingToReview(f"2 to {MOST_PAPERS} papers can be reviewed together, not {len(wanted)}.")
    papers = await held(wanted, dependencies)
    laid = [await laid_out(paper, dependencies) for paper in papers]
    key = key_of("review of papers", [one.version for one in laid], dependencies)
    return await kept_or_made(Review, key, wanted, lambda: _of_several(laid, dependencies), dependencies)


async def review_topic(topic: str, dependencies: StudyDependencies) -> Review:
    """What the papers in scope say on a topic, by theme. Raises ``NothingToReview``.

    Not kept: what it depends on is the whole library, which changes with every paper.
    """
    await dependencies.progress.step("searching", 0, 0)
    found = await dependencies.retriever.search(topic, dependencies.scope, k=FOUND, per_paper=A_PAPER)
    gathered = await _on_topic(topic, found, dependencies)
    if not gathered:
        raise NothingToReview(f"No paper here says anything on “{topic}” that could be reviewed.")
    return await _by_theme(topic, gathered, dependencies)


async def _of_one(laid: OpenPaper, dependencies: StudyDependencies) -> Review:
    opened = await embedded(laid, dependencies)
    used: set[int] = set()
    told: dict[str, tuple[Statement, ...]] = {}
    for aspect, most in sorted(PARTS, key=lambda part: part[0].turn):
        found = believed(aspect, await opened.ranked(aspect, dependencies))
        told[aspect.name] = chosen(found, most=most, within=WITHIN, beside=used)
        used |= {one.place for one in told[aspect.name]}
    picked = [(aspect, most, told[aspect.name]) for aspect, most in PARTS]
    verifier = Verifier(evidence_of([one for statements in told.values() for one in statements], opened.paper))
    composer = Composer(verifier=verifier, dependencies=dependencies)
    sections = []
    for number, (aspect, most, statements) in enumerate(picked):
        await dependencies.progress.step("writing", number, len(picked))
        sentences = await composer.section(aspect, statements, {opened.paper.id: opened.paper}, most=most)
        missing = NOT_STATED.get(aspect.name, f"The paper states no {aspect.name.lower()} that could be found.")
        sections.append(Section(name=aspect.name, sentences=sentences, missing="" if sentences else missing))
    return Review(
        subject=opened.paper.title,
        papers=(opened.paper.id,),
        sections=tuple(sections),
        citations=composer.citations,
        making=dependencies.making(composer.mode),
    )


async def _of_several(laid: Sequence[OpenPaper], dependencies: StudyDependencies) -> Review:
    gathered: list[_Said] = []
    for number, one in enumerate(laid):
        await dependencies.progress.step("reading", number, len(laid))
        opened = await embedded(one, dependencies)
        found = [
            *believed(definitions.RESULTS, await opened.ranked(definitions.RESULTS, dependencies)),
            *believed(definitions.ARGUMENTS, await opened.ranked(definitions.ARGUMENTS, dependencies)),
        ]
        best = chosen(sorted(found, key=lambda w: -w.score), most=A_PAPER, within=3.0)
        gathered += [_Said(statement=statement, paper=opened.paper) for statement in best]
    if not gathered:
        raise NothingToReview("None of these papers states results or arguments that could be found.")
    return await _by_theme("", gathered, dependencies)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    statement: Statement
    paper: Paper


async def _on_topic(topic: str, found: Sequence[Evidence], dependencies: StudyDependencies) -> list[_Said]:
    """The statements of the passages found that are on the topic, some of each paper."""
    said: list[_Said] = []
    for hit in found:
        passages = [hit.passage, *(near for near in hit.context if near.id == hit.passage.next_id)]
        own = standing([s for s in sayable(hit.paper, passages) if s.passage.id == hit.passage.id])
        given = orders([hit])
        said += [_Said(statement=one, paper=hit.paper) for one in own if not repeats(one.text, given)]
    if not said:
        return []
    asked = await dependencies.embedder.query(topic)
    near = await dependencies.embedder.passages([one.statement.text for one in said]) @ asked
    ranked = sorted(zip(near, said, strict=True), key=lambda pair: -float(pair[0]))
    least = max(NEAR_TOPIC, BESIDE_BEST * float(ranked[0][0]))
    kept: list[_Said] = []
    for value, one in ranked:
        same = [other for other in kept if other.paper.id == one.paper.id]
        if float(value) < least or len(same) >= A_PAPER:
            continue
        if not any(alike(one.statement, other.statement) for other in same):
            kept.append(one)
    return kept


async def _by_theme(subject: str, gathered: Sequence[_Said], dependencies: StudyDependencies) -> Review:
    statements = [one.statement for one in gathered]
    papers = {one.paper.id: one.paper for one in gathered}
    vectors = await dependencies.embedder.passages([one.text for one in statements])
    found = await asyncio.to_thread(themes, statements, vectors, most=MOST_THEMES)
    matched = [await asyncio.to_thread(pairs, theme.places, statements, vectors, most=PAIRS) for theme in found]
    evidence = [
        one
        for id_, paper in papers.items()
        for one in evidence_of([s for s in statements if s.passage.paper_id == id_], paper)
    ]
    composer = Composer(verifier=Verifier(evidence), dependencies=dependencies)
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
    papers: dict[str, Paper],
    composer: Composer,
) -> Section:
    """The pairs side by side, then what else the papers say, each paper in its turn."""
    told = []
    paired: set[int] = set()
    for match in matches:
        both = [await composer.quote(statements[place]) for place in (match.first, match.second)]
        first, second = both
        if first is not None and second is not None:
            told.append(Pair(kind=match.kind, first=first, second=second))
            paired |= {match.first, match.second}
    left = [statements[place] for place in _in_turns(theme.places, statements) if place not in paired]
    aspect = Aspect(name=theme.label, query=theme.about, cues=(), zones={})
    sentences = await composer.section(aspect, left[:A_THEME], papers, most=SENTENCES)
    return Section(name=theme.label, sentences=sentences, pairs=tuple(told))


def _in_turns(places: Sequence[int], statements: Sequence[Statement]) -> list[int]:
    by_paper: dict[str, list[int]] = {}
    for place in places:
        by_paper.setdefault(statements[place].passage.paper_id, []).append(place)
    deepest = max(map(len, by_paper.values()), default=0)
    return [group[depth] for depth in range(deepest) for group in by_paper.values() if depth < len(group)]
