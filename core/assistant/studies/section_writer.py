"""Composes the sections of summaries and reviews: written by the model where there is one, quoted otherwise.

Either way each sentence passes the verifier before anybody sees it, and is told to the progress sink at once.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol

from core.agent import messages
from core.agent.generative import context_window
from core.agent.generative.prompt_injection import orders, repeats
from core.agent.generative.sentence_stream import Sentences
from core.agent.reasoner import Ledger
from core.assistant.aspects.definitions import Aspect
from core.assistant.aspects.statements import Statement, evidence_of
from core.assistant.studies import prompts
from core.assistant.studies.study_context import StudyDependencies
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.language_models import LanguageModel
from core.domain.model import AnswerMode, Citation, Evidence, Paper, Sentence
from core.grounding.verify import DraftSentence, Verifier, is_refusal


@dataclass(slots=True)
class Composer:
    """Says sentences of one study: one verifier, so that footnotes are numbered through all its sections."""

    verifier: Verifier
    dependencies: StudyDependencies
    said: list[Sentence] = field(default_factory=list)
    modes: set[AnswerMode] = field(default_factory=set)
    _told: int = 0

    @property
    def mode(self) -> AnswerMode:
        """Whether any sentence was written by the model."""
        return "model" if "model" in self.modes else "extractive"

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation so far."""
        return self.verifier.citations

    async def say(self, draft: DraftSentence) -> Sentence | None:
        """The draft as a sentence with its markers, or None where it may not be said or was said before."""
        sentence = await asyncio.to_thread(self.verifier.sentence, draft)
        if not isinstance(sentence, Sentence) or any(one.text in sentence.text for one in self.said):
            return None
        self.said.append(sentence)
        citations = self.verifier.citations
        await self.dependencies.progress.sentence(sentence, citations[self._told :])
        self._told = len(citations)
        return sentence

    async def quote(self, statement: Statement) -> Sentence | None:
        """A statement in its own words, or None where it may not be said or was said before."""
        self.modes.add("extractive")
        return await self.say(statement.draft()) or await self.say(statement.said_as(statement.text))

    async def quoted(self, statements: Sequence[Statement]) -> tuple[Sentence, ...]:
        """The statements in their own words."""
        found = [await self.quote(one) for one in statements]
        return tuple(one for one in found if one is not None)

    async def section(
        self, aspect: Aspect, statements: Sequence[Statement], paper_of: dict[str, Paper], *, most: int
    ) -> tuple[Sentence, ...]:
        """At most ``most`` sentences on an aspect from statements that tell it; none where there are no statements."""
        if not statements or self.dependencies.stop.asked:
            return ()
        if self.dependencies.writes:
            evidence = [
                one
                for id_ in dict.fromkeys(one.passage.paper_id for one in statements)
                for one in evidence_of([s for s in statements if s.passage.paper_id == id_], paper_of[id_])
            ]
            written = await self._written(aspect, evidence, most)
            if written:
                return written
        return await self.quoted(statements)

    async def _written(self, aspect: Aspect, evidence: Sequence[Evidence], most: int) -> tuple[Sentence, ...]:
        llm = self.dependencies.llm
        shown = context_window.fitting(evidence, context_window.room(llm.context_tokens, llm.max_tokens))
        if not shown:
            return ()
        given = orders(shown)
        prompt = prompts.section(aspect.name, aspect.query, context_window.fenced(shown), most)
        found: list[Sentence] = []
        async with aclosing(sentences_of(prompt, prompts.WRITE, self.dependencies)) as coming:
            async for text in coming:
                if is_refusal(text) or repeats(text, given):
                    continue
                sentence = await self.say(DraftSentence(text=text))
                if sentence is not None:
                    found.append(sentence)
                if len(found) >= most or self.dependencies.stop.asked:
                    break
        if found:
            self.modes.add("model")
        return tuple(found)


class Writes(Protocol):
    """Whatever has a model at hand: a dependencies for studies, a pen."""

    @property
    def model(self) -> LanguageModel:
        """The model that is asked."""

    @property
    def ledger(self) -> Ledger:
        """What is written down of it."""


async def sentences_of(prompt: str, system: str, dependencies: Writes) -> AsyncGenerator[str, None]:
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
        model_failed(failure, dependencies)
    else:
        for sentence in reply.rest():
            yield sentence


def model_failed(failure: ModelUnavailable, dependencies: Writes) -> None:
    """A reply that cannot be used costs its part; a model that is away is not waited for again in this study."""
    if not isinstance(failure, ModelReplyUnusable):
        dependencies.ledger.down = True
        dependencies.ledger.note(messages.model_away(failure.words))


MOST_TRIED = 24
"""Sentences of one reply that are looked at; a model that writes on and on is stopped."""
