"""Models behind an endpoint, as ports: one that writes, one that looks, and who counts what they are asked to do."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from core.domain.model import Usage


class Meter(Protocol):
    """Counts what a language model is asked to do."""

    def spent(self, usage: Usage) -> None:
        """Add what one call took."""


class Unmetered:
    """The null object: nobody counts."""

    def spent(self, usage: Usage) -> None:
        """Count nothing."""


UNMETERED = Unmetered()


class LanguageModel(Protocol):
    """A chat model behind an OpenAI-compatible endpoint."""

    @property
    def identity(self) -> str:
        """The model's name; empty for the null object, which is always unavailable."""

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        """An object of ``schema`` (flat: strings, truth values, whole numbers, lists of these).

        Raises ``ModelUnavailable``.
        """

    def stream(self, prompt: str, *, system: str = "", meter: Meter = UNMETERED) -> AsyncGenerator[str, None]:
        """Pieces of text as they come; closing it stops the model. Raises ``ModelUnavailable``, also where a
        reply breaks off.
        """

    async def warm(self) -> None:
        """Load what the first call would wait for; sends nothing."""

    async def close(self) -> None:
        """Close the connections."""


class VisionModel(Protocol):
    """A model that looks at figures."""

    @property
    def identity(self) -> str:
        """The model's name; empty for the null object, which sees nothing."""

    async def describe(self, image: bytes, question: str, *, meter: Meter = UNMETERED) -> str:
        """What the PNG ``image`` shows; empty from the null object. Raises ``ModelUnavailable``."""

    async def copy(self, image: bytes, order: str, *, meter: Meter = UNMETERED) -> str:
        """The words on the PNG ``image``, whole; empty from the null object.

        Raises ``ModelUnavailable``, also for a reply that was cut at its limit.
        """

    async def close(self) -> None:
        """Close the connections."""


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
