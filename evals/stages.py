"""Recall by stage: what each step of the search adds, from meaning alone to the order that is shown.

Each stage is the product with the later signals weighed nothing, over the same library and questions.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from core.config import SearchConfig
from evals.datasets import Corpus
from evals.metrics import Ranking, rank, recall_at
from evals.progress import bar
from evals.reports import OURS, Json, Run
from evals.retrieval import RETURNED, SCORES
from evals.shelf import Assistant, Shelf
from evals.statistics import Measure, difference, mean

DEPTHS = (1, 2, 3, 5, 10, 20, RETURNED)
NAMED = ("B2000", "B6000", "page_R@5", "MRR")

Opener = Callable[[SearchConfig], AbstractAsyncContextManager[Assistant]]
"""Opens an assistant whose search is set so."""


def stages(config: SearchConfig) -> dict[str, SearchConfig]:
    """The stages of a search that is set as ``config``, in order; the last is all of it."""
    alone = replace(config, reranker="", support_weight=0.0)
    hints = replace(alone, naming_weight=0.0, table_weight=0.0, label_weight=0.0)
    both = replace(hints, sentence_weight=0.0, passage_weight=0.0)
    found = {
        "meaning": replace(both, lexical_weight=0.0),
        "words": replace(both, dense_weight=0.0),
        "both": both,
        "and coverage": hints,
        "and hints": alone,
    }
    if config.reranker:
        found["and neighbours"] = replace(config, reranker="")
    return found | {OURS: config}


async def run(
    corpus: Corpus, opener: Opener, config: SearchConfig, *, limit: int | None, settings: Mapping[str, Json]
) -> Run:
    """Ask every answerable question at every stage; ``footnote`` is the last, ``differences`` what it adds to both."""
    rankings = {name: await _rankings(corpus, opener(one), name, limit) for name, one in stages(config).items()}
    scores = {
        name: {f"R@{k}": [recall_at(one, k) for one in found] for k in DEPTHS}
        | {measure: [SCORES[measure](one) for one in found] for measure in NAMED}
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
    corpus: Corpus, opened: AbstractAsyncContextManager[Assistant], stage: str, limit: int | None
) -> list[Ranking]:
    questions = corpus.answerable[:limit]
    found = []
    async with opened as assistant:
        shelf = Shelf(assistant=assistant)
        await shelf.fill(corpus.papers)
        with bar(stage, len(questions)) as step:
            for question in questions:
                step(question.id)
                passages, _ = await shelf.retrieve(question, RETURNED)
                found.append(rank(question.gold, passages, image_papers=corpus.image_papers))
    return found
