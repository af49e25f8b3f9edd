"""Writes what a paper says on one matter in one sentence, for digests: as a configured model puts it where the paper
supports that, else in the paper's own words. Either way it is footnoted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.agent.reasoner import Ledger
from core.assistant.aspects.statements import Statement, collect_evidence
from core.assistant.studies.quotations import Quotations
from core.assistant.studies.study_claims import write_claims
from core.assistant.studies.takeaways import TakeawayKind
from core.config import LlmConfig
from core.domain.language_models import LanguageModel
from core.domain.model import AnswerMode, Paper, Sentence
from core.grounding.verify import Verifier
from core.llm import prompts
from core.llm.null_models import NullLanguageModel


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
    """The model's sentence, its footnotes numbered among ``quotes``."""
    evidence = collect_evidence(statements, paper)
    verifier, written = Verifier(evidence), list[Sentence]()

    async def keep(sentence: Sentence) -> None:
        written.append(sentence)

    await write_claims(prompts.section(matter.name, matter.about), 1, evidence, verifier, keep, writer)
    return quotes.take(written[0], verifier.citations) if written else None
