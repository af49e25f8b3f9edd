"""How soon Slack is acknowledged and a question shows a first sign, while papers are read and questions are open.

    python -m evals.first_sign PAPER.pdf …

``python -m bot run`` in a process of its own, with its real engine, is connected to the test workspace of the Slack
journeys. Papers are dropped all at once (the given ones, again and again until there are ten), questions are kept
open, people chat besides; every delivery and the first call that shows something under a question are timed.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.peers.slack.world import World

PAPERS, OPEN = 10, 20
_CHAT_SECONDS = 0.15
_QUESTIONS = (
    "What is the main finding?",
    "Which data were used?",
    "How many participants or samples were there?",
    "Which method was used and why?",
    "What are the limitations?",
)
_ENDED = ("white_check_mark", "warning")
_SIGNS = ("reactions.add", "chat.startStream", "chat.postMessage")


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Milliseconds, of ``count`` of them."""

    p50: float
    p95: float
    p99: float
    worst: float
    count: int

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Times":
        """The distribution of at least two times."""
        cuts = statistics.quantiles(seconds, n=100, method="inclusive")
        return cls(
            p50=cuts[49] * 1e3, p95=cuts[94] * 1e3, p99=cuts[98] * 1e3, worst=max(seconds) * 1e3, count=len(seconds)
        )


@dataclass(slots=True)
class Watched:
    """Questions and papers by the message that brought them, from what the bot called since ``seen``."""

    world: "World"
    seen: int = 0
    signs: dict[str, float] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)

    def look(self) -> None:
        """Take in the bot's calls since the last look."""
        calls = self.world.front.calls
        for at, method, given in calls[self.seen :]:
            message = str(given.get("timestamp") or given.get("thread_ts") or "")
            if method in _SIGNS and message:
                self.signs.setdefault(message, at)
            if method == "reactions.add" and given.get("name") in _ENDED:
                self.ended.add(message)
        self.seen = len(calls)


async def measured(papers: Sequence[Path], seconds: float, models: Path | None) -> Mapping[str, object]:
    """The figures of one run of at most ``seconds``, or until all papers are read."""
    from tests.peers.slack.world import a_world, running_workspace

    with contextmanager(running_workspace)() as place, tempfile.TemporaryDirectory() as folder:
        async with a_world(place) as world, _running(world, Path(folder), models):
            watched = Watched(world)
            await _warm(world, watched)
            world.front.acks.clear()
            return await _loaded(world, watched, papers, seconds)


async def _loaded(world: "World", watched: Watched, papers: Sequence[Path], seconds: float) -> Mapping[str, object]:
    dropped: list[str] = []
    for number in range(PAPERS):
        paper = papers[number % len(papers)]
        # A few bytes behind its end make a second copy a paper of its own.
        await world.drops("alice", "papers", {f"{number}-{paper.name}": paper.read_bytes() + b"\n%" * number})
        dropped.append(str((await world.messages("papers"))[-1]["ts"]))
    asked: list[str] = []
    began = time.monotonic()
    while time.monotonic() - began < seconds and not watched.ended.issuperset(dropped):
        watched.look()
        while sum(one not in watched.ended for one in asked) < OPEN:
            words = f"{_QUESTIONS[len(asked) % len(_QUESTIONS)]} ({len(asked)})"
            asked.append(await world.asks("bob", "papers", words))
        await world.says("gus", "reading", "I had soup for lunch.")
        await asyncio.sleep(_CHAT_SECONDS)
    until = time.monotonic() + 30
    while not watched.signs.keys() >= set(asked) and time.monotonic() < until:
        watched.look()
        await asyncio.sleep(0.05)
    arrived = world.front.arrived
    return {
        "acknowledged": Times.of([one for one, kind in world.front.acks if kind == "events_api"]),
        "first sign": Times.of([watched.signs[one] - arrived[one] for one in asked if one in watched.signs]),
        "questions without a sign": sum(one not in watched.signs for one in asked),
        "papers still unread": sum(one not in watched.ended for one in dropped),
        "questions answered": sum(one in watched.ended for one in asked),
        "seconds": time.monotonic() - began,
    }


async def _warm(world: "World", watched: Watched) -> None:
    """A bot that has been running: its models are loaded, the channel is known."""
    from bot.sample_pdf import Block, write_pdf

    page = [Block(kind="title", words="Warm"), Block(kind="text", words="It was 20 degrees warm on eleven days.")]
    await world.drops("alice", "papers", {"warm.pdf": write_pdf([page])})
    asked = [str((await world.messages("papers"))[-1]["ts"]), await world.asks("bob", "papers", "How warm was it?")]
    async with asyncio.timeout(300):
        while not watched.ended.issuperset(asked):
            watched.look()
            await asyncio.sleep(0.1)


@asynccontextmanager
async def _running(world: "World", data: Path, models: Path | None) -> AsyncIterator[None]:
    """The bot as it is started for a group, but for limits on what one person may ask for."""
    from tests.peers.slack.front import APP_TOKEN, TOKEN

    limits = ("USER_QUESTIONS_PER_HOUR", "CHANNEL_QUESTIONS_PER_HOUR", "USER_PAGES_PER_DAY", "CHANNEL_PAGES_PER_DAY")
    told = {
        "FOOTNOTE_DATA": str(data),
        "FOOTNOTE_SLACK_BOT_TOKEN": TOKEN,
        "FOOTNOTE_SLACK_APP_TOKEN": APP_TOKEN,
        "FOOTNOTE_SLACK_API_URL": f"{world.front.url}/api/",
        **{f"FOOTNOTE_LIMITS_{name}": "0" for name in limits},
        **({"FOOTNOTE_EMBEDDER_CACHE": str(models)} if models else {}),
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FOOTNOTE_")}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "run", env={**kept, **told})
    try:
        await _connected(world, process)
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _connected(world: "World", process: Process) -> None:
    async with asyncio.timeout(120):
        while not world.front.sockets:
            if process.returncode is not None:
                raise SystemExit("The bot did not start.")
            await asyncio.sleep(0.1)


def _lines(found: Mapping[str, object]) -> Iterator[str]:
    for name, value in found.items():
        if isinstance(value, Times):
            yield (
                f"{name:14} p50 {value.p50:6.0f} ms  p95 {value.p95:6.0f}  p99 {value.p99:6.0f}  "
                f"worst {value.worst:6.0f}  ({value.count})"
            )
        else:
            yield f"{name}: {value:.0f}" if isinstance(value, float) else f"{name}: {value}"


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("papers", nargs="+", type=Path, metavar="PAPER.pdf")
    options.add_argument("--seconds", type=float, default=120.0, help="measure for so long at most")
    options.add_argument("--models", type=Path, help="a folder with exported models, so that none are made first")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    given = options.parse_args()
    found = asyncio.run(measured(given.papers, given.seconds, given.models))
    sys.stdout.write("\n".join(_lines(found)) + "\n")
    if given.out:
        told = {name: asdict(value) if isinstance(value, Times) else value for name, value in found.items()}
        given.out.write_text(json.dumps(told, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
