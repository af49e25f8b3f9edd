"""Looking at papers and pages is limited to what may be read from the channel where one looks."""

import asyncio
from pathlib import Path

from core.domain.model import Thread
from core.domain.reply import Attachment, Reply
from tests.adapters.web.clients import FakeDesk, answered, message_id, opened, paper


async def test_a_private_channel_sees_the_open_ones_and_they_do_not_see_it(tmp_path: Path) -> None:
    hidden = paper("b" * 64, "A draft", channel="private")
    async with opened(tmp_path, FakeDesk(held=[paper(), hidden])) as page:
        in_general = await page.get("/api/channels/general/papers")
        in_private = await page.get("/api/channels/private/papers")
        assert isinstance(in_general, list) and isinstance(in_private, list)
        assert [item["title"] for item in in_general] == ["On comets"]
        assert [(item["title"], item["here"]) for item in in_private] == [("On comets", False), ("A draft", True)]
        await page.browser.get(f"{page.address}/api/channels/general/papers/{hidden.id}/pages/1")
        assert page.backend.scopes[-1].channels == {"general"}
        async with page.browser.get(f"{page.address}/api/channels/nowhere/papers") as response:
            assert response.status == 404


async def test_files_of_a_reply_are_kept_and_only_pictures_open_in_the_browser(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        channel = await page.platform.channel(page.all.workspace, "general")
        files = (
            Attachment(name="page-2.png", mime="image/png", data=b"\x89PNG", alt="Page 2"),
            Attachment(name='we"ird\n.html', mime="text/html", data=b"<script>"),
        )
        reply = Reply(kind="export", body="Here.", files=files)
        id_ = await page.platform.send(Thread(channel=channel, id=message_id(1)), reply, key="command:x")
        async with page.browser.get(f"{page.address}/api/messages/{id_}/files/0") as response:
            assert (response.content_type, await response.read()) == ("image/png", b"\x89PNG")
        async with page.browser.get(f"{page.address}/api/messages/{id_}/files/1") as response:
            assert response.content_type == "application/octet-stream" and await response.read() == b"<script>"
            assert response.headers["Content-Disposition"] == 'attachment; filename="we_ird_.html"'
        async with page.browser.get(f"{page.address}/api/messages/{id_}/files/2") as response:
            assert response.status == 404


async def test_older_messages_come_a_page_at_a_time(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        channel = await page.platform.channel(page.all.workspace, "general")
        for number in range(130):
            await page.platform.send(Thread(channel=channel, id=""), answered(), key=f"digest:{number}")
        last = await page.get("/api/channels/general/messages")
        assert isinstance(last, dict) and len(last["messages"]) == 120 and last["more"]
        first = await page.get(f"/api/channels/general/messages?before={last['first']}")
        assert isinstance(first, dict) and len(first["messages"]) == 10 and not first["more"]
        assert not {item["id"] for item in first["messages"]} & {item["id"] for item in last["messages"]}


async def test_completion_asks_the_desk(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        assert await page.get("/api/channels/general/choices?name=forget&words=com") == ["forget of com"]
        start = await page.get("/api/start")
        assert isinstance(start, dict)
        assert start["commands"][0]["usage"] == "papers" and start["samples"][0]["questions"] == ["Why?"]


async def test_the_guide_is_drawn_and_its_html_stays_text(tmp_path: Path) -> None:
    pictures = tmp_path / "docs" / "pictures"
    await asyncio.to_thread(pictures.mkdir, parents=True)
    await asyncio.to_thread((pictures / "one.png").write_bytes, b"\x89PNG")
    words = "# Guide\n\n<script>alert(1)</script>\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"
    await asyncio.to_thread((tmp_path / "docs" / "guide.md").write_text, words)
    async with opened(tmp_path) as page:
        async with page.browser.get(f"{page.address}/guide") as response:
            text = await response.text()
            assert "<h1>Guide</h1>" in text and "<table>" in text and "<script>" not in text
        async with page.browser.get(f"{page.address}/guide/pictures/one.png") as response:
            assert response.content_type == "image/png"
        for name in ("two.png", "..%2Fguide.md", "guide.md"):
            async with page.browser.get(f"{page.address}/guide/pictures/{name}") as response:
                assert response.status == 404, name
