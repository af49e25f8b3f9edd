"""Sorts a text by its likeness to a few descriptions of each class, with the sentence embedder of the library.

For classes that are open, where a list of words would only know the words that somebody thought of.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.domain.ports import Embedder

if TYPE_CHECKING:
    from core.domain.ports import Vectors

EMBEDDERS = 4
"""Embedders whose vectors of the descriptions are kept."""


class Prototypes:
    """Classes by name, each with its descriptions; their vectors are made when first needed.

    ``nearest`` is over how many of the best descriptions of a class its likeness is averaged.
    """

    def __init__(self, classes: Mapping[str, Sequence[str]], *, nearest: int = 1) -> None:
        self._classes = dict(classes)
        self._nearest = nearest
        self._vectors: dict[str, Mapping[str, Vectors]] = {}

    async def likeness(self, text: str, embedder: Embedder) -> Mapping[str, float]:
        """For each class the mean cosine, -1 to 1, of ``text`` with the nearest of its descriptions."""
        import numpy as np

        described = await self._described(embedder)
        (vector,) = await embedder.passages([text])
        return {name: float(np.sort(rows @ vector)[-self._nearest :].mean()) for name, rows in described.items()}

    async def _described(self, embedder: Embedder) -> "Mapping[str, Vectors]":
        known = self._vectors.get(embedder.identity)
        if known is None:
            known = {name: await embedder.passages(texts) for name, texts in self._classes.items()}
            while len(self._vectors) >= EMBEDDERS:
                self._vectors.pop(next(iter(self._vectors)), None)
            self._vectors[embedder.identity] = known
        return known
