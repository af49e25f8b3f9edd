"""kill -9 at the worst moments and in the middle of a crowd: one answer a question, one card a paper, nothing lost.

The crowd is small here; FOOTNOTE_TEST_SLACK_EVENTS=1000 makes it large.
"""

import asyncio
import os
import random
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.slack.settings import SlackSettings
from tests.journeys.slack.killed import EDITS, POINTS
from tests.journeys.slack.papers import QUESTION, dropped
from tests.peers.slack.front import BOT_USER
from tests.peers.slack.world import World, at_rest, jobs, over, reachable, shown, slack_settings, taken, until

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
EVENTS = int(os.environ.get("FOOTNOTE_TEST_SLACK_EVENTS", "60"))
PATIENCE = 120.0 + EVENTS / 2


@dataclass
class Bot:
    """The bot over ``data``, each time in a process of its own, at the same place."""

    world: World
    data: Path
    told: SlackSettings
    process: Process | None = None

    async def starts(self, point: str = "none") -> Process:
        """A new process; it is connected, and dies at ``point``."""
        before = set(map(id, self.world.front.sockets))
        arguments = ["-m", "tests.journeys.slack.killed", str(self.data), self.told.api_url, point]
        self.process = process = await asyncio.create_subprocess_exec(
            sys.executable, *arguments, self.told.mode, str(self.told.port), cwd=ROOT
        )

        async def connected() -> bool:
            assert process.returncode is None, "the bot did not start"
            if self.told.mode == "http":
                return await self.world.front.is_open()
            return any(id(item) not in before for item in self.world.front.sockets)

        await until(connected, seconds=120)
        return process

    async def dies(self) -> int | None:
        """Wait until it is dead by its own hand."""
        assert self.process is not None
        async with asyncio.timeout(120):
            return await self.process.wait()

    async def is_killed(self) -> None:
        """End it, whatever it does."""
        if self.process is not None:
            if self.process.returncode is None:
                self.process.kill()
            await self.process.wait()


@pytest.fixture
async def bot(world: World, tmp_path: Path) -> AsyncIterator[Bot]:
    """Not started yet."""
    made = Bot(world, tmp_path, slack_settings(world))
    with reachable(world, made.told):
        yield made
        await made.is_killed()


@over("socket")
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
@pytest.mark.parametrize("point", POINTS)
async def test_a_kill_at_the_worst_moment_leads_to_one_answer(
    world: World, bot: Bot, tmp_path: Path, point: str
) -> None:
    await bot.starts(point)
    await dropped(world)
    ts = await world.asks("alice", "papers", QUESTION)
    assert await bot.dies() == -9
    await bot.starts()
    answer = await world.answer("papers", ts, "[1] A slow comet over Lowmere")
    await at_rest(world, tmp_path)
    said = await world.of_bot("papers", ts)

    assert [item["ts"] for item in said] == [answer["ts"]]
    assert "Its tail measured 42 degrees. [1]" in shown(answer)
    assert world.front.streams == {}


@over("http")
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
@pytest.mark.parametrize("point", EDITS)
async def test_an_edit_that_comes_with_a_kill_is_answered_once(
    world: World, bot: Bot, tmp_path: Path, point: str
) -> None:
    await bot.starts(point)
    await dropped(world)
    ts = await world.asks("alice", "papers", QUESTION)
    answer = await world.answer("papers", ts, "42 degrees. [1]")
    await edited(world, ts, 1)
    assert await bot.dies() == -9
    await bot.starts()
    await world.answer("papers", ts, "eleven nights. [1]")
    await at_rest(world, tmp_path)
    said = await world.of_bot("papers", ts)

    assert [item["ts"] for item in said] == [answer["ts"]]
    assert len(taken(tmp_path, "edit")) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
async def test_a_crowd_with_redeliveries_and_three_kills(world: World, bot: Bot, tmp_path: Path) -> None:
    chance = random.Random(7)
    world.front.redeliver = 0.2
    world.front.retries = (0.1, 4.0, 12.0)  # as often as Slack tries, over a shorter while
    await bot.starts()
    await dropped(world)
    kills = {EVENTS // 4, EVENTS // 2, 3 * EVENTS // 4}
    edits, papers = 0, 1
    questions: dict[str, str] = {}  # what its answer must hold in the end, by question
    for number in range(EVENTS):
        what = chance.random()
        who = chance.choice(["alice", "bob", "gus"])
        if what < 0.7 or not questions:
            questions[await world.asks(who, "papers", f"{QUESTION} ({number})")] = "42 degrees. [1]"
        elif what < 0.78:
            await world.drops(who, "papers", {f"{number}.pdf": f"%PDF Paper {number}\nIt says number {number}."})
            papers += 1
        elif what < 0.9:
            ts = chance.choice(list(questions))
            await edited(world, ts, number)
            questions[ts] = "eleven nights. [1]"
            edits += 1
        else:
            await world.says(who, "papers", "I had soup for lunch.")
        await asyncio.sleep(0.01)
        if number in kills:
            await bot.is_killed()
            await bot.starts()
    await at_rest(world, tmp_path, seconds=PATIENCE)
    cards = [str(item["ts"]) for item in await everything(world) if item.get("files")]
    wrong = [
        (ts, [shown(item) for item in said])
        for ts, whole in [*((item, "2 pages") for item in cards), *questions.items()]
        if len(said := await world.of_bot("papers", ts)) != 1 or whole not in shown(said[0])
    ]

    assert wrong == [], f"deliveries that were given up: {world.front.given_up}"
    assert len(cards) == papers
    assert len(taken(tmp_path, "ask")) == len(questions)
    assert len(taken(tmp_path, "edit")) == edits
    assert jobs(tmp_path)["given up"] == 0
    assert world.front.streams == {}


async def edited(world: World, ts: str, number: int) -> None:
    """Whoever asked changes the question."""
    for who in ("alice", "bob", "gus"):
        given = {"channel": world.channels["papers"], "ts": ts, "text": f"<@{BOT_USER}> on how many nights? ({number})"}
        if (await world.front.ask("chat.update", given, f"xoxp-{who}")).get("ok"):
            return


async def everything(world: World) -> list[dict[str, object]]:
    """All messages of the channel, page after page."""
    found: list[dict[str, object]] = []
    cursor = ""
    while True:
        given = {"channel": world.channels["papers"], "limit": 200, **({"cursor": cursor} if cursor else {})}
        answer = await world.ask("bot", "conversations.history", **given)
        found += answer["messages"]
        cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
        if not cursor:
            return found
