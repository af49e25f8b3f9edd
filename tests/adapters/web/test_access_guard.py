"""Nobody but whoever holds the link sees the page, and no other site can ask anything in their browser's name."""

from pathlib import Path

import aiohttp
import pytest

from tests.adapters.web.clients import message_id, opened


async def test_the_link_becomes_a_strict_cookie_and_leaves_the_address(tmp_path: Path) -> None:
    async with opened(tmp_path) as page, aiohttp.ClientSession() as stranger, stranger.get(page.link) as response:
        cookie = response.headers["Set-Cookie"]
        assert "SameSite=Strict" in cookie and "HttpOnly" in cookie and "Path=/" in cookie
        assert page.link.partition("key=")[2] not in cookie
        assert 'content="0;url=/"' in await response.text()


async def test_without_the_link_there_is_one_sentence_and_no_data(tmp_path: Path) -> None:
    async with opened(tmp_path) as page, aiohttp.ClientSession() as stranger:
        async with stranger.get(f"{page.address}/") as response:
            assert response.status == 401 and "open the link that Footnote printed" in await response.text()
        for path in ("/api/start", "/api/stream", "/api/channels/general/messages", "/guide"):
            async with stranger.get(page.address + path) as response:
                assert response.status == 401, path
        async with stranger.get(f"{page.address}/?key=wrong") as response:
            assert response.status == 401 and "Set-Cookie" not in response.headers


async def test_another_name_for_this_machine_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        async with page.browser.get(f"{page.address}/api/start", headers={"Host": "evil.example"}) as response:
            assert response.status == 403
        port = page.address.rpartition(":")[2]
        cookie = {"Cookie": "; ".join(f"{item.key}={item.value}" for item in page.browser.cookie_jar)}
        async with page.browser.get(
            f"{page.address}/api/start", headers={"Host": f"localhost:{port}", **cookie}
        ) as response:
            assert response.status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null", None])
async def test_nothing_is_changed_for_another_origin(tmp_path: Path, origin: str | None) -> None:
    async with opened(tmp_path) as page:
        headers = {} if origin is None else {"Origin": origin}
        body = {"id": message_id(1), "text": "Why?"}
        async with page.browser.post(
            f"{page.address}/api/channels/general/messages", json=body, headers=headers
        ) as response:
            assert response.status == 403
        assert page.backend.events == [] and await page.messages() == []


@pytest.mark.parametrize("came_from", ["cross-site", "same-site"])
async def test_another_page_of_the_browser_cannot_read(tmp_path: Path, came_from: str) -> None:
    async with opened(tmp_path) as page:
        headers = {"Sec-Fetch-Site": came_from}
        async with page.browser.get(f"{page.address}/api/start", headers=headers) as response:
            assert response.status == 403


async def test_every_answer_is_hardened(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        for path in ("/", "/api/start", "/static/page.css", "/static/js/main.js", "/nowhere"):
            async with page.browser.get(page.address + path) as response:
                policy = response.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy and "unsafe-inline" not in policy, path
                assert response.headers["X-Content-Type-Options"] == "nosniff"
                assert response.headers["Referrer-Policy"] == "no-referrer"
                assert response.headers["Cache-Control"] == "no-store"


async def test_it_listens_on_this_machine_alone_and_on_the_same_port_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        assert page.address.startswith("http://127.0.0.1:")
        first = page.link
    async with opened(tmp_path) as page:
        assert page.link == first


async def test_the_pages_files_name_no_other_place() -> None:
    static = Path(__file__).parents[3] / "adapters" / "web" / "static"
    for file in [*static.rglob("*.js"), *static.rglob("*.css"), *static.rglob("*.html")]:
        words = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in words and "https://" not in words and "//cdn" not in words, file
        assert "innerHTML" not in words and "insertAdjacentHTML" not in words and "document.write" not in words, file
