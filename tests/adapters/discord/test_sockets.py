"""discord.py over real sockets: HTTP, files, gateway, and everything that can break off in the middle.

The other side is a Discord server that somebody else wrote (npm discord-digital-twin), with a front that brings on
faults; discord.py, aiohttp and our whole process are the real ones.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.errors import PlatformFailure, SettingsInvalid
from core.domain.records import PageShown
from tests.peers.discord.front import Fault, Payload
from tests.peers.discord.world import buttons, running, running_twin, text, world

PAPER = b"%PDF On Footnotes\nA footnote is a promise. Readers follow footnotes home."
QUESTION = "who follow footnotes?"
AN_HOUR = 1.0
ANSWER = "Readers follow footnotes home. \\[1\\]"


@pytest.fixture(scope="module")
def twin() -> Iterator[Payload]:
    yield from running_twin()


@pytest.fixture
def new_twin() -> Iterator[Payload]:
    """A server on which nobody has said anything yet, for tests that look for what was missed."""
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
        await w.until(lambda: w.front.count("PUT", f"/messages/{asked}/reactions/✅"))
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
        page = next(item for item in await w.messages() if item["author"]["id"] == twin["bot"])
        assert page["flags"] & (1 << 15)
        assert b"\x89PNG" in b"".join(w.front.files.values())
        await w.slash("ask", question=QUESTION)
        await w.until_said("asked by alice")
        card = next(item for item in await w.messages() if "asked by" in text(item))
        await w.until_said(ANSWER, channel=card["id"])
        answer = next(item for item in await w.messages(card["id"]) if "Good" in buttons(item))
        await w.press(answer["id"], buttons(answer)["Good"], channel=card["id"])
        await w.until_said("noted", channel=card["id"])


async def test_the_page_behind_a_footnote_and_exports_come_as_files_over_the_wire(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = b"\x89PNG the page"
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        shared = await w.say("", pdf=PAPER)
        await w.until_said("Found", channel=shared)
        asked = await w.say(f"{w.mention} {QUESTION}")
        await w.until_said(ANSWER, channel=asked)
        await w.at_rest()
        ((paper, _),) = [item for shelf in w.engine.papers.shelves.values() for item in shelf.values()]
        w.engine.records.shown = [PageShown(paper=paper, page=2, png=picture)]
        answer = next(item for item in await w.messages(asked) if "Show [1]" in buttons(item))
        await w.press(answer["id"], buttons(answer)["Show [1]"], channel=asked)
        await w.until_said("On Footnotes", channel=asked)
        await w.until(lambda: picture in w.front.files.values())
        await w.slash("export", channel=asked)
        await w.until_said("This thread, with footnotes.", channel=asked)
        names = {file["filename"] for item in await w.messages(asked) for file in w.front.attachments(item["id"])}
        assert {"page-2.png", "thread.md"} <= names


async def test_a_bibliography_and_a_deleted_paper_over_the_wire(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = b"@article{f, title={On Footnotes}, year={2019}}"
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        shared = await w.say("", pdf=PAPER)
        await w.until_said("Found", channel=shared)
        dropped = await w.say("", pdf=entry, name="ours.bib")
        await w.until_said("3 entries", channel=dropped)
        assert w.engine.records.taken_in == [entry]
        await w.erase(shared)
        await w.until_said("Forgotten", channel=shared)
        assert not any(w.engine.papers.shelves.values())


async def test_a_private_answer_whose_token_is_over_comes_as_a_direct_message(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        await w.until(lambda: w.front.count("PUT", "/commands$") == 1)
        w.front.token_lives = 0.0
        await w.slash("papers")
        await w.until(lambda: w.front.count("POST", "/users/@me/channels"))
        await w.at_rest()
        assert w.front.count("PATCH", "/webhooks/") == 1 and not any(await w.own())
        direct = await w.front.control("direct", user=twin["people"]["alice"])
        assert "no papers here yet" in "".join(await w.own(direct["id"]))


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


@pytest.mark.slow
async def test_a_session_that_is_over_begins_anew_and_hears_what_was_missed_once(
    tmp_path: Path, new_twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, new_twin, monkeypatch, catch_up_hours=AN_HOUR) as w, running(w, tmp_path):
        known = await w.say(f"{w.mention} who knows?")
        await w.until_said("Nothing here says so", channel=known)
        w.front.forget_sessions()
        w.front.gate.clear()
        await w.front.drop(4000)
        missed = await w.say(f"{w.mention} what was missed?")
        w.front.gate.set()
        await w.until_said("Nothing here says so", channel=missed)
        await w.until(lambda: w.front.heard.count(2) == 2)
        await w.at_rest()
        assert w.engine.papers.calls.count("ask what was missed?") == 1 == w.engine.papers.calls.count("ask who knows?")


async def test_too_many_requests_are_waited_for(tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        w.front.faults.append(Fault(method="POST", path=r"/threads$", status=429, retry_after=0.4))
        w.front.faults.append(Fault(method="POST", path=r"/messages$", status=429, retry_after=0.4, everywhere=True))
        asked = await w.say(f"{w.mention} {QUESTION}")
        await w.until_said("Nothing here says so", channel=asked)
        await w.at_rest()
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
        await w.at_rest()
        assert len(await w.own(asked)) == 1


async def test_the_socket_dropped_in_mid_answer_changes_nothing(
    tmp_path: Path, twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, twin, monkeypatch) as w, running(w, tmp_path):
        shared = await w.say("", pdf=PAPER)
        await w.until_said("Found", channel=shared)
        asked = await w.say(f"{w.mention} {QUESTION}")
        await w.until(lambda: w.engine.papers.calls.count(f"ask {QUESTION}"))
        await w.front.drop(4000)
        await w.until_said(ANSWER, channel=asked)
        await w.at_rest()
        assert len(await w.own(asked)) == 1


@pytest.mark.slow
async def test_after_a_restart_what_was_said_meanwhile_is_answered_and_the_rest_is_left(
    tmp_path: Path, new_twin: Payload, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, new_twin, monkeypatch, catch_up_hours=AN_HOUR) as w:
        async with running(w, tmp_path):
            shared = await w.say("", pdf=PAPER)
            await w.until_said("Found", channel=shared)
        asked = await w.say(f"{w.mention} {QUESTION}")
        async with running(w, tmp_path):
            await w.until_said(ANSWER, channel=asked)
            await w.at_rest()
            assert len([call for call in w.engine.papers.calls if call.startswith("ingest")]) == 1
        async with running(w, tmp_path):
            answer = next(item for item in await w.messages(asked) if "Good" in buttons(item))
            await w.press(answer["id"], buttons(answer)["Good"], channel=asked)
            await w.until_said("noted", channel=asked)


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


@pytest.mark.slow
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
            assert not [call for call in w.engine.papers.calls if call.startswith("ingest")]
