"""How late the event loop's ticks come while a 60-page PDF is ingested, against the same loop beside busy cores.

The bot has been running when the ingest begins: what it loads in the background after a start is loaded.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from core.config import Config
from core.domain.model import Scope, Share, Workspace
from core.services.engine import Engine
from evals.benchmarks.harness import Report, Row, distribution, every_core_busy, ratio
from evals.benchmarks.synthetic_papers import write_long_pdf

_TICK = 0.005


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--pdf", type=Path, help="ingest this PDF instead of one made here")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to tick beside busy cores")
    parser.add_argument("--rounds", type=int, default=1, help="measure both so often, in turns")


def run(options: argparse.Namespace) -> Report:
    """Delays of both in milliseconds, and the ratio of their worst."""
    return asyncio.run(_measure(options.pdf, options.seconds, options.rounds))


async def _measure(given: Path | None, seconds: float, rounds: int) -> Report:
    busy: list[list[float]] = []
    ingest: list[list[float]] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            pdf = given or write_long_pdf(Path(folder) / "long.pdf", pages=60)
            with every_core_busy():
                async with _ticking() as delays:
                    await asyncio.sleep(seconds)
            busy.append(delays)
            ingest.append(await _while_ingesting(pdf, Path(folder) / "data"))
    return {
        "busy cores": _row(busy),
        "ingest": _row(ingest),
        "worst, ingest over busy cores": ratio([max(found) for found in ingest], [max(found) for found in busy]),
    }


def _row(rounds: list[list[float]]) -> Row:
    every = [delay for delays in rounds for delay in delays]
    return {**distribution("delay_ms", every, "p50", "p99", "max"), "ticks": len(every)}


@asynccontextmanager
async def _ticking() -> AsyncIterator[list[float]]:
    """Tick until the block ends; the list holds how late each tick came, in milliseconds."""
    delays: list[float] = []

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(_TICK)
            delays.append((time.perf_counter() - before - _TICK) * 1e3)

    ticking = asyncio.create_task(tick())
    yield delays
    ticking.cancel()


async def _while_ingesting(pdf: Path, data: Path) -> list[float]:
    scope = Scope(workspace=Workspace(platform="evals", id="loop"), channels=frozenset({"c"}))
    share = Share(paper_id="", channel="c", message="1", user="evals", at=datetime.now(UTC))
    async with Engine(Config(data=data)) as engine:
        await engine.models.embedder.query("The first question on a machine exports the model.")
        await engine.warm()
        async with _ticking() as delays:
            report = await engine.papers.ingest(share, scope=scope, pdf=pdf, file_name=pdf.name)
    if report.outcome != "indexed":
        raise ValueError(f"the paper was not read: {report.reason}")
    return delays
