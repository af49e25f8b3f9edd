"""The page shows what models there are and connects one; a key comes back in no answer."""

from pathlib import Path

import aiohttp

from tests.adapters.web.clients import opened


async def test_what_is_set_and_what_this_machine_offers_is_shown(tmp_path: Path) -> None:
    async with opened(tmp_path) as page, page.browser.get(f"{page.address}/api/model") as response:
        told = await response.json()
    assert told["current"] == "No language model is set."
    assert [model["name"] for model in told["servers"][0]["models"]] == ["small"]


async def test_a_model_is_connected_and_a_key_is_asked_for_where_one_is_wanted(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        assert await page.post("/api/model", {"url": " http://h/v1 ", "model": "small"}) == {
            "lines": ["It writes answers.", "Written."]
        }
        assert await page.post("/api/model", {"url": "http://locked/v1", "key": "wrong"}) == {"key": "It wants a key."}
        told = await page.post("/api/model", {"url": "http://locked/v1", "key": "right"})
    assert "right" not in str(told)


async def test_what_cannot_be_connected_is_told_in_one_sentence(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        told = await page.post("/api/model", {"url": "nowhere"}, status=400)
    assert told == {"words": "That is no address."}


async def test_without_the_link_no_model_is_shown_or_connected(tmp_path: Path) -> None:
    async with opened(tmp_path) as page, aiohttp.ClientSession() as stranger:
        async with stranger.get(f"{page.address}/api/model") as response:
            assert response.status == 401
        async with stranger.post(f"{page.address}/api/model", json={"url": "http://h/v1"}) as response:
            assert response.status in (401, 403)
