"""The library port in memory."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain.errors import EmbedderMismatch, NotInScope
from core.domain.model import (
    Figure,
    Forgotten,
    Metadata,
    Paper,
    Passage,
    Reading,
    Reference,
    Relation,
    Scope,
    Share,
    Workspace,
)
from core.domain.ports import Filters, InContext, Searched
from core.library.fakes.memory import FakeMemory
from core.library.sqlite.rows import added_at, first_added
from core.text import index_tokens

if TYPE_CHECKING:
    from core.domain.ports import Numbers, Vector, Vectors

_ALL = Filters()


@dataclass(slots=True)
class _Held:
    paper: Paper
    reading: Reading
    numbers: tuple[int, ...]
    pdf: Path
    former_titles: tuple[str, ...] = ()


@dataclass(slots=True)
class FakeLibrary:
    """A ``Library`` in memory; originals stay where they are."""

    workspace: Workspace
    version: int = 0
    memory: FakeMemory | None = None
    _held: dict[str, _Held] = field(default_factory=dict)
    _vectors: "dict[int, Vector]" = field(default_factory=dict)
    _embedder: str = ""
    _given: int = 0

    async def add(self, paper: Paper, reading: Reading, vectors: "Vectors", *, embedder: str, pdf: Path) -> None:
        """Keep a paper; a known one gains the shares. Raises ``EmbedderMismatch``."""
        if len(vectors) != len(reading.passages):
            raise ValueError("Every passage wants a vector.")
        if paper.id in self._held:
            for share in paper.shares:
                await self.share(share)
            return
        if self._vectors and embedder != self._embedder:
            raise EmbedderMismatch(f"The library's vectors were made by {self._embedder}; run `footnote reindex`.")
        numbers = tuple(range(self._given + 1, self._given + 1 + len(reading.passages)))
        self._given += len(numbers)
        self._embedder = embedder
        self._vectors.update(zip(numbers, vectors, strict=True))
        self._held[paper.id] = _Held(paper, reading, numbers, pdf)
        self._held[paper.id].paper = replace(paper, shares=tuple(_of_its_own(share, paper) for share in paper.shares))
        if self.memory:
            self.memory.forgotten.discard(paper.id)
        self.version += 1

    async def replace_vectors(self, embedder: str, vectors: "Mapping[int, Vector]") -> None:
        """All vectors anew. Raises ``ValueError`` where one is missing."""
        if set(vectors) != {number for held in self._held.values() for number in held.numbers}:
            raise ValueError("Every passage wants a new vector, and no other number may have one.")
        self._embedder, self._vectors = embedder, dict(vectors)
        self.version += 1

    async def share(self, share: Share) -> None:
        """Add a place. Raises ``NotInScope`` for an unknown paper."""
        held = self._known(share.paper_id)
        places = {(one.channel, one.message, one.file_id) for one in held.paper.shares}
        if (share.channel, share.message, share.file_id) not in places:
            held.paper = replace(held.paper, shares=(*held.paper.shares, share))
        self.version += 1

    async def unshare(self, *, channel: str, message: str, file_id: str = "") -> Forgotten:
        """Take a place away; papers without any are forgotten."""
        taken, orphans = 0, []
        for held in self._held.values():
            kept = tuple(
                share
                for share in held.paper.shares
                if (share.channel, share.message) != (channel, message) or file_id not in ("", share.file_id)
            )
            taken += len(held.paper.shares) - len(kept)
            if held.paper.shares and not kept:
                orphans.append(held.paper.id)
            held.paper = replace(held.paper, shares=kept)
        forgotten = await self.remove(orphans)
        return replace(forgotten, counts=_counted(Counter(forgotten.counts) + Counter(shares=taken)))

    async def remove(self, paper_ids: Sequence[str]) -> Forgotten:
        """Forget papers; unknown ids are passed over."""
        gone = [self._held.pop(paper_id) for paper_id in dict.fromkeys(paper_ids) if paper_id in self._held]
        counts: Counter[str] = Counter()
        for held in gone:
            for number in held.numbers:
                del self._vectors[number]
            counts.update(passages=len(held.numbers), vectors=len(held.numbers), shares=len(held.paper.shares))
            counts.update(self.memory.let_go(held.paper.id) if self.memory else {})
        self.version += 1
        return Forgotten(papers=tuple(held.paper.id for held in gone), counts=_counted(counts))

    async def relate(self, paper_id: str, relation: Relation) -> None:
        """Note a relation. Raises ``NotInScope`` where either paper is unknown."""
        held = self._known(paper_id)
        self._known(relation.paper_id)
        if relation not in held.paper.relations:
            held.paper = replace(held.paper, relations=(*held.paper.relations, relation))
        self.version += 1

    async def correct(self, paper_id: str, metadata: Metadata, *, user: str) -> None:
        """Replace metadata. Raises ``NotInScope`` for an unknown paper."""
        held = self._known(paper_id)
        held.former_titles = (*held.former_titles, held.paper.metadata.title)
        held.paper = replace(held.paper, metadata=metadata)
        self.version += 1

    async def known(self, paper_id: str) -> Paper | None:
        """The paper, wherever it was shared."""
        held = self._held.get(paper_id)
        return held.paper if held else None

    async def papers(self, scope: Scope, *, filters: Filters = _ALL) -> Sequence[Paper]:
        """Papers in scope, oldest first."""
        seen = {held.paper.id for held in self.in_scope(replace(scope, papers=None))}
        return [
            replace(known, relations=tuple(link for link in known.relations if link.paper_id in seen))
            for known, held in sorted(
                ((_known_in(held.paper, scope.channels), held) for held in self.in_scope(scope)),
                key=lambda pair: (pair[0].added_at, pair[1].numbers),
            )
            if _of_paper(held.paper, filters) and any(_of_passage(p, filters) for p in _passages(held, filters))
        ]

    async def numbers(self, scope: Scope, *, filters: Filters = _ALL) -> "Numbers":
        """Sorted numbers in scope."""
        import numpy as np

        return np.array([number for number, _ in self.numbered(scope, filters)], dtype=np.int64)

    def numbered(self, scope: Scope, filters: Filters = _ALL) -> list[tuple[int, Passage]]:
        """Passages in scope with their numbers, by number."""
        found = {
            number: passage
            for held in self.in_scope(scope)
            if _of_paper(held.paper, filters)
            for number, passage in zip(held.numbers, held.reading.passages, strict=True)
            if _of_passage(passage, filters)
        }
        return sorted(found.items(), key=lambda pair: pair[0])

    async def passages(self, scope: Scope, numbers: Sequence[int]) -> Sequence[Passage]:
        """Passages by number, in the order given."""
        known = dict(self.numbered(scope))
        return [known[int(number)] for number in numbers if int(number) in known]

    async def paper_passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        """A paper's passages. Raises ``NotInScope``."""
        return self._of(scope, paper_id).reading.passages

    async def searched(self, scope: Scope, numbers: Sequence[int]) -> Mapping[int, Searched]:
        """What is scored of passages in scope."""
        known = dict(self.numbered(scope))
        return {number: Searched.of(known[number]) for number in numbers if number in known}

    async def in_context(self, scope: Scope, numbers: Sequence[int], *, reach: int) -> Mapping[int, InContext]:
        """Passages with those of the same section nearby."""
        known = dict(self.numbered(scope))
        return {
            number: InContext(
                passage=known[number],
                context=tuple(
                    near
                    for near in known.values()
                    if (near.paper_id, near.section) == (known[number].paper_id, known[number].section)
                    and 0 < abs(near.ordinal - known[number].ordinal) <= reach
                ),
            )
            for number in numbers
            if number in known
        }

    async def number_of(self, scope: Scope, passage_id: str) -> int | None:
        """The number of a passage in scope."""
        return next((number for number, passage in self.numbered(scope) if passage.id == passage_id), None)

    async def references(self, scope: Scope, paper_id: str) -> Sequence[Reference]:
        """A paper's reference list. Raises ``NotInScope``."""
        return self._of(scope, paper_id).reading.references

    async def figures(self, scope: Scope, paper_id: str) -> Sequence[Figure]:
        """A paper's figures. Raises ``NotInScope``."""
        return self._of(scope, paper_id).reading.figures

    async def pdf(self, scope: Scope, paper_id: str) -> Path:
        """Where the original lies. Raises ``NotInScope``."""
        return self._of(scope, paper_id).pdf

    async def vectors(self, *, after: int = 0) -> "AsyncIterator[tuple[Numbers, Vectors]]":
        """All vectors beyond ``after``, in one block."""
        import numpy as np

        numbers = sorted(number for number in self._vectors if number > after)
        if numbers:
            yield (
                np.array(numbers, dtype=np.int64),
                np.stack([self._vectors[number] for number in numbers]).astype(np.float16).astype(np.float32),
            )

    async def vector_numbers(self) -> "Numbers":
        """Sorted numbers of all vectors."""
        import numpy as np

        return np.array(sorted(self._vectors), dtype=np.int64)

    async def embedder(self) -> str:
        """Who made the vectors."""
        return self._embedder if self._vectors else ""

    async def close(self) -> None:
        """Nothing to close."""

    def held(self) -> list[_Held]:
        """All papers, for the lexical fake."""
        return list(self._held.values())

    def in_scope(self, scope: Scope) -> list[_Held]:
        """What a scope holds. Raises ``NotInScope`` for another workspace."""
        if scope.workspace != self.workspace:
            raise NotInScope("That is not part of this workspace.")
        return [
            held
            for held in self._held.values()
            if any(share.channel in scope.channels for share in held.paper.shares)
            and (scope.papers is None or held.paper.id in scope.papers)
        ]

    def _of(self, scope: Scope, paper_id: str) -> _Held:
        for held in self.in_scope(scope):
            if held.paper.id == paper_id:
                return held
        raise NotInScope("There is no such paper here.")

    def _known(self, paper_id: str) -> _Held:
        if paper_id not in self._held:
            raise NotInScope("There is no such paper here.")
        return self._held[paper_id]


def _of_its_own(share: Share, paper: Paper) -> Share:
    """The share with a name and a time of its own."""
    return replace(share, file_name=share.file_name or paper.file_name, added_at=share.added_at or paper.added_at)


def _known_in(paper: Paper, channels: frozenset[str]) -> Paper:
    """The paper as ``channels`` know it: their shares, and the name and time of the first of them."""
    shares = tuple(share for share in paper.shares if share.channel in channels)
    first = first_added(shares)
    return replace(paper, shares=shares, file_name=first.file_name, added_at=added_at(first))


def _passages(held: _Held, filters: Filters) -> Sequence[Passage | None]:
    return held.reading.passages if filters.kinds or filters.section else (None,)


def _of_paper(paper: Paper, filters: Filters) -> bool:
    year, author = paper.metadata.year, set(index_tokens(filters.author))
    return (
        (filters.since is None or (year is not None and year >= filters.since))
        and (filters.until is None or (year is not None and year <= filters.until))
        and (not author or any(author <= set(index_tokens(name)) for name in paper.metadata.authors))
    )


def _of_passage(passage: Passage | None, filters: Filters) -> bool:
    if passage is None:
        return True
    words = set(index_tokens(" ".join(passage.section)))
    return (not filters.kinds or passage.kind in filters.kinds) and set(index_tokens(filters.section)) <= words


def _counted(counts: Counter[str]) -> dict[str, int]:
    return {kind: count for kind, count in counts.items() if count}
