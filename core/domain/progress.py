"""How a use case says how far it is while it works, without knowing who listens."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.model import Citation, Sentence


class Progress(Protocol):
    """A sink for signs of life. Implementations must return quickly and never raise."""

    async def step(self, name: str, done: int, total: int) -> None:
        """Stage ``name`` ("reading", "embedding", "searching", …) has ``done`` of ``total``; total 0 is unknown."""

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """A sentence passed verification and may be shown; ``citations`` are those it is the first to use."""


class Silent:
    """The null object: nobody listens."""

    async def step(self, name: str, done: int, total: int) -> None:
        """Say nothing."""

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """Say nothing."""
