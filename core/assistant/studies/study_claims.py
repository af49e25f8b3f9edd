"""Has a model write parts of studies as claims with quotes, checked as those of answers are."""

from collections.abc import Sequence
from typing import Protocol

from core.agent import messages
from core.agent.generative.claims import ClaimWriter, Deliver
from core.agent.generative.numbered_passages import NumberedPassages, PassageGroup, lay_out, room_for_passages
from core.agent.reasoner import Ledger
from core.config import LlmConfig
from core.domain.language_models import LanguageModel
from core.domain.model import Evidence
from core.grounding.verify import Verifier
from core.llm import prompts


class ModelAccess(Protocol):
    """Whatever has a model at hand: the dependencies of a study, a writer of takeaways."""

    @property
    def model(self) -> LanguageModel:
        """The model that is asked."""

    @property
    def llm(self) -> LlmConfig:
        """What it holds."""

    @property
    def ledger(self) -> Ledger:
        """What is written down of its use."""


def passages_shown(evidence: Sequence[Evidence], access: ModelAccess, frame: str = prompts.CLAIMS) -> NumberedPassages:
    """As many of the passages as the model's context holds beside ``frame``."""
    group = PassageGroup(part="", evidence=tuple(evidence))
    return lay_out([group], room_for_passages(access.llm, frame))


async def write_claims(
    task: str, most: int, evidence: Sequence[Evidence], verifier: Verifier, deliver: Deliver, access: ModelAccess
) -> bool:
    """Give ``deliver`` at most ``most`` verified sentences on ``task``, a text of ``prompts``.

    Whether there was any. A model that is away is noted, and not waited for again in this study.
    """
    passages = passages_shown(evidence, access)
    if not passages.evidence:
        return False
    writer = ClaimWriter(model=access.model, verifier=verifier, ledger=access.ledger, deliver=deliver)
    written = await writer.write(passages, task, most)
    if access.ledger.down:
        access.ledger.note(messages.model_away(written.failure))
    return written.shown > 0
