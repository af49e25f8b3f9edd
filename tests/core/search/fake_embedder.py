"""Stand-ins for the ports of this room, for tests of other rooms: quick, deterministic, no model."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.domain.progress import Progress
from core.text import query_tokens

if TYPE_CHECKING:
    from core.domain.ports import Vector, Vectors


class FakeEmbedder:
    """Adds a fixed pseudo-random direction for each word that is no stop word: texts that share words are near."""

    def __init__(self, dimension: int = 64) -> None:
        self._dimension = dimension

    @property
    def identity(self) -> str:
        """Names the dimension, on which the vectors depend."""
        return f"words@{self._dimension}"

    @property
    def dimension(self) -> int:
        """As made."""
        return self._dimension

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> "Vectors":
        """As the port says."""
        import numpy as np

        if progress is not None:
            await progress.step("embedding", len(texts), len(texts))
        rows = [self._vector(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self._dimension), dtype=np.float32)

    async def query(self, text: str) -> "Vector":
        """As the port says; no prefix."""
        return self._vector(text)

    async def warm(self) -> None:
        """There is nothing to load."""

    def _vector(self, text: str) -> "Vector":
        import numpy as np

        total = np.full(self._dimension, 1e-6)
        for token in query_tokens(text):
            seed = int.from_bytes(hashlib.blake2b(token.encode(), digest_size=8).digest(), "big")
            total += np.random.default_rng(seed).standard_normal(self._dimension)
        found: Vector = (total / np.linalg.norm(total)).astype(np.float32)
        return found
