"""Takes the pictures of the page that the docs show: ``python -m tests.journeys.web_pictures docs/pictures``."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.journeys.web import PHONE, chromium, opened, served

_SIZE = {"width": 1360, "height": 850}
_QUESTION = "How long did readers need to find a footnote?"


def main() -> None:
    """Play a first visit and keep what it looks like."""
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    models = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.mkdtemp())
    with (
        tempfile.TemporaryDirectory() as data,
        sync_playwright() as playwright,
        served(Path(data), models) as server,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        with opened(browser, server, _SIZE) as page:
            _kept(page, folder / "web-welcome.png")
            page.get_by_role("button", name=_QUESTION).click()
            page.locator(".reply[data-kind=ingest][data-state=done]").nth(2).wait_for()
            page.locator(".reply[data-kind=answer][data-state=done]").wait_for()
            page.locator(".reply[data-kind=answer][data-state=done] sup.marks button").first.click()
            page.locator(".sheet .box").first.wait_for()
            page.locator("article.thread", has_text=_QUESTION).last.evaluate("one => one.scrollIntoView()")
            _kept(page, folder / "web-answer.png")
        with opened(browser, server, _SIZE, color_scheme="dark") as page:
            for title in ("Do margins slow", "Notes on a screen"):
                page.locator("#papers li", has_text=title).get_by_role("checkbox").check()
            page.locator("#chosen").get_by_role("button", name="Compare").click()
            page.locator(".reply[data-kind=table][data-state=done]").wait_for()
            page.locator("#chosen").get_by_role("button", name="Clear").click()
            page.locator("article.thread").last.evaluate("one => one.scrollIntoView()")
            _kept(page, folder / "web-compare.png")
        with opened(browser, server, PHONE, device_scale_factor=2, has_touch=True, is_mobile=True) as page:
            page.locator("article.thread", has_text=_QUESTION).last.evaluate("one => one.scrollIntoView()")
            _kept(page, folder / "web-phone.png")
        browser.close()


def _kept(page: Any, path: Path) -> None:
    """A picture with few colours: a page of text needs no more, and the repository stays small."""
    from PIL import Image

    page.mouse.move(4, 4)
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(900)
    page.screenshot(path=str(path))
    with Image.open(path) as image:
        image.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
    sys.stdout.write(f"{path.name}: {path.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
