"""Does the event loop keep ticking while a long paper is read? Its worst gap, beside the same loop with busy cores.

Run as ``python -m evals.loop_gap``. Both halves run in this process one after the other: first the loop
ticks while another process keeps every core busy, then while a 60-page PDF is ingested from start to end, as in
a bot that has been running for some seconds: what it loads in the background after a start is loaded.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.config import Config
from core.domain.model import Scope, Share, Workspace
from core.engine import Engine

_TICK = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """How late ticks came, in milliseconds, over ``seconds`` of ticking."""

    worst: float
    p99: float
    p50: float
    ticks: int
    seconds: float


async def _ticking(stop: asyncio.Event) -> Gaps:
    late: list[float] = []
    began = time.perf_counter()
    while not stop.is_set():
        before = time.perf_counter()
        await asyncio.sleep(_TICK)
        late.append((time.perf_counter() - before - _TICK) * 1000)
    ordered = sorted(late)
    return Gaps(
        worst=ordered[-1],
        p99=ordered[int(0.99 * (len(ordered) - 1))],
        p50=ordered[len(ordered) // 2],
        ticks=len(ordered),
        seconds=time.perf_counter() - began,
    )


def _spin(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


async def _beside_busy_cores(seconds: float) -> Gaps:
    context = multiprocessing.get_context("spawn")
    spinning = [context.Process(target=_spin, args=(seconds + 3,)) for _ in range(os.cpu_count() or 1)]
    for process in spinning:
        process.start()
    stop = asyncio.Event()
    ticking = asyncio.create_task(_ticking(stop))
    await asyncio.sleep(seconds)
    stop.set()
    gaps = await ticking
    for process in spinning:
        process.terminate()
    return gaps


async def _while_ingesting(pdf: Path, data: Path) -> Gaps:
    scope = Scope(workspace=Workspace(platform="bench", id="loop"), channels=frozenset({"c"}))
    share = Share(paper_id="", channel="c", message="1", user="bench", at=datetime.now(UTC))
    async with Engine(Config(data=data)) as engine:
        await engine.parts.embedder.query("The first one on a machine exports the model.")
        await engine.warm()
        stop = asyncio.Event()
        ticking = asyncio.create_task(_ticking(stop))
        report = await engine.ingest(share, scope=scope, pdf=pdf, file_name=pdf.name)
        stop.set()
        gaps = await ticking
    if report.outcome != "indexed":
        raise SystemExit(f"The paper was not read: {report.reason}")
    return gaps


def _sixty_pages(folder: Path) -> Path:
    """A paper of 60 full pages, made here."""
    from tests.pdfs.papers import LICHENS, write_pdf

    return write_pdf(LICHENS, folder, "sixty.pdf", pad_pages=59)


async def _measure(pdf: Path | None, seconds: float) -> dict[str, Gaps]:
    with tempfile.TemporaryDirectory() as folder:
        paper = pdf or _sixty_pages(Path(folder))
        busy = await _beside_busy_cores(seconds)
        ingest = await _while_ingesting(paper, Path(folder) / "data")
    return {"busy_cores": busy, "ingest": ingest}


def main() -> None:
    """Measure and print both halves and their ratio."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pdf", type=Path, help="ingest this PDF instead of one made here")
    options.add_argument("--seconds", type=float, default=20.0, help="how long to tick beside busy cores")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    given = options.parse_args()
    found = asyncio.run(_measure(given.pdf, given.seconds))
    ratio = found["ingest"].worst / found["busy_cores"].worst
    for name, gaps in found.items():
        sys.stdout.write(
            f"{name:12} worst {gaps.worst:7.1f} ms  p99 {gaps.p99:6.1f}  p50 {gaps.p50:5.2f}  "
            f"({gaps.ticks} ticks in {gaps.seconds:.0f} s)\n"
        )
    sys.stdout.write(f"worst gap, ingest over busy cores: {ratio:.2f}\n")
    if given.out:
        figures = {"ratio": ratio, **{name: asdict(gaps) for name, gaps in found.items()}}
        given.out.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
