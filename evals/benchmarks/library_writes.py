"""What adding, sharing and removing a paper costs in a full library, against the same in an empty one, in turns."""

import argparse
import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

from evals.benchmarks.harness import Report, Timings, in_turns, ratio
from evals.benchmarks.synthetic_papers import SyntheticPapers, fill_library, library_in
from evals.measured_search import OpenLibrary

LIBRARIES = ("empty", "full")
OPERATIONS = ("add", "share", "remove", "settle")
_PDF_BYTES = 200_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--passages", type=int, default=50_000, help="in the full library")
    parser.add_argument("--runs", type=int, default=9, help="papers added, shared and removed in each")


def run(options: argparse.Namespace) -> Report:
    """Times of each operation in both libraries and their ratio; ``settle`` is what a removal leaves for later."""
    return asyncio.run(_measure(options.passages, options.runs))


async def _measure(passages: int, runs: int) -> Report:
    timings = {(operation, library): Timings() for operation in OPERATIONS for library in LIBRARIES}
    with tempfile.TemporaryDirectory() as folder:
        pdf = Path(folder) / "paper.pdf"
        pdf.write_bytes(b"%PDF-1.7\n" + bytes(_PDF_BYTES))
        await fill_library(Path(folder) / "full", passages)
        papers = SyntheticPapers(7, made=passages)
        async with library_in(Path(folder) / "empty") as empty, library_in(Path(folder) / "full") as full:
            opened = {"empty": empty, "full": full}
            for round_number in range(runs):
                for name in in_turns(LIBRARIES, round_number):
                    times = {operation: timings[operation, name] for operation in OPERATIONS}
                    await _write_once(opened[name], papers, pdf, times)
    report = {f"{operation}, {library}": found.row for (operation, library), found in timings.items()}
    for operation in OPERATIONS:
        large, small = timings[operation, "full"], timings[operation, "empty"]
        report[f"{operation}, full over empty"] = {
            **ratio(large.cpu, small.cpu, "cpu_ratio"),
            **ratio(large.wall, small.wall, "wall_ratio"),
        }
    return report


async def _write_once(opened: OpenLibrary, papers: SyntheticPapers, pdf: Path, times: dict[str, Timings]) -> None:
    paper, reading, vectors = papers.paper()
    elsewhere = replace(paper.shares[0], channel="other", message=paper.id)
    await times["add"].add(lambda: opened.library.add(paper, reading, vectors, embedder="synthetic", pdf=pdf))
    await times["share"].add(lambda: opened.library.share(elsewhere))
    await times["remove"].add(lambda: opened.library.remove([paper.id]))
    await times["settle"].add(opened.forgetting.settled)
