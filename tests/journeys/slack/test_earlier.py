"""Backfill: PDFs that lay in a channel before Footnote was asked for them."""

from pathlib import Path

from tests.bot.fake_engine import FakeEngine
from tests.journeys.slack.papers import BREAD, COMETS, dropped
from tests.peers.slack.front import Fault
from tests.peers.slack.world import World, at_rest, shown, taken, the_bot

PAPERS = {f"paper-{number}.pdf": f"%PDF Paper number {number}\nIt says {number}." for number in range(5)}


async def lay_there(world: World) -> None:
    """Five papers in the channel and one in a thread, from before the bot was there."""
    for name, content in PAPERS.items():
        await world.drops("alice", "papers", {name: content})
    root = await world.says("alice", "papers", "one in a thread")
    await world.drops("alice", "papers", {"threaded.pdf": COMETS}, thread=root)


async def backfilled(world: World, who: str) -> str:
    """What is said to whoever asks for a backfill."""
    return shown(await world.answer("papers", await world.asks(who, "papers", "backfill")))


async def test_papers_that_lay_there_before_are_read_once_oldest_first(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    await lay_there(world)
    async with the_bot(world, tmp_path, engine=engine):
        await dropped(world, "papers", BREAD)
        refused = await backfilled(world, "gus")
        world.front.faults.append(Fault("conversations.history", times=1, status=429, retry_after=0.2))
        told = await backfilled(world, "bob")  # an administrator
        await at_rest(world, tmp_path)
        again = await backfilled(world, "bob")
        await at_rest(world, tmp_path)

    assert "A manager of this channel can do this" in refused
    assert "7 PDFs were found here; 6 are being read now" in told
    assert "7 PDFs were found here; 0 are being read now" in again
    assert sorted(engine.papers.calls) == sorted(f"ingest {name}" for name in ["paper.pdf", "threaded.pdf", *PAPERS])
    _, *earlier = taken(tmp_path, "pdf")
    assert earlier == sorted(earlier)


async def test_a_backfill_that_slack_broke_off_goes_on_by_itself_and_reads_nothing_twice(
    world: World, tmp_path: Path
) -> None:
    engine = FakeEngine()
    await lay_there(world)
    async with the_bot(world, tmp_path, engine=engine):
        world.front.faults.append(Fault("conversations.history", times=1, error="internal_error"))
        world.front.faults.append(Fault("files.list", times=1, error="internal_error"))
        told = await backfilled(world, "bob")
        await at_rest(world, tmp_path)

    assert all(fault.times == 0 for fault in world.front.faults)
    assert "6 PDFs were found here" in told
    assert sorted(engine.papers.calls) == sorted(f"ingest {name}" for name in ["threaded.pdf", *PAPERS])


async def test_a_channel_without_papers_says_so(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        told = await backfilled(world, "bob")

    assert "No PDFs were found in this channel." in told
