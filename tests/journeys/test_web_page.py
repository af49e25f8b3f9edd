"""The local page, from the first visit on: every journey of a reader, in headless Chromium, on the real thing."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.actors import BREAD, COMETS, made
from tests.journeys.web import DESKTOP, PHONE, Server, ask, drop, findings, new_channel, opened

pytestmark = pytest.mark.slow
QUESTION = "How long did readers need to find a footnote?"


@pytest.fixture(scope="module")
def read(browser: Any, server: Server) -> None:
    """All three samples are read; what the first visit of a reader leaves behind."""
    with opened(browser, server) as page:
        if page.locator(".sample").count():  # whoever runs one test alone is the first visitor
            page.get_by_role("button", name=QUESTION).click()
        page.locator(".reply[data-kind=answer][data-state=done]").first.wait_for()
        page.locator(".reply[data-kind=ingest][data-state=done]").nth(2).wait_for()


def test_a_first_visit_has_its_first_cited_answer_by_one_click(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        assert findings(page) == []
        assert page.locator(".sample").count() == 3
        page.get_by_role("button", name=QUESTION).click()
        answer = page.locator(".reply[data-kind=answer][data-state=done]")
        answer.wait_for()
        assert "6.2" in answer.inner_text()
        page.locator(".reply[data-kind=ingest][data-state=done]").nth(2).wait_for()
        assert page.locator("#papers li button").count() == 3
        scan = page.locator(".reply[data-kind=ingest]", has_text="Endnotes in the reading room")
        assert "Found:" in scan.inner_text()


@pytest.mark.usefixtures("read")
def test_a_footnote_opens_its_page_with_the_quote_marked(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        marker = page.locator(".reply[data-kind=answer][data-state=done] sup.marks button").first
        marker.click()
        page.locator(".sheet .box").first.wait_for()
        image, boxes = page.locator(".sheet img").bounding_box(), page.locator(".sheet .box")
        for box in (boxes.nth(place).bounding_box() for place in range(boxes.count())):
            assert image["x"] <= box["x"] and box["x"] + box["width"] <= image["x"] + image["width"]
            assert image["y"] <= box["y"] and box["y"] + box["height"] <= image["y"] + image["height"]
        assert "6.2" in page.locator(".reader-about blockquote").inner_text()
        assert "marked: Footnotes were fastest" in page.locator(".sheet img").get_attribute("alt")
        assert marker.get_attribute("aria-current") == "true"
        assert findings(page) == []
        page.keyboard.press("Escape")
        page.locator("#reader[open]").wait_for(state="detached")
        page.locator("sup.marks button:focus").wait_for()
        assert marker.evaluate("one => one === document.activeElement")


@pytest.mark.usefixtures("read")
def test_footnotes_and_pages_are_turned_by_keys(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        card = page.locator(".reply[data-kind=ingest]", has_text="Do margins slow")
        card.get_by_role("button", name="Which limitations do the authors name?").click()
        thread = page.locator("article.thread", has_text="Which limitations do the authors name?").last
        thread.locator(".reply[data-kind=answer][data-state=done]").wait_for()
        notes = thread.locator(".reply .notes").last.locator("li")
        assert notes.count() >= 2
        thread.locator(".reply .notes").last.locator("li button").first.press("Enter")
        where = page.locator(".reader-head .where")
        assert re.match(r"Footnote 1 of \d", where.inner_text())
        page.keyboard.press("n")
        assert re.match(r"Footnote 2 of \d", where.inner_text())
        page.keyboard.press("p")
        assert re.match(r"Footnote 1 of \d", where.inner_text())
        page.keyboard.press("Escape")
        page.locator("#papers button", has_text="Do margins slow").click()
        page.locator(".sheet img").wait_for()
        assert where.inner_text() == "Page 1 of 2"
        page.keyboard.press("]")
        assert where.inner_text() == "Page 2 of 2"
        page.keyboard.press("]")
        assert where.inner_text() == "Page 2 of 2"
        page.keyboard.press("[")
        assert where.inner_text() == "Page 1 of 2"


@pytest.mark.usefixtures("read")
def test_a_follow_up_is_asked_in_its_thread(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        thread = ask(page, "How many strips of paper did the desk give out?")
        assert "96" in thread.locator(".reply[data-kind=answer]").inner_text()
        line = thread.get_by_label("Ask a follow-up")
        line.fill("And how many questions were about endnotes there?")
        line.press("Enter")
        thread.locator(".reply:not([data-state=working])").nth(1).wait_for()
        assert thread.locator(".said").count() == 2


@pytest.mark.usefixtures("read")
@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")])
def test_everybody_can_use_it_at_every_width(browser: Any, server: Server, size: dict[str, int], scheme: str) -> None:
    with opened(browser, server, size, color_scheme=scheme, reduced_motion="reduce") as page:
        page.locator(".reply[data-kind=answer][data-state=done]").first.wait_for()
        assert findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        page.locator(".reply[data-kind=answer][data-state=done] sup.marks button").first.click()
        page.locator(".sheet .box").first.wait_for()
        assert findings(page) == []
        page.keyboard.press("Escape")
        if size is PHONE:
            assert not page.locator("#rail").is_visible()
            page.get_by_role("button", name="Channels and papers").click()
            page.locator("#papers button").first.wait_for()
            assert findings(page) == []
            page.keyboard.press("Escape")
            assert page.evaluate("document.activeElement.id") == "menu"
        page.keyboard.press("Escape")
        page.locator("#log").focus()
        page.keyboard.press("?")
        assert page.get_by_role("dialog", name="Keys").is_visible()
        assert findings(page) == []


@pytest.mark.usefixtures("read")
def test_the_drawer_closes_by_escape_and_where_the_window_gets_wide(browser: Any, server: Server) -> None:
    with opened(browser, server, PHONE) as page:
        menu, rail = page.get_by_role("button", name="Channels and papers"), page.locator("#rail.shown")
        menu.click()
        rail.wait_for()
        page.keyboard.press("Escape")
        rail.wait_for(state="detached")
        assert not page.locator("#veil").is_visible()
        assert page.evaluate("document.activeElement.id") == "menu"
        menu.click()
        rail.wait_for()
        page.set_viewport_size(DESKTOP)
        rail.wait_for(state="detached")
        page.locator("#veil").wait_for(state="hidden")


@pytest.mark.usefixtures("read")
def test_a_table_is_sorted_and_saved(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        page.fill("#words", "/pap")
        page.keyboard.press("Tab")
        assert page.input_value("#words").strip() == "/papers"
        page.keyboard.press("Enter")
        table = page.locator(".reply[data-kind=papers] table").last
        table.wait_for()
        titles = table.locator("tbody tr td:nth-child(2)")
        table.get_by_role("button", name="Title").click()
        ascending = titles.all_inner_texts()
        assert ascending == sorted(ascending)
        table.get_by_role("button", name="Title").click()
        assert titles.all_inner_texts() == ascending[::-1]
        assert table.locator("th[aria-sort=descending]").inner_text().startswith("Title")
        with page.expect_download() as saved:
            page.locator(".reply[data-kind=papers]").last.get_by_role("button", name="Download as CSV").click()
        words = Path(saved.value.path()).read_text(encoding="utf-8-sig")
        assert saved.value.suggested_filename == "papers.csv" and "Notes on a screen: where readers look" in words
        assert findings(page) == []


@pytest.mark.usefixtures("read")
def test_a_reply_of_every_kind_stands_in_its_thread(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        threads = page.locator("#threads").bounding_box()
        for words in (
            "/page screen 1",
            "/papers",
            "/related screen",
            "/status",
            "/help",
            "/export tables margins",
            "/nothing",
        ):
            reply = ask(page, words).locator(".reply").last
            for part in (reply, *reply.locator(":scope > *").all()):
                box = part.bounding_box()
                assert threads["x"] <= box["x"] and box["x"] + box["width"] <= threads["x"] + threads["width"], words
        page.locator(".reply[data-kind=page] img").evaluate("one => one.decode()")


@pytest.mark.usefixtures("read")
def test_papers_are_chosen_compared_summed_up_and_taken_along(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        for title in ("Do margins slow", "Notes on a screen"):
            page.locator("#papers li", has_text=title).get_by_role("checkbox").check()
        assert "Asking 2 chosen papers alone" in page.locator("#limited").inner_text()
        page.locator("#chosen").get_by_role("button", name="Compare").click()
        compared = page.locator(".reply[data-kind=table][data-state=done]").last
        compared.wait_for()
        assert compared.locator("table").count() == 1 and compared.locator(".notes li").count() >= 2
        compared.locator("td sup.marks button").first.click()
        page.locator(".sheet .box").first.wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Ask all").click()
        assert page.locator("#papers input:checked").count() == 0

        page.locator("#papers button", has_text="Do margins slow").click()
        page.locator(".reader-about .found", has_text="1 table").wait_for()
        page.locator(".reader-about").get_by_role("button", name="Summarise").click()
        summary = page.locator(".reply[data-kind=summary][data-state=done]")
        summary.wait_for()
        assert summary.locator(".notes li").count() >= 3
        page.keyboard.press("Escape")
        assert findings(page) == []

        thread = page.locator("article.thread", has=page.locator(".reply[data-kind=answer][data-state=done]")).first
        thread.get_by_role("button", name="Bibliography of this thread").click()
        with page.expect_download() as saved:
            thread.get_by_role("link", name=re.compile("Download .*bib")).click()
        assert "Do margins slow readers down" in Path(saved.value.path()).read_text(encoding="utf-8")
        thread.get_by_role("button", name="Save this thread").click()
        with page.expect_download() as saved:
            thread.get_by_role("link", name=re.compile("Download .*md")).click()
        assert "6.2 seconds" in Path(saved.value.path()).read_text(encoding="utf-8")


@pytest.mark.usefixtures("read")
def test_the_channel_has_its_digest_its_settings_and_a_guide(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        page.get_by_role("button", name="Digest").click()
        page.locator(
            ".reply[data-kind=digest][data-state=done], .reply[data-kind=status][data-state=done]",
            has_text="Do margins slow",
        ).first.wait_for()
        page.get_by_role("button", name="Settings").click()
        page.get_by_label("Private first").select_option("on")
        page.get_by_role("button", name="Save", exact=True).click()
        page.locator(".reply[data-kind=settings][data-state=done]", has_text="Private first").wait_for()
        assert "Private first\ton" in page.locator(".reply[data-kind=settings][data-state=done]").last.inner_text()
        private = ask(page, "What did the camera above the desk record?")
        private.locator(".foot", has_text="only you see this").wait_for()
        page.get_by_role("button", name="Settings").click()
        page.get_by_label("Private first").select_option("off")
        page.get_by_role("button", name="Save", exact=True).click()
        page.locator(".reply[data-kind=settings][data-state=done]").nth(1).wait_for()
        page.goto(f"{server.address}/guide/")
        assert "When something is wrong" in page.inner_text("main") and findings(page) == []


@pytest.mark.usefixtures("read")
def test_a_bibliography_is_dropped_and_a_question_is_worded_anew(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        entry = b"@article{marsh, title={Endnotes in the reading room: a count of questions}, author={Edith Marsh}}"
        drop(page, [("refs.bib", entry)])
        page.locator("article.thread", has_text="refs.bib").locator(".reply[data-state=done]").wait_for()
        thread = ask(page, "How many strips did the backend hand out?")
        thread.get_by_role("button", name="Word it anew").click()
        page.get_by_label("Question", exact=True).fill("How many strips of paper did the desk give out?")
        page.get_by_role("dialog").get_by_role("button", name="Ask").click()
        again = page.locator("article.thread", has_text="How many strips of paper did the desk give out?").last
        again.locator(".reply[data-kind=answer][data-state=done]", has_text="96").wait_for()
        assert again.locator(".reply").count() == 1
        again.get_by_role("button", name="Wrong").click()
        page.get_by_label("The right answer").fill("96 strips")
        page.get_by_role("button", name="Send").click()
        again.locator(".reply[data-state=done]", has_text="Thank you").wait_for()


@pytest.mark.usefixtures("read")
def test_what_is_shared_privately_is_found_there_alone(browser: Any, server: Server, tmp_path: Path) -> None:
    with opened(browser, server) as page:
        page.get_by_role("button", name="private").click()
        drop(page, [("comet.pdf", made(tmp_path, "comet.pdf", COMETS).read_bytes())])
        page.locator(".reply[data-kind=ingest][data-state=done]", has_text="A slow comet").wait_for()
        assert "42" in ask(page, "How many degrees did the comet's tail measure?").locator(".reply").last.inner_text()

        page.get_by_role("button", name="general").click()
        page.locator("#channel-name", has_text="#general").wait_for()
        elsewhere = ask(page, "How many degrees did the comet's tail measure?").locator(".reply").last.inner_text()
        assert "42" not in elsewhere and "comet over Lowmere" not in elsewhere
        assert "slow comet" not in page.locator("#papers").inner_text()


@pytest.mark.usefixtures("read")
def test_many_files_at_once_and_refusals_in_words(browser: Any, server: Server, tmp_path: Path) -> None:
    with opened(browser, server) as page:
        new_channel(page, "bakery")
        bread = made(tmp_path, "bread.pdf", BREAD).read_bytes()
        drop(
            page, [("bread.pdf", bread), ("holiday.pdf", b"<html>no paper</html>"), ("broken.pdf", b"%PDF-1.4 x" * 99)]
        )
        page.locator(".reply[data-kind=ingest][data-state=done]", has_text="Sourdough").wait_for()
        page.locator(".reply[data-kind=ingest][data-state=done]", has_text="broken.pdf was not added").wait_for()
        files = page.locator(".files li")
        assert files.count() == 3
        assert "This is not a PDF" in files.filter(has_text="holiday.pdf").inner_text()
        assert "read" in files.filter(has_text="bread.pdf").inner_text()
        assert findings(page) == []
        drop(page, [("again.pdf", bread)])
        page.locator(".reply[data-kind=ingest][data-state=done]").nth(2).wait_for()
        assert "known already" in page.locator(".files li", has_text="again.pdf").inner_text()
        assert (
            "already shared in this channel"
            in page.locator(".reply[data-kind=ingest][data-state=done]").nth(2).inner_text()
        )


@pytest.mark.usefixtures("read")
def test_a_forgotten_paper_is_gone_from_the_page(browser: Any, server: Server, tmp_path: Path) -> None:
    with opened(browser, server) as page, opened(browser, server) as other:
        new_channel(page, "short lived")
        words = ("Glass beetles of Orm", "The glass beetle Vitrea ormensis was counted in 17 caves of Orm by night.")
        drop(page, [("beetles.pdf", made(tmp_path, "beetles.pdf", words).read_bytes())])
        page.locator(".reply[data-kind=ingest][data-state=done]", has_text="Glass beetles").wait_for()
        answered = ask(page, "In how many caves was the glass beetle counted?").locator(".reply").last
        assert "17" in answered.inner_text()
        other.get_by_role("button", name="short lived").click()
        other.locator(".reply[data-kind=answer][data-state=done]", has_text="17").wait_for()
        page.locator("#papers button", has_text="Glass beetles").click()
        page.get_by_role("button", name="Forget", exact=True).click()
        page.locator(".reply[data-kind=choice]").get_by_role("button", name="Forget", exact=True).click()
        for each in (page, other):
            each.locator(".reply[data-state=withdrawn]").nth(1).wait_for()
            assert "Vitrea" not in each.locator("#threads").inner_text()
            assert "beetles.pdf" not in each.locator("#threads").inner_text()
            each.locator("#papers", has_text="Glass beetles").wait_for(state="detached")
