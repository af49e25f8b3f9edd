"""What goes wrong in Slack, each ending well: waits, lost answers, lost connections, missing rights, closed doors."""

import json
import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from core.domain.errors import SettingsInvalid
from tests.bot.fake_engine import FakeEngine
from tests.journeys.slack.papers import COMETS, QUESTION, dropped
from tests.peers.slack.front import BOT_USER, Fault, signed, wrap
from tests.peers.slack.world import (
    World,
    at_rest,
    called,
    free_ports,
    jobs,
    over,
    shown,
    slack_settings,
    the_bot,
    until,
)

SILENCE = 3.0  # longer than what is waited out in place


@pytest.mark.parametrize("method", ["chat.startStream", "chat.update", "chat.stopStream", "reactions.add"])
async def test_too_many_requests_are_waited_out_and_the_answer_comes_once(
    world: World, tmp_path: Path, method: str
) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        world.front.faults.append(Fault(method, times=2, status=429, retry_after=0.3))
        ts = await world.asks("alice", "papers", QUESTION)
        await world.answer("papers", ts, "42 degrees")
        await at_rest(world, tmp_path)

    assert len(await world.of_bot("papers", ts)) == 1


async def test_a_long_silence_holds_back_all_calls_of_its_kind(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        await at_rest(world, tmp_path)
        world.front.faults.append(Fault("chat.startStream", times=1, error="unknown_method"))
        world.front.faults.append(Fault("chat.postMessage", times=1, status=429, retry_after=SILENCE))
        before = world.front.times("chat.postMessage")
        first = await world.asks("alice", "papers", QUESTION)

        async def is_put_off() -> bool:  # its reply is ready and may not be posted yet
            return world.front.times("chat.postMessage") > before and jobs(tmp_path)["waiting"] == 1

        await until(is_put_off)
        for ts in [first, *[await world.asks("alice", "papers", QUESTION) for _ in range(2)]]:
            await world.answer("papers", ts, "42 degrees")

    refused, *later = [at for at, method, _ in world.front.calls if method == "chat.postMessage"][before:]
    assert len(later) == 3
    assert min(later) - refused >= SILENCE


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.update", "chat.stopStream"])
async def test_an_answer_of_slack_that_is_lost_leads_to_no_second_message(
    world: World, tmp_path: Path, method: str
) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        world.front.faults.append(Fault(method, lost=True))
        ts = await world.asks("alice", "papers", QUESTION)
        answer = await world.answer("papers", ts, "42 degrees")
        await at_rest(world, tmp_path)

    assert "[1] A slow comet over Lowmere" in shown(answer)
    assert len(await world.of_bot("papers", ts)) == 1
    assert world.front.streams == {}


async def test_a_posted_message_whose_answer_is_lost_is_found_by_its_key(world: World, tmp_path: Path) -> None:
    world.front.faults.append(Fault("chat.startStream", times=9, error="unknown_method"))
    async with the_bot(world, tmp_path):
        await dropped(world)
        world.front.faults.append(Fault("chat.postMessage", lost=True))
        ts = await world.asks("alice", "papers", QUESTION)
        await world.answer("papers", ts, "42 degrees")
        await at_rest(world, tmp_path)

    assert len(await world.of_bot("papers", ts)) == 1
    assert world.front.times("conversations.replies") == 1


@over("socket")
async def test_a_connection_that_slack_ends_is_followed_by_another_and_nothing_is_lost(
    world: World, tmp_path: Path
) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        before = list(world.front.sockets)
        await world.front.disconnect()
        asked = [await world.asks("alice", "papers", QUESTION) for _ in range(3)]

        async def anew() -> bool:
            return any(item not in before for item in world.front.sockets)

        await until(anew)
        for ts in asked:
            await world.answer("papers", ts, "42 degrees")
        await at_rest(world, tmp_path)
        for ts in asked:
            assert len(await world.of_bot("papers", ts)) == 1


async def test_acknowledgements_that_slack_never_saw_lead_to_one_answer(world: World, tmp_path: Path) -> None:
    world.front.ack_seconds = 0.4
    async with the_bot(world, tmp_path):
        await dropped(world)
        world.front.dropped_acks = 4
        ts = await world.asks("alice", "papers", QUESTION)
        await world.answer("papers", ts, "42 degrees")
        await at_rest(world, tmp_path)

    assert world.front.dropped_acks == 0
    assert len(await world.of_bot("papers", ts)) == 1


async def test_what_cannot_be_kept_is_not_acknowledged_and_comes_again(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path) as app:
        await dropped(world)
        put = app.store.put
        refused = [True, True, True]

        async def full(*given: Any, **named: Any) -> bool:
            if refused:
                refused.pop()
                raise OSError("the disk is full")
            return await put(*given, **named)

        world.front.ack_seconds = 0.4
        app.store.put = full  # type: ignore[method-assign]
        ts = await world.asks("alice", "papers", QUESTION)
        await world.answer("papers", ts, "42 degrees")
        await at_rest(world, tmp_path)

    assert refused == []
    assert len(await world.of_bot("papers", ts)) == 1


async def test_a_missing_scope_is_named_with_what_to_do(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        world.front.faults.append(
            Fault(
                "users.info", times=9, error="missing_scope", extra={"needed": "users:read", "provided": "chat:write"}
            )
        )
        ts = await world.asks("alice", "papers", QUESTION)
        told = await world.answer("papers", ts, "users:read")

    assert "The Slack app lacks the scope users:read" in shown(told)
    assert "install the app again" in shown(told)


async def test_a_sign_in_page_is_no_paper(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        file = {
            "id": "F1",
            "name": "a.pdf",
            "mimetype": "application/pdf",
            "url_private_download": f"{world.front.url}/files-pri/none/signed-out",
        }
        said = await world.says("alice", "papers", "here it is")
        event = {"type": "message", "subtype": "file_share", "channel": world.channels["papers"], "files": [file]}
        world.front.signed_out = True
        world.front.spread({**event, "user": world.people["alice"], "ts": said, "channel_type": "channel", "text": ""})
        told = await world.answer("papers", said, "sign-in page")

    assert "installed Footnote can mend that" in shown(told)
    assert engine.papers.calls == []


async def test_a_file_elsewhere_is_not_fetched(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        file = {
            "id": "F1",
            "name": "a.pdf",
            "mimetype": "application/pdf",
            "url_private": "https://drive.example.org/a.pdf",
        }
        said = await world.says("alice", "papers", "here it is")
        event = {"type": "message", "subtype": "file_share", "channel": world.channels["papers"], "files": [file]}
        world.front.spread({**event, "user": world.people["alice"], "ts": said, "channel_type": "channel", "text": ""})
        told = await world.answer("papers", said, "was not added")

    assert "does not lie at Slack itself; please upload the PDF here" in shown(told)


async def test_what_slack_finds_too_long_arrives_as_plain_text(world: World, tmp_path: Path) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        world.front.faults.append(Fault("chat.update", times=1, error="msg_blocks_too_long"))
        ts = await world.asks("alice", "papers", QUESTION)
        await world.answer("papers", ts, "42 degrees")
        await at_rest(world, tmp_path)

    assert len(await world.of_bot("papers", ts)) == 1


@pytest.mark.parametrize("door", ["archived", "kicked"])
async def test_a_closed_channel_ends_the_work_and_the_bot_goes_on(world: World, tmp_path: Path, door: str) -> None:
    reading = world.channels["reading"]
    async with the_bot(world, tmp_path) as app:
        await dropped(world)
        front = world.front
        front.faults.append(
            Fault("chat.startStream", times=1, error="is_archived" if door == "archived" else "not_in_channel")
        )
        front.faults.append(
            Fault("chat.postMessage", times=9, error="is_archived" if door == "archived" else "not_in_channel")
        )
        event = {"type": "message", "channel": reading, "channel_type": "channel", "user": world.people["alice"]}
        front.spread({**event, "ts": "1700000000.000100", "text": f"<@{BOT_USER}> {QUESTION}"})

        async def given_up() -> bool:
            return (await app.store.counts())["given up"] == 1

        await until(given_up)
        front.faults.clear()
        ts = await world.asks("alice", "papers", QUESTION)
        await world.answer("papers", ts, "42 degrees")


async def test_a_wrong_token_is_refused_at_the_start_in_one_sentence(world: World, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match="Slack refused FOOTNOTE_SLACK_BOT_TOKEN"):
        async with the_bot(world, tmp_path, bot_token="xoxb-unknown"):
            pass


@over("socket")
async def test_a_wrong_app_token_is_refused_at_the_start_in_one_sentence(world: World, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match="FOOTNOTE_SLACK_APP_TOKEN"):
        async with the_bot(world, tmp_path, app_token="xapp-unknown"):
            pass


@over("http")
async def test_an_unsigned_a_wrongly_signed_and_an_old_delivery_are_refused(world: World, tmp_path: Path) -> None:
    (port,) = free_ports(1)
    event = {"type": "message", "channel": world.channels["papers"], "user": world.people["alice"]}
    raw = json.dumps(wrap({**event, "ts": "1700000000.000100", "text": f"<@{BOT_USER}> {QUESTION}"}))
    now = int(time.time())
    refused = [
        ({}, raw.encode()),
        (signed(raw, str(now), "another secret"), raw.encode()),
        (signed(raw, str(now - 3_600)), raw.encode()),
        ({}, b"\xff\x00"),
        ({}, b"[1]"),
    ]
    async with the_bot(world, tmp_path, port=port) as app, aiohttp.ClientSession() as session:
        url = f"http://127.0.0.1:{port}/slack/events"
        for headers, body in refused:
            async with session.post(url, data=body, headers={"Content-Type": "application/json", **headers}) as answer:
                assert answer.status == 401
        assert sum((await app.store.counts()).values()) == 0


async def test_two_processes_share_the_work(world: World, tmp_path: Path) -> None:
    """Both are connected; whichever takes an event, whichever works on it, there is one answer."""
    assert slack_settings(world).on
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine), the_bot(world, tmp_path, engine=engine):
        await world.drops("alice", "papers", {"comet.pdf": COMETS})
        await called(world, "chat.postMessage")
        asked = [await world.asks("alice", "papers", QUESTION) for _ in range(6)]
        for ts in asked:
            await world.answer("papers", ts)
        await at_rest(world, tmp_path)
        for ts in asked:
            assert len(await world.of_bot("papers", ts)) == 1
