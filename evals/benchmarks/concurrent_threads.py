"""Answers in many threads at once with a model that takes its time.

The model is a stand-in that is paced (so many words a second, yes to everything, the first sentences that it sees), so
that what is measured is ours: how long answers take side by side, how soon their first sentence is out, what memory
grows. Our own share and early sentences can be attributed to an answer only where there is one thread.
"""

import argparse
import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass

from core.config import Config, LlmConfig
from core.domain.endpoints import UNMETERED, Meter
from core.domain.model import Channel, Scope, Thread
from core.engine import Engine
from evals import configuration
from evals.benchmarks.harness import Report, Row, distribution, resident_megabytes
from evals.datasets import Corpus
from evals.reference_models import Agreeable, FirstSentence, Recorder
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

    async def stream(self, prompt: str, *, system: str = "", meter: Meter = UNMETERED) -> AsyncGenerator[str, None]:
        """The same, word by word."""
        await asyncio.sleep(self.begin)
        async for piece in super().stream(prompt, system=system, meter=meter):
            words = piece.split()
            for word in words if len(words) <= LONGEST else ():
                await asyncio.sleep(self.word)
                yield f"{word} "
            yield "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """An answer: seconds in all, those in which the model worked, and by how much the first sentence was ahead."""

    seconds: float
    model_seconds: float
    ahead_seconds: float


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
    recorder = Recorder(Paced())
    texts = [question.text for question in corpus.answerable if not question.previous]
    bare = Config(data=config.data, embedder=config.embedder, llm=LlmConfig(context_tokens=4_096))
    megabytes: list[float] = []
    answers: list[Timed] = []
    async with Engine(bare, model=recorder) as engine:
        session = Session(assistant=engine)
        await session.ingest(corpus.papers)
        channel = Channel(workspace=session.workspace, id="papers")
        await engine.ask(texts[-1], thread=Thread(channel=channel, id=f"{session.run}-warm"), scope=session.scope)
        rounds = max(ROUNDS, ANSWERS // threads)
        with progress_bar(f"rounds of {threads}", rounds) as step:
            for number in range(rounds):
                step("")
                questions = [texts[(number * threads + index) % len(texts)] for index in range(threads)]
                ids = [f"{session.run}-{threads}-{index}" for index in range(threads)]
                asking = (
                    _ask(engine, session.scope, question, Thread(channel=channel, id=name), recorder)
                    for question, name in zip(questions, ids, strict=True)
                )
                answers += await asyncio.gather(*asking)
                megabytes.append(resident_megabytes())
    model = sum(answer.model_seconds for answer in answers)
    alone = {
        "own_share": (sum(answer.seconds for answer in answers) - model) / model,
        "sent_while_writing": sum(answer.ahead_seconds > 0 for answer in answers) / len(answers),
    }
    return {
        **distribution("seconds", [answer.seconds for answer in answers], "p50", "p95"),
        **(alone if threads == 1 else {}),
        **{f"megabytes_round_{number}": value for number, value in enumerate(megabytes[-ROUNDS:], 1)},
    }


async def _ask(engine: Engine, scope: Scope, question: str, thread: Thread, recorder: Recorder) -> Timed:
    """Ask and time it; the recorder hears the calls of all threads, so its times count only where there is one."""
    progress, began = FirstSentence(), time.perf_counter()
    recorder.clear()
    await engine.ask(question, thread=thread, scope=scope, progress=progress)
    ahead = max(0.0, recorder.written - progress.at) if progress.at else 0.0
    return Timed(seconds=time.perf_counter() - began, model_seconds=recorder.seconds(), ahead_seconds=ahead)
