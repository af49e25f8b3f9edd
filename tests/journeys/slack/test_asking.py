"""Dropping papers and asking about them in Slack."""

from pathlib import Path

from tests.journeys.slack.papers import BREAD, COMETS, QUESTION, dropped
from tests.peers.slack.front import BOT_USER
from tests.peers.slack.world import World, at_rest, labels, shown, the_bot, until


async def test_a_paper_is_dropped_and_asked_about_in_its_thread(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await world.drops("alice", "papers", {"comet.pdf": COMETS})
        (dropped,) = [item for item in await world.messages("papers") if item.get("files")]
        card = await world.answer("papers", dropped["ts"], "A slow comet over Lowmere")
        ts = await world.asks("bob", "papers", "how long was its tail in degrees?", thread=dropped["ts"])
        answer = await world.answer("papers", dropped["ts"], "42 degrees")

        async def signed() -> bool:
            return await world.signs("papers", dropped["ts"]) == {"white_check_mark"}

        await until(signed)

    assert "Its tail measured 42 degrees. [1]" in shown(answer)
    assert "[1] A slow comet over Lowmere, p. 2, § 1 Intro: “Its tail measured 42 degrees.”" in shown(answer)
    assert card["thread_ts"] == answer["thread_ts"] == dropped["ts"] != ts
    assert len(await world.of_bot("papers", dropped["ts"])) == 2


async def test_a_mention_and_its_twin_are_one_question_and_redelivery_changes_nothing(
    world: World, tmp_path: Path
) -> None:
    world.front.redeliver = 1.0
    async with the_bot(world, tmp_path):
        ts = await world.asks("alice", "papers", "what is a comet?")
        await world.answer("papers", ts)
        await at_rest(world, tmp_path)

    assert len(await world.of_bot("papers", ts)) == 1


async def test_several_papers_in_one_message_are_each_confirmed(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await world.drops("alice", "papers", {"comet.pdf": COMETS, "bread.pdf": BREAD, "notes.txt": "no paper"})
        (dropped,) = [item for item in await world.messages("papers") if item.get("files")]
        await world.answer("papers", dropped["ts"], "A slow comet over Lowmere")
        await world.answer("papers", dropped["ts"], "Sourdough at high altitude")

    assert len(await world.of_bot("papers", dropped["ts"])) == 2


async def test_what_is_no_pdf_is_said_and_marked(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await world.drops("alice", "papers", {"fake.pdf": "PK this is a document"})
        (dropped,) = [item for item in await world.messages("papers") if item.get("files")]
        refused = await world.answer("papers", dropped["ts"], "was not added")

    assert "The file is not a PDF, whatever its name says." in shown(refused)


async def test_a_direct_message_needs_no_mention_and_stays_there(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        direct = await world.direct("alice")
        await world.drops("alice", direct, {"comet.pdf": COMETS})
        (dropped,) = [item for item in await world.messages(direct) if item.get("files")]
        await world.answer(direct, dropped["ts"], "A slow comet over Lowmere")
        ts = await world.says("alice", direct, "how long was its tail in degrees?")
        answer = await world.answer(direct, ts, "42 degrees")
        elsewhere = await world.asks("alice", "papers", "how long was its tail in degrees?")
        hidden = await world.answer("papers", elsewhere)

    assert answer["thread_ts"] == ts
    assert "42 degrees" not in shown(hidden)


async def test_a_follow_up_needs_no_mention_but_talk_between_people_is_left_alone(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await world.drops("alice", "papers", {"comet.pdf": COMETS})
        ts = await world.asks("alice", "papers", "how long was its tail in degrees?")
        await world.answer("papers", ts)
        await world.says("alice", "papers", "on how many nights was it seen?", thread=ts)
        await world.answer("papers", ts, count=2)
        bob = world.people["bob"]
        for who, words in (
            ("alice", "thanks, that helps"),
            ("bob", "I measured it too last week."),
            ("alice", "did you? how?"),
            ("alice", f"<@{bob}> what did you use?"),
        ):
            await at_rest(world, tmp_path)  # people speak one after the other
            await world.says(who, "papers", words, thread=ts)
        never = await world.says("alice", "reading", "what is a comet?")
        await at_rest(world, tmp_path)

        assert len(await world.of_bot("papers", ts)) == 2
        assert await world.of_bot("reading", never) == []


async def test_an_edited_question_is_answered_anew_in_place(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await world.drops("alice", "papers", {"comet.pdf": COMETS})
        (dropped,) = [item for item in await world.messages("papers") if item.get("files")]
        await world.answer("papers", dropped["ts"])
        ts = await world.asks("alice", "papers", "how long was its tail in degrees?")
        first = await world.answer("papers", ts, "42 degrees")
        papers = world.channels["papers"]
        words = f"<@{BOT_USER}> on how many nights was it seen?"
        await world.ask("alice", "chat.update", channel=papers, ts=ts, text=words)
        second = await world.answer("papers", ts, "eleven nights")

    assert second["ts"] == first["ts"]
    assert len(await world.of_bot("papers", ts)) == 1


async def test_a_question_changed_long_after_its_answer_is_answered_beneath_it(world: World, tmp_path: Path) -> None:
    """The shape that Slack sends of a change two hours later."""
    async with the_bot(world, tmp_path):
        await dropped(world)
        ts = await world.asks("alice", "papers", QUESTION)
        first = await world.answer("papers", ts, "42 degrees")
        (asked,) = [item for item in await world.messages("papers") if item["ts"] == ts]
        at = f"{float(ts) + 7_200:.6f}"
        now = {**asked, "text": f"<@{BOT_USER}> on how many nights was it seen?", "edited": {"ts": at}}
        where = {"channel": world.channels["papers"], "channel_type": "channel", "ts": at, "event_ts": at}
        changed = {"type": "message", "subtype": "message_changed", "message": now, "previous_message": asked, **where}
        for _ in range(2):
            world.front.spread(changed)
        second = await world.answer("papers", ts, "eleven nights")
        await at_rest(world, tmp_path)
        said = await world.of_bot("papers", ts)

    assert [item["ts"] for item in said] == [first["ts"], second["ts"]]
    assert "42 degrees" in shown(said[0])
    assert "the answer above is to its earlier words" in shown(second)


async def test_a_deleted_file_is_forgotten_and_the_thread_is_told(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await world.drops("alice", "papers", {"comet.pdf": COMETS})
        (dropped,) = [item for item in await world.messages("papers") if item.get("files")]
        await world.answer("papers", dropped["ts"], "A slow comet")
        await world.ask("alice", "chat.delete", channel=world.channels["papers"], ts=dropped["ts"])
        told = await world.answer("papers", dropped["ts"], "Forgotten")
        ts = await world.asks("alice", "papers", "how long was its tail in degrees?")
        answer = await world.answer("papers", ts)

    assert "1 paper" in shown(told)
    assert "42 degrees" not in shown(answer)


async def test_other_bots_and_its_own_words_are_never_answered(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        papers = world.channels["papers"]
        said = {"type": "message", "channel": papers, "channel_type": "channel", "text": f"<@{BOT_USER}> hello?"}
        world.front.spread({**said, "ts": "1700000000.000100", "bot_id": "B9", "user": "U9", "subtype": "bot_message"})
        world.front.spread({**said, "ts": "1700000000.000200", "user": BOT_USER, "bot_id": "B00000BOT"})
        world.front.spread({**said, "ts": "1700000000.000300", "user": "U9", "subtype": "channel_join"})
        await at_rest(world, tmp_path)

    assert world.front.times("chat.postMessage") == world.front.times("chat.startStream") == 0


async def test_words_alone_get_the_list_of_commands_and_a_command_is_not_a_question(
    world: World, tmp_path: Path
) -> None:
    async with the_bot(world, tmp_path):
        bare = await world.says("alice", "papers", f"<@{BOT_USER}>")
        helped = await world.answer("papers", bare)
        listed = await world.answer("papers", await world.asks("alice", "papers", "papers"))

    assert "forget PAPER" in shown(helped)
    assert "There are no papers here yet" in shown(listed)
    assert "Stop" not in labels(listed)
