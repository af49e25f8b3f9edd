"""The local page when things go wrong: connections drop, the server dies, files are too large, many come at once."""

import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.actors import BREAD, COMETS, made
from tests.journeys.web import PATIENCE, Server, ask, drop, new_channel, opened, until

pytestmark = pytest.mark.slow


def test_a_restart_in_mid_reading_and_in_mid_answer_loses_nothing(browser: Any, server: Server, tmp_path: Path) -> None:
    comet = made(tmp_path, "comet.pdf", COMETS).read_bytes()
    with opened(browser, server) as page:
        new_channel(page, "observatory")
        drop(page, [("comet.pdf", comet)])
        until(lambda: server.papers_in_hand())
        server.kill()
        page.locator("#connection").wait_for(state="visible")
        assert "trying again" in page.locator("#connection").inner_text()
        link = server.link
        server.start()
        assert server.link == link
        page.locator(".reply[data-kind=ingest][data-state=done]", has_text="A slow comet over Lowmere").wait_for()
        page.locator("#connection").wait_for(state="hidden")
        assert page.locator(".reply[data-kind=ingest]").count() == 1

        page.fill("#words", "How many degrees did the comet's tail measure?")
        page.press("#words", "Enter")
        page.locator(".said .question", has_text="How many degrees").wait_for()
        server.kill()
        page.locator("#connection").wait_for(state="visible")
        server.start()
        page.locator(".reply[data-kind=answer][data-state=done]").wait_for()
        assert page.locator(".reply[data-kind=answer]").count() == 1
        assert (
            page.locator(".reply[data-kind=answer]").inner_text().count("42 degrees") == 2
        )  # the sentence and its quote

        page.context.set_offline(True)
        page.fill("#words", "Which sextant did they use?")
        page.press("#words", "Enter")
        page.locator("#trouble").wait_for()
        assert "What you wrote is kept" in page.locator("#trouble").inner_text()
        assert page.input_value("#words") == "Which sextant did they use?"
        page.context.set_offline(False)


def test_a_tab_that_is_not_looked_at_goes_on_when_it_is(browser: Any, server: Server) -> None:
    hidden = "Object.defineProperty(document, 'hidden', { get: () => window.away === true });"
    turn = "(away) => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }"
    with opened(browser, server) as page:
        new_channel(page, "quiet room")
        tab = page.context.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.clock.install()
        tab.add_init_script(hidden)
        tab.goto(f"{server.address}/#quiet-room")
        tab.wait_for_selector("html[data-ready]")
        tab.evaluate(turn, True)
        tab.clock.fast_forward(30_000)
        ask(page, "/status")
        assert tab.locator(".reply").count() == 0
        tab.evaluate(turn, False)
        tab.locator(".reply[data-state=done]").wait_for()

        page.context.clear_cookies()
        page.reload()
        assert "open the link that Footnote printed" in page.inner_text("main")
        assert page.get_by_role("heading", name="Footnote").is_visible()


def test_ten_browsers_at_once_each_see_every_answer(browser: Any, server: Server) -> None:
    with ExitStack() as stack:
        pages = [stack.enter_context(opened(browser, server)) for _ in range(10)]
        new_channel(pages[0], "crowd")
        for page in pages[1:]:
            page.get_by_role("button", name="crowd").click()
            page.locator("#channel-name", has_text="#crowd").wait_for()
        for number, page in enumerate(pages):
            page.fill("#words", f"What was measured, asked by reader {number}?")
            page.press("#words", "Enter")
        for page in pages:
            page.locator("article.thread .reply:not([data-state=working])").nth(9).wait_for()
            assert page.locator(".said .question", has_text="asked by reader").count() == 10


def test_a_hundred_megabytes_too_many_are_refused_politely(browser: Any, server: Server, tmp_path: Path) -> None:
    large = tmp_path / "large.pdf"
    with large.open("wb") as out:
        out.write(b"%PDF-1.4\n")
        out.truncate(105_000_000)
    with opened(browser, server) as page:
        new_channel(page, "too much")
        page.set_input_files("#pick", str(large))
        page.locator(".files .words").wait_for()
        assert "has 105 MB; Footnote takes up to 100 MB here." in page.locator(".files .words").inner_text()

        cookie = "; ".join(f"{item['name']}={item['value']}" for item in page.context.cookies())
        told = _put(server.address, cookie, large)
        assert told == (413, '{"words": "The file has 105 MB; Footnote takes up to 100 MB here."}')
        page.locator(".files li", has_text="over the wire.pdf").wait_for()
        assert [item.name for item in server.data.rglob("uploads/*")] == []
        assert ask(page, "/status").locator(".reply").count() == 1


def test_what_is_forgotten_in_one_place_or_by_another_process_leaves_every_open_page(
    browser: Any, server: Server, tmp_path: Path
) -> None:
    bread = made(tmp_path, "bread.pdf", BREAD).read_bytes()
    question = "Within how many minutes did the dough rise?"
    with opened(browser, server) as page, opened(browser, server) as other:
        for name, private in (("bakery", False), ("cellar", True)):
            new_channel(page, name, private=private)
            drop(page, [("bread.pdf", bread)])
            page.locator(".reply[data-kind=ingest][data-state=done]", has_text="Sourdough").wait_for()
            assert "95 minutes" in ask(page, question).locator(".reply").last.inner_text()
        other.get_by_role("button", name="bakery").click()
        other.locator(".reply[data-kind=answer][data-state=done]", has_text="95 minutes").wait_for()
        asked = ask(other, "/forget bread.pdf")
        asked.get_by_role("button", name="Forget", exact=True).click()
        other.locator(".reply[data-state=withdrawn]").nth(1).wait_for()
        assert "95" not in other.locator("#threads").inner_text()
        assert (
            "95 minutes" in page.locator(".reply[data-kind=answer][data-state=done]").inner_text()
        )  # in the cellar it lives on

        page.locator(".reply[data-kind=answer][data-state=done] sup.marks button").first.click()
        page.locator(".sheet img").wait_for()
        server.command("forget", "--channel", "cellar", "bread.pdf")
        page.locator("#reader[open]").wait_for(state="detached")
        page.locator("#papers", has_text="Sourdough").wait_for(state="detached")
        page.locator(".reply[data-state=withdrawn]").nth(1).wait_for()
        assert "95" not in page.locator("#threads").inner_text()

        server.command("forget", "--all", "--yes-forget", "main")
        for each in (page, other):
            each.locator("#channel-name", has_text="#general").wait_for()
            each.locator(".sample").nth(2).wait_for()
            assert each.locator("#channels button").count() == 2
        assert "95" not in ask(page, question).locator(".reply").last.inner_text()


def _put(address: str, cookie: str, file: Path) -> tuple[int, str]:
    """Send a file past the page's own check."""
    message = "m-00000001-0000-4000-8000-000000000000"
    with file.open("rb") as data:
        request = urllib.request.Request(
            f"{address}/api/channels/too-much/files?message={message}&file={message}-0&name=over%20the%20wire.pdf",
            data=data,
            method="PUT",
            headers={"Cookie": cookie, "Origin": address, "Content-Length": str(file.stat().st_size)},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()
