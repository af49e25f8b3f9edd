"""The figures of a scope for the agent: with their captions, and described once by the vision model, then known."""

import asyncio
from collections.abc import Sequence
from typing import Protocol
from weakref import WeakValueDictionary

from core.agent.reasoner import Captioned
from core.domain.language_models import Meter, VisionModel
from core.domain.model import Figure, Passage, Scope
from core.domain.ports import Library
from core.llm import prompts

NEARBY = 800
"""Characters of the text around a figure that the model is told."""


class Descriptions(Protocol):
    """Where descriptions are kept."""

    async def describe(self, scope: Scope, paper_id: str, figure_id: str, words: str) -> None:
        """Keep what was seen in a figure. Raises ``NotInScope``."""


class Looks:
    """Which figure is being looked at right now, so that two questions at once ask for it once."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def at(self, figure: Figure) -> asyncio.Lock:
        """The lock of one figure."""
        return self._locks.setdefault(f"{figure.paper_id}/{figure.id}", asyncio.Lock())


class ScopedFigures:
    """The figures that one question may look at."""

    def __init__(
        self, scope: Scope, *, library: Library, descriptions: Descriptions, model: VisionModel, looks: Looks
    ) -> None:
        self._scope = scope
        self._library = library
        self._descriptions = descriptions
        self._model = model
        self._looks = looks

    @property
    def seen_by(self) -> str:
        """The name of the model; empty where there is none."""
        return self._model.identity

    async def of(self, paper_id: str) -> Sequence[Captioned]:
        """A paper's figures that have a caption on their page and a picture."""
        figures = await self._library.figures(self._scope, paper_id)
        passages = await self._library.paper_passages(self._scope, paper_id)
        captions: dict[tuple[str | None, int], Passage] = {}
        for one in passages:
            if one.kind in ("figure", "caption") and one.text.strip():
                captions.setdefault((one.label, one.page), one)
        return [
            Captioned(figure=one, caption=captions[one.label, one.page])
            for one in figures
            if one.image and (one.label, one.page) in captions
        ]

    async def described(self, figure: Figure, *, meter: Meter) -> str:
        """What the figure shows. Raises ``ModelUnavailable``."""
        if figure.description:
            return figure.description
        async with self._looks.at(figure):
            known = await self._library.figures(self._scope, figure.paper_id)
            words = next((one.description for one in known if one.id == figure.id), "")
            if not words:
                prompt = prompts.looking(figure.label, figure.caption, figure.nearby[:NEARBY])
                words = await self._model.describe(figure.image, prompt, meter=meter)
                await self._descriptions.describe(self._scope, figure.paper_id, figure.id, words)
            return words
