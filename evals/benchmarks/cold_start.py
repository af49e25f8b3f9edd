"""Seconds from the first line of Python to an acknowledged event and to the first embedded question.

A copy of the code is started twice with a new data folder, several times over: the first start compiles the code and
exports the embedding model, the second finds both.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from evals.benchmarks.harness import Report, Row, distribution, ratio

HEAVY_LIBRARIES = (
    "torch",
    "transformers",
    "sentence_transformers",
    "faiss",
    "langgraph",
    "langsmith",
    "pymupdf",
    "onnxruntime",
    "apscheduler",
    "snowballstemmer",
)
"""What no event may wait for."""
_CODE = ("adapters", "bot", "core")
_FIGURES = ("imports_s", "acknowledged_s", "acknowledged_cpu_s", "question_s", "megabytes")

_START = """
import time
began = time.perf_counter()
import asyncio, io, json, resource, sys
from datetime import datetime, timezone
from contextlib import asynccontextmanager
from pathlib import Path
from rich.console import Console
from adapters.console import ConsolePlatform
from bot.settings import load
from bot.wiring import open_app
from core.domain.events import CommandGiven
from core.domain.model import Channel, Thread, Workspace
import core.services.engine
from core.telemetry_optout import disable_telemetry
imported = time.perf_counter()

class EarlyEvent(ConsolePlatform):
    # Hands an event on as soon as it listens, as a platform does where somebody has been waiting for the bot.

    @asynccontextmanager
    async def listening(self, dependencies):
        assert await dependencies.accept(event)
        report()
        yield

def report():
    accepted, cpu = time.perf_counter(), time.process_time()
    loaded = [name for name in sys.argv[2:] if name in sys.modules]
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    times = {"imports_s": imported - began, "acknowledged_s": accepted - began, "acknowledged_cpu_s": cpu}
    print(json.dumps(times | {"megabytes": megabytes, "heavy": loaded}), flush=True)

channel = Channel(workspace=Workspace(platform="local", id="startup"), id="c")
thread, now = Thread(channel=channel, id="t"), datetime.now(timezone.utc)
event = CommandGiven(thread=thread, user="u", at=now, message=now.isoformat(), name="help")  # never seen before

async def main():
    settings = load(env_file=None, data=Path(sys.argv[1]))
    disable_telemetry()
    console = EarlyEvent(channel, session="s", console=Console(file=io.StringIO()), files=Path(sys.argv[1]))
    async with open_app(settings, [console]) as app:
        await app.engine.models.embedder.query("What is a footnote for?")
        print(json.dumps({"question_s": time.perf_counter() - began}), flush=True)

asyncio.run(main())
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--rounds", type=int, default=3)


def run(options: argparse.Namespace) -> Report:
    """Both starts, and what share of the first the second takes."""
    first, second = [], []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as folder:
            code, data = _copy_code(Path(folder)), Path(folder) / "data"
            first.append(_start_to_question(code, data))
            second.append(_start_to_question(code, data))
    report = {"first start": _row(first), "second start": _row(second)}
    for name in ("acknowledged_s", "acknowledged_cpu_s", "question_s"):
        report[f"second of first, {name}"] = ratio([start[name] for start in second], [start[name] for start in first])
    return report


def _row(starts: Sequence[Row]) -> Row:
    return {
        key: value
        for name in _FIGURES
        for key, value in distribution(name, [start[name] for start in starts], "min", "p50", "max").items()
    }


def start_until_acknowledged(code: Path, data: Path) -> Mapping[str, object]:
    """Seconds for imports and until an event is acknowledged, and which heavy libraries were loaded by then."""
    with _started(code, data) as lines:
        found: Mapping[str, object] = json.loads(lines.readline())
        return found


def _start_to_question(code: Path, data: Path) -> Row:
    with _started(code, data) as lines:
        found = {**json.loads(lines.readline()), **json.loads(lines.readline())}
    return {name: float(found[name]) for name in _FIGURES}


def _copy_code(folder: Path) -> Path:
    """The code as a new installation has it: nothing of it compiled yet, unlike the libraries."""
    root = Path(__file__).parents[2]
    for name in _CODE:
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@contextmanager
def _started(code: Path, data: Path) -> Iterator[IO[str]]:
    """The output of a start in a process of its own, which ends with the block."""
    command = [sys.executable, "-c", _START, str(data), *HEAVY_LIBRARIES]
    # As a user starts it: what the first start compiles is there for the second.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(command, cwd=code, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        yield process.stdout
        process.kill()
