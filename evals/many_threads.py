"""Many threads at once with a model that takes its time: ``python -m evals.many_threads --corpus DIR``.

The model is made up and paced (so many words a second, yes to everything, the first sentences that it sees), so that
what is measured is ours: how long answers take side by side, how soon their first sentence is out, what memory grows.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import asdict, dataclass

from core.config import Config, LlmConfig
from core.domain.endpoints import UNMETERED, Meter
from core.domain.model import Channel, Scope, Thread
from core.engine import Engine
from evals import opening
from evals.datasets import Corpus
from evals.models import Agreeable, Recorder
from evals.progress import bar
from evals.shelf import Shelf
from evals.statistics import percentile
from evals.with_model import First

LONGEST = 60
"""Words of a sentence that the made-up model says; where a passage is a table, its first sentence is the table."""
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
    """One answer: seconds in all, those in which the model worked, and by how much the first sentence was ahead."""

    seconds: float
    model_seconds: float
    ahead_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """So many threads at once: median and 95th percentile of seconds, our share, sentences sent early, memory.

    Share and early sentences are told apart by answer only where there is one thread.
    """

    threads: int
    p50: float
    p95: float
    own_share: float
    sent_while_writing: float
    megabytes: tuple[float, ...]


async def one(engine: Engine, scope: Scope, question: str, thread: Thread, recorder: Recorder) -> Timed:
    """Ask and time it; ``recorder`` hears the calls of all threads, so its times count only where there is one."""
    heard, began = First(), time.perf_counter()
    recorder.clear()
    await engine.ask(question, thread=thread, scope=scope, progress=heard)
    ahead = max(0.0, recorder.written - heard.at) if heard.at else 0.0
    return Timed(seconds=time.perf_counter() - began, model_seconds=recorder.seconds(), ahead_seconds=ahead)


async def load(corpus: Corpus, config: Config, threads: int) -> Load:
    """Questions in each of ``threads`` threads, all threads at once, some rounds of it."""
    import psutil  # type: ignore[import-untyped]

    recorder = Recorder(Paced())
    texts = [question.text for question in corpus.answerable if not question.previous]
    bare = Config(data=config.data, embedder=config.embedder, llm=LlmConfig(context_tokens=4_096))
    megabytes, found = [], list[Timed]()
    async with Engine(bare, model=recorder) as engine:
        shelf = Shelf(assistant=engine)
        await shelf.fill(corpus.papers)
        channel = Channel(workspace=shelf.workspace, id="papers")
        await engine.ask(texts[-1], thread=Thread(channel=channel, id=f"{shelf.run}-warm"), scope=shelf.scope)
        rounds = max(ROUNDS, ANSWERS // threads)
        with bar(f"rounds of {threads}", rounds) as step:
            for number in range(rounds):
                step("")
                asked = [texts[(number * threads + n) % len(texts)] for n in range(threads)]
                places = [Thread(channel=channel, id=f"{shelf.run}-{threads}-{n}") for n in range(threads)]
                pairs = zip(asked, places, strict=True)
                found += await asyncio.gather(*(one(engine, shelf.scope, *pair, recorder) for pair in pairs))
                megabytes.append(round(psutil.Process().memory_info().rss / 1e6, 1))
    return _summed(threads, found, megabytes)


def _summed(threads: int, found: Sequence[Timed], megabytes: Sequence[float]) -> Load:
    seconds = [answer.seconds for answer in found]
    model = sum(answer.model_seconds for answer in found)
    return Load(
        threads=threads,
        p50=percentile(seconds, 0.5),
        p95=percentile(seconds, 0.95),
        own_share=(sum(seconds) - model) / model,
        sent_while_writing=sum(answer.ahead_seconds > 0 for answer in found) / len(found),
        megabytes=tuple(megabytes),
    )


def row(found: Load) -> str:
    """One line of the table."""
    own = f"{found.own_share:.0%}" if found.threads == 1 else "-"
    early = f"{found.sent_while_writing:.2f}" if found.threads == 1 else "-"
    memory = ", ".join(f"{one:.0f}" for one in found.megabytes[-ROUNDS:])
    cells = (found.threads, f"{found.p50:.1f}", f"{found.p95:.1f}", own, early, memory)
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> int:
    """Measure one thread, then twenty, and print; ``--out`` also writes JSON."""
    wanted = opening.arguments("many_threads", __doc__)
    wanted.add_argument("--threads", type=int, action="append", help="so many at once; repeatable, 1 and 20 otherwise")
    given, corpus, config = opening.opened(wanted)
    sys.stdout.write("| threads | p50 s | p95 s | own share | sent while writing | MB after the last rounds |\n")
    sys.stdout.write("|---" * 6 + "|\n")
    loads = []
    for threads in given.threads or (1, 20):
        loads.append(asyncio.run(load(corpus, config, threads)))
        sys.stdout.write(row(loads[-1]) + "\n")
        sys.stdout.flush()
    if given.out:
        kept = {"command": "many_threads", "loads": [asdict(one) for one in loads]}
        given.out.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
