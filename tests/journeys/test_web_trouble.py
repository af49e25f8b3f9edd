"""The local page when things go wrong: connections drop, the server dies, files are too large, many come at once."""

import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.people import COMETS, made
from tests.journeys.web import PATIENCE, ask, drop, opened, served

pytestmark = pytest.mark.slow


def test_a_restart_in_mid_reading_and_a_lost_connection_lose_nothing(
    browser: Any, tmp_path: Path, models: Path
) -> None:
    comet = made(tmp_path, "comet.pdf", COMETS).read_bytes()
    with served(tmp_path / "data", models) as server, opened(browser, server) as page:
        drop(page, [("comet.pdf", comet)])
        page.locator(".files .how", has_text="sent").or_(page.locator(".files .bar")).first.wait_for()
        page.locator(".files li", has_text="…").first.wait_for()
        server.kill()
        page.locator("#connection").wait_for(state="visible")
        assert "trying again" in page.locator("#connection").inner_text()
        link = server.link
        server.start()
        assert server.link == link
        page.locator(".reply.ingest.done", has_text="A slow comet over Lowmere").wait_for()
        page.locator("#connection").wait_for(state="hidden")
        assert page.locator(".reply.ingest").count() == 1

        page.fill("#words", "How many degrees did the comet's tail measure?")
        page.press("#words", "Enter")
        page.locator(".reply.working").wait_for()
        server.kill()
        page.locator("#connection").wait_for(state="visible")
        server.start()
        page.locator(".reply.answer.done").wait_for()
        assert page.locator(".reply.answer").count() == 1
        assert page.locator(".reply.answer").inner_text().count("42 degrees") == 2  # the sentence and its quote

        page.context.set_offline(True)
        page.fill("#words", "Which sextant did they use?")
        page.press("#words", "Enter")
        page.locator("#trouble").wait_for()
        assert "What you wrote is kept" in page.locator("#trouble").inner_text()
        assert page.input_value("#words") == "Which sextant did they use?"
        page.context.set_offline(False)


def test_a_tab_that_is_not_looked_at_goes_on_when_it_is(browser: Any, tmp_path: Path, models: Path) -> None:
    hidden = "Object.defineProperty(document, 'hidden', { get: () => window.away === true });"
    turn = "(away) => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }"
    with served(tmp_path / "data", models) as server, opened(browser, server) as page:
        tab = page.context.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.clock.install()
        tab.add_init_script(hidden)
        tab.goto(server.address)
        tab.wait_for_selector("html[data-ready]")
        tab.evaluate(turn, True)
        tab.clock.fast_forward(30_000)
        ask(page, "/status")
        assert tab.locator(".reply").count() == 0
        tab.evaluate(turn, False)
        tab.locator(".reply.done").wait_for()

        page.context.clear_cookies()
        page.reload()
        assert "open the link that Footnote printed" in page.inner_text("main")
        assert page.get_by_role("heading", name="Footnote").is_visible()


def test_ten_browsers_at_once_each_see_every_answer(browser: Any, tmp_path: Path, models: Path) -> None:
    with served(tmp_path / "data", models) as server:
        contexts = [browser.new_context() for _ in range(10)]
        try:
            pages = [context.new_page() for context in contexts]
            for page in pages:
                page.set_default_timeout(PATIENCE)
                page.goto(server.link)
                page.wait_for_selector("html[data-ready]")
            for number, page in enumerate(pages):
                page.fill("#words", f"What was measured, asked by reader {number}?")
                page.press("#words", "Enter")
            for page in pages:
                page.locator("article.thread .reply:not(.working)").nth(9).wait_for()
                assert page.locator(".said .question", has_text="asked by reader").count() == 10
        finally:
            for context in contexts:
                context.close()


def test_a_hundred_megabytes_too_many_are_refused_politely(browser: Any, tmp_path: Path, models: Path) -> None:
    large = tmp_path / "large.pdf"
    with large.open("wb") as out:
        out.write(b"%PDF-1.4\n")
        out.truncate(105_000_000)
    with served(tmp_path / "data", models) as server, opened(browser, server) as page:
        page.set_input_files("#pick", str(large))
        page.locator(".files .words").wait_for()
        assert "has 105 MB; Footnote takes up to 100 MB here." in page.locator(".files .words").inner_text()

        cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
        told = _put(server.address, cookie, large)
        assert told == (413, '{"words": "The file has 105 MB; Footnote takes up to 100 MB here."}')
        page.locator(".files li", has_text="over the wire.pdf").wait_for()
        assert [one.name for one in (tmp_path / "data").rglob("uploads/*")] == []
        assert ask(page, "/status").locator(".reply").count() == 1


def _put(address: str, cookie: str, file: Path) -> tuple[int, str]:
    """Send a file past the page's own check."""
    message = "m-00000001-0000-4000-8000-000000000000"
    with file.open("rb") as data:
        request = urllib.request.Request(
            f"{address}/api/channels/general/files?message={message}&file={message}-0&name=over%20the%20wire.pdf",
            data=data,
            method="PUT",
            headers={"Cookie": cookie, "Origin": address, "Content-Length": str(file.stat().st_size)},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()
