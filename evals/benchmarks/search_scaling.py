"""What a question and one paper more cost in a large workspace of synthetic papers, at one size or several.

Each size has a process of its own, so that memory is that of one workspace. Costs are CPU milliseconds, which a busy
machine blurs less than seconds. With several sizes, ``--out FILE`` also draws costs against size beside it.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.config import EmbedderConfig
from core.domain.model import Passage, Scope
from evals.benchmarks.embedding_speed import QUESTIONS
from evals.benchmarks.harness import Report, Row, Timings, in_own_process, peak_megabytes, repeated
from evals.benchmarks.synthetic_papers import DIMENSION, EVERYTHING, SyntheticPapers, fill_library, library_in
from evals.measured_search import (
    DEPTH,
    HybridRetriever,
    NullReranker,
    OpenLibrary,
    SyncedIndex,
    open_embedder,
    query_tokens,
)

if TYPE_CHECKING:
    from core.domain.ports import Embedder, Vector, Vectors
    from core.domain.progress import Progress

WARM_UP = 40
DRAWN = {
    "CPU milliseconds": ("question_p95_ms", "add_ms", "remove_ms", "index_ms"),
    "megabytes": ("disk_mb", "peak_mb"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--passages", type=int, nargs="+", default=[200_000], metavar="N", help="one size or several")
    parser.add_argument("--runs", type=int, default=60, help="questions of each kind")
    parser.add_argument("--models", type=Path, default=Path(tempfile.gettempdir()) / "footnote-models")
    parser.add_argument("--data", type=Path, help="keep the filled libraries here, and use those that are there")


def run(options: argparse.Namespace) -> Report:
    """Fill a library of each size and measure."""
    report: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in options.passages:
            data = (options.data or Path(folder)) / str(size)
            found = in_own_process(measure, size, data, options.runs, options.models)
            report |= {f"{size:,} passages: {name}": row for name, row in found.items()}
    sizes = [{**report[f"{size:,} passages: workspace"], "passages": size} for size in options.passages]
    if options.out and len(sizes) > 1:
        _draw(sizes, options.out.with_suffix(".png"))
    return report


def measure(passages: int, folder: Path, runs: int, models: Path) -> Report:
    """The figures of one size, in this process."""
    return asyncio.run(_measure(passages, folder, runs, models))


class FixedEmbedder:
    """An embedder that costs nothing, so that what remains is the search itself."""

    identity = "synthetic"
    dimension = DIMENSION

    async def passages(self, texts: Sequence[str], progress: "Progress | None" = None) -> "Vectors":
        """Never called: the library is filled with random vectors."""
        raise NotImplementedError

    async def query(self, text: str) -> "Vector":
        """The same unit vector, whatever is asked."""
        import numpy as np

        return np.full(DIMENSION, DIMENSION**-0.5, dtype=np.float32)

    async def warm(self) -> None:
        """There is nothing to load."""


class EnglishEmbedder(FixedEmbedder):
    """The real embedder, given English: synthetic words are five tokens each and would cost five times as much."""

    def __init__(self, embedder: "Embedder") -> None:
        self._embedder = embedder
        self._asked = 0

    async def query(self, text: str) -> "Vector":
        """Embed one of the usual questions, numbered so that no two are alike."""
        self._asked += 1
        return await self._embedder.query(f"{QUESTIONS[self._asked % len(QUESTIONS)]} {self._asked}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """An open library with its dense index and questions about its passages, the first ``WARM_UP`` not counted."""

    opened: OpenLibrary
    live: SyncedIndex
    passages: Sequence[Passage]
    questions: Sequence[str]

    @property
    def counted(self) -> Sequence[str]:
        """The questions that are measured."""
        return self.questions[WARM_UP:]

    async def timed(self, embedder: "Embedder", questions: Sequence[str], scopes: Sequence[Scope]) -> Timings:
        """Each question in its scope, without the memory of what was found before."""
        searching = HybridRetriever(
            library=self.opened.library,
            lexical=self.opened.lexical,
            dense=self.live.current,
            embedder=embedder,
            reranker=NullReranker(),
            remembered=0,
        )
        await searching.search("warm up", scopes[0])
        pairs = iter(zip(questions, scopes, strict=True))
        return await repeated(len(questions), lambda: searching.search(*next(pairs)))

    async def indexes_alone(self, scope: Scope) -> Timings:
        """Both indexes side by side, every counted question."""
        allowed, index = await self.opened.library.numbers(scope), await self.live.current()
        vector, depth = await FixedEmbedder().query(""), DEPTH
        terms = iter([list(dict.fromkeys(query_tokens(question))) for question in self.counted])

        async def both() -> None:
            await asyncio.gather(
                asyncio.to_thread(index.nearest, vector, allowed=allowed, limit=depth),
                self.opened.lexical.matching(scope, next(terms), limit=depth),
            )

        return await repeated(len(self.counted), both)


async def workload(opened: OpenLibrary, runs: int) -> Workload:
    """Questions about a filled library; its dense index is not yet built."""
    import numpy as np

    numbers = await opened.library.numbers(EVERYTHING)
    drawn = np.random.default_rng(3).choice(numbers, runs + WARM_UP, replace=False).tolist()
    passages = await opened.library.passages(EVERYTHING, drawn)
    synthetic = SyntheticPapers(11)
    questions = [synthetic.question(passage) for passage in passages]
    live = SyncedIndex(opened.library, DIMENSION)
    return Workload(opened=opened, live=live, passages=passages, questions=questions)


async def _measure(passages: int, folder: Path, runs: int, models: Path) -> Report:
    await fill_library(folder, passages)
    began = time.process_time()
    async with library_in(folder) as opened:
        open_ms = 1e3 * (time.process_time() - began)
        work = await workload(opened, runs)
        began = time.process_time()
        await work.live.current()
        index_ms = 1e3 * (time.process_time() - began)
        rows = await _questions(work, runs, models)
        workspace = {
            "disk_mb": await asyncio.to_thread(_megabytes, folder),
            "open_ms": open_ms,
            "index_ms": index_ms,
            "index_times_fp16_vectors": await _index_size(work),
            "question_p95_ms": rows["question, with embedding"]["cpu_ms_p95"],
            **await _one_paper_more(work, folder),
            "peak_mb": peak_megabytes(),
        }
    return {**rows, "one paper is cheaper by": _cheaper(rows), "workspace": workspace}


async def _questions(work: Workload, runs: int, models: Path) -> Report:
    embedder, fixed = open_embedder(EmbedderConfig(cache=models)), FixedEmbedder()
    await embedder.query("load the model")
    everywhere = [EVERYTHING] * runs
    papers = [EVERYTHING.within(frozenset({passage.paper_id})) for passage in work.passages]
    # A bot that runs has seen most words of its papers before.
    await work.timed(fixed, work.questions[:WARM_UP], [EVERYTHING] * WARM_UP)
    timings = {
        "question, with embedding": await work.timed(EnglishEmbedder(embedder), work.counted, everywhere),
        "question, without embedding": await work.timed(fixed, work.counted, everywhere),
        "question, one paper": await work.timed(fixed, work.counted, papers[:1] * runs),
        "first question of a paper": await work.timed(fixed, work.counted, papers[WARM_UP:]),
        "indexes alone, workspace": await work.indexes_alone(EVERYTHING),
        "indexes alone, one paper": await work.indexes_alone(papers[0]),
    }
    return {name: found.row for name, found in timings.items()}


def _cheaper(rows: Report) -> Row:
    """How many times cheaper one paper is than the workspace."""
    whole, paper = rows["question, without embedding"], rows["question, one paper"]
    indexes, narrow = rows["indexes alone, workspace"], rows["indexes alone, one paper"]
    return {
        "question": whole["cpu_ms_p50"] / paper["cpu_ms_p50"],
        "question_p95": whole["cpu_ms_p95"] / paper["cpu_ms_p95"],
        "first_question": whole["cpu_ms_p50"] / rows["first question of a paper"]["cpu_ms_p50"],
        "indexes": indexes["cpu_ms_p50"] / narrow["cpu_ms_p50"],
    }


async def _index_size(work: Workload) -> float:
    """The dense index's size over that of its half-precision vectors, by the bytes that FAISS writes out for it."""
    import faiss

    index = await work.live.current()
    passages = len(await work.opened.library.numbers(EVERYTHING))
    written = len(faiss.serialize_index(index._index))  # type: ignore[attr-defined]
    numbers = 3 * 8 * passages  # FAISS also keeps a map from number to position: 8 + 8 bytes and its nodes
    return (written + numbers) / (2 * DIMENSION * passages)


async def _one_paper_more(work: Workload, folder: Path) -> Row:
    """Adding a paper to what is there, dense index included, and removing it."""
    library = work.opened.library
    paper, reading, vectors = SyntheticPapers(7, made=len(await library.papers(EVERYTHING))).paper()
    began = time.process_time()
    await library.add(paper, reading, vectors, embedder="synthetic", pdf=folder / "paper.pdf")
    await work.live.refresh()
    added = time.process_time()
    await library.remove([paper.id])
    await work.live.refresh()
    return {"add_ms": 1e3 * (added - began), "remove_ms": 1e3 * (time.process_time() - added)}


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("library.db*")) / 1e6


def _draw(rows: Sequence[Row], path: Path) -> None:
    """Costs against size, both axes logarithmic: what grows with the library is a rising line."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for axes, (unit, names) in zip(panels, DRAWN.items(), strict=True):
        for name in names:
            axes.plot([row["passages"] for row in rows], [row[name] for row in rows], marker="o", label=name)
        axes.set(xscale="log", yscale="log", xlabel="passages in one workspace", ylabel=unit)
        axes.legend(fontsize="small")
    figure.savefig(path, dpi=120)
    plt.close(figure)
