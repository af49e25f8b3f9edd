"""The refusal curve: what is answered and what is turned away as strictness grows.

Every question of the benchmark is asked at each operating point; the library is the same throughout. A point is
worth what it keeps of the answerable questions and what it turns away of the others, together.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from core.services.engine import Engine
from evals import answers
from evals.datasets import Corpus, Question
from evals.metrics import outcome_right
from evals.reports import OURS, Case, Json, Run, progress_bar
from evals.session import Session
from evals.statistics import Measure, share

POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)

Opener: TypeAlias = Callable[[float], AbstractAsyncContextManager[Engine]]
"""Opens an engine at a strictness."""


async def run(corpus: Corpus, opener: Opener, *, limit: int | None, settings: Mapping[str, Json]) -> Run:
    """Ask every question at every point."""
    questions = corpus.questions[:limit]
    outcomes = {point: found async for point, found in _points(corpus, opener, questions)}
    measures: dict[str, Measure] = {}
    for point in POINTS:
        measures |= {f"{name}@{point:g}": value for name, value in _rates(questions, outcomes[point]).items()}
    return Run(
        command="refusal",
        corpus=str(corpus.root),
        settings={**settings, "points": list(POINTS)},
        systems={OURS: measures},
        cases=[_case(question, number, outcomes) for number, question in enumerate(questions)],
    )


async def _points(
    corpus: Corpus, opener: Opener, questions: Sequence[Question]
) -> AsyncIterator[tuple[float, list[str]]]:
    for point in POINTS:
        async with opener(point) as engine:
            session = Session(engine=engine)
            await session.ingest([*corpus.papers, *answers.difficult(corpus, questions)])
            with progress_bar(f"strictness {point:g}", len(questions)) as step:
                found = []
                for question in questions:
                    step(question.id)
                    found.append((await answers.ask(corpus, session, question)).outcome)
        yield point, found


def _rates(questions: Sequence[Question], outcomes: Sequence[str]) -> dict[str, Measure]:
    pairs = list(zip(questions, outcomes, strict=True))
    wanted = [outcome for question, outcome in pairs if question.answerable]
    rates = {
        "answered": share(outcome == "answered" for outcome in wanted),
        "wrongly_refused": share(outcome in ("not_found", "declined", "clarify") for outcome in wanted),
        "unclear": share(outcome == "unclear" for outcome in wanted),
    }
    for expected, name in (("abstain", "unanswerable"), ("clarify", "clarify"), ("decline", "decline")):
        flags = [outcome_right(expected, outcome) for question, outcome in pairs if question.expected == expected]
        rates[f"{name}_handled"] = share(flags)
    return rates


def _case(question: Question, number: int, outcomes: Mapping[float, Sequence[str]]) -> Case:
    return {
        "id": question.id,
        "type": question.type,
        "question": question.text,
        "expected": question.expected,
        "outcomes": {f"{point:g}": found[number] for point, found in outcomes.items()},
    }
