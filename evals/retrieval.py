"""Retrieval: does the passage that holds the answer come first, and in how few characters.

Footnote and the plain baseline are asked the same questions in the same run; what is compared is the ranked
text alone.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial

from evals.baseline import Baseline
from evals.datasets import Corpus, Question
from evals.metrics import Found, Ranking, hits, rank, recall_at, reciprocal_rank, squeeze, within_budget, within_rank
from evals.reports import OURS, Case, Json, Run, progress_bar
from evals.session import Session
from evals.statistics import Measure, difference, mean, percentile, trec

RETURNED = 40
"""Passages asked for: enough to fill the larger budget with short ones."""

SCORES: Mapping[str, Callable[[Ranking], float]] = {
    "B2000": partial(within_budget, characters=2_000),
    "B6000": partial(within_budget, characters=6_000),
    "page_R@5": lambda ranking: within_rank(ranking.page_rank, 5),
    "R@1": partial(recall_at, k=1),
    "R@3": partial(recall_at, k=3),
    "R@5": partial(recall_at, k=5),
    "R@10": partial(recall_at, k=10),
    "MRR": reciprocal_rank,
    "paper_R@5": lambda ranking: within_rank(ranking.paper_rank, 5),
}
BY_TYPE = ("B2000", "B6000", "page_R@5", "R@5", "MRR")


async def run(
    corpus: Corpus, session: Session, baseline: Baseline, *, limit: int | None, settings: Mapping[str, Json]
) -> Run:
    """Ask every answerable question of both systems and score what comes back."""
    questions = corpus.answerable[:limit]
    reports = await session.ingest(corpus.papers)
    loud = [f"{name} is not in the library: {r.reason}" for name, r in reports.items() if r.paper is None]
    returned: dict[str, list[list[Found]]] = {OURS: [], "baseline": []}
    latency: dict[str, list[float]] = {OURS: [], "baseline": []}
    if questions:  # models load when first needed: that is start-up, measured elsewhere
        await session.retrieve(questions[0], RETURNED)
        baseline.search(questions[0].text, RETURNED)
    with progress_bar("questions", len(questions)) as step:
        for question in questions:
            step(question.id)
            passages, took = await session.retrieve(question, RETURNED)
            returned[OURS].append(passages)
            latency[OURS].append(took)
            began = time.perf_counter()
            returned["baseline"].append(baseline.search(question.text, RETURNED))
            latency["baseline"].append((time.perf_counter() - began) * 1000)
    missed = await unreachable(corpus, session, questions)
    loud += [f"unreachable, counted as missed: {line}" for lines in missed.values() for line in lines]
    return _scored(corpus, questions, returned, latency, missed, settings, loud)


async def unreachable(corpus: Corpus, session: Session, questions: Sequence[Question]) -> dict[str, list[str]]:
    """Per question, the gold spans that no passage of the library holds on their page."""
    stored = await session.stored_passages({span.paper for question in questions for span in question.gold})
    squeezed = {name: [squeeze(piece.text) for piece in pieces] for name, pieces in stored.items()}
    missed: dict[str, list[str]] = {}
    for question in questions:
        for span in question.gold:
            pairs = zip(stored.get(span.paper, ()), squeezed.get(span.paper, ()), strict=True)
            if not any(hits(span, piece, text, corpus.image_papers) for piece, text in pairs):
                words = f"{question.id} {span.paper} page {span.page}: {span.evidence}"
                missed.setdefault(question.id, []).append(words)
    return missed


def _scored(
    corpus: Corpus,
    questions: Sequence[Question],
    returned: Mapping[str, Sequence[Sequence[Found]]],
    latency: Mapping[str, Sequence[float]],
    missed: Mapping[str, Sequence[str]],
    settings: Mapping[str, Json],
    loud: Sequence[str],
) -> Run:
    images = corpus.image_papers
    scores: dict[str, dict[str, list[float]]] = {}
    for system, lists in returned.items():
        rankings = [rank(q.gold, found, image_papers=images) for q, found in zip(questions, lists, strict=True)]
        scores[system] = {name: [score(ranking) for ranking in rankings] for name, score in SCORES.items()}
        judged = [(q.id, q.gold, found) for q, found in zip(questions, lists, strict=True)]
        scores[system] |= trec(judged, images)
    systems = {system: _measures(values, latency[system]) for system, values in scores.items()}
    kinds = list(dict.fromkeys(question.type for question in questions))
    return Run(
        command="retrieval",
        corpus=str(corpus.root),
        settings=settings,
        systems=systems,
        differences={name: difference(v, scores["baseline"][name]) for name, v in scores[OURS].items()},
        by_type={kind: _of_type(kind, questions, scores[OURS]) for kind in kinds},
        cases=[_case(number, q, returned, scores, latency, missed) for number, q in enumerate(questions)],
        loud=loud,
    )


def _measures(scores: Mapping[str, Sequence[float]], latency: Sequence[float]) -> dict[str, Measure]:
    measures = {name: mean(values) for name, values in scores.items()}
    for name, below in (("latency_p50_ms", 0.5), ("latency_p95_ms", 0.95)):
        value = percentile(latency, below)
        measures[name] = Measure(value=value, n=len(latency), low=value, high=value)
    return measures


def _of_type(kind: str, questions: Sequence[Question], scores: Mapping[str, Sequence[float]]) -> dict[str, Measure]:
    chosen = [number for number, question in enumerate(questions) if question.type == kind]
    return {name: mean(scores[name][number] for number in chosen) for name in BY_TYPE}


def _case(
    number: int,
    question: Question,
    returned: Mapping[str, Sequence[Sequence[Found]]],
    scores: Mapping[str, Mapping[str, Sequence[float]]],
    latency: Mapping[str, Sequence[float]],
    missed: Mapping[str, Sequence[str]],
) -> Case:
    return {
        "id": question.id,
        "type": question.type,
        "question": question.text,
        "gold": [asdict(span) for span in question.gold],
        "unreachable": list(missed.get(question.id, ())),
        "latency_ms": {system: times[number] for system, times in latency.items()},
        "scores": {s: {name: v[number] for name, v in values.items()} for s, values in scores.items()},
        "passages": {system: [_passage(f) for f in lists[number]] for system, lists in returned.items()},
    }


def _passage(found: Found) -> Case:
    last = found.page if found.last_page is None else found.last_page
    return {
        "paper": found.paper,
        "page": found.page,
        "last_page": last,
        "section": found.section,
        "text": found.text,
        "score": found.score,
    }
