"""Composes the sections of summaries and reviews: written by the model where there is one, quoted otherwise.

Either way each sentence passes the verifier before anybody sees it, and goes to the progress sink at once.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.assistant.aspects.definitions import Aspect
from core.assistant.aspects.statement_ranking import above_least_score, select_statements
from core.assistant.aspects.statements import Statement, collect_evidence, collect_evidence_by_paper
from core.assistant.studies.study_claims import write_claims
from core.assistant.studies.study_context import StudiedPaper, StudyDependencies
from core.domain.model import AnswerMode, Citation, Evidence, Paper, Sentence
from core.domain.studies import Section
from core.grounding.verify import DraftSentence, Verifier
from core.llm import prompts


@dataclass(slots=True)
class SectionWriter:
    """Adds verified sentences to one study: one verifier, so that footnotes are numbered through all its sections."""

    verifier: Verifier
    dependencies: StudyDependencies
    sentences: list[Sentence] = field(default_factory=list)
    modes: set[AnswerMode] = field(default_factory=set)
    _reported_citations: int = 0

    @property
    def mode(self) -> AnswerMode:
        """Whether any sentence was written by the model."""
        return "model" if "model" in self.modes else "extractive"

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation so far."""
        return self.verifier.citations

    async def add(self, draft: DraftSentence) -> Sentence | None:
        """The draft as a sentence with its markers, or None where it is not supported or was added before."""
        sentence = await asyncio.to_thread(self.verifier.sentence, draft)
        if not isinstance(sentence, Sentence) or self._has(sentence):
            return None
        await self._deliver(sentence)
        return sentence

    async def _deliver(self, sentence: Sentence) -> None:
        """Keep a verified sentence, unless an earlier one says as much, and report it with its new citations."""
        if self._has(sentence):
            return
        self.sentences.append(sentence)
        citations = self.verifier.citations
        await self.dependencies.progress.sentence(sentence, citations[self._reported_citations :])
        self._reported_citations = len(citations)

    def _has(self, sentence: Sentence) -> bool:
        """Whether an earlier sentence says as much."""
        return any(earlier.text in sentence.text for earlier in self.sentences)

    async def quote(self, statement: Statement) -> Sentence | None:
        """A statement in its own words, or None where it is not supported or was added before."""
        self.modes.add("extractive")
        return await self.add(statement.draft()) or await self.add(statement.said_as(statement.text))

    async def section(
        self, aspect: Aspect, statements: Sequence[Statement], papers: Mapping[str, Paper], *, most: int
    ) -> tuple[Sentence, ...]:
        """At most ``most`` sentences on an aspect from statements on it; ``papers`` are theirs by id."""
        if not statements or self.dependencies.stop.asked:
            return ()
        written: tuple[Sentence, ...] = ()
        if self.dependencies.writes:
            written = await self._written(aspect, collect_evidence_by_paper(statements, papers), most)
        return written or await self._quoted(statements)

    async def _quoted(self, statements: Sequence[Statement]) -> tuple[Sentence, ...]:
        sentences = [await self.quote(statement) for statement in statements]
        return tuple(filter(None, sentences))

    async def _written(self, aspect: Aspect, evidence: Sequence[Evidence], most: int) -> tuple[Sentence, ...]:
        before = len(self.sentences)
        task = prompts.section(aspect.name, aspect.query)
        if await write_claims(task, most, evidence, self.verifier, self._deliver, self.dependencies):
            self.modes.add("model")
        return tuple(self.sentences[before:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A section of a study of one paper: what it is about, how many sentences at most, and what is written instead
    where the paper has nothing on it.
    """

    name: str
    aspect: Aspect
    most: int
    missing: str


async def compose_parts(
    paper: StudiedPaper, parts: Sequence[Part], *, within: float, dependencies: StudyDependencies
) -> tuple[tuple[Section, ...], SectionWriter]:
    """The sections in the order of ``parts``, each from statements that no other takes; ``within`` is how far behind
    the best statement of a section another may be.
    """
    picked = await _pick(paper, parts, within, dependencies)
    statements = [statement for statements in picked.values() for statement in statements]
    composer = SectionWriter(verifier=Verifier(collect_evidence(statements, paper.paper)), dependencies=dependencies)
    papers = {paper.paper.id: paper.paper}
    sections = []
    for number, part in enumerate(parts):
        await dependencies.progress.step("writing", number, len(parts))
        sentences = await composer.section(part.aspect, picked[part.name], papers, most=part.most)
        sections.append(Section(name=part.name, sentences=sentences, missing="" if sentences else part.missing))
    return tuple(sections), composer


async def _pick(
    paper: StudiedPaper, parts: Sequence[Part], within: float, dependencies: StudyDependencies
) -> dict[str, tuple[Statement, ...]]:
    """The statements of each part by its name; what only few sentences tell picks first."""
    picked: dict[str, tuple[Statement, ...]] = {}
    used: set[int] = set()
    for part in sorted(parts, key=lambda part: part.aspect.turn):
        found = above_least_score(part.aspect, await paper.ranked(part.aspect, dependencies))
        picked[part.name] = select_statements(found, most=part.most, within=within, beside=used)
        used |= {statement.place for statement in picked[part.name]}
    return picked
