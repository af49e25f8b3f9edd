"""Writes what a paper says on one matter in one sentence, for digests: as a configured model puts it where the paper
supports that, else in the paper's own words. Either way it is footnoted.
"""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from core.agent.generative import context_window
from core.agent.generative.prompt_injection import instructions_in, repeats_instruction
from core.agent.reasoner import Ledger
from core.aspects.statements import Statement, collect_evidence
from core.assistant.studies import prompts
from core.assistant.studies.quotations import Quotations, cites_any_of
from core.assistant.studies.section_writer import stream_sentences
from core.assistant.studies.takeaways import TakeawayKind
from core.config import LlmConfig
from core.domain.language_models import LanguageModel
from core.domain.model import AnswerMode, Paper, Sentence
from core.grounding.citations import citations_of
from core.grounding.verify import DraftSentence, Verifier, is_refusal
from core.llm.null_models import NullLanguageModel

TRIED = 3
"""Sentences of a reply that are tried; one is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeawayWriter:
    """A model, or the null model; ``ledger`` has what it took and what went wrong."""

    model: LanguageModel = field(default_factory=NullLanguageModel)
    llm: LlmConfig = field(default_factory=LlmConfig)
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def writes(self) -> bool:
        """Whether there is a model that can still be asked."""
        return bool(self.model.identity) and not self.ledger.down


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeaway:
    """A footnoted sentence, and whether a model wrote it."""

    sentence: Sentence
    mode: AnswerMode


async def write_takeaway(
    matter: TakeawayKind, statements: Sequence[Statement], paper: Paper, quotes: Quotations, writer: TakeawayWriter
) -> Takeaway | None:
    """What a paper's ``statements``, the best first, say on a matter; None where they say nothing.

    A model is shown all of them with their passages; without one the first is quoted.
    """
    if not statements:
        return None
    written = await _written(matter, statements, paper, quotes, writer) if writer.writes else None
    if written is not None:
        return Takeaway(sentence=written, mode="model")
    quoted = quotes.say(statements[0])
    return Takeaway(sentence=quoted, mode="extractive") if quoted is not None else None


async def _written(
    matter: TakeawayKind, statements: Sequence[Statement], paper: Paper, quotes: Quotations, writer: TakeawayWriter
) -> Sentence | None:
    """The first of the model's sentences that one of the statements supports: what is true of something else is not
    what was asked for.
    """
    room = context_window.room(writer.llm.context_tokens, writer.llm.max_tokens)
    shown = context_window.fitting(collect_evidence(statements, paper), room)
    if not shown:
        return None
    injected, verifier, tried = instructions_in(shown), Verifier(shown), 0
    prompt = prompts.section(matter.name, matter.about, context_window.fenced(shown), 1)
    async with aclosing(stream_sentences(prompt, prompts.WRITE, writer)) as replies:
        async for text in replies:
            tried += 1
            if not is_refusal(text) and not repeats_instruction(text, injected):
                sentence = await asyncio.to_thread(_supported, text, statements, verifier)
                if sentence is not None:
                    return quotes.take(sentence, verifier.citations)
            if tried >= TRIED:
                break
    return None


def _supported(text: str, statements: Sequence[Statement], verifier: Verifier) -> Sentence | None:
    """``text`` with its markers, where what supports it quotes one of the statements."""
    sentence = verifier.sentence(DraftSentence(text=text))
    if not isinstance(sentence, Sentence):
        return None
    return sentence if cites_any_of(statements, citations_of(sentence, verifier.citations)) else None
