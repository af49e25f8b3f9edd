"""What every dense index must do, run over FAISS and over a plain one that is slow and plainly right."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from core.domain.ports import DenseIndex, Hit
from core.search import FlatIndex

Int64 = np.ndarray[tuple[int], np.dtype[np.int64]]
Float32 = np.ndarray[tuple[int, int], np.dtype[np.float32]]
Float32Row = np.ndarray[tuple[int], np.dtype[np.float32]]
DIMENSION = 16


class PlainIndex:
    """A dictionary of vectors, compared one by one."""

    def __init__(self, dimension: int) -> None:
        self._rows: dict[int, Float32Row] = {}

    def upsert(self, numbers: Int64, vectors: Float32) -> None:
        self._rows.update(zip(numbers.tolist(), vectors, strict=True))

    def remove(self, numbers: Int64) -> int:
        return sum(self._rows.pop(number, None) is not None for number in set(numbers.tolist()))

    def nearest(self, vector: Float32Row, *, allowed: Int64, limit: int) -> Sequence[Hit]:
        hits = [Hit(number=n, score=float(self._rows[n] @ vector)) for n in allowed.tolist() if n in self._rows]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def __len__(self) -> int:
        return len(self._rows)


@pytest.fixture(params=[FlatIndex, PlainIndex], ids=["faiss", "plain"])
def index(request: pytest.FixtureRequest) -> DenseIndex:
    make: Callable[[int], DenseIndex] = request.param
    return make(DIMENSION)


def units(count: int, seed: int = 1) -> Float32:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def numbers(*given: int) -> Int64:
    return np.array(given, dtype=np.int64)


def test_the_same_vector_is_its_own_nearest(index: DenseIndex) -> None:
    vectors = units(50)
    index.upsert(np.arange(100, 150), vectors)
    hits = index.nearest(vectors[7], allowed=np.arange(100, 150), limit=3)
    assert hits[0].number == 107
    assert hits[0].score == pytest.approx(1.0, abs=2e-3)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_only_allowed_numbers_are_ranked(index: DenseIndex) -> None:
    vectors = units(200)
    index.upsert(np.arange(200), vectors)
    allowed = numbers(3, 50, 51, 190)
    hits = index.nearest(vectors[0], allowed=allowed, limit=10)
    assert {hit.number for hit in hits} == {3, 50, 51, 190}


@pytest.mark.parametrize("allowed", [range(40, 60), range(0, 200, 7), range(200)], ids=["a run", "gaps", "all"])
def test_filtered_order_is_exact(index: DenseIndex, allowed: range) -> None:
    vectors, question = units(200), units(1, seed=9)[0]
    index.upsert(np.arange(200), vectors)
    hits = index.nearest(question, allowed=np.array(allowed, dtype=np.int64), limit=5)
    best = sorted(allowed, key=lambda number: -float(vectors[number].astype(np.float16) @ question))[:5]
    assert [hit.number for hit in hits] == best


def test_upsert_replaces(index: DenseIndex) -> None:
    old, new = units(1), units(1, seed=2)
    index.upsert(numbers(5), old)
    index.upsert(numbers(5), new)
    assert len(index) == 1
    assert index.nearest(new[0], allowed=numbers(5), limit=5)[0].score == pytest.approx(1.0, abs=2e-3)


def test_removed_vectors_are_gone(index: DenseIndex) -> None:
    vectors = units(20)
    index.upsert(np.arange(20), vectors)
    assert index.remove(numbers(4, 5, 99)) == 2
    assert len(index) == 18
    assert 4 not in [hit.number for hit in index.nearest(vectors[4], allowed=np.arange(20), limit=20)]
    assert index.remove(numbers()) == 0


def test_nothing_allowed_or_nothing_held_finds_nothing(index: DenseIndex) -> None:
    assert list(index.nearest(units(1)[0], allowed=numbers(1, 2), limit=5)) == []
    index.upsert(numbers(1), units(1))
    assert list(index.nearest(units(1)[0], allowed=numbers(), limit=5)) == []
    assert list(index.nearest(units(1)[0], allowed=numbers(2), limit=5)) == []


def test_a_few_of_very_many_are_the_nearest_of_those_few(index: DenseIndex) -> None:
    vectors = units(2_000)
    index.upsert(np.arange(2_000), vectors)
    index.remove(numbers(5))
    few = numbers(5, 700, 1_999, 2_500)  # two of them have no vector
    hits = index.nearest(vectors[700], allowed=few, limit=3)
    assert [hit.number for hit in hits] == [700, 1_999]
    assert hits[1].score == pytest.approx(float(vectors[1_999] @ vectors[700]), abs=2e-3)
    assert [hit.number for hit in index.nearest(vectors[1_999], allowed=few, limit=1)] == [1_999]
