"""Models behind an endpoint, as ports: one that writes, one that looks, who counts what they are asked to do, and where
what was learnt about an endpoint is kept.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol, TypeAlias

from core.domain.model import Usage

Capability: TypeAlias = Literal["claims", "search_words", "none"]
"""What a language model is used for: to write claims, to give search words alone, or for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointFacts:
    """What was learnt about one model at one endpoint.

    ``refused`` are parameters that it does not take, ``schema_methods`` the ways to ask for a schema from the
    strictest that it offers on, with a stream and without. ``thinks``: it writes thoughts before its reply, which
    begin without a tag where ``thinks_untagged``.
    ``context_tokens`` is what it said that it takes in, 0 where it did not say. ``capability`` was found with version
    ``prompts`` of the prompts, and ``shortcomings`` say in a few words each what it did not do; None where the control
    questions have not been asked.
    """

    refused: frozenset[str] = frozenset()
    schema_methods: tuple[str, ...] = ()
    streamed_methods: tuple[str, ...] = ()
    streams: bool = True
    thinks: bool = False
    thinks_untagged: bool = False
    context_tokens: int = 0
    capability: Capability | None = None
    shortcomings: tuple[str, ...] = ()
    prompts: str = ""


class EndpointMemory(Protocol):
    """Keeps what was learnt about one model at one endpoint."""

    def facts(self) -> EndpointFacts:
        """What is known; nothing where nothing was kept or it cannot be read."""

    def learn(self, change: Callable[[EndpointFacts], EndpointFacts]) -> None:
        """Replace what is known by what ``change`` makes of it. What cannot be stored is kept by this process."""


class ProcessMemory:
    """Keeps it while the process runs."""

    def __init__(self) -> None:
        self._facts = EndpointFacts()

    def facts(self) -> EndpointFacts:
        """What was learnt so far."""
        return self._facts

    def learn(self, change: Callable[[EndpointFacts], EndpointFacts]) -> None:
        """Replace it."""
        self._facts = change(self._facts)


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

    def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, object] | None = None,
        meter: Meter = UNMETERED,
    ) -> AsyncGenerator[str, None]:
        """Pieces of text as they come; closing it stops the model. Raises ``ModelUnavailable``, also where a
        reply breaks off.

        With ``schema`` (which may be nested) an object of it is asked for in the strictest way that the endpoint
        offers while streaming; what comes is text all the same, and need not keep to it.
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
