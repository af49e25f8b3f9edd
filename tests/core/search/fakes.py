"""A library and a lexical index in memory, just enough of the ports for the search room's own tests."""

import math
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from core.domain.model import Metadata, Paper, Passage, PassageKind, Scope, Share, Workspace
from core.domain.ports import Filters, Hit, InContext, Searched
from core.text import index_tokens
from tests.core.search.fake_embedder import FakeEmbedder

HERE = Workspace(platform="test", id="W")
SCOPE = Scope(workspace=HERE, channels=frozenset({"C"}))
ALL = Filters()
Int64 = np.ndarray[tuple[int], np.dtype[np.int64]]
Float32 = np.ndarray[tuple[int, int], np.dtype[np.float32]]


def passage(
    paper: str, ordinal: int, text: str, *, section: str = "Results", kind: PassageKind = "text", page: int = 1
) -> Passage:
    return Passage(
        id=f"{paper}-{ordinal}",
        paper_id=paper,
        ordinal=ordinal,
        page=page,
        section=(section,),
        kind=kind,
        text=text,
        indexed_text=f"{paper}\n{section}\n{text}",
    )


class MemoryLibrary:
    """Papers, passages and vectors in dictionaries; also its own lexical index."""

    def __init__(self, embedder: FakeEmbedder | None = None) -> None:
        self.embedder_used = embedder or FakeEmbedder()
        self.rows: dict[int, Passage] = {}
        self.shelf: dict[str, Paper] = {}
        self.stored: dict[int, Any] = {}
        self.version = 0
        self.next = 1
        self.reads = 0
        self.identity = self.embedder_used.identity
        self.vector_blocks_read = 0

    @property
    def workspace(self) -> Workspace:
        return HERE

    async def put(self, paper: str, *passages: Passage, title: str = "", channel: str = "C") -> list[int]:
        share = Share(paper_id=paper, channel=channel, message="m", user="u", at=datetime(2026, 1, 1, tzinfo=UTC))
        self.shelf[paper] = Paper(
            id=paper,
            file_name=f"{paper}.pdf",
            metadata=Metadata(title=title or paper),
            pages=9,
            kind="born digital",
            added_at=share.at,
            shares=(share,),
        )
        vectors = await self.embedder_used.passages([one.indexed_text for one in passages])
        numbers = list(range(self.next, self.next + len(passages)))
        self.next += len(passages)
        for number, one, vector in zip(numbers, passages, vectors, strict=True):
            self.rows[number], self.stored[number] = one, vector
        self.version += 1
        return numbers

    def drop(self, paper: str) -> None:
        for number in [n for n, one in self.rows.items() if one.paper_id == paper]:
            del self.rows[number], self.stored[number]
        del self.shelf[paper]
        self.version += 1

    async def papers(self, scope: Scope, *, filters: Filters = ALL) -> Sequence[Paper]:
        return [
            one
            for one in self.shelf.values()
            if any(share.channel in scope.channels for share in one.shares)
            and (scope.papers is None or one.id in scope.papers)
        ]

    async def numbers(self, scope: Scope, *, filters: Filters = ALL) -> Int64:
        self.reads += 1
        held = {one.id for one in await self.papers(scope)}
        found = [
            number
            for number, one in self.rows.items()
            if one.paper_id in held and (not filters.kinds or one.kind in filters.kinds)
        ]
        return np.array(sorted(found), dtype=np.int64)

    async def searched(self, scope: Scope, numbers: Sequence[int]) -> Mapping[int, Searched]:
        held = {one.id for one in await self.papers(scope)}
        return {n: Searched.of(self.rows[n]) for n in numbers if n in self.rows and self.rows[n].paper_id in held}

    async def in_context(self, scope: Scope, numbers: Sequence[int], *, reach: int) -> Mapping[int, InContext]:
        return {
            number: InContext(
                passage=self.rows[number],
                context=tuple(
                    one
                    for one in self.rows.values()
                    if (one.paper_id, one.section) == (self.rows[number].paper_id, self.rows[number].section)
                    and 0 < abs(one.ordinal - self.rows[number].ordinal) <= reach
                ),
            )
            for number in await self.searched(scope, numbers)
        }

    async def vectors(self, *, after: int = 0) -> AsyncIterator[tuple[Int64, Float32]]:
        numbers = sorted(number for number in self.stored if number > after)
        for start in range(0, len(numbers), 3):
            block = numbers[start : start + 3]
            self.vector_blocks_read += 1
            yield np.array(block, dtype=np.int64), np.stack([self.stored[number] for number in block])

    async def vector_numbers(self) -> Int64:
        return np.array(sorted(self.stored), dtype=np.int64)

    async def embedder(self) -> str:
        return self.identity if self.stored else ""

    async def matching(
        self, scope: Scope, terms: Sequence[str], *, limit: int, filters: Filters = ALL
    ) -> Sequence[Hit]:
        hits = []
        frequencies = await self.document_frequencies(scope, terms)
        for number in await self.numbers(scope, filters=filters):
            counts = Counter(index_tokens(self.rows[int(number)].indexed_text))
            score = sum(
                math.log(1 + (len(self.rows) - frequencies[term] + 0.5) / (frequencies[term] + 0.5))
                * counts[term]
                / (counts[term] + 1.2)
                for term in terms
            )
            if score > 0:
                hits.append(Hit(number=int(number), score=score))
        return sorted(hits, key=lambda hit: (-hit.score, hit.number))[:limit]

    async def scores(self, scope: Scope, terms: Sequence[str], numbers: Sequence[int]) -> Mapping[int, float]:
        hits = await self.matching(scope, terms, limit=len(self.rows))
        return {hit.number: hit.score for hit in hits if hit.number in numbers}

    async def document_frequencies(self, scope: Scope, terms: Sequence[str]) -> Mapping[str, int]:
        held = [frozenset(index_tokens(one.indexed_text)) for one in self.rows.values()]
        return {term: sum(term in tokens for tokens in held) for term in terms}
