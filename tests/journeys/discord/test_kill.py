"""kill -9 at the worst moments and in the middle of a crowd: one answer a question, one card a paper, nothing lost.

The crowd is small here; FOOTNOTE_TEST_DISCORD_EVENTS=1000 makes it large.
"""

import asyncio
import contextlib
import os
import random
import re
import sqlite3
import sys
from asyncio.subprocess import Process
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.discord.killed import POINTS
from tests.journeys.slack.killed import EDITS
from tests.peers.discord.front import Payload
from tests.peers.discord.world import World, running_twin, world
from tests.peers.slack.world import jobs

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
EVENTS = int(os.environ.get("FOOTNOTE_TEST_DISCORD_EVENTS", "60"))
PATIENCE = 60.0 + EVENTS / 2
PAPER = b"%PDF A slow comet over Lowmere\nIts tail measured 42 degrees. It was seen on eleven nights."
QUESTION = "how many degrees measured its tail?"
EDITED = "on how many nights was it seen?"
ANSWER = "Its tail measured 42 degrees. \\[1\\]"
NO_KILL = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")


@pytest.fixture
def twin() -> Iterator[Payload]:
    """A server of its own for each test: a bot that starts catches up with every channel of the server it knows."""
    yield from running_twin()


async def started(w: World, data: Path, point: str) -> Process:
    """The bot in a process of its own, connected."""
    identified = w.front.heard.count(2)
    arguments = ["-m", "tests.journeys.discord.killed", str(data), w.front.rest, w.front.socket, w.twin["token"], point]
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, cwd=ROOT)
    await w.until(lambda: w.front.heard.count(2) > identified or process.returncode is not None, seconds=60)
    assert process.returncode is None, "the bot did not start"
    return process


async def ended(process: Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()


@NO_KILL
@pytest.mark.parametrize("point", POINTS)
async def test_a_kill_at_the_worst_moment_leads_to_one_answer(
    point: str, tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w:
        first = await started(w, tmp_path, point)
        try:
            shared = await w.say("", pdf=PAPER)
            await w.until_said("Found", channel=shared)
            asked = await w.say(f"{w.mention} {QUESTION}")
            async with asyncio.timeout(60):
                assert await first.wait() == -9
        finally:
            await ended(first)
        second = await started(w, tmp_path, "none")
        try:
            await w.until_said("A slow comet over Lowmere, p. 2", channel=asked)
            await at_rest(w, tmp_path, asked)
            said = await w.own(asked)
        finally:
            await ended(second)
        assert len(said) == 1 and said[0].startswith(ANSWER)


@NO_KILL
@pytest.mark.parametrize("point", EDITS)
async def test_an_edit_that_comes_with_a_kill_is_answered_once(
    point: str, tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w:
        first = await started(w, tmp_path, point)
        try:
            shared = await w.say("", pdf=PAPER)
            await w.until_said("Found", channel=shared)
            asked = await w.say(f"{w.mention} {QUESTION}")
            await w.until_said("A slow comet over Lowmere, p. 2", channel=asked)
            await w.edit(asked, f"{w.mention} {EDITED}")
            async with asyncio.timeout(60):
                assert await first.wait() == -9
        finally:
            await ended(first)
        second = await started(w, tmp_path, "none")
        try:
            await w.until_said("It was seen on eleven nights", channel=asked)
            await at_rest(w, tmp_path, asked)
            said = await w.own(asked)
        finally:
            await ended(second)
        assert len(said) == 1 and said[0].startswith("It was seen on eleven nights. \\[1\\]")


@NO_KILL
async def test_a_crowd_with_redeliveries_and_three_kills(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(7)
    async with world(tmp_path, twin, monkeypatch) as w:
        w.front.redeliver = 0.2
        process = await started(w, tmp_path, "none")
        papers = [await w.say("", pdf=PAPER)]
        await w.until_said("Found", channel=papers[0])
        questions: dict[str, str] = {}  # how its answer begins in the end, by question
        kills = {EVENTS // 4, EVENTS // 2, 3 * EVENTS // 4}
        try:
            for number in range(EVENTS):
                await happened(w, chance, number, questions, papers)
                if number in kills:
                    process.kill()
                    await process.wait()
                    process = await started(w, tmp_path, "none")
            questions[await w.say(f"{w.mention} {QUESTION} (the last)")] = ANSWER  # whatever came before has arrived
            await at_rest(w, tmp_path, *questions, *papers, seconds=PATIENCE)
            wrong = [
                (item, said)
                for item, whole in [*((item, "Found") for item in papers), *questions.items()]
                if len(said := await w.own(item)) != 1 or whole not in said[0]
            ]
            threads = await w.threads()
        finally:
            await ended(process)
        assert wrong == []
        assert sorted(threads) == sorted([*questions, *papers])
        assert jobs(tmp_path)["given up"] == 0


async def happened(w: World, chance: random.Random, number: int, questions: dict[str, str], papers: list[str]) -> None:
    """One thing of many: a question, a paper, an edit, a command, or people talking."""
    what, who = chance.random(), chance.choice(["alice", "bob"])
    if what < 0.65 or not questions:
        questions[await w.say(f"{w.mention} {QUESTION} ({number})", user=who)] = ANSWER
    elif what < 0.75:
        made = f"%PDF Paper {number}\nIt says number {number}.".encode()
        papers.append(await w.say("", user=who, pdf=made, name=f"{number}.pdf"))
    elif what < 0.85:
        asked = chance.choice(list(questions))
        await w.edit(asked, f"{w.mention} {EDITED} ({number})")
        questions[asked] = "It was seen on eleven nights. \\[1\\]"
    elif what < 0.9:
        await w.slash("papers", user=who)
    else:
        await w.say("I had soup for lunch.", user=who)


async def at_rest(w: World, data: Path, *messages: str, seconds: float = 60.0) -> None:
    """Wait until the bot over ``data`` has heard each of ``messages`` and has nothing left to do."""

    def resting() -> bool:
        left = jobs(data)
        return left["waiting"] + left["running"] == 0 and heard(data).issuperset(messages)

    await w.until(resting, seconds=seconds)


def heard(data: Path) -> set[str]:
    """Ids of the messages that became work, of a bot in this process or in another."""
    with contextlib.closing(sqlite3.connect(f"file:{data / 'process.db'}?mode=ro", uri=True, timeout=10)) as db:
        keys = [str(key) for (key,) in db.execute("SELECT key FROM jobs")]
    return {id_ for key in keys for id_ in re.findall(r"/\d+-(\d+)", key)}
