"""The lexical port in memory: BM25 computed afresh for every question, so that nothing can be stale."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.model import Scope
from core.domain.ports import Filters, Hit
from core.library.fakes.papers import FakeLibrary
from core.library.sqlite.lexical_rows import fields_of

_ALL = Filters()
_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class FakeLexicalIndex:
    """A ``LexicalIndex`` over a ``FakeLibrary``."""

    library: FakeLibrary

    async def matching(
        self, scope: Scope, terms: Sequence[str], *, limit: int, filters: Filters = _ALL
    ) -> Sequence[Hit]:
        """Best passages in scope, best first."""
        rows = self._rows()
        usual = sum(sum(words.values()) for words in rows.values()) / max(len(rows), 1)
        held = await self.document_frequencies(scope, terms)
        hits = []
        for number, _ in self.library.numbered(scope, filters):
            words = rows[number]
            length = _K1 * (1 - _B + _B * sum(words.values()) / usual)
            score = sum(
                max(math.log((len(rows) - count + 0.5) / (count + 0.5)), 1e-6)
                * (words[term] * (_K1 + 1) / (words[term] + length))
                for term, count in held.items()
                if words[term]
            )
            if score > 0:
                hits.append(Hit(number=number, score=score))
        return sorted(hits, key=lambda hit: (-hit.score, hit.number))[: max(limit, 0)]

    async def scores(self, scope: Scope, terms: Sequence[str], numbers: Sequence[int]) -> Mapping[int, float]:
        """As ``matching`` gives them."""
        hits = await self.matching(scope, terms, limit=len(self._rows()))
        return {hit.number: hit.score for hit in hits if hit.number in set(numbers)}

    async def document_frequencies(self, scope: Scope, terms: Sequence[str]) -> Mapping[str, int]:
        """In how many passages of the workspace each term occurs."""
        self.library.in_scope(scope)
        rows = self._rows().values()
        return {term: sum(1 for words in rows if words[term]) for term in terms}

    def _rows(self) -> dict[int, Counter[str]]:
        rows: dict[int, Counter[str]] = {}
        for held in self.library.held():
            for number, passage in zip(held.numbers, held.reading.passages, strict=True):
                fields = fields_of(held.paper.title, passage, held.former_titles)
                rows[number] = Counter((*fields.body, *fields.title, *fields.section, *fields.caption))
        return rows
