"""How a use case says how far it is while it works, without knowing who listens."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from core.domain.model import Citation, Sentence

BEFORE_QUESTION = " before the question"
"""Ends the name of a stage of reading while a question waits for the paper."""


class Progress(Protocol):
    """A sink for signs of life. Implementations must return quickly and never raise."""

    async def step(self, name: str, done: int, total: int) -> None:
        """Stage ``name`` ("reading", "embedding", "searching", …) has ``done`` of ``total``; total 0 is unknown."""

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """A sentence passed verification and may be shown; ``citations`` are those it is the first to use."""


class NoProgress:
    """The null object: nobody listens."""

    async def step(self, name: str, done: int, total: int) -> None:
        """Say nothing."""

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """Say nothing."""


NO_PROGRESS = NoProgress()


class Stop:
    """Lets somebody end a running answer: what was verified until then is kept."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ask(self) -> None:
        """Ask for the end; asking twice is harmless."""
        self._event.set()

    @property
    def asked(self) -> bool:
        """Whether the end was asked for."""
        return self._event.is_set()

    async def wait(self) -> None:
        """Return once the end is asked for."""
        await self._event.wait()
