"""What embedding costs: ``python -m evals.embedding_speed [--texts 200] [--out FILE]``.

Three ways side by side, each in a process of its own and in turns: plain sentence-transformers, the exported
model, the exported model in int8. Passages are compared by CPU seconds; a question by wall time while other
processes keep every core busy, which is when it matters.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.config import EmbedderConfig
from core.search import open_embedder

WAYS = ("plain", "onnx", "int8")
QUESTIONS = (
    "How does heat stress change the grain yield of wheat?",
    "Which software was used to read the structure of the PDF files?",
    "What share of the patients came without a referral?",
    "Why do the authors leave the newest models out of the comparison?",
    "Which algorithm picked the candidate members of the cluster?",
)
_PROSE = (
    "the yield of wheat under heat stress was measured in both years and compared with control plots while silver "
    "particles of several sizes inhibited growth at low concentration as reported for similar methods and models"
)


def texts(count: int) -> list[str]:
    """Passages of 40 to 130 words, the same in every process."""
    words = _PROSE.split()
    return [
        " ".join(words[(place * 7 + at * 3) % len(words)] for at in range(40 + place * 37 % 91))
        for place in range(count)
    ]


async def one_way(way: str, count: int, models: Path) -> dict[str, float]:
    """Costs of one way, in this process."""
    import numpy as np

    began = time.perf_counter()
    embedder = open_embedder(EmbedderConfig(cache=models, onnx=way != "plain", int8=way == "int8"))
    await embedder.query("ready?")
    ready = time.perf_counter() - began
    started, wall = time.process_time(), time.perf_counter()
    rows = await embedder.passages(texts(count))
    cpu, wall = time.process_time() - started, time.perf_counter() - wall
    waits = []
    with every_core_busy():
        await asyncio.sleep(0.5)
        for place, asked in enumerate(QUESTIONS * 6):
            began = time.perf_counter()
            await embedder.query(f"{asked} {place}")  # no two alike: a question that was asked before costs nothing
            waits.append(1e3 * (time.perf_counter() - began))
    np.save(models / f"speed-{way}.npy", rows)
    return {
        "ready_seconds": ready,
        "passages_per_cpu_second": count / cpu,
        "passages_per_second": count / wall,
        "question_busy_p50_ms": statistics.median(waits),
        "question_busy_mean_ms": statistics.mean(waits),
        "question_busy_p95_ms": sorted(waits)[round(0.95 * len(waits)) - 1],
        "peak_megabytes": _peak_megabytes(),
    }


@contextmanager
def every_core_busy() -> Iterator[None]:
    """One endless loop a core in processes of their own, ended with the block."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _peak_megabytes() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


async def _exported(config: EmbedderConfig) -> None:
    await open_embedder(config).query("export")


def measure(count: int, rounds: int, models: Path) -> dict[str, dict[str, float]]:
    """Each way ``rounds`` times, in turns; medians, and each against plain."""
    import numpy as np

    for int8 in (False, True):  # exporting is once in a lifetime and not part of what is compared
        asyncio.run(_exported(EmbedderConfig(cache=models, int8=int8)))
    runs: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    for _ in range(rounds):
        for way in WAYS:
            command = [sys.executable, "-m", "evals.embedding_speed", "--way", way, "--texts", str(count)]
            done = subprocess.run([*command, "--models", str(models)], capture_output=True, text=True, check=True)
            runs[way].append(json.loads(done.stdout))
    report = {way: {key: statistics.median(run[key] for run in got) for key in got[0]} for way, got in runs.items()}
    rows = {way: np.load(models / f"speed-{way}.npy") for way in WAYS}
    for way in WAYS:
        ours, plain = report[way], report["plain"]
        ours["cpu_against_plain"] = plain["passages_per_cpu_second"] / ours["passages_per_cpu_second"]
        ours["question_times_faster"] = plain["question_busy_p50_ms"] / ours["question_busy_p50_ms"]
        ours["question_times_faster_mean"] = plain["question_busy_mean_ms"] / ours["question_busy_mean_ms"]
        ours["lowest_cosine_to_plain"] = float((rows[way] * rows["plain"]).sum(axis=1).min())
    return report


def main() -> None:
    """Measure and print; ``--out`` also writes JSON."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--texts", type=int, default=200)
    wanted.add_argument("--rounds", type=int, default=3)
    wanted.add_argument("--models", type=Path, default=Path(tempfile.gettempdir()) / "footnote-models")
    wanted.add_argument("--way", choices=WAYS, help="measure this one here and print JSON")
    wanted.add_argument("--out", type=Path)
    asked = wanted.parse_args()
    if asked.way:
        sys.stdout.write(json.dumps(asyncio.run(one_way(asked.way, asked.texts, asked.models))))
        return
    report = measure(asked.texts, asked.rounds, asked.models)
    for way, found in report.items():
        sys.stdout.write(f"{way:6}" + "  ".join(f"{key} {value:.3f}" for key, value in found.items()) + "\n")
    if asked.out:
        asked.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
