"""What embedding costs: plain sentence-transformers, the exported model, and the exported model in int8.

Each has a process of its own, in turns. Passages are compared by CPU seconds; a question by wall time while other
processes keep every core busy, which is when it matters.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from core.config import EmbedderConfig
from evals.benchmarks.harness import (
    Report,
    Row,
    distribution,
    every_core_busy,
    in_own_process,
    in_turns,
    peak_megabytes,
    ratio,
)
from evals.measured_search import open_embedder

VARIANTS = ("plain", "onnx", "int8")
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--texts", type=int, default=200, help="passages to embed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--models", type=Path, default=Path(tempfile.gettempdir()) / "footnote-models")


def run(options: argparse.Namespace) -> Report:
    """Medians of each variant over the rounds, and each against plain."""
    import numpy as np

    for int8 in (False, True):  # a model is exported once in a lifetime: not part of what is compared
        asyncio.run(_export(EmbedderConfig(cache=options.models, int8=int8)))
    rounds: dict[str, list[Row]] = {variant: [] for variant in VARIANTS}
    for number in range(options.rounds):
        for variant in in_turns(VARIANTS, number):
            rounds[variant].append(in_own_process(measure_variant, variant, options.texts, options.models))
    report: dict[str, Row] = {
        variant: {name: statistics.median(row[name] for row in rows) for name in rows[0]}
        for variant, rows in rounds.items()
    }
    vectors = {variant: np.load(_vectors(options.models, variant)) for variant in VARIANTS}
    for variant in VARIANTS[1:]:
        report[f"{variant}, times plain"] = {
            **_times_plain(rounds, variant, "passages_per_cpu_second"),
            **_times_plain(rounds, variant, "questions_per_second_busy_p50"),
            **_times_plain(rounds, variant, "questions_per_second_busy_mean"),
            "lowest_cosine": float((vectors[variant] * vectors["plain"]).sum(axis=1).min()),
        }
    return report


def _times_plain(rounds: dict[str, list[Row]], variant: str, name: str) -> Row:
    return ratio([row[name] for row in rounds[variant]], [row[name] for row in rounds["plain"]], name)


def measure_variant(variant: str, count: int, models: Path) -> Row:
    """Costs of one variant in this process; its vectors are left beside the models."""
    return asyncio.run(_measure_variant(variant, count, models))


async def _measure_variant(variant: str, count: int, models: Path) -> Row:
    import numpy as np

    began = time.perf_counter()
    embedder = open_embedder(EmbedderConfig(cache=models, onnx=variant != "plain", int8=variant == "int8"))
    await embedder.query("ready?")
    ready = time.perf_counter() - began
    cpu, wall = time.process_time(), time.perf_counter()
    vectors = await embedder.passages(_texts(count))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    waits = []
    with every_core_busy():
        await asyncio.sleep(0.5)
        for number, question in enumerate(QUESTIONS * 6):
            began = time.perf_counter()
            await embedder.query(f"{question} {number}")  # no two alike: a known question costs nothing
            waits.append(1e3 * (time.perf_counter() - began))
    np.save(_vectors(models, variant), vectors)
    return {
        "ready_seconds": ready,
        "passages_per_cpu_second": count / cpu,
        "passages_per_second": count / wall,
        **distribution("question_busy_ms", waits, "p50", "p95"),
        "question_busy_ms_mean": statistics.mean(waits),
        "questions_per_second_busy_p50": 1e3 / statistics.median(waits),
        "questions_per_second_busy_mean": 1e3 / statistics.mean(waits),
        "peak_megabytes": peak_megabytes(),
    }


def _texts(count: int) -> list[str]:
    """Passages of 40 to 130 words, the same in every process."""
    words = _PROSE.split()
    return [
        " ".join(words[(number * 7 + offset * 3) % len(words)] for offset in range(40 + number * 37 % 91))
        for number in range(count)
    ]


def _vectors(models: Path, variant: str) -> Path:
    return models / f"speed-{variant}.npy"


async def _export(config: EmbedderConfig) -> None:
    await open_embedder(config).query("export")
