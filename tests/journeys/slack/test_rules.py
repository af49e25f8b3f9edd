"""What a channel has set for itself, who may change and remove what, and papers that come in unusual ways."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from core.domain.model import IngestReport
from tests.bot.fake_engine import FakeEngine, FakePapers
from tests.journeys.slack.papers import COMETS, QUESTION, dropped
from tests.peers.slack.front import BOT_USER, TEAM
from tests.peers.slack.judge import view_problems
from tests.peers.slack.world import World, at_rest, called, shown, the_bot, until


def file_share(world: World, who: str, channel: str, files: list[dict[str, Any]], ts: str) -> dict[str, Any]:
    """The event by which a message with files is told."""
    where = {"channel": world.channels[channel], "channel_type": "channel", "user": world.people[who]}
    return {"type": "message", "subtype": "file_share", "text": "", "ts": ts, "files": files, **where}


async def test_only_a_manager_changes_settings_and_they_hold_at_once(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        forms = []
        for who in ("gus", "bob"):
            await world.slash(who, "papers", "settings")
            forms.append(world.views()[-1])
            values = {"answer_on": {"filled": {"selected_option": {"value": "always"}}}}
            await world.fills_in(who, forms[-1], values)
            await at_rest(world, tmp_path)
        ts = await world.says("gus", "papers", QUESTION)  # without a mention
        answer = await world.answer("papers", ts)

    refused, taken = [shown(item) for item in await world.whispers()]
    assert "A manager of this channel can do this" in refused
    assert "always" in taken
    assert [view_problems(item) for item in forms] == [[], []]
    assert "42 degrees" in shown(answer)


async def test_where_follow_ups_are_off_only_a_mention_is_answered(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        await world.answer("papers", await world.asks("bob", "papers", "settings follow_ups = off"), "Follow-ups")
        ts = await world.asks("alice", "papers", QUESTION)
        await world.answer("papers", ts, "42 degrees")
        await world.says("alice", "papers", "on how many nights was it seen?", thread=ts)
        await at_rest(world, tmp_path)
        assert len(await world.of_bot("papers", ts)) == 1
        await world.asks("alice", "papers", "on how many nights was it seen?", thread=ts)
        await world.answer("papers", ts, "eleven nights")


async def test_a_channel_may_have_every_answer_go_to_its_asker_first(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        await world.answer("papers", await world.asks("bob", "papers", "settings private_first = on"), "Private first")
        ts = await world.asks("alice", "papers", QUESTION)
        await called(world, "chat.postEphemeral")
        await at_rest(world, tmp_path)
        assert await world.of_bot("papers", ts) == []
        (private,) = await world.whispers("alice")
        message = {"ts": "1700000000.000900", "blocks": private["blocks"], "thread_ts": ts}
        await world.presses("alice", "papers", message, "Share with the thread", is_ephemeral=True)
        public = await world.answer("papers", ts, "42 degrees")

    assert private["thread_ts"] == public["thread_ts"] == ts


async def test_a_paper_is_removed_by_whoever_shared_it_or_a_manager_alone(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        await dropped(world)
        refused = await world.answer("papers", await world.asks("gus", "papers", "forget 1"))
        assert len(engine.papers.shelves[f"slack:{TEAM}"]) == 1
        asking = await world.asks("alice", "papers", "forget 1")
        asked = await world.answer("papers", asking, "Forget this paper")
        assert len(engine.papers.shelves[f"slack:{TEAM}"]) == 1
        await world.presses("alice", "papers", asked, "Forget")
        told = await world.answer("papers", asking, "Forgotten")

    assert "can be removed by whoever shared it or a manager of this channel" in shown(refused)
    assert "A slow comet over Lowmere" in shown(told)
    assert engine.papers.shelves[f"slack:{TEAM}"] == {}


async def test_making_a_channel_private_closes_its_papers_to_others_at_once(world: World, tmp_path: Path) -> None:
    papers = world.channels["papers"]
    async with the_bot(world, tmp_path):
        await dropped(world)
        open_yet = await world.answer("reading", await world.asks("alice", "reading", QUESTION))
        world.front.private.add(papers)
        event = {"type": "message", "subtype": "channel_convert_to_private", "channel": papers, "user": "U1"}
        world.front.spread({**event, "ts": "1700000000.000100"})
        await at_rest(world, tmp_path)
        elsewhere = await world.answer("reading", await world.asks("alice", "reading", QUESTION))
        there = await world.answer("papers", await world.asks("alice", "papers", QUESTION))

    assert "42 degrees" in shown(open_yet)
    assert "42 degrees" not in shown(elsewhere)
    assert "42 degrees" in shown(there)


async def test_a_question_that_comes_with_its_paper_is_answered_from_it_once_that_is_read(
    world: World, tmp_path: Path
) -> None:
    """Until then the thread is told what is being read, and that the question comes after it."""
    release = asyncio.Event()

    class Slow(FakePapers):
        async def ingest(self, *given: Any, **named: Any) -> IngestReport:
            while not release.is_set():
                await named["progress"].step("reading", 1, 3)
                await asyncio.sleep(0.05)
            return await super().ingest(*given, **named)

    async with the_bot(world, tmp_path, engine=FakeEngine(papers=Slow())):
        await world.drops("alice", "papers", {"comet.pdf": COMETS}, words=f"<@{BOT_USER}> {QUESTION}")
        (message,) = [item for item in await world.messages("papers") if item.get("files")]

        async def told() -> list[str]:
            said = [shown(item) for item in await world.of_bot("papers", message["ts"])]
            return [item for item in said if "Reading the pages of comet.pdf before the question" in item]

        assert len(await until(told)) == 1
        release.set()
        answer = await world.answer("papers", message["ts"], "reference")
        await at_rest(world, tmp_path)
        card, last = await world.of_bot("papers", message["ts"])

    assert "A slow comet over Lowmere" in shown(card)
    assert last["ts"] == answer["ts"]
    assert "Its tail measured 42 degrees. [1]" in shown(answer)


async def test_a_paper_in_a_thread_is_confirmed_in_that_thread(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        root = await world.says("alice", "papers", "here is what I meant")
        await world.drops("alice", "papers", {"comet.pdf": COMETS}, thread=root)
        card = await world.answer("papers", root, "A slow comet over Lowmere")

    assert card["thread_ts"] == root


async def test_a_file_shared_by_link_into_another_channel_is_one_paper_in_both(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        thread = await dropped(world, "secret")
        (message,) = [item for item in await world.messages("secret") if item["ts"] == thread]
        said = await world.says("bob", "reading", "see the comet paper")
        world.front.spread(file_share(world, "bob", "reading", world.told(message["files"]), said))
        await world.answer("reading", said, "This paper is here already.")
        answer = await world.answer("reading", await world.asks("bob", "reading", QUESTION))

    (paper,) = [paper for paper, _ in engine.papers.shelves[f"slack:{TEAM}"].values()]
    assert {share.channel for share in paper.shares} == {world.channels["secret"], world.channels["reading"]}
    assert "42 degrees" in shown(answer)


@pytest.mark.parametrize("external", [False, True])
async def test_a_file_of_another_organisation_is_asked_for_by_its_id(
    world: World, tmp_path: Path, external: bool
) -> None:
    """The shape that Slack sends of it: an id, no address."""
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine, external=external):
        (id_,) = await world.drops("alice", "secret", {"comet.pdf": COMETS})
        await at_rest(world, tmp_path)
        world.front.external.add(world.channels["reading"])
        said = await world.says("bob", "reading", "from our partners")
        withheld = {"id": id_, "mode": "file_access", "file_access": "check_file_info"}
        world.front.spread(file_share(world, "bob", "reading", [withheld], said), is_ext_shared_channel=True)
        await at_rest(world, tmp_path)
        told = [shown(item) for item in await world.of_bot("reading", said)]

    assert world.front.times("files.info") == external
    assert ["A slow comet over Lowmere" in item for item in told] == [True] * external
