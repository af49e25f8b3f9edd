"""Who finds what: private channels, guests, channels left, archived or closed, other organisations, backfill."""

from pathlib import Path

from tests.bot.fake_engine import FakeEngine
from tests.journeys.slack.papers import BREAD, COMETS, QUESTION, dropped
from tests.peers.slack.front import BOT_USER
from tests.peers.slack.world import World, at_rest, called, shown, the_bot, until


async def asked(world: World, who: str, channel: str, words: str = QUESTION) -> str:
    """What the bot says to a question."""
    ts = await world.asks(who, channel, words)
    return shown(await world.answer(channel, ts))


async def test_an_open_channels_papers_are_found_elsewhere_a_private_ones_only_there(
    world: World, tmp_path: Path
) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world, "papers")
        await dropped(world, "secret", BREAD)
        open_there = await asked(world, "bob", "reading")
        private_there = await asked(world, "bob", "reading", "baked at an altitude of how many metres?")
        private_here = await asked(world, "alice", "secret", "baked at an altitude of how many metres?")
        open_from_private = await asked(world, "alice", "secret")

    assert "42 degrees" in open_there
    assert "42 degrees" in open_from_private
    assert "3100 metres" not in private_there
    assert "3100 metres" in private_here


async def test_a_guest_finds_only_what_lies_in_the_guests_channels(world: World, tmp_path: Path) -> None:
    gus = world.people["gus"]
    world.front.guests.add(gus)
    await world.ask("alice", "conversations.kick", channel=world.channels["papers"], user=gus)
    async with the_bot(world, tmp_path):
        await dropped(world, "papers")
        before = await asked(world, "gus", "reading")
        await world.ask("alice", "conversations.invite", channel=world.channels["papers"], users=gus)
        await at_rest(world, tmp_path)
        after = await asked(world, "gus", "reading")

    assert "42 degrees" not in before
    assert "42 degrees" in after


async def test_archiving_or_leaving_a_channel_closes_its_papers_at_once(world: World, tmp_path: Path) -> None:
    papers = world.channels["papers"]
    async with the_bot(world, tmp_path):
        await dropped(world, "papers")
        assert "42 degrees" in await asked(world, "alice", "reading")
        await world.ask("alice", "conversations.archive", channel=papers)
        world.front.spread({"type": "channel_archive", "channel": papers, "user": "U1", "event_ts": "1.1"})
        await at_rest(world, tmp_path)
        archived = await asked(world, "alice", "reading")
        await world.ask("alice", "conversations.unarchive", channel=papers)
        world.front.spread({"type": "channel_unarchive", "channel": papers, "user": "U1", "event_ts": "1.2"})
        await at_rest(world, tmp_path)
        again = await asked(world, "alice", "reading")
        await world.ask("alice", "conversations.kick", channel=papers, user=BOT_USER)
        world.front.spread({"type": "channel_left", "channel": papers, "event_ts": "1.3"})
        await at_rest(world, tmp_path)
        left = await asked(world, "alice", "reading")

    assert "42 degrees" not in archived
    assert "42 degrees" in again
    assert "42 degrees" not in left


async def test_a_deleted_channel_takes_its_papers_with_it(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        await dropped(world, "papers")
        world.front.spread({"type": "channel_deleted", "channel": world.channels["papers"], "event_ts": "1.1"})

        async def is_closed() -> bool:
            return engine.channels.closed == [world.channels["papers"]]

        await until(is_closed)


async def test_a_channel_shared_with_others_is_left_alone_and_who_asks_is_told(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    world.front.external.add(world.channels["reading"])
    async with the_bot(world, tmp_path, engine=engine):
        await world.drops("alice", "reading", {"comet.pdf": COMETS})
        ts = await world.asks("alice", "reading", QUESTION)
        await called(world, "chat.postEphemeral")
        await at_rest(world, tmp_path)
        assert await world.of_bot("reading", ts) == []

    (told,) = await world.whispers("alice")
    assert "shared with another organisation" in told["text"]
    assert engine.papers.calls == []


async def test_where_it_is_allowed_a_shared_channel_is_a_world_of_its_own(world: World, tmp_path: Path) -> None:
    world.front.external.add(world.channels["reading"])
    async with the_bot(world, tmp_path, external=True):
        await dropped(world, "reading")
        await dropped(world, "papers", BREAD)
        here = await asked(world, "alice", "reading")
        elsewhere = await asked(world, "alice", "papers")

    assert "42 degrees" in here
    assert "42 degrees" not in elsewhere


async def test_a_file_deleted_everywhere_is_forgotten_everywhere(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        thread = await dropped(world, "papers")
        (message,) = [item for item in await world.messages("papers") if item["ts"] == thread]
        world.front.spread({"type": "file_deleted", "file_id": message["files"][0]["id"], "event_ts": "1.1"})
        await world.answer("papers", thread, "Forgotten")

    assert all(not shelf for shelf in engine.papers.shelves.values())
