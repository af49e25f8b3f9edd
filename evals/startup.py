"""How long the bot takes from its first line of Python to an acknowledged event, and which imports that costs.

``python -m evals.startup`` starts a fresh process several times and prints the middle of the times as JSON.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence

HEAVY = ("torch", "transformers", "sentence_transformers", "faiss", "langgraph", "langsmith", "pymupdf", "onnxruntime")

_ONE_START = """
import time
began = time.perf_counter()
import asyncio, io, json, resource, sys
from datetime import datetime, timezone
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

async def main():
    settings = load(env_file=None, data=Path(sys.argv[1]))
    keep_silent()
    channel = Channel(workspace=Workspace(platform="local", id="startup"), id="c")
    console = ConsolePlatform(channel, session="s", console=Console(file=io.StringIO()), files=Path(sys.argv[1]))
    event = CommandGiven(
        thread=Thread(channel=channel, id="t"), user="u", at=datetime.now(timezone.utc), message="m", name="help"
    )
    async with open_app(settings, [console]) as app:
        assert await app.dispatcher.accept(event)
        ready, cpu = time.perf_counter(), time.process_time()
        loaded = [name for name in sys.argv[2:] if name in sys.modules]
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    times = {"imports_s": imported - began, "ready_s": ready - began, "ready_cpu_s": cpu}
    print(json.dumps(times | {"megabytes": megabytes, "heavy": loaded}))

asyncio.run(main())
"""


def one_start() -> Mapping[str, object]:
    """Seconds for imports and until ready (also of CPU), resident megabytes, heavy libraries that were loaded."""
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run(
            [sys.executable, "-c", _ONE_START, folder, *HEAVY], capture_output=True, text=True, check=True
        )
    found: Mapping[str, object] = json.loads(ended.stdout.splitlines()[-1])
    return found


def measured(starts: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    """The middle of several starts."""
    middle = {
        name: round(statistics.median(float(str(start[name])) for start in starts), 3)
        for name in ("imports_s", "ready_s", "ready_cpu_s", "megabytes")
    }
    return {"command": "startup", "metrics": middle | {"starts_n": len(starts)}, "heavy": starts[0]["heavy"]}


def main() -> None:
    """Measure and print."""
    sys.stdout.write(json.dumps(measured([one_start() for _ in range(5)]), indent=2) + "\n")


if __name__ == "__main__":
    main()
