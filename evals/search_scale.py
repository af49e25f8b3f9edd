"""What a question costs in a large workspace: ``python -m evals.search_scale [--passages 200000] [--out FILE]``.

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

from core.config import EmbedderConfig, SearchConfig
from core.domain.model import Paper, Scope
from core.library import OpenLibrary, open_library
from core.search import HybridRetriever, KeepOrder, LiveIndex, open_embedder
from core.text import index_tokens, query_tokens
from evals.embedding_speed import QUESTIONS
from evals.library_cost import CHANNELS, HERE, PASSAGES, PaperMill, add

if TYPE_CHECKING:
    from core.domain.ports import Embedder, Vector, Vectors
    from core.domain.progress import Progress

EVERYTHING = Scope(workspace=HERE, channels=frozenset({f"C{n}" for n in range(CHANNELS)}))
DIMENSION = 384
TOP = 10
Costs = dict[str, float]


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


def question(mill: PaperMill) -> str:
    """Eight words of which each stands in at most a few of a hundred passages, in a question's frame."""
    words: list[str] = []
    while len(words) < 8:
        words += [word for word in mill.words(40) if len(word) >= 5][: 8 - len(words)]
    a, b, c, d, e, f, g, h = words
    return f"How does {a} {b} relate to {c} and {d} in {e} {f} {g} {h}?"


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
        SearchConfig(cache_entries=0),
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


async def against_rank_bm25(opened: OpenLibrary, papers: Sequence[Paper], questions: Sequence[str]) -> Costs:
    """Both engines over the same tokens, k1 and b, no field weights: CPU ratio and agreement of the first ten."""
    from rank_bm25 import BM25Okapi

    numbers = await opened.library.numbers(EVERYTHING)
    tokens: list[list[str]] = []
    for start in range(0, len(numbers), 2_000):
        block = numbers[start : start + 2_000].tolist()
        tokens += [index_tokens(one.indexed_text) for one in await opened.library.passages(EVERYTHING, block)]
    reference = BM25Okapi(tokens, k1=1.2, b=0.75)
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
        shared.append(len({hit.number for hit in hits} & {int(numbers[place]) for place in best}) / TOP)
    ours, theirs = 1e3 * statistics.median(ours_cpu), 1e3 * statistics.median(theirs_cpu)
    agreement = statistics.mean(shared)
    return {"ours_cpu_ms": ours, "rank_bm25_cpu_ms": theirs, "times_faster": theirs / ours, "agreement": agreement}


async def measure(passages: int, runs: int, models: Path) -> dict[str, Costs]:
    """Fill a library and measure; see the module's first lines."""
    import numpy as np

    mill = PaperMill(7)
    with tempfile.TemporaryDirectory() as folder:
        pdf = Path(folder) / "paper.pdf"
        pdf.write_bytes(b"%PDF-1.7\n")
        opened = await open_library(Path(folder), HERE)
        papers: list[Paper] = []
        for done in range(0, passages, PASSAGES):
            papers.append(await add(opened, mill, pdf))
            if done % 4_000 == 0:
                sys.stderr.write(f"\r{done} of {passages} passages")
        live = LiveIndex(opened.library, DIMENSION)
        report = {"dense index": await dense_memory(live, passages)}
        questions = [question(mill) for _ in range(runs)]
        embedder = open_embedder(EmbedderConfig(cache=models))
        await embedder.query("load the model")
        given = Given(np.full(DIMENSION, DIMENSION**-0.5, dtype=np.float32))
        natural = Natural(embedder, await given.query(""))
        report |= await _questions(opened, live, natural, given, papers, questions)
        report["lexical and rank-bm25"] = await against_rank_bm25(opened, papers, questions)
        await opened.close()
    return report


async def _questions(
    opened: OpenLibrary,
    live: LiveIndex,
    embedder: "Embedder",
    given: Given,
    papers: Sequence[Paper],
    questions: Sequence[str],
) -> dict[str, Costs]:
    report: dict[str, Costs] = {}
    runs = len(questions)
    one = EVERYTHING.within(frozenset({papers[len(papers) // 2].id}))
    for name, used in (("with embedding", embedder), ("without embedding", given)):
        searching = retriever(opened, live, used)
        await searching.search("warm up", EVERYTHING)
        rest = iter(questions)
        report[f"question, {name}"] = await costs(runs, lambda s=searching, r=rest: s.search(next(r), EVERYTHING))  # type: ignore[misc]
    searching = retriever(opened, live, given)
    await searching.search("warm up", one)
    rest = iter(questions)
    report["question, one paper"] = await costs(runs, lambda: searching.search(next(rest), one))
    for name, scope in (("workspace", EVERYTHING), ("one paper", one)):
        report[f"indexes alone, {name}"] = await _indexes(opened, live, given, scope, questions)
    whole, paper = report["question, without embedding"], report["question, one paper"]
    alone, narrow = report["indexes alone, workspace"], report["indexes alone, one paper"]
    report["one paper is cheaper by"] = {
        "question": whole["cpu_p50_ms"] / paper["cpu_p50_ms"],
        "indexes": alone["cpu_p50_ms"] / narrow["cpu_p50_ms"],
    }
    return report


async def _indexes(opened: OpenLibrary, live: LiveIndex, given: Given, scope: Scope, questions: Sequence[str]) -> Costs:
    allowed, index, vector = await opened.library.numbers(scope), await live.current(), await given.query("")
    rest = iter([list(dict.fromkeys(query_tokens(asked))) for asked in questions])

    async def work() -> None:
        await asyncio.gather(
            asyncio.to_thread(index.nearest, vector, allowed=allowed, limit=SearchConfig().depth),
            opened.lexical.matching(scope, next(rest), limit=SearchConfig().depth),
        )

    return await costs(len(questions), work)


def main() -> None:
    """Measure and print; ``--out`` also writes JSON."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--passages", type=int, default=200_000)
    wanted.add_argument("--runs", type=int, default=60)
    wanted.add_argument("--models", type=Path, default=Path(tempfile.gettempdir()) / "footnote-models")
    wanted.add_argument("--out", type=Path)
    asked = wanted.parse_args()
    report = asyncio.run(measure(asked.passages, asked.runs, asked.models))
    for name, found in report.items():
        sys.stdout.write(f"{name:28}" + "  ".join(f"{key} {value:9.3f}" for key, value in found.items()) + "\n")
    if asked.out:
        asked.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
