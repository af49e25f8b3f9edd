"""The shared harness of the benchmarks: timing in turns, distributions, processes of their own, the report.

Whatever is compared is measured in one run and in turns, so that a busy machine slows both sides alike; the result of
a comparison is a ratio with its minimum, median and maximum.
"""

import argparse
import importlib
import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, TypeVar

from evals.statistics import percentile

Row: TypeAlias = Mapping[str, float]
"""Figures by name; the name ends in the unit or the statistic."""
Report: TypeAlias = Mapping[str, Row]
Work: TypeAlias = Callable[[], Awaitable[object]]
Item = TypeVar("Item")
Result = TypeVar("Result")

_SHARES = {"min": 0.0, "p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}


def distribution(name: str, values: Sequence[float], *shown: str) -> Row:
    """``NAME_min``, ``_p50``, ``_p95``, ``_p99``, ``_max`` of the values, or those of them that are ``shown``."""
    return {f"{name}_{label}": percentile(values, _SHARES[label]) for label in shown or _SHARES}


def ratio(left: Sequence[float], right: Sequence[float], name: str = "ratio") -> Row:
    """Left over right, pair by pair: minimum, median and maximum."""
    return distribution(name, [over / under for over, under in zip(left, right, strict=True)], "min", "p50", "max")


@dataclass(slots=True)
class Timings:
    """Milliseconds of repeated work: processor time of all threads of this process, and wall time."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    async def add(self, work: Work) -> None:
        """Run the work once and keep its times."""
        began = time.process_time(), time.perf_counter()
        await work()
        self.cpu.append(1e3 * (time.process_time() - began[0]))
        self.wall.append(1e3 * (time.perf_counter() - began[1]))

    @property
    def row(self) -> Row:
        """Median and 95th percentile of both."""
        shown = ("p50", "p95")
        return {**distribution("cpu_ms", self.cpu, *shown), **distribution("wall_ms", self.wall, *shown)}


async def repeated(runs: int, work: Work) -> Timings:
    """The times of ``runs`` runs."""
    timings = Timings()
    for _ in range(runs):
        await timings.add(work)
    return timings


def in_turns(items: Sequence[Item], round_number: int) -> Sequence[Item]:
    """The items, each round another one first."""
    start = round_number % len(items)
    return [*items[start:], *items[:start]]


def in_own_process(function: Callable[..., Result], *arguments: object) -> Result:
    """What a function of a module returns in a new process: nothing is loaded, memory is its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


@contextmanager
def every_core_busy() -> Iterator[None]:
    """An endless loop a core in processes of their own, ended with the block."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def peak_megabytes() -> float:
    """Memory of this process at its highest so far."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def resident_megabytes() -> float:
    """Memory of this process now."""
    import psutil  # type: ignore[import-untyped, unused-ignore]

    return float(psutil.Process().memory_info().rss / 1e6)


def main(name: str, arguments: Sequence[str]) -> int:
    """Run a benchmark, print its report; ``--out`` also writes JSON."""
    module = importlib.import_module(f"evals.benchmarks.{name}")
    parser = argparse.ArgumentParser(prog=f"python -m evals benchmark {name}", description=module.__doc__)
    module.add_arguments(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the figures as JSON")
    options = parser.parse_args(arguments)
    report: Report = module.run(options)
    show(report)
    if options.out:
        settings = {key: str(value) for key, value in vars(options).items() if not isinstance(value, Path)}
        write(options.out, name, settings, report)
    return 0


def show(report: Report) -> None:
    """Print a line a row."""
    for name, row in report.items():
        figures = "  ".join(f"{key} {value:,.3f}" for key, value in row.items())
        sys.stdout.write(f"{name:32} {figures}\n")


def write(out: Path, name: str, settings: Mapping[str, str], report: Report) -> None:
    """Write a report with the options that it was made with, without folders of this machine."""
    out.parent.mkdir(parents=True, exist_ok=True)
    data = {"command": "benchmark", "benchmark": name, "settings": settings, "measures": report}
    out.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
