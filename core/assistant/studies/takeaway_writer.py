"""Tells one matter of a paper in one sentence, for digests: as a configured model writes it where the paper
bears that out, else in the paper's own words. Either way it is footnoted.
"""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from core.agent.generative import context_window
from core.agent.generative.prompt_injection import orders, repeats
from core.agent.reasoner import Ledger
from core.assistant.aspects.statements import Statement, evidence_of
from core.assistant.studies import prompts
from core.assistant.studies.quoted_sentences import Quotes, borne_out_by
from core.assistant.studies.section_writer import sentences_of
from core.config import LlmConfig
from core.domain.language_models import LanguageModel
from core.domain.model import AnswerMode, Citation, Paper, Sentence
from core.grounding.verify import DraftSentence, Verifier, is_refusal
from core.llm.null_models import NullLanguageModel

TRIED = 3
"""Sentences of a reply that are tried; one is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeawayWriter:
    """What writes: a model, or none; ``ledger`` has what it took and what went wrong."""

    model: LanguageModel = field(default_factory=NullLanguageModel)
    llm: LlmConfig = field(default_factory=LlmConfig)
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def writes(self) -> bool:
        """Whether there is a model that can still be asked."""
        return bool(self.model.identity) and not self.ledger.down


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A footnoted sentence, and whether a model wrote it."""

    sentence: Sentence
    mode: AnswerMode


async def told(
    name: str, about: str, statements: Sequence[Statement], paper: Paper, quotes: Quotes, pen: TakeawayWriter
) -> Told | None:
    """What a paper's ``statements``, the most telling first, say on a matter; None where they say nothing.

    A model is shown all of them with their passages; without one the first is quoted.
    """
    if pen.writes and statements:
        written = await _written(name, about, statements, paper, quotes, pen)
        if written is not None:
            return Told(sentence=written, mode="model")
    said = quotes.say(statements[0]) if statements else None
    return Told(sentence=said, mode="extractive") if said is not None else None


async def _written(
    name: str, about: str, statements: Sequence[Statement], paper: Paper, quotes: Quotes, pen: TakeawayWriter
) -> Sentence | None:
    """The first of the model's sentences that one of the statements bears out: what is true of something else is not
    what was asked for.
    """
    shown = context_window.fitting(
        evidence_of(statements, paper), context_window.room(pen.llm.context_tokens, pen.llm.max_tokens)
    )
    if not shown:
        return None
    given = orders(shown)
    verifier = Verifier(shown)
    tried = 0
    prompt = prompts.section(name, about, context_window.fenced(shown), 1)
    async with aclosing(sentences_of(prompt, prompts.WRITE, pen)) as coming:
        async for text in coming:
            tried += 1
            if not is_refusal(text) and not repeats(text, given):
                found = await asyncio.to_thread(verifier.sentence, DraftSentence(text=text))
                if isinstance(found, Sentence) and borne_out_by(statements, _cited(found, verifier)):
                    return quotes.take(found, verifier.citations)
            if tried >= TRIED:
                break
    return None


def _cited(sentence: Sentence, verifier: Verifier) -> Sequence[Citation]:
    return [one for one in verifier.citations if one.marker in sentence.markers]
