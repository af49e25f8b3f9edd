"""Recall by stage: what each step of the search adds, from meaning alone to the order that is shown.

Each stage is the product with the later signals weighed nothing, over the same library and questions.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace

from core.services.engine import Engine
from evals.datasets import Corpus
from evals.measured_search import SignalWeights
from evals.metrics import Ranking, rank, recall_at
from evals.reports import OURS, Json, Run, progress_bar
from evals.retrieval import RETURNED, SCORES
from evals.session import Session
from evals.statistics import Measure, difference, mean

DEPTHS = (1, 2, 3, 5, 10, 20, RETURNED)
NAMED = ("B2000", "B6000", "page_R@5", "MRR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A search with signals weighed so, by a reranker or by none (empty)."""

    weights: SignalWeights = field(default_factory=SignalWeights)
    reranker: str = ""


Opener = Callable[[Stage], AbstractAsyncContextManager[Engine]]
"""Opens an engine that searches so."""


def stages(reranker: str) -> dict[str, Stage]:
    """The stages of the search with ``reranker``, in order; the last is all of it."""
    whole = SignalWeights()
    both = replace(whole, table=0.0, label=0.0)
    weights = {"meaning": replace(both, lexical=0.0), "words": replace(both, dense=0.0), "both": both}
    if reranker:
        weights["and hints"] = whole
    return {name: Stage(weights=item) for name, item in weights.items()} | {OURS: Stage(reranker=reranker)}


async def run(corpus: Corpus, opener: Opener, reranker: str, *, limit: int | None, settings: Mapping[str, Json]) -> Run:
    """Ask every answerable question at every stage; ``footnote`` is the last, ``differences`` what it adds to both."""
    rankings = {name: await _rankings(corpus, opener(one), name, limit) for name, one in stages(reranker).items()}
    scores = {
        name: {f"R@{k}": [recall_at(item, k) for item in found] for k in DEPTHS}
        | {measure: [SCORES[measure](item) for item in found] for measure in NAMED}
        for name, found in rankings.items()
    }
    return Run(
        command="stages",
        corpus=str(corpus.root),
        settings={**settings, "returned": RETURNED},
        systems={name: _measures(scores[name]) for name in (OURS, *(name for name in scores if name != OURS))},
        differences={name: difference(values, scores["both"][name]) for name, values in scores[OURS].items()},
        cases=[
            {
                "id": question.id,
                "type": question.type,
                "first_hit": {name: found[number].first for name, found in rankings.items()},
            }
            for number, question in enumerate(corpus.answerable[:limit])
        ],
    )


def _measures(scores: Mapping[str, Sequence[float]]) -> dict[str, Measure]:
    return {name: mean(values) for name, values in scores.items()}


async def _rankings(
    corpus: Corpus, opened: AbstractAsyncContextManager[Engine], stage: str, limit: int | None
) -> list[Ranking]:
    questions = corpus.answerable[:limit]
    found = []
    async with opened as engine:
        session = Session(engine=engine)
        await session.ingest(corpus.papers)
        with progress_bar(stage, len(questions)) as step:
            for question in questions:
                step(question.id)
                passages, _ = await session.retrieve(question, RETURNED)
                found.append(rank(question.gold, passages, image_papers=corpus.image_papers))
    return found
