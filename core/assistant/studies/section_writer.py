"""Composes the sections of summaries and reviews: written by the model where there is one, quoted otherwise.

Either way each sentence passes the verifier before anybody sees it, and goes to the progress sink at once.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol

from core.agent import messages
from core.agent.generative import context_window
from core.agent.generative.prompt_injection import instructions_in, repeats_instruction
from core.agent.generative.sentence_stream import Sentences
from core.agent.reasoner import Ledger
from core.aspects.definitions import Aspect
from core.aspects.statement_ranking import above_least_score, select_statements
from core.aspects.statements import Statement, collect_evidence, collect_evidence_by_paper
from core.assistant.studies import prompts
from core.assistant.studies.study_context import StudiedPaper, StudyDependencies
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.language_models import LanguageModel
from core.domain.model import AnswerMode, Citation, Evidence, Paper, Sentence
from core.domain.studies import Section
from core.grounding.verify import DraftSentence, Verifier, is_refusal

MOST_TRIED = 24
"""Sentences of one reply that are looked at; a model that writes on and on is stopped."""


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
        self.sentences.append(sentence)
        citations = self.verifier.citations
        await self.dependencies.progress.sentence(sentence, citations[self._reported_citations :])
        self._reported_citations = len(citations)
        return sentence

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
        llm = self.dependencies.llm
        shown = context_window.fitting(evidence, context_window.room(llm.context_tokens, llm.max_tokens))
        if not shown:
            return ()
        injected = instructions_in(shown)
        prompt = prompts.section(aspect.name, aspect.query, context_window.fenced(shown), most)
        accepted: list[Sentence] = []
        async with aclosing(stream_sentences(prompt, prompts.WRITE, self.dependencies)) as replies:
            async for text in replies:
                if is_refusal(text) or repeats_instruction(text, injected):
                    continue
                sentence = await self.add(DraftSentence(text=text))
                if sentence is not None:
                    accepted.append(sentence)
                if len(accepted) >= most or self.dependencies.stop.asked:
                    break
        if accepted:
            self.modes.add("model")
        return tuple(accepted)


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


class ModelAccess(Protocol):
    """Whatever has a model at hand: the dependencies of a study, a writer of takeaways."""

    @property
    def model(self) -> LanguageModel:
        """The model that is asked."""

    @property
    def ledger(self) -> Ledger:
        """What is written down of its use."""


async def stream_sentences(prompt: str, system: str, dependencies: ModelAccess) -> AsyncGenerator[str, None]:
    """The complete sentences of the model's reply as they come; none where the model is away, which is noted."""
    reply, count = Sentences(), 0
    try:
        async with aclosing(dependencies.model.stream(prompt, system=system, meter=dependencies.ledger)) as pieces:
            async for piece in pieces:
                for sentence in reply.more(piece):
                    count += 1
                    yield sentence
                if count > MOST_TRIED:
                    return
    except ModelUnavailable as failure:
        for sentence in reply.complete():
            yield sentence
        note_model_failure(failure, dependencies)
    else:
        for sentence in reply.rest():
            yield sentence


def note_model_failure(failure: ModelUnavailable, dependencies: ModelAccess) -> None:
    """A reply that cannot be used costs its part; a model that is away is not waited for again in this study."""
    if not isinstance(failure, ModelReplyUnusable):
        dependencies.ledger.down = True
        dependencies.ledger.note(messages.model_away(failure.words))
