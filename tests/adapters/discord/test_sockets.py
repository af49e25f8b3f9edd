"""discord.py over real sockets: HTTP, files, gateway, and everything that can break off in the middle.

The other side is a Discord server that somebody else wrote (npm discord-digital-twin), with a front that brings on
faults; discord.py, aiohttp and our whole process are the real ones.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.errors import PlatformFailure, SettingsInvalid
from tests.peers.discord.front import Fault, Payload
from tests.peers.discord.world import buttons, running, running_twin, text, world

PAPER = b"%PDF On Footnotes\nA footnote is a promise. Readers follow footnotes home."
QUESTION = "who follow footnotes?"
SHORTLY = 10 / 3_600
ANSWER = "Readers follow footnotes home. \\[1\\]"


@pytest.fixture(scope="module")
def twin() -> Iterator[Payload]:
    yield from running_twin()


async def test_a_dropped_paper_and_a_mention_over_the_wire(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        shared = await w.say("our paper", pdf=PAPER)
        await w.until_said("Found", channel=shared)
        asked = await w.say(f"{w.mention} {QUESTION}")
        await w.until_said(ANSWER, channel=asked)
        assert sorted(await w.threads()) == sorted([shared, asked])
        assert w.front.count("PUT", "/reactions/") >= 2
        follow_up = "what is a promise?"
        await w.say(follow_up, channel=asked)
        await w.until_said("A footnote is a promise", channel=asked)


async def test_commands_defers_edits_and_files_over_the_wire(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        await w.until(lambda: w.front.count("PUT", "/commands$") == 1)
        shared = await w.say("", pdf=PAPER)
        await w.until_said("Found", channel=shared)
        await w.slash("page", paper="1", number="2")
        await w.until_said("**On Footnotes**, page 2")
        page = next(one for one in await w.messages() if one["author"]["id"] == twin["bot"])
        assert page["flags"] & (1 << 15)
        assert b"\x89PNG" in b"".join(w.front.files.values())
        await w.slash("ask", question=QUESTION)
        await w.until_said("asked by alice")
        card = next(one for one in await w.messages() if "asked by" in text(one))
        await w.until_said(ANSWER, channel=card["id"])
        answer = next(one for one in await w.messages(card["id"]) if "Good" in buttons(one))
        await w.press(answer["id"], buttons(answer)["Good"], channel=card["id"])
        await w.until_said("noted", channel=card["id"])


async def test_a_dropped_socket_is_resumed_and_nothing_said_meanwhile_is_lost(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        w.front.gate.clear()
        await w.front.drop(4000)
        asked = await w.say(f"{w.mention} {QUESTION}")
        w.front.gate.set()
        await w.until_said("Nothing here says so", channel=asked)
        assert 6 in w.front.heard and w.front.replayed == [1]
        await w.front.ask(7)
        await w.until(lambda: w.front.heard.count(6) == 2)
        again = await w.say(f"{w.mention} {QUESTION}")
        await w.until_said("Nothing here says so", channel=again)


async def test_a_session_that_is_over_begins_anew_and_hears_what_was_missed_once(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch, catch_up_hours=SHORTLY) as w, running(w, tmp_path):
        known = await w.say(f"{w.mention} who knows?")
        await w.until_said("Nothing here says so", channel=known)
        w.front.forget_sessions()
        w.front.gate.clear()
        await w.front.drop(4000)
        missed = await w.say(f"{w.mention} what was missed?")
        w.front.gate.set()
        await w.until_said("Nothing here says so", channel=missed)
        await w.until(lambda: w.front.heard.count(2) == 2)
        assert w.engine.calls.count("ask what was missed?") == 1 == w.engine.calls.count("ask who knows?")


async def test_too_many_requests_are_waited_for(tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        w.front.faults.append(Fault(method="POST", path=r"/threads$", status=429, retry_after=0.4))
        w.front.faults.append(Fault(method="POST", path=r"/messages$", status=429, retry_after=0.4, everywhere=True))
        asked = await w.say(f"{w.mention} {QUESTION}")
        await w.until_said("Nothing here says so", channel=asked)
        assert len(await w.own(asked)) == 1


@pytest.mark.parametrize("after", [False, True])
async def test_a_connection_that_breaks_off_while_answering_posts_once(
    after: bool, tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        w.front.faults.append(Fault(method="POST", path=r"/channels/\d+/messages$", status=0, after=after, times=2))
        asked = await w.say(f"{w.mention} {QUESTION}")
        await w.until_said("Nothing here says so", channel=asked)
        await w.until(lambda: not w.front.faults[0].times)
        await w.until(lambda: w.front.count("PUT", f"/messages/{asked}/reactions/✅"))
        assert len(await w.own(asked)) == 1


async def test_the_socket_dropped_in_mid_answer_changes_nothing(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        shared = await w.say("", pdf=PAPER)
        await w.until_said("Found", channel=shared)
        asked = await w.say(f"{w.mention} {QUESTION}")
        await w.until(lambda: w.engine.calls.count(f"ask {QUESTION}"))
        await w.front.drop(4000)
        await w.until_said(ANSWER, channel=asked)
        assert len(await w.own(asked)) == 1


async def test_after_a_restart_what_was_said_meanwhile_is_answered_and_the_rest_is_left(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch, catch_up_hours=SHORTLY) as w:
        async with running(w, tmp_path):
            shared = await w.say("", pdf=PAPER)
            await w.until_said("Found", channel=shared)
        asked = await w.say(f"{w.mention} {QUESTION}")
        async with running(w, tmp_path):
            await w.until_said(ANSWER, channel=asked)
            assert len([call for call in w.engine.calls if call.startswith("ingest")]) == 1


async def test_a_wrong_token_is_one_sentence(tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(tmp_path, twin, monkeypatch, token="wrong") as w:
        with pytest.raises(SettingsInvalid, match="FOOTNOTE_DISCORD_TOKEN is not a token"):
            async with running(w, tmp_path):
                pass


async def test_a_server_that_is_not_there_is_one_sentence(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w:
        w.front.faults.append(Fault(method="GET", path="/users/@me", status=0, times=99))
        with pytest.raises(PlatformFailure, match="Discord cannot be reached"):
            async with running(w, tmp_path):
                pass


async def test_without_the_message_content_intent_the_bot_goes_on_and_says_so(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w:
        w.front.grant_content = False
        async with running(w, tmp_path):
            assert "message content intent" in caplog.text and "/upload" in caplog.text
            await w.say("", pdf=PAPER)
            asked = await w.say(f"{w.mention} {QUESTION}")
            await w.until_said("Nothing here says so", channel=asked)
            assert not [call for call in w.engine.calls if call.startswith("ingest")]
