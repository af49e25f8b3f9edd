"""Answers in many threads at once with a model that takes its time.

The model is a stand-in that is paced (so many words a second, yes to everything, the first sentences that it sees), so
that what is measured is ours: how long answers take side by side, and what memory grows from round to round.
"""

import argparse
import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass

from core.config import Config, LlmConfig
from core.domain.language_models import UNMETERED, Meter
from core.domain.model import Channel, Thread
from core.domain.progress import NoProgress
from core.domain.request_context import RequestContext
from core.services.engine import Engine
from evals import configuration
from evals.benchmarks.harness import Report, Row, distribution, resident_megabytes
from evals.datasets import Corpus
from evals.reference_models import Agreeable
from evals.reports import progress_bar
from evals.session import Session

LONGEST = 60
"""Words of a sentence that the paced model writes; where a passage is a table, its first sentence is the table."""
ROUNDS, ANSWERS = 3, 8
"""How often the threads ask at least, since memory that grew with each round would not be bounded; how many answers."""


@dataclass
class Paced(Agreeable):
    """As ``Agreeable``, but a call begins after ``begin`` seconds and a word takes ``word`` more."""

    begin: float = 1.0
    word: float = 0.05

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        """The same, later."""
        await asyncio.sleep(self.begin)
        return await super().structured(prompt, schema, system=system, meter=meter)

    async def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, object] | None = None,
        meter: Meter = UNMETERED,
    ) -> AsyncGenerator[str, None]:
        """The same, word by word."""
        await asyncio.sleep(self.begin)
        async for piece in super().stream(prompt, system=system, schema=schema, meter=meter):
            words = piece.split()
            for word in words if len(words) <= LONGEST else ():
                await asyncio.sleep(self.word)
                yield f"{word} "
            yield "\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    configuration.add_corpus_arguments(parser)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 20], help="how many at once, one after the other")


def run(options: argparse.Namespace) -> Report:
    """A row for each number of threads."""
    corpus, config = configuration.open_corpus(options)
    return {f"{threads} threads": asyncio.run(_measure(corpus, config, threads)) for threads in options.threads}


async def _measure(corpus: Corpus, config: Config, threads: int) -> Row:
    """Questions in each of ``threads`` threads, all threads at once, some rounds of it."""
    texts = [question.text for question in corpus.answerable if not question.previous]
    bare = Config(data=config.data, embedder=config.embedder, llm=LlmConfig(context_tokens=4_096))
    megabytes: list[float] = []
    seconds: list[float] = []
    async with Engine(bare, model=Paced()) as engine:
        session = Session(engine=engine)
        await session.ingest(corpus.papers)
        await _ask(session, texts[-1], "warm-up")
        rounds = max(ROUNDS, ANSWERS // threads)
        with progress_bar(f"rounds of {threads}", rounds) as step:
            for number in range(rounds):
                step("")
                questions = [texts[(number * threads + index) % len(texts)] for index in range(threads)]
                asking = (_ask(session, text, f"{threads}-{index}") for index, text in enumerate(questions))
                seconds += await asyncio.gather(*asking)
                megabytes.append(resident_megabytes())
    memory = {f"megabytes_round_{number}": value for number, value in enumerate(megabytes[-ROUNDS:], 1)}
    return {**distribution("seconds", seconds, "p50", "p95"), **memory}


async def _ask(session: Session, question: str, thread: str) -> float:
    """Seconds of an answer."""
    began = time.perf_counter()
    channel = Channel(workspace=session.workspace, id="papers")
    named = Thread(channel=channel, id=f"{session.run}-{thread}")
    await session.engine.questions.ask(
        question, RequestContext(scope=session.scope, thread=named, progress=NoProgress())
    )
    return time.perf_counter() - began
