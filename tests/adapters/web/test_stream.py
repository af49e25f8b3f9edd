"""The live stream: answers grow in every open browser, and whoever was away goes on where they were."""

import asyncio
import shutil
from pathlib import Path

from adapters.web.message_store import MessageStore
from adapters.web.messages import reply_id
from tests.adapters.web.clients import SENTENCE, FakeDesk, answered, citation, message_id, opened, paper


async def nothing(_: str) -> None:
    return None


async def test_an_answer_grows_and_a_dropped_connection_goes_on(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeDesk(held=[paper()])) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        (event,) = page.backend.events
        posted: list[str] = []

        async def note(id_: str) -> None:
            posted.append(id_)

        progress = page.platform.progress(event.thread, key=event.key, reply_id="", posted=note)
        await progress.step("searching", 0, 0)
        await progress.sentence(SENTENCE, [citation()])
        before = await page.told(0, 2)
        seen = before[-1][0]
        assert posted == [reply_id(event.key)]
        shown = before[-1][1]
        assert shown["state"] == "working" and isinstance(shown["notes"], list)
        assert shown["notes"][0]["title"] == "On comets"

        # the connection is gone now; meanwhile the answer is finished
        await progress.sentence(SENTENCE, [citation(2)])
        await page.platform.send(event.thread, answered(), key=event.key)
        ((_, message),) = await page.told(seen, 1, header=True)
        assert (message["id"], message["state"]) == (reply_id(event.key), "done")
        assert await page.all.notebook.since(seen + 10) == []


async def test_a_second_try_drops_what_the_first_one_streamed(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        (event,) = page.backend.events
        for _ in range(2):
            progress = page.platform.progress(event.thread, key=event.key, reply_id="", posted=nothing)
            await progress.sentence(SENTENCE, [citation()])
        held = await page.all.notebook.message(reply_id(event.key))
        assert held is not None and held.sentences == (SENTENCE,)


async def test_sending_twice_shows_once_and_an_edit_takes_the_first_place(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        (event,) = page.backend.events
        first = await page.platform.send(event.thread, answered(), key=event.key)
        assert await page.platform.send(event.thread, answered(), key=event.key) == first
        assert len(await page.messages()) == 2


async def test_ten_browsers_see_the_same(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        everybody = asyncio.Barrier(11)
        watching = [asyncio.create_task(page.told(0, 6, connected=everybody)) for _ in range(10)]
        await everybody.wait()
        for number in range(3):
            await page.post("/api/channels/general/messages", {"id": message_id(number), "text": f"Why {number}?"})
        told = await asyncio.gather(*watching)
        assert all([message["id"] for _, message in item] == [m["id"] for _, m in told[0]] for item in told)
        assert len({message["id"] for _, message in told[0]}) == 6


async def test_what_another_process_changes_is_seen_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        (event,) = page.backend.events
        await page.platform.send(event.thread, answered(), key=event.key)
        seen = await page.all.notebook.revision()
        other = MessageStore(tmp_path / "page.db")
        assert await other.forget_papers(page.all.workspace, frozenset({"a" * 64}), frozenset()) == {
            "messages of the page": 1
        }
        ((_, message),) = await page.told(seen, 1)
        assert message["state"] == "withdrawn" and message["notes"] == [] and message["blocks"] == []


async def test_a_page_whose_workspace_was_cleared_by_another_process_begins_anew(tmp_path: Path) -> None:
    async with opened(tmp_path / "page") as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        edition = (await page.get("/api/start"))["edition"]  # type: ignore[index]
        heard = asyncio.create_task(page.events(f"?after=2&edition={edition}", until="message"))
        (tmp_path / "page").rename(tmp_path / "leaving")
        shutil.rmtree(tmp_path / "leaving")
        await page.post("/api/channels/general/messages", {"id": message_id(2), "text": "And now?"})
        assert "anew" in await heard
        assert {item["id"] for item in await page.messages()} >= {message_id(2)}
        assert message_id(1) not in {item["id"] for item in await page.messages()}
        started = await page.get("/api/start")
        assert [item["id"] for item in started["channels"]] == ["general", "private"]  # type: ignore[index]
        assert started["edition"] != edition  # type: ignore[index]
        link = page.link
    async with opened(tmp_path / "page") as again:
        assert again.link == link


async def test_a_new_channel_is_told_before_anything_is_said_in_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        heard = asyncio.create_task(page.events("", until="channels", times=2))
        for number in range(600):  # the stream may not yet have been open at the first
            await page.post("/api/channels", {"name": f"Room {number}"})
            if (await asyncio.wait({heard}, timeout=0.1))[0]:
                break
        assert await heard == ["channels", "channels"]


async def test_a_forgetting_that_no_message_shows_is_told_all_the_same(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        heard = asyncio.create_task(page.events("", until="shelf"))
        while not heard.done():  # the stream may not yet have been open at the first
            other = MessageStore(tmp_path / "page.db")
            assert await other.forget_papers(page.all.workspace, frozenset({"b" * 64}), frozenset()) == {}
            await asyncio.wait({heard}, timeout=0.1)
        assert await heard == ["channels", "shelf"]


async def test_a_step_is_told_to_who_comes_later(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/samples", {"id": message_id(1)})
        (event,) = page.backend.events
        progress = page.platform.progress(event.thread, key=event.key, reply_id="", posted=nothing)
        await progress.step("reading", 3, 12)
        async with page.browser.get(f"{page.address}/api/stream?after=99&edition=another") as response:
            heard = ""
            async for line in response.content:
                heard += line.decode()
                if '"reading"' in heard:
                    break
        assert "event: anew" in heard and '"done":3,"total":12' in heard and f"{message_id(1)}-0" in heard


async def test_a_digest_begins_a_thread_of_its_own(tmp_path: Path) -> None:
    from core.domain.model import Thread
    from core.domain.reply import Reply

    async with opened(tmp_path) as page:
        channel = await page.platform.channel(page.all.workspace, "general")
        id_ = await page.platform.send(
            Thread(channel=channel, id=""), Reply(kind="digest", body="This week"), key="digest:x/1"
        )
        (shown,) = await page.messages()
        assert shown["thread"] == shown["id"] == id_
        link = await page.platform.link(Thread(channel=channel, id=id_))
        assert link == f"{page.address}/#general/{id_}"
