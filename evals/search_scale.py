"""What a question costs in a large workspace: ``python -m evals.search_scale [--passages 200000] [--data DIR]``.

One run measures everything that is compared, so that ratios hold on a busy machine: the whole retriever with
the real embedder, its two indexes alone, one paper against the whole workspace, the dense index's memory
against its half-precision vectors, and the lexical index against rank-bm25 on the same tokens.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.config import EmbedderConfig
from core.domain.model import Passage, Scope, Workspace
from core.library import OpenLibrary, open_library
from core.search import HybridRetriever, KeepOrder, LiveIndex, open_embedder
from core.search.retriever import DEPTH
from core.text import index_tokens, query_tokens
from evals.embedding_speed import QUESTIONS
from evals.made_up_papers import CHANNELS, PASSAGES, PaperMill

if TYPE_CHECKING:
    from core.domain.ports import Embedder, Vector, Vectors
    from core.domain.progress import Progress

HERE = Workspace(platform="local", id="cost")
EVERYTHING = Scope(workspace=HERE, channels=frozenset({f"C{n}" for n in range(CHANNELS)}))
DIMENSION = 384
TOP = 10
WARMING = 40
Costs = dict[str, float]


class Told(dict[str, Costs]):
    """A report whose parts are printed as they come: the last ones take minutes."""

    def __setitem__(self, name: str, found: Costs) -> None:
        super().__setitem__(name, found)
        sys.stdout.write(f"{name:28}" + "  ".join(f"{key} {value:9.3f}" for key, value in found.items()) + "\n")
        sys.stdout.flush()


class Given:
    """An embedder that costs nothing: what remains is the search itself."""

    def __init__(self, vector: "Vector") -> None:
        self._vector = vector

    @property
    def identity(self) -> str:
        """As the library was told when it was filled."""
        return "cost"

    @property
    def dimension(self) -> int:
        """As the vectors'."""
        return DIMENSION

    async def passages(self, texts: Sequence[str], progress: "Progress | None" = None) -> "Vectors":
        """Never called: the library is filled with random vectors."""
        raise NotImplementedError

    async def query(self, text: str) -> "Vector":
        """The same vector, whatever is asked."""
        return self._vector

    async def warm(self) -> None:
        """There is nothing to load."""


class Natural(Given):
    """The real embedder, asked in English: the made-up words are five tokens each and would cost five times as much."""

    def __init__(self, embedder: "Embedder", vector: "Vector") -> None:
        super().__init__(vector)
        self._embedder = embedder
        self._asked = 0

    async def query(self, text: str) -> "Vector":
        """Embed one of the usual questions, numbered so that no two are alike."""
        self._asked += 1
        return await self._embedder.query(f"{QUESTIONS[self._asked % len(QUESTIONS)]} {self._asked}")


async def costs(runs: int, work: Callable[[], Awaitable[object]]) -> Costs:
    """CPU (all threads) and wall milliseconds: median and 95th percentile."""
    cpu, wall = [], []
    for _ in range(runs):
        began = (time.process_time(), time.perf_counter())
        await work()
        cpu.append(1e3 * (time.process_time() - began[0]))
        wall.append(1e3 * (time.perf_counter() - began[1]))
    last = max(0, round(0.95 * runs) - 1)
    return {
        "cpu_p50_ms": statistics.median(cpu),
        "cpu_p95_ms": sorted(cpu)[last],
        "wall_p50_ms": statistics.median(wall),
        "wall_p95_ms": sorted(wall)[last],
    }


def retriever(opened: OpenLibrary, live: LiveIndex, embedder: "Embedder") -> HybridRetriever:
    """As the engine builds it, without the memory of what was found before."""
    return HybridRetriever(
        remembered=0,
        library=opened.library,
        lexical=opened.lexical,
        dense=live.current,
        embedder=embedder,
        reranker=KeepOrder(),
    )


async def dense_memory(live: LiveIndex, passages: int) -> Costs:
    """Seconds to build, and the index's share of its vectors' size (by the bytes that FAISS writes out for it)."""
    import faiss

    began = time.perf_counter()
    index = await live.current()
    seconds = time.perf_counter() - began
    held = len(faiss.serialize_index(index._index))  # type: ignore[attr-defined]
    numbers = 8 * passages  # FAISS also keeps a map from number to place: 8 + 8 bytes and its nodes
    return {"build_seconds": seconds, "times_fp16_vectors": (held + 3 * numbers) / (2 * DIMENSION * passages)}


async def against_rank_bm25(opened: OpenLibrary, questions: Sequence[str]) -> Costs:
    """Both engines over the same tokens, k1 and b, no field weights: CPU ratio and agreement of the first ten.

    A passage agrees where rank-bm25 gives it at least the score of its own tenth: passages may tie.
    """
    from rank_bm25 import BM25Okapi

    numbers = await opened.library.numbers(EVERYTHING)
    tokens: list[list[str]] = []
    for start in range(0, len(numbers), 2_000):
        found = await opened.library.searched(EVERYTHING, numbers[start : start + 2_000].tolist())
        tokens += [
            [sys.intern(token) for token in index_tokens(found[number].indexed_text)] for number in sorted(found)
        ]
    reference = BM25Okapi(tokens, k1=1.2, b=0.75)
    places = {number: place for place, number in enumerate(numbers.tolist())}
    ours_cpu, theirs_cpu, shared = [], [], []
    for asked in questions:
        terms = list(dict.fromkeys(query_tokens(asked)))
        began = time.process_time()
        hits = await opened.lexical.matching(EVERYTHING, terms, limit=TOP)
        ours_cpu.append(time.process_time() - began)
        began = time.process_time()
        scores = reference.get_scores(terms)
        best = scores.argsort()[::-1][:TOP]
        theirs_cpu.append(time.process_time() - began)
        tenth = scores[best[-1]] - 1e-9
        shared.append(sum(scores[places[hit.number]] >= tenth for hit in hits) / TOP)
    ours, theirs = 1e3 * statistics.median(ours_cpu), 1e3 * statistics.median(theirs_cpu)
    agreement = statistics.mean(shared)
    return {"ours_cpu_ms": ours, "rank_bm25_cpu_ms": theirs, "times_faster": theirs / ours, "agreement": agreement}


async def filled(folder: Path, passages: int) -> Costs:
    """Add papers until there are enough; what the folder holds from before counts."""
    pdf = folder / "paper.pdf"
    pdf.write_bytes(b"%PDF-1.7\n")
    began = time.process_time()
    opened = await open_library(folder, HERE)
    held = len(await opened.library.numbers(EVERYTHING))
    mill = PaperMill(7, made=held // PASSAGES)
    for done in range(held, passages, PASSAGES):
        paper, reading, vectors = mill.paper()
        await opened.library.add(paper, reading, vectors, embedder="cost", pdf=pdf)
        if done % 4_000 == 0:
            sys.stderr.write(f"\r{done} of {passages} passages")
    await opened.close()
    return {"cpu_seconds": time.process_time() - began}


async def a_paper_more(opened: OpenLibrary, live: LiveIndex, folder: Path) -> Costs:
    """CPU milliseconds to add one paper to what is there, index included, and to remove it."""
    paper, reading, vectors = PaperMill(7, made=len(await opened.library.papers(EVERYTHING))).paper()
    began = time.process_time()
    await opened.library.add(paper, reading, vectors, embedder="cost", pdf=folder / "paper.pdf")
    await live.refresh()
    added = time.process_time()
    await opened.library.remove([paper.id])
    await live.refresh()
    return {"add_cpu_ms": 1e3 * (added - began), "remove_cpu_ms": 1e3 * (time.process_time() - added)}


def resident_megabytes() -> float:
    """Of this process, at its highest so far."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


async def measure(folder: Path, passages: int, runs: int, models: Path) -> dict[str, Costs]:
    """Fill a library and measure; see the module's first lines."""
    import numpy as np

    report: dict[str, Costs] = Told()
    report["filling"] = await filled(folder, passages)
    began = time.perf_counter(), time.process_time()
    opened = await open_library(folder, HERE)
    opening = {"wall_ms": 1e3 * (time.perf_counter() - began[0]), "cpu_ms": 1e3 * (time.process_time() - began[1])}
    live = LiveIndex(opened.library, DIMENSION)
    before = resident_megabytes()
    numbers = await opened.library.numbers(EVERYTHING)
    report["opening"] = opening
    dense = await dense_memory(live, len(numbers))
    report["dense index"] = dense | {"more_resident_megabytes": resident_megabytes() - before}
    mill = PaperMill(11)
    drawn = np.random.default_rng(3).choice(numbers, runs + WARMING, replace=False).tolist()
    about = await opened.library.passages(EVERYTHING, drawn)
    embedder = open_embedder(EmbedderConfig(cache=models))
    await embedder.query("load the model")
    given = Given(np.full(DIMENSION, DIMENSION**-0.5, dtype=np.float32))
    natural = Natural(embedder, await given.query(""))
    await _questions(report, opened, live, natural, given, about, [mill.question(one) for one in about])
    report["memory"] = {"resident_megabytes": resident_megabytes()}
    report["lexical and rank-bm25"] = await against_rank_bm25(opened, [mill.question(one) for one in about[:runs]])
    report["one paper more"] = await a_paper_more(opened, live, folder)
    await opened.close()
    return report


async def _questions(
    report: dict[str, Costs],
    opened: OpenLibrary,
    live: LiveIndex,
    embedder: "Embedder",
    given: Given,
    about: Sequence[Passage],
    every: Sequence[str],
) -> None:
    warming, questions = every[:WARMING], every[WARMING:]
    runs = len(questions)
    one = EVERYTHING.within(frozenset({about[0].paper_id}))
    for asked in warming:  # a bot that runs has seen most words of its papers before
        await retriever(opened, live, given).search(asked, EVERYTHING)
    for name, used in (("with embedding", embedder), ("without embedding", given)):
        searching = retriever(opened, live, used)
        await searching.search("warm up", EVERYTHING)
        rest = iter(questions)
        report[f"question, {name}"] = await costs(runs, lambda s=searching, r=rest: s.search(next(r), EVERYTHING))  # type: ignore[misc]
    searching = retriever(opened, live, given)
    await searching.search("warm up", one)
    rest = iter(questions)
    report["question, one paper"] = await costs(runs, lambda: searching.search(next(rest), one))
    others = iter([(question, of.paper_id) for question, of in zip(questions, about[WARMING:], strict=True)])

    async def elsewhere() -> None:
        question, paper_id = next(others)
        await searching.search(question, EVERYTHING.within(frozenset({paper_id})))

    report["first question of a paper"] = await costs(runs, elsewhere)
    for name, scope in (("workspace", EVERYTHING), ("one paper", one)):
        report[f"indexes alone, {name}"] = await _indexes(opened, live, given, scope, questions)
    whole, paper = report["question, without embedding"], report["question, one paper"]
    alone, narrow = report["indexes alone, workspace"], report["indexes alone, one paper"]
    first = report["first question of a paper"]
    report["one paper is cheaper by"] = {
        "question": whole["cpu_p50_ms"] / paper["cpu_p50_ms"],
        "question_p95": whole["cpu_p95_ms"] / paper["cpu_p95_ms"],
        "first_question": whole["cpu_p50_ms"] / first["cpu_p50_ms"],
        "indexes": alone["cpu_p50_ms"] / narrow["cpu_p50_ms"],
    }


async def _indexes(opened: OpenLibrary, live: LiveIndex, given: Given, scope: Scope, questions: Sequence[str]) -> Costs:
    allowed, index, vector = await opened.library.numbers(scope), await live.current(), await given.query("")
    rest = iter([list(dict.fromkeys(query_tokens(asked))) for asked in questions])

    async def work() -> None:
        await asyncio.gather(
            asyncio.to_thread(index.nearest, vector, allowed=allowed, limit=DEPTH),
            opened.lexical.matching(scope, next(rest), limit=DEPTH),
        )

    return await costs(len(questions), work)


def main() -> None:
    """Measure and print; ``--out`` also writes JSON."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--passages", type=int, default=200_000)
    wanted.add_argument("--runs", type=int, default=60)
    wanted.add_argument("--models", type=Path, default=Path(tempfile.gettempdir()) / "footnote-models")
    wanted.add_argument("--data", type=Path, help="keep the filled library here, and use one that is there")
    wanted.add_argument("--out", type=Path)
    asked = wanted.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = asked.data or Path(folder)
        data.mkdir(parents=True, exist_ok=True)
        report = asyncio.run(measure(data, asked.passages, asked.runs, asked.models))
    if asked.out:
        asked.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
