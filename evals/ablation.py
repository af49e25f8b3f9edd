"""What each choice of the search is worth.

Every row changes one thing of the default and is scored on the same questions, with the paired difference to the
default and its bootstrap interval. Passage size is the reader's: change
``PASSAGE_CHARACTERS`` in ``core/reading/paper/chunking.py`` and run again.
"""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.domain.model import Evidence, Passage, Scope
from core.domain.ports import Filters, Hit
from evals.datasets import Corpus, Question
from evals.measured_search import (
    DEPTH,
    HybridRetriever,
    NullReranker,
    SignalWeights,
    SyncedIndex,
    index_tokens,
    open_library,
    query_tokens,
    rank_by_score,
    reciprocal_rank_fusion,
)
from evals.metrics import Found, Ranking, rank
from evals.reports import progress_bar
from evals.retrieval import RETURNED, SCORES
from evals.session import Session
from evals.statistics import Measure, difference, mean

if TYPE_CHECKING:
    from core.config import Config
    from core.domain.ports import DenseIndex, Embedder, LexicalIndex, Library, Numbers, Vector, Vectors
    from core.domain.progress import Progress

SHOWN = ("B2000", "B6000", "page_R@5", "R@5", "MRR")
_WORDS = re.compile(r"\w+")
_ALL = Filters()
Tokens = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One row: what the search is made of, and how its ranking is read."""

    weights: SignalWeights = field(default_factory=SignalWeights)
    depth: int = DEPTH
    lexical: "LexicalIndex | None" = None
    plain_vectors: bool = False
    embedder: "Remembering | None" = None
    ranks_only: bool = False
    previous_turn: bool = True


class Remembering:
    """The embedder with what it has embedded before: every row asks the same questions."""

    def __init__(self, embedder: "Embedder") -> None:
        self._embedder = embedder
        self._known: dict[str, Vector] = {}

    @property
    def identity(self) -> str:
        """As the embedder's."""
        return self._embedder.identity

    @property
    def dimension(self) -> int:
        """As the embedder's."""
        return self._embedder.dimension

    async def passages(self, texts: Sequence[str], progress: "Progress | None" = None) -> "Vectors":
        """As the embedder's."""
        return await self._embedder.passages(texts, progress)

    async def query(self, text: str) -> "Vector":
        """As the embedder's, once a question."""
        if text not in self._known:
            self._known[text] = await self._embedder.query(text)
        return self._known[text]

    async def warm(self) -> None:
        """As the embedder's."""
        await self._embedder.warm()


class InMemory:
    """A lexical index by rank-bm25 with any tokens over any text; for choices that the library has no setting for."""

    def __init__(self, rows: Mapping[int, Passage], *, tokens: Tokens, asked: Tokens, text: Callable[[Passage], str]):
        from rank_bm25 import BM25Okapi

        self._numbers = list(rows)
        self._asked = asked
        token_lists = [tokens(text(passage)) for passage in rows.values()]
        self._bm25 = BM25Okapi(token_lists, k1=1.2, b=0.75)
        self._sets = [frozenset(found) for found in token_lists]
        self.question = ""

    async def matching(
        self, scope: Scope, terms: Sequence[str], *, limit: int, filters: Filters = _ALL
    ) -> Sequence[Hit]:
        """The whole library, whatever the scope: the corpus has one."""
        scores = self._bm25.get_scores(list(dict.fromkeys(self._asked(self.question))))
        best = scores.argsort()[::-1][:limit]
        return [Hit(number=self._numbers[at], score=float(scores[at])) for at in best if scores[at] > 0]

    async def scores(self, scope: Scope, terms: Sequence[str], numbers: Sequence[int]) -> Mapping[int, float]:
        """By the same scores."""
        every = await self.matching(scope, terms, limit=len(self._numbers))
        return {hit.number: hit.score for hit in every if hit.number in set(numbers)}

    async def document_frequencies(self, scope: Scope, terms: Sequence[str]) -> Mapping[str, int]:
        """By the same tokens."""
        return {term: sum(term in found for found in self._sets) for term in terms}


@dataclass(kw_only=True)
class Bench:
    """The filled library with all that the rows share."""

    corpus: Corpus
    scope: Scope
    session: Session
    library: "Library"
    lexical: "LexicalIndex"
    embedder: Remembering
    live: SyncedIndex
    rows: Mapping[int, Passage]
    others: Mapping[str, Remembering] = field(default_factory=dict)
    """Other embedders, by the name of the row."""

    async def ask(self, choice: Choice) -> list[Ranking]:
        """Every answerable question by one choice."""
        embedder = choice.embedder or self.embedder
        dense = await self.live.current()
        if choice.plain_vectors or choice.embedder:
            texts = [item.text if choice.plain_vectors else item.indexed_text for item in self.rows.values()]
            dense = await self._made(embedder, texts)
        lexical = choice.lexical or self.lexical

        async def loaded() -> "DenseIndex":
            return dense

        retriever = HybridRetriever(
            weights=choice.weights,
            depth=choice.depth,
            remembered=0,
            library=self.library,
            lexical=lexical,
            dense=loaded,
            embedder=embedder,
            reranker=NullReranker(),
        )
        rankings = []
        for question in self.corpus.answerable:
            text = asked(question) if choice.previous_turn else question.text
            if isinstance(lexical, InMemory):
                lexical.question = text
            evidence = await retriever.search(text, self.scope, k=100 if choice.ranks_only else RETURNED)
            rankings.append(self._ranking(question, by_ranks(evidence) if choice.ranks_only else evidence))
        return rankings

    def _ranking(self, question: Question, evidence: Sequence[Evidence]) -> Ranking:
        found: list[Found] = [self.session.found(item.passage) for item in evidence[:RETURNED]]
        return rank(question.gold, found, image_papers=self.corpus.image_papers)

    async def _made(self, embedder: Remembering, texts: Sequence[str]) -> "DenseIndex":
        import numpy as np

        from evals.measured_search import FlatIndex

        index = FlatIndex(embedder.dimension)
        vectors = await embedder.passages(texts)
        index.upsert(np.array(list(self.rows), dtype=np.int64), vectors)
        return index


def asked(question: Question) -> str:
    """The question behind the user's turn before it, if there is one."""
    before = [text for role, text in question.previous if role == "user"]
    return " ".join([*before[-1:], question.text])


def by_ranks(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Reciprocal Rank Fusion of the dense and the lexical order, nothing else."""
    by_id = {item.passage.id: item for item in evidence}
    orders = [
        sorted((item.passage.id for item in evidence if name in item.ranks), key=lambda key: by_id[key].ranks[name])
        for name in ("dense", "lexical")
    ]
    return [by_id[key] for key in rank_by_score(reciprocal_rank_fusion(orders))]


def choices(bench: Bench) -> dict[str, Choice]:
    """All rows; the first is the default."""
    usual = Choice()

    def given(**changes: float) -> Choice:
        return replace(usual, weights=replace(usual.weights, **changes))

    def lexical(
        tokens: Tokens, query: Tokens, text: Callable[[Passage], str] = lambda item: item.indexed_text
    ) -> Choice:
        return replace(usual, lexical=InMemory(bench.rows, tokens=tokens, asked=query, text=text))

    def plain(text: str) -> list[str]:
        return text.lower().split()

    def words(text: str) -> list[str]:
        return _WORDS.findall(text.lower())

    alone = {"table": 0.0, "label": 0.0}
    return {
        "default": usual,
        "meaning alone": given(**alone, lexical=0.0),
        "words alone": given(**alone, dense=0.0),
        "reciprocal ranks of both": Choice(ranks_only=True),
        "weighted sum of both": given(**alone),
        "meaning twice": given(dense=2.0),
        "words twice": given(lexical=2.0),
        "without table hint": given(table=0.0),
        "without label hint": given(label=0.0),
        "depth 40": replace(usual, depth=40),
        "depth 200": replace(usual, depth=200),
        "without the previous turn": replace(usual, previous_turn=False),
        "words by white space": lexical(plain, plain),
        "words without stems": lexical(words, words),
        "stop words kept": lexical(index_tokens, index_tokens),
        "rank-bm25, same tokens": lexical(index_tokens, query_tokens),
        "words without title and section": lexical(index_tokens, query_tokens, lambda item: item.text),
        "vectors without title and section": replace(usual, plain_vectors=True),
        **{name: replace(usual, embedder=embedder) for name, embedder in bench.others.items()},
    }


async def measure(
    corpus: Corpus, config: "Config", only: str, embedders: Sequence[str] = ()
) -> dict[str, dict[str, Measure]]:
    """Fill the library if need be, then every row; ``embedders`` are further models to be compared."""
    from core.services.engine import Engine
    from evals.measured_search import open_embedder

    config.data.mkdir(parents=True, exist_ok=True)
    async with Engine(config) as engine:
        session = Session(engine=engine)
        await session.ingest(corpus.papers)
    models = {"int8": replace(config.embedder, int8=True)}
    models |= {f"embedder {name}": replace(config.embedder, model=name) for name in embedders}
    opened = await open_library(config.data, session.workspace)
    numbers: Numbers = await opened.library.numbers(session.scope)
    passages = await opened.library.passages(session.scope, numbers.tolist())
    embedder = Remembering(open_embedder(config.embedder))
    bench = Bench(
        corpus=corpus,
        scope=session.scope,
        session=session,
        library=opened.library,
        lexical=opened.lexical,
        embedder=embedder,
        live=SyncedIndex(opened.library, embedder.dimension),
        rows=dict(zip(numbers.tolist(), passages, strict=True)),
        others={name: Remembering(open_embedder(given)) for name, given in models.items()},
    )
    try:
        return await _rows(bench, only)
    finally:
        await opened.close()


async def _rows(bench: Bench, only: str) -> dict[str, dict[str, Measure]]:
    table: dict[str, dict[str, Measure]] = {}
    usual: dict[str, list[float]] = {}
    rows = {name: row for name, row in choices(bench).items() if name == "default" or re.search(only, name)}
    with progress_bar("choices", len(rows)) as step:
        for name, choice in rows.items():
            step(name)
            rankings = await bench.ask(choice)
            scores = {measure: [score(item) for item in rankings] for measure, score in SCORES.items()}
            usual = usual or scores
            table[name] = {measure: mean(values) for measure, values in scores.items()}
            table[name]["change"] = difference(_together(scores), _together(usual))
    return table


def _together(scores: Mapping[str, Sequence[float]]) -> list[float]:
    """The mean of the shown measures, question by question: one number to judge a choice by."""
    return [sum(values) / len(SHOWN) for values in zip(*(scores[name] for name in SHOWN), strict=True)]


def markdown(table: Mapping[str, Mapping[str, Measure]]) -> str:
    """The table as it stands in docs/evaluation.md."""
    lines = [f"| choice | {' | '.join(SHOWN)} | change of their mean [95 %] |", "|---" * (len(SHOWN) + 2) + "|"]
    for name, found in table.items():
        change = found["change"]
        shown = " | ".join(f"{found[measure].value:.3f}" for measure in SHOWN)
        lines.append(f"| {name} | {shown} | {change.value:+.3f} [{change.low:+.3f}, {change.high:+.3f}] |")
    return "\n".join(lines) + "\n"


def run(corpus: Corpus, config: "Config", options: argparse.Namespace) -> int:
    """Measure and print; ``--out`` also writes JSON."""
    table = asyncio.run(measure(corpus, config, options.only, options.embedder))
    sys.stdout.write(markdown(table))
    if options.out:
        rows = {name: {key: measured.value for key, measured in found.items()} for name, found in table.items()}
        options.out.write_text(json.dumps({"command": "ablation", "systems": rows}, indent=1) + "\n", "utf-8")
    return 0
