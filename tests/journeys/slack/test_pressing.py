"""Buttons, forms, the shortcut, slash commands, the Home tab and stopping, as people use them."""

import asyncio
from pathlib import Path

import pytest

from core.domain.model import Answer
from core.domain.request_context import RequestContext
from tests.bot.fake_engine import FakeEngine, FakeQuestions
from tests.journeys.slack.papers import BREAD, QUESTION, dropped
from tests.peers.slack.front import TEAM, Fault
from tests.peers.slack.judge import problems, view_problems
from tests.peers.slack.world import World, at_rest, called, labels, shown, the_bot, until


async def test_an_answer_is_judged_and_a_wrong_one_is_put_right_in_a_form(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        await dropped(world)
        ts = await world.asks("alice", "papers", QUESTION)
        answer = await world.answer("papers", ts, "42 degrees")
        await world.presses("bob", "papers", answer, "Good")
        await called(world, "chat.postEphemeral")
        await world.presses("alice", "papers", answer, "Wrong")
        (form,) = world.views()
        values = {"answer": {"filled": {"value": "41 degrees"}}, "page": {"filled": {"value": "p. 4"}}}
        await world.fills_in("alice", form, values)
        await called(world, "chat.postEphemeral", times=2)

    assert problems(answer["blocks"]) == []
    assert view_problems(form) == []
    assert [item[1:] for item in engine.threads.judged] == [("good", ""), ("wrong", "41 degrees · p. 4")]
    thanked, noted = await world.whispers()
    assert (thanked["user"], noted["user"]) == (world.people["bob"], world.people["alice"])
    assert len(await world.of_bot("papers", ts)) == 1


async def test_a_starter_question_is_answered_in_the_papers_thread_and_a_double_press_once(
    world: World, tmp_path: Path
) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        thread = await dropped(world)
        (card,) = await world.of_bot("papers", thread)
        (id_,) = engine.papers.shelves[f"slack:{TEAM}"]
        button = {
            "type": "button",
            "action_id": "press-0",
            "value": f"ask {id_[:16]}/0",
            "text": {"type": "plain_text", "text": "What is it about?"},
        }
        starter = {**card, "blocks": [{"type": "actions", "block_id": "/0", "elements": [button]}]}
        await world.presses("bob", "papers", starter, "What is it about?", at=1_790_000_000.0)
        await world.presses("bob", "papers", starter, "What is it about?", at=1_790_000_000.6)
        await world.answer("papers", thread, "What is it about?")
        await at_rest(world, tmp_path)

    assert sum("What is it about?" in shown(item) for item in await world.of_bot("papers", thread)) == 1


async def test_a_slash_command_is_answered_to_who_gave_it_alone(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        before = len(await world.messages("papers"))
        told = await world.slash("bob", "papers", "papers")
        await called(world, "chat.postEphemeral")
        again = await world.slash("bob", "papers", "")
        await called(world, "chat.postEphemeral", times=2)

    listed, helped = await world.whispers("bob")
    assert told == again == {"response_type": "ephemeral", "text": "On it …"}
    assert "A slow comet over Lowmere" in shown(listed)
    assert "forget PAPER" in shown(helped)
    assert len(await world.messages("papers")) == before


async def test_a_question_by_slash_command_begins_a_thread_that_says_what_was_asked(
    world: World, tmp_path: Path
) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        await world.slash("bob", "papers", f"ask {QUESTION}")
        root = (await world.messages("papers"))[-1]
        answer = await world.answer("papers", root["ts"], "42 degrees")
        await world.says("bob", "papers", "on how many nights was it seen?", thread=root["ts"])
        await world.answer("papers", root["ts"], "eleven nights")

    assert root["text"] == f"bob asks: {QUESTION}"
    assert answer["thread_ts"] == root["ts"]


async def test_a_question_can_be_limited_to_chosen_papers_and_asked_in_private_first(
    world: World, tmp_path: Path
) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        await dropped(world, paper=BREAD)
        await world.slash("alice", "papers", "ask")
        (form,) = world.views()
        suggested = await world.front.deliver(
            "interactive",
            {
                "type": "block_suggestion",
                "team": {"id": TEAM},
                "user": {"id": world.people["alice"]},
                "action_id": "papers",
                "value": "sourdough",
                "view": form,
            },
        )
        (bread,) = suggested["options"]
        values = {
            "question": {"filled": {"value": "what was measured in degrees, of what length, at an altitude?"}},
            "papers": {"papers": {"selected_options": [bread]}},
            "audience": {"filled": {"selected_option": {"value": "asker"}}},
        }
        streams = world.front.times("chat.startStream")
        await world.fills_in("alice", form, values)
        await called(world, "chat.postEphemeral")
        (private,) = await world.whispers("alice")
        message = {"ts": "1700000000.000900", "blocks": private["blocks"]}
        seen = len(await world.messages("papers"))
        await world.presses("alice", "papers", message, "Search wider", is_ephemeral=True)
        await called(world, "chat.postEphemeral", times=2)
        assert len(await world.messages("papers")) == seen
        await world.presses("alice", "papers", message, "Share with the thread", is_ephemeral=True)

        async def is_shared() -> bool:
            return len(await world.messages("papers")) == seen + 1

        await until(is_shared)
        assert world.front.times("chat.startStream") == streams  # nothing of it grew where others see it

    assert view_problems(form) == []
    assert bread["text"]["text"] == "Sourdough at high altitude"
    assert "3100 metres" in shown(private)
    assert "3100 metres" in shown((await world.messages("papers"))[-1])


async def test_ask_about_this_is_limited_to_the_paper_of_the_message(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        thread = await dropped(world, paper=BREAD)
        (message,) = [item for item in await world.messages("papers") if item["ts"] == thread]
        await world.shortcut("bob", "papers", message)
        (form,) = world.views()
        chosen = form["blocks"][1]["element"]["initial_options"]
        values = {
            "question": {"filled": {"value": "at an altitude of how many metres?"}},
            "papers": {"papers": {"selected_options": chosen}},
            "audience": {"filled": {"selected_option": {"value": "thread"}}},
        }
        await world.fills_in("bob", form, values)
        answer = await world.answer("papers", thread, "3100 metres")

    assert [item["text"]["text"] for item in chosen] == ["Sourdough at high altitude"]
    assert answer["thread_ts"] == thread


async def test_a_trigger_that_ran_out_is_told_to_whoever_waits_for_the_form(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        ts = await world.asks("alice", "papers", QUESTION)
        answer = await world.answer("papers", ts, "42 degrees")
        world.front.faults.append(Fault("views.open", error="expired_trigger_id"))
        await world.presses("alice", "papers", answer, "Wrong")

    (told,) = await world.whispers("alice")
    assert told["text"] == "Slack gave up waiting for the form; please press once more."


async def test_the_home_tab_shows_what_this_person_may_see(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        await dropped(world, "secret", BREAD)
        opened = {"type": "app_home_opened", "user": world.people["bob"], "channel": "D1"}
        world.front.spread({**opened, "tab": "home"})
        await called(world, "views.publish")
        world.front.spread({**opened, "tab": "messages"})
        await called(world, "assistant.threads.setSuggestedPrompts")

    (home,) = world.views("views.publish")
    assert view_problems(home) == []
    assert "A slow comet over Lowmere" in shown(home)
    assert "Sourdough" not in shown(home)


class Slow(FakeQuestions):
    """Says one sentence, then works until it is stopped."""

    async def _answered(self, question: str, request: RequestContext) -> Answer:
        answer = await super()._answered(question, request)
        async with asyncio.timeout(15):
            await request.stop.wait()
        return answer


@pytest.mark.parametrize("agent", [True, False])
async def test_a_running_answer_is_stopped_and_keeps_what_was_said(world: World, tmp_path: Path, agent: bool) -> None:
    world.front.agent = agent
    async with the_bot(world, tmp_path, engine=FakeEngine(questions_type=Slow)):
        await dropped(world)
        ts = await world.asks("alice", "papers", QUESTION)

        async def streams() -> bool:
            return any("42 degrees" in text for text in world.front.streams.values())

        await until(streams)
        event = {"type": "agent_session_stopped", "channel": world.channels["papers"], "thread_ts": ts}
        if agent:
            world.front.spread({**event, "user": world.people["alice"], "streaming_message_ts": []})
        else:
            await world.asks("alice", "papers", "stop", thread=ts)
        answer = await world.answer("papers", ts, "§ 1 Intro")

    assert world.front.streams == {}
    assert "Its tail measured 42 degrees. [1]" in shown(answer)
    assert len(await world.of_bot("papers", ts)) == 1


async def test_without_streams_the_answer_grows_by_edits_and_has_a_stop_button(world: World, tmp_path: Path) -> None:
    world.front.faults.append(Fault("chat.startStream", times=99, error="unknown_method"))
    async with the_bot(world, tmp_path, engine=FakeEngine(questions_type=Slow)):
        await dropped(world)
        ts = await world.asks("alice", "papers", QUESTION)

        async def growing() -> dict[str, object] | None:
            said = await world.of_bot("papers", ts)
            return said[0] if said and "42 degrees" in shown(said[0]) and labels(said[0]) == ["Stop"] else None

        message = await until(growing)
        await world.presses("alice", "papers", message, "Stop")
        answer = await world.answer("papers", ts, "42 degrees")

    assert answer["ts"] == message["ts"]
    assert "Stop" not in labels(answer)
    assert world.front.times("chat.startStream") == 1
