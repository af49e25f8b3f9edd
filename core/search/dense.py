"""The dense index: FAISS over half-precision vectors in memory, built from the library and kept up with it.

Flat on purpose: under a scope filter, graph and cell indexes lose most of the answers, and there is no
index file that could drift from the library. Only this file knows FAISS.
"""

import asyncio
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.domain.ports import DenseIndex, Hit, Library

if TYPE_CHECKING:
    import faiss

    from core.domain.ports import Numbers, Vector, Vectors


_MAX_LISTED_NUMBERS = 320
"""Unpacking one vector costs as much as passing by this many."""


class FlatIndex:
    """``DenseIndex`` over FAISS; safe to use from several threads, one at a time inside."""

    def __init__(self, dimension: int) -> None:
        import faiss

        flat = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
        self._index = faiss.IndexIDMap2(flat)
        self._sorted: Numbers | None = None
        self._highest = -1
        self._lock = threading.Lock()

    def upsert(self, numbers: "Numbers", vectors: "Vectors") -> None:
        """Add vectors, replacing those that have the same number."""
        import numpy as np

        wanted = np.ascontiguousarray(numbers, dtype=np.int64)
        given = np.ascontiguousarray(vectors, dtype=np.float32)
        with self._lock:
            self._sorted = None
            if len(wanted) and int(wanted.min()) <= self._highest:
                self._drop(np.intersect1d(wanted, self._held()))
            self._index.add_with_ids(given, wanted)
            self._highest = max(self._highest, int(wanted.max(initial=-1)))

    def remove(self, numbers: "Numbers") -> int:
        """Remove vectors; returns how many were there."""
        import numpy as np

        with self._lock:
            self._sorted = None
            return self._drop(np.unique(np.asarray(numbers, dtype=np.int64)))

    def nearest(self, vector: "Vector", *, allowed: "Numbers", limit: int) -> Sequence[Hit]:
        """Best of ``allowed`` (sorted numbers), best first; the filter works before ranking, so nothing is lost."""
        import faiss
        import numpy as np

        with self._lock:
            # One question is one pass over memory: more threads only wait for one another, at twice the CPU.
            # OpenMP keeps this for each thread that calls, so it is said each time.
            faiss.omp_set_num_threads(1)
            wanted = min(limit, len(allowed), self._index.ntotal)
            if wanted <= 0:
                return []
            question = np.ascontiguousarray(vector, dtype=np.float32).reshape(1, -1)
            if len(allowed) * _MAX_LISTED_NUMBERS < self._index.ntotal:
                numbers, scores = self._one_by_one(question, allowed)
            elif self._covers_all(allowed):
                scores, numbers = self._index.search(question, wanted)
            else:
                selector = _build_selector(allowed)  # kept by name: FAISS only borrows it
                choice = faiss.SearchParameters()
                choice.sel = selector
                scores, numbers = self._index.search(question, wanted, params=choice)
        return [
            Hit(number=number, score=score)
            for number, score in zip(numbers.ravel().tolist()[:wanted], scores.ravel().tolist()[:wanted], strict=True)
            if number >= 0
        ]

    def scores(self, vector: "Vector", numbers: Sequence[int]) -> list[float]:
        """Inner product with each of ``numbers``; 0 for a number that is not held."""
        import numpy as np

        hits = self.nearest(vector, allowed=np.unique(np.asarray(numbers, dtype=np.int64)), limit=len(numbers))
        found = {hit.number: hit.score for hit in hits}
        return [found.get(number, 0.0) for number in numbers]

    def numbers(self) -> "Numbers":
        """Sorted numbers of all vectors held."""
        with self._lock:
            return self._numbers()

    def __len__(self) -> int:
        with self._lock:
            return int(self._index.ntotal)

    def _one_by_one(self, question: "Vectors", allowed: "Numbers") -> "tuple[Numbers, Vector]":
        """All of ``allowed``, best first, without a pass over everything else."""
        import numpy as np

        held = self._numbers()
        there = allowed[held[np.searchsorted(held, allowed).clip(max=len(held) - 1)] == allowed]
        scores: Vector = self._index.reconstruct_batch(np.ascontiguousarray(there, dtype=np.int64)) @ question[0]
        order = np.argsort(-scores, kind="stable")
        return there[order], scores[order]

    def _drop(self, gone: "Numbers") -> int:
        return int(self._index.remove_ids(_build_selector(gone))) if len(gone) else 0

    def _held(self) -> "Numbers":
        import faiss
        import numpy as np

        held: Numbers = np.asarray(faiss.vector_to_array(self._index.id_map), dtype=np.int64)
        return held

    def _numbers(self) -> "Numbers":
        import numpy as np

        if self._sorted is None:
            self._sorted = np.sort(self._held())
        return self._sorted

    def _covers_all(self, allowed: "Numbers") -> bool:
        """Whether a filter would change nothing; ``allowed`` may hold numbers that have no vector, as a rule none."""
        import numpy as np

        if len(allowed) == self._index.ntotal:
            return np.array_equal(allowed, self._numbers())
        return len(allowed) > self._index.ntotal and bool(np.isin(self._numbers(), allowed, assume_unique=True).all())


def _build_selector(allowed: "Numbers") -> "faiss.IDSelector":
    """A range where the numbers have no gap (one paper, as a rule), else a set with a Bloom filter in front."""
    import faiss
    import numpy as np

    first, last = int(allowed[0]), int(allowed[-1])
    if last - first + 1 == len(allowed):
        return faiss.IDSelectorRange(first, last + 1)
    return faiss.IDSelectorBatch(np.ascontiguousarray(allowed, dtype=np.int64))


class SyncedIndex:
    """The dense index of one open workspace: built on first use, caught up whenever the library moved on."""

    def __init__(self, library: Library, dimension: int) -> None:
        self._library = library
        self._dimension = dimension
        self._index: FlatIndex | None = None
        self._embedder = ""
        self._version = -1
        self._turn = asyncio.Lock()

    async def current(self) -> DenseIndex:
        """The index as of the library's present version."""
        if self._index is None or self._version != self._library.version:
            async with self._turn:
                await self._catch_up()
        assert self._index is not None
        return self._index

    async def refresh(self) -> None:
        """Catch up now, if the index is loaded at all."""
        if self._index is not None:
            await self.current()

    async def _catch_up(self) -> None:
        version = self._library.version
        if self._index is not None and self._version == version:
            return
        embedder = await self._library.embedder()
        if self._index is None or embedder != self._embedder:
            # In a thread: the first one loads FAISS.
            self._index = await asyncio.to_thread(FlatIndex, self._dimension)
            self._embedder = embedder
        await self._match(self._index)
        self._version = version

    async def _match(self, index: FlatIndex) -> None:
        """Drop what the library no longer has and add what it has beyond; numbers are never used again."""
        import numpy as np

        there = await self._library.vector_numbers()
        gone, missing = await asyncio.to_thread(_find_differences, index, there)
        if len(gone):
            await asyncio.to_thread(index.remove, gone)
        if len(missing):
            async for numbers, vectors in self._library.vectors(after=int(missing[0]) - 1):
                first, last = np.searchsorted(missing, (numbers[0], numbers[-1] + 1))
                wanted = np.isin(numbers, missing[first:last], assume_unique=True)
                if wanted.any():
                    await asyncio.to_thread(index.upsert, numbers[wanted], vectors[wanted])


def _find_differences(index: FlatIndex, there: "Numbers") -> "tuple[Numbers, Numbers]":
    """Numbers that only the index has, and those that it lacks; waits for whoever searches it."""
    import numpy as np

    here = index.numbers()
    return np.setdiff1d(here, there, assume_unique=True), np.setdiff1d(there, here, assume_unique=True)
