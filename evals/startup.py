"""How long the bot takes from its first line of Python to an acknowledged event and to its first question.

``python -m evals.startup`` starts a copy of the code twice in a new data folder, several times over: the first start
compiles the code and exports the embedding model, the second finds both. Prints the middle of the times as JSON.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

HEAVY = (
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
ROUNDS = 3
_CODE = ("adapters", "bot", "core")
_TIMES = ("imports_s", "acknowledged_s", "acknowledged_cpu_s", "question_s", "megabytes")

_ONE_START = """
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
import core.engine
from core.silence import keep_silent
imported = time.perf_counter()

class Early(ConsolePlatform):
    # Hands an event on as soon as it listens, as a platform does where somebody has been waiting for the bot.

    @asynccontextmanager
    async def listening(self, desk):
        assert await desk.accept(event)
        tell()
        yield

def tell():
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
    keep_silent()
    console = Early(channel, session="s", console=Console(file=io.StringIO()), files=Path(sys.argv[1]))
    async with open_app(settings, [console]) as app:
        await app.engine.parts.embedder.query("What is a footnote for?")
        print(json.dumps({"question_s": time.perf_counter() - began}), flush=True)

asyncio.run(main())
"""


def copied(folder: Path) -> Path:
    """The code as a new installation has it: nothing of it compiled yet, unlike the libraries."""
    root = Path(__file__).parents[1]
    for name in _CODE:
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def acknowledged(code: Path, data: Path) -> Mapping[str, object]:
    """Seconds for imports and until an event is acknowledged, and which heavy libraries were loaded by then."""
    with _started(code, data) as lines:
        return _read(lines)


def one_start(code: Path, data: Path) -> Mapping[str, object]:
    """The same, and seconds until a first question is embedded."""
    with _started(code, data) as lines:
        return {**_read(lines), **_read(lines)}


@contextmanager
def _started(code: Path, data: Path) -> Iterator[IO[str]]:
    """A start in a process of its own, which ends with the block."""
    command = [sys.executable, "-c", _ONE_START, str(data), *HEAVY]
    # As a user starts it: what the first start compiles is there for the second.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(command, cwd=code, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        yield process.stdout
        process.kill()


def _read(lines: IO[str]) -> Mapping[str, object]:
    found: Mapping[str, object] = json.loads(lines.readline())
    return found


def middle(starts: Sequence[Mapping[str, object]]) -> Mapping[str, float]:
    """The middle of several starts."""
    return {name: round(statistics.median(float(str(start[name])) for start in starts), 3) for name in _TIMES}


def measured(rounds: int) -> Mapping[str, object]:
    """First and second starts, and what share of the first the second takes to acknowledge and to embed."""
    firsts, seconds = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            code, data = copied(Path(folder)), Path(folder) / "data"
            firsts.append(one_start(code, data))
            seconds.append(one_start(code, data))
    first, second = middle(firsts), middle(seconds)
    shares = {name: round(second[name] / first[name], 2) for name in ("acknowledged_s", "question_s")}
    return {"command": "startup", "rounds": rounds, "first": first, "second": second, "second_of_first": shares}


def main() -> None:
    """Measure and print."""
    sys.stdout.write(json.dumps(measured(ROUNDS), indent=2) + "\n")


if __name__ == "__main__":
    main()
