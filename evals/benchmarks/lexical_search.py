"""The lexical index against rank-bm25 over the same tokens, k1 and b, without field weights.

Given are both CPU times and how much the first ten agree. A passage agrees where rank-bm25 gives it at least the score
of its own tenth: passages may tie.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from evals.benchmarks.harness import Report, distribution, ratio
from evals.benchmarks.search_scaling import Workload, workload
from evals.benchmarks.synthetic_papers import EVERYTHING, fill_library, library_in
from evals.measured_search import index_tokens, query_tokens

TOP = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--runs", type=int, default=60, help="questions")
    parser.add_argument("--data", type=Path, help="keep the filled libraries here, and use those that are there")


def run(options: argparse.Namespace) -> Report:
    """Fill a library and compare."""
    with tempfile.TemporaryDirectory() as folder:
        data = (options.data or Path(folder)) / str(options.passages)
        return asyncio.run(_measure(data, options.passages, options.runs))


async def _measure(folder: Path, passages: int, runs: int) -> Report:
    await fill_library(folder, passages)
    async with library_in(folder) as opened:
        return await _compare(await workload(opened, runs))


async def _compare(work: Workload) -> Report:
    from rank_bm25 import BM25Okapi

    numbers = (await work.opened.library.numbers(EVERYTHING)).tolist()
    reference = BM25Okapi(await _tokens(work, numbers), k1=1.2, b=0.75)
    rows = {number: row for row, number in enumerate(numbers)}
    ours, theirs, agreed = [], [], []
    for question in work.counted:
        terms = list(dict.fromkeys(query_tokens(question)))
        began = time.process_time()
        hits = await work.opened.lexical.matching(EVERYTHING, terms, limit=TOP)
        ours.append(1e3 * (time.process_time() - began))
        began = time.process_time()
        scores = reference.get_scores(terms)
        best = scores.argsort()[::-1][:TOP]
        theirs.append(1e3 * (time.process_time() - began))
        tenth = scores[best[-1]] - 1e-9
        agreed.append(sum(scores[rows[hit.number]] >= tenth for hit in hits) / TOP)
    return {
        "lexical index": distribution("cpu_ms", ours, "p50", "p95"),
        "rank-bm25": distribution("cpu_ms", theirs, "p50", "p95"),
        "times faster": ratio(theirs, ours),
        "agreement": {"mean": statistics.mean(agreed)},
    }


async def _tokens(work: Workload, numbers: list[int]) -> list[list[str]]:
    tokens: list[list[str]] = []
    for start in range(0, len(numbers), 2_000):
        found = await work.opened.library.searched(EVERYTHING, numbers[start : start + 2_000])
        tokens += [[sys.intern(token) for token in index_tokens(found[key].indexed_text)] for key in sorted(found)]
    return tokens
