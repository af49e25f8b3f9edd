"""Ports of what a workspace stores beside its papers, and the values that they hand over."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from core.domain.model import Forgotten, Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpending:
    """Tokens and money that a language model took."""

    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: "ModelSpending") -> "ModelSpending":
        return ModelSpending(tokens=self.tokens + other.tokens, cost=self.cost + other.cost)


class ModelUsage(Protocol):
    """What a language model used up in one workspace, by day and person."""

    async def add(self, user: str, day: date, spent: ModelSpending) -> None:
        """Add to what ``user`` used up on ``day``."""

    async def since(self, first: date, *, user: str | None = None) -> ModelSpending:
        """What was used up on ``first`` and later, by ``user`` or by everybody."""


class ClearsWorkspace(Protocol):
    """Deletes all that is stored of a workspace."""

    async def __call__(self, workspace: Workspace) -> Forgotten:
        """Delete a workspace whose library is closed. Raises ``LibraryFailure`` where the disk refuses."""
