"""Has the vision model copy a page, within the budget of whoever shared the paper."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from core.assistant.budget import Budget
from core.domain.errors import ModelUnavailable
from core.domain.language_models import VisionModel
from core.domain.model import Usage
from core.llm import prompts


@dataclass(slots=True)
class _Tally:
    """What was used up."""

    usage: Usage = field(default_factory=Usage)

    def spent(self, usage: Usage) -> None:
        self.usage += usage


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetedTranscriber:
    """Reads pages for ``user``; implements ``Transcriber``."""

    model: VisionModel
    budget: Budget
    user: str
    now: Callable[[], datetime]

    @property
    def identity(self) -> str:
        """The model's name."""
        return self.model.identity

    async def transcribed(self, picture: bytes) -> str:
        """As the port says; a budget that is used up counts as a model that is away."""
        if why := await self.budget.used_up(self.user, self.now()):
            raise ModelUnavailable(f"{why}.")
        tally = _Tally()
        try:
            return await self.model.copy(picture, prompts.COPY_PAGE, meter=tally)
        finally:
            await self.budget.spent(self.user, tally.usage, self.now())
