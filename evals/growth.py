"""How costs grow with a library: ``python -m evals.growth [--sizes 10000 50000 200000] [--workspaces 1000]``.

Each size is measured in a process of its own, on made-up papers, so that memory is that of one workspace; then many
small workspaces are visited in one process. Costs are CPU milliseconds, which a busy machine blurs less than seconds.
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
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.config import Config, EmbedderConfig
from core.domain.model import Scope, Workspace
from core.engine import Engine
from core.library import open_library
from core.search import LiveIndex, open_embedder
from evals import search_scale
from evals.made_up_papers import CHANNELS, PaperMill
from evals.search_scale import DIMENSION, EVERYTHING, HERE

QUESTIONS = 40
WARMING = 20
COLUMNS = (
    ("passages", "passages"),
    ("disk_mb", "file, MB"),
    ("open_ms", "open, ms"),
    ("index_ms", "dense index, ms"),
    ("question_p50_ms", "question p50, ms"),
    ("question_p95_ms", "question p95, ms"),
    ("paper_p50_ms", "one paper p50"),
    ("add_ms", "add a paper, ms"),
    ("remove_ms", "remove it, ms"),
    ("peak_mb", "memory at its peak, MB"),
)
DRAWN = (("question_p95_ms", "add_ms", "remove_ms", "index_ms"), ("disk_mb", "peak_mb"))
Costs = Mapping[str, float]


async def one_size(passages: int, folder: Path, models: Path) -> Costs:
    """Fill (where need be) and measure one workspace."""
    import numpy as np

    await search_scale.filled(folder, passages)
    began = time.process_time()
    opened = await open_library(folder, HERE)
    open_ms = 1e3 * (time.process_time() - began)
    numbers = await opened.library.numbers(EVERYTHING)
    live = LiveIndex(opened.library, DIMENSION)
    began = time.process_time()
    await live.current()
    index_ms = 1e3 * (time.process_time() - began)
    mill = PaperMill(11)
    drawn = np.random.default_rng(3).choice(numbers, QUESTIONS + WARMING, replace=False).tolist()
    about = await opened.library.passages(EVERYTHING, drawn)
    asked = [mill.question(one) for one in about]
    embedder = open_embedder(EmbedderConfig(cache=models))
    await embedder.query("load the model")
    natural = search_scale.Natural(embedder, np.full(DIMENSION, DIMENSION**-0.5, dtype=np.float32))
    searching = search_scale.retriever(opened, live, natural)
    for question in asked[:WARMING]:
        await searching.search(question, EVERYTHING)
    rest = iter(asked[WARMING:])
    whole = await search_scale.costs(QUESTIONS, lambda: searching.search(next(rest), EVERYTHING))
    alone = search_scale.retriever(opened, live, search_scale.Given(await natural.query("x")))
    paper, again = EVERYTHING.within(frozenset({about[0].paper_id})), iter(asked[WARMING:])
    narrow = await search_scale.costs(QUESTIONS, lambda: alone.search(next(again), paper))
    one_more = await search_scale.a_paper_more(opened, live, folder)
    await opened.close()
    return {
        "passages": len(numbers),
        "disk_mb": _megabytes(folder),
        "open_ms": open_ms,
        "index_ms": index_ms,
        "question_p50_ms": whole["cpu_p50_ms"],
        "question_p95_ms": whole["cpu_p95_ms"],
        "paper_p50_ms": narrow["cpu_p50_ms"],
        "add_ms": one_more["add_cpu_ms"],
        "remove_ms": one_more["remove_cpu_ms"],
        "peak_mb": search_scale.resident_megabytes(),
    }


async def many_workspaces(count: int, folder: Path) -> Costs:
    """Fill ``count`` workspaces with one paper each, then visit all of them twice through the engine's door."""
    pdf = _any_pdf(folder)
    places = [Workspace(platform="local", id=f"W{number}") for number in range(count)]
    mill = PaperMill(5)
    for place in places:
        opened = await open_library(folder, place)
        if not await opened.library.papers(_all_of(place)):
            paper, reading, vectors = mill.paper()
            await opened.library.add(paper, reading, vectors, embedder="cost", pdf=pdf)
        await opened.close()
    visits: list[float] = []
    async with Engine(Config(data=folder)) as engine:
        await engine.papers(_all_of(places[0]))
        before = _resident()
        for place in (*places, *places):
            began = time.process_time()
            assert len(await engine.papers(_all_of(place))) == 1
            visits.append(1e3 * (time.process_time() - began))
        after, held = _resident(), _files_open()
    return {
        "workspaces": count,
        "visit_p50_ms": statistics.median(visits),
        "visit_p95_ms": sorted(visits)[round(0.95 * len(visits)) - 1],
        "resident_mb_first": before,
        "resident_mb_last": after,
        "files_open": held,
    }


def _all_of(place: Workspace) -> Scope:
    return Scope(workspace=place, channels=frozenset(f"C{number}" for number in range(CHANNELS)))


def _any_pdf(folder: Path) -> Path:
    pdf = folder / "paper.pdf"
    pdf.write_bytes(b"%PDF-1.7\n")
    return pdf


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("library.db*")) / 1e6


def _files_open() -> int:
    told = Path("/proc/self/fd")
    return len(list(told.iterdir())) if told.is_dir() else 0


def _resident() -> float:
    """Megabytes of this process now; 0 where the system does not tell."""
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if told.is_file() else 0.0


def markdown(rows: Sequence[Costs], small: Costs) -> str:
    """The tables as they stand in docs/search.md."""
    lines = ["| " + " | ".join(title for _, title in COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    lines += ["| " + " | ".join(f"{row[name]:,.0f}" for name, _ in COLUMNS) + " |" for row in rows]
    lines += ["", *(f"{name}: {value:,.1f}" for name, value in small.items())]
    return "\n".join(lines) + "\n"


def draw(rows: Sequence[Costs], path: Path) -> None:
    """Costs against size, both axes logarithmic: what grows with the library is a rising line."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    titles = dict(COLUMNS)
    for axes, names, unit in zip(panels, DRAWN, ("CPU milliseconds", "megabytes"), strict=True):
        for name in names:
            axes.plot([row["passages"] for row in rows], [row[name] for row in rows], marker="o", label=titles[name])
        axes.set(xscale="log", yscale="log", xlabel="passages in one workspace", ylabel=unit)
        axes.legend(fontsize="small")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _apart(*arguments: str) -> Costs:
    """One measurement in a process of its own."""
    command = [sys.executable, "-m", "evals.growth", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: Costs = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Measure and print; ``--out FILE`` also writes JSON and, beside it, the plot."""
    wanted = argparse.ArgumentParser(prog="python -m evals.growth", description=__doc__)
    wanted.add_argument("--sizes", type=int, nargs="*", default=[10_000, 50_000, 200_000])
    wanted.add_argument("--workspaces", type=int, default=1_000)
    wanted.add_argument("--models", type=Path, default=Path(tempfile.gettempdir()) / "footnote-models")
    wanted.add_argument("--data", type=Path, help="keep the filled libraries here, and use those that are there")
    wanted.add_argument("--out", type=Path)
    wanted.add_argument("--one", type=int, help=argparse.SUPPRESS)
    wanted.add_argument("--many", type=int, help=argparse.SUPPRESS)
    given = wanted.parse_args()
    if given.one or given.many:
        given.data.mkdir(parents=True, exist_ok=True)
        measuring = (
            one_size(given.one, given.data, given.models) if given.one else many_workspaces(given.many, given.data)
        )
        sys.stdout.write(json.dumps(asyncio.run(measuring)) + "\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        data = given.data or Path(folder)
        rows = []
        for size in given.sizes:
            place = ["--data", str(data / str(size)), "--models", str(given.models)]
            rows.append(_apart("--one", str(size), *place))
            sys.stderr.write(f"{rows[-1]}\n")
        small = _apart("--many", str(given.workspaces), "--data", str(data / "many"))
    sys.stdout.write(markdown(rows, small))
    if given.out:
        given.out.write_text(json.dumps({"command": "growth", "sizes": rows, "small": small}, indent=1) + "\n", "utf-8")
        draw(rows, given.out.with_suffix(".png"))


if __name__ == "__main__":
    main()
