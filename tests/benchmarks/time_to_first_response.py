"""Milliseconds until Slack is acknowledged and until a question shows a first response, while papers are read.

    python -m tests.benchmarks.time_to_first_response PAPER.pdf …

``python -m bot run`` in a process of its own, with its real engine, is connected to the test workspace of the Slack
journeys. Papers are dropped all at once (the given ones, again and again until there are ten), twenty questions are
kept open, people chat besides; every delivery and the first call that shows something under a question are timed.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from evals.benchmarks.harness import Report, distribution, show, write
from tests.pdfs.papers import LICHENS, pdf_bytes
from tests.peers.slack.front import APP_TOKEN, TOKEN
from tests.peers.slack.world import World, a_world, running_workspace

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
_RESPONSES = ("reactions.add", "chat.startStream", "chat.postMessage")
_LIMITS = ("USER_QUESTIONS_PER_HOUR", "CHANNEL_QUESTIONS_PER_HOUR", "USER_PAGES_PER_DAY", "CHANNEL_PAGES_PER_DAY")


@dataclass(slots=True)
class Responses:
    """When each message got its first response, and which have ended, from the bot's calls."""

    world: World
    seen: int = 0
    first: dict[str, float] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)

    def update(self) -> None:
        """Take in the calls since the last time."""
        calls = self.world.front.calls
        for at, method, given in calls[self.seen :]:
            message = str(given.get("timestamp") or given.get("thread_ts") or "")
            if method in _RESPONSES and message:
                self.first.setdefault(message, at)
            if method == "reactions.add" and given.get("name") in _ENDED:
                self.ended.add(message)
        self.seen = len(calls)


async def measure(papers: Sequence[Path], seconds: float, models: Path | None) -> Report:
    """The figures of one run of at most ``seconds``, or until all papers are read."""
    with contextmanager(running_workspace)() as workspace, tempfile.TemporaryDirectory() as folder:
        async with a_world(workspace) as world, _running_bot(world, Path(folder), models):
            responses = Responses(world)
            await _warm_up(world, responses)
            world.front.acks.clear()
            return await _under_load(world, responses, papers, seconds)


async def _under_load(world: World, responses: Responses, papers: Sequence[Path], seconds: float) -> Report:
    dropped = [await _drop(world, number, papers[number % len(papers)]) for number in range(PAPERS)]
    questions: list[str] = []
    began = time.monotonic()
    while time.monotonic() - began < seconds and not responses.ended.issuperset(dropped):
        responses.update()
        while len(set(questions) - responses.ended) < OPEN:
            words = f"{_QUESTIONS[len(questions) % len(_QUESTIONS)]} ({len(questions)})"
            questions.append(await world.asks("bob", "papers", words))
        await world.says("gus", "reading", "I had soup for lunch.")
        await asyncio.sleep(_CHAT_SECONDS)
    until = time.monotonic() + 30
    while not responses.first.keys() >= set(questions) and time.monotonic() < until:
        responses.update()
        await asyncio.sleep(0.05)
    arrived, first = world.front.arrived, responses.first
    acknowledged = [1e3 * took for took, kind in world.front.acks if kind == "events_api"]
    waited = [1e3 * (first[message] - arrived[message]) for message in questions if message in first]
    return {
        "acknowledged": {**distribution("ms", acknowledged), "deliveries": len(acknowledged)},
        "first response": {**distribution("ms", waited), "questions": len(waited)},
        "counts": {
            "questions_without_response": len(set(questions) - first.keys()),
            "questions_answered": len(set(questions) & responses.ended),
            "papers_still_unread": len(set(dropped) - responses.ended),
            "seconds": time.monotonic() - began,
        },
    }


async def _drop(world: World, number: int, paper: Path) -> str:
    # A few bytes behind its end make a second copy a paper of its own.
    pdf = await asyncio.to_thread(paper.read_bytes)
    await world.drops("alice", "papers", {f"{number}-{paper.name}": pdf + b"\n%" * number})
    return str((await world.messages("papers"))[-1]["ts"])


async def _warm_up(world: World, responses: Responses) -> None:
    """A bot that has been running: its models are loaded, the channel is known."""
    await world.drops("alice", "papers", {"lichens.pdf": pdf_bytes(LICHENS)})
    dropped = str((await world.messages("papers"))[-1]["ts"])
    asked = [dropped, await world.asks("bob", "papers", "What was the mean cover on north-facing slopes?")]
    async with asyncio.timeout(300):
        while not responses.ended.issuperset(asked):
            responses.update()
            await asyncio.sleep(0.1)


@asynccontextmanager
async def _running_bot(world: World, data: Path, models: Path | None) -> AsyncIterator[None]:
    """The bot as it is started for a group, without limits on what one person may ask for."""
    settings = {
        "FOOTNOTE_DATA": str(data),
        "FOOTNOTE_SLACK_BOT_TOKEN": TOKEN,
        "FOOTNOTE_SLACK_APP_TOKEN": APP_TOKEN,
        "FOOTNOTE_SLACK_API_URL": f"{world.front.url}/api/",
        **{f"FOOTNOTE_LIMITS_{name}": "0" for name in _LIMITS},
        **({"FOOTNOTE_EMBEDDER_CACHE": str(models)} if models else {}),
    }
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FOOTNOTE_")} | settings
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "run", env=environment)
    try:
        await _connected(world, process)
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _connected(world: World, process: Process) -> None:
    async with asyncio.timeout(120):
        while not world.front.sockets:
            if process.returncode is not None:
                raise SystemExit("The bot did not start.")
            await asyncio.sleep(0.1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", nargs="+", type=Path, metavar="PAPER.pdf")
    parser.add_argument("--seconds", type=float, default=120.0, help="measure for so long at most")
    parser.add_argument("--models", type=Path, help="a folder with exported models, so that none are made first")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    options = parser.parse_args()
    report = asyncio.run(measure(options.papers, options.seconds, options.models))
    show(report)
    if options.out:
        write(options.out, "time_to_first_response", {"seconds": str(options.seconds)}, report)


if __name__ == "__main__":
    main()
