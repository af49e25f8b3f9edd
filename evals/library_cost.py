"""What the library costs as it grows: adding, removing, sharing and scoped search, in an empty and a full one.

``python -m evals.library_cost [--passages 50000] [--out FILE]``. The papers are made up: words drawn by
Zipf's law, so that common words have long posting lists and every paper brings some words of its own. Times
are CPU milliseconds of the process (all its threads) beside wall milliseconds, medians of several runs.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain.model import Box, Metadata, Paper, Passage, Reading, Scope, Share, Workspace
from core.library import OpenLibrary, open_library

if TYPE_CHECKING:
    import numpy as np

HERE = Workspace(platform="local", id="cost")
CHANNELS = 10
PASSAGES = 80
WORDS = 120
DIMENSION = 384
_ZIPF = 1.25
"""Gives about 2,000 different words a paper of 9,600, as many as papers have."""
_AT = datetime(2026, 1, 1, tzinfo=UTC)


class PaperMill:
    """Makes papers that look, to an index, like papers."""

    def __init__(self, seed: int) -> None:
        import numpy as np

        self._random = np.random.default_rng(seed)
        self._made = 0

    def words(self, count: int) -> list[str]:
        """Words by Zipf's law: few are frequent, most are rare."""
        ranks = self._random.zipf(_ZIPF, size=count) % 400_000
        return [self._spelt(rank) for rank in ranks.tolist()]

    def question(self) -> list[str]:
        """Eight words as a question has them without its stop words: none of the most frequent."""
        ranks = [rank for rank in (self._random.zipf(_ZIPF, size=400) % 400_000).tolist() if rank > 200]
        return list(dict.fromkeys(self._spelt(rank) for rank in ranks))[:8]

    @staticmethod
    def _spelt(rank: int) -> str:
        return f"{'bcdfglmnrstv'[rank % 12]}o{rank:x}"

    def paper(self) -> tuple[Paper, Reading, "np.ndarray[tuple[int, int], np.dtype[np.float32]]"]:
        """One paper of ``PASSAGES`` passages with unit vectors."""
        self._made += 1
        paper_id = sha256(f"paper {self._made}".encode()).hexdigest()
        title = " ".join(self.words(9))
        passages = tuple(self._passage(paper_id, title, place) for place in range(PASSAGES))
        metadata = Metadata(title=title, authors=(f"Author {self._made}",), year=2000 + self._made % 25)
        channel = f"C{self._made % CHANNELS}"
        share = Share(paper_id=paper_id, channel=channel, message=f"m{self._made}", user="u", at=_AT, file_id="f")
        paper = Paper(
            id=paper_id,
            file_name=f"{self._made}.pdf",
            metadata=metadata,
            pages=10,
            kind="born digital",
            added_at=_AT,
            shares=(share,),
        )
        vectors = self._random.standard_normal((PASSAGES, DIMENSION)).astype("float32")
        return paper, Reading(metadata=metadata, kind="born digital", pages=10, passages=passages), vectors

    def _passage(self, paper_id: str, title: str, place: int) -> Passage:
        section = (f"{place // 8} Section {place // 8}",)
        text = " ".join(self.words(WORDS))
        boxes = tuple(Box(page=place // 8 + 1, x0=72, y0=72 + 12 * n, x1=520, y1=84 + 12 * n) for n in range(10))
        return Passage(
            id=sha256(f"{paper_id}{place}".encode()).hexdigest()[:20],
            paper_id=paper_id,
            ordinal=place,
            page=place // 8 + 1,
            section=section,
            kind="table" if place % 20 == 19 else "text",
            text=text,
            indexed_text=f"{title}\n{section[0]}\n{text}",
            boxes=boxes,
        )


async def _nothing() -> None:
    """Between runs, as a rule."""


async def timed(
    runs: int, work: Callable[[], Awaitable[object]], between: Callable[[], Awaitable[object]] = _nothing
) -> dict[str, float]:
    """Median CPU and wall milliseconds of ``work``; what ``between`` takes after each run is not counted."""
    cpu, wall = [], []
    for _ in range(runs):
        began = (time.process_time(), time.perf_counter())
        await work()
        cpu.append(1e3 * (time.process_time() - began[0]))
        wall.append(1e3 * (time.perf_counter() - began[1]))
        await between()
    return {"cpu_ms": statistics.median(cpu), "wall_ms": statistics.median(wall), "wall_ms_max": max(wall)}


async def add(opened: OpenLibrary, mill: PaperMill, pdf: Path) -> Paper:
    """Make a paper and store it."""
    paper, reading, vectors = mill.paper()
    await opened.library.add(paper, reading, vectors, embedder="cost", pdf=pdf)
    return paper


async def writes(opened: OpenLibrary, mill: PaperMill, pdf: Path, runs: int) -> dict[str, dict[str, float]]:
    """Cost of adding, sharing and removing one paper in the library as it is."""
    costs: dict[str, dict[str, float]] = {}
    made = [mill.paper() for _ in range(runs)]
    waiting = iter(made)

    async def one() -> None:
        paper, reading, vectors = next(waiting)
        await opened.library.add(paper, reading, vectors, embedder="cost", pdf=pdf)

    costs["add"] = await timed(runs, one)
    papers = [paper for paper, _, _ in made]
    moves = iter(papers)
    costs["share"] = await timed(
        runs, lambda: opened.library.share(replace((p := next(moves)).shares[0], channel="other", message=p.id))
    )
    gone = iter(papers)

    async def remove() -> None:
        await opened.library.remove([next(gone).id])

    costs["remove"] = await timed(runs - 1, remove, between=opened.forgetting.settled)
    await remove()
    costs["settle"] = await timed(1, opened.forgetting.settled)
    return costs


async def reads(opened: OpenLibrary, mill: PaperMill, runs: int) -> dict[str, dict[str, float]]:
    """Cost of scoped reads: everything, one channel, one paper; a warm numbers cache and a cold one."""
    everything = Scope(workspace=HERE, channels=frozenset({"other", *(f"C{n}" for n in range(CHANNELS))}))
    paper = (await opened.library.papers(everything))[-1]
    scopes = {
        "workspace": everything,
        "channel": replace(everything, channels=frozenset({paper.shares[0].channel})),
        "paper": everything.within(frozenset({paper.id})),
    }
    costs = {"papers workspace": await timed(runs, lambda: opened.library.papers(everything))}
    numbers = (await opened.library.numbers(everything))[::997][:50].tolist()
    costs["50 passages"] = await timed(runs, lambda: opened.library.passages(everything, numbers))
    for name, scope in scopes.items():
        questions = iter([mill.question() for _ in range(runs)])
        costs[f"lexical {name}"] = await timed(
            runs,
            lambda scope=scope, q=questions: opened.lexical.matching(scope, next(q), limit=100),  # type: ignore[misc]
        )
        costs[f"numbers {name}, first"] = await timed(1, lambda scope=scope: opened.library.numbers(scope))  # type: ignore[misc]
        costs[f"numbers {name}, again"] = await timed(runs, lambda scope=scope: opened.library.numbers(scope))  # type: ignore[misc]
    return costs


async def measure(passages: int, runs: int) -> dict[str, dict[str, dict[str, float]]]:
    """All costs, in an empty library and in one of ``passages`` passages."""
    mill = PaperMill(7)
    with tempfile.TemporaryDirectory() as folder:
        pdf = Path(folder) / "paper.pdf"
        pdf.write_bytes(b"%PDF-1.7\n" + bytes(200_000))
        opened = await open_library(Path(folder), HERE)
        await add(opened, mill, pdf)
        report = {"empty": await writes(opened, mill, pdf, runs)}
        for done in range(0, passages, PASSAGES):
            await add(opened, mill, pdf)
            if done % 4_000 == 0:
                sys.stderr.write(f"\r{done} of {passages} passages")
        report["full"] = await reads(opened, mill, runs) | await writes(opened, mill, pdf, runs)
        report["full"]["megabytes"] = {"library.db": _size(Path(folder)) / 1e6}
        await opened.close()

        async def reopened() -> None:
            await (await open_library(Path(folder), HERE)).close()

        report["full"]["open and close"] = await timed(runs, reopened)
    return report


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("library.db*"))


def main() -> None:
    """Measure and print; ``--out`` also writes JSON."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--passages", type=int, default=50_000)
    wanted.add_argument("--runs", type=int, default=9)
    wanted.add_argument("--out", type=Path)
    asked = wanted.parse_args()
    report = asyncio.run(measure(asked.passages, asked.runs))
    for size, costs in report.items():
        sys.stdout.write(f"\n{size}\n")
        for name, cost in costs.items():
            sys.stdout.write(f"  {name:28}" + "  ".join(f"{key} {value:8.2f}" for key, value in cost.items()) + "\n")
    if asked.out:
        asked.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
