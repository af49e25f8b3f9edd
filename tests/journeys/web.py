"""The local page in headless Chromium: a server as production starts it, browsers, and the accessibility checker."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 780}
PATIENCE = 180_000
"""Milliseconds after which something is not waited for any more: a limit for a busy machine, never a measure."""
_CHECKOUT = Path(__file__).parents[2]
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str:
    """The system's Chromium. Skips where there is none."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium here; make browsers installs it")
    return found


class Server:
    """``footnote run`` with no tokens, in a process of its own."""

    def __init__(self, data: Path, models: Path, **settings: str) -> None:
        self.data = data
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FOOTNOTE_")}
        self._environment = {
            **kept,
            "FOOTNOTE_DATA": str(data),
            "FOOTNOTE_EMBEDDER_CACHE": str(models),
            "PYTHONUNBUFFERED": "1",
            **{f"FOOTNOTE_{name}": value for name, value in settings.items()},
        }
        self.link = ""

    def start(self) -> None:
        """Start and wait for the link."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bot", "--env-file", os.devnull, "run"],
            env=self._environment,
            cwd=_CHECKOUT,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+/\?key=\S+", line):
                self.link = found[0]
                return
        raise AssertionError("the page did not open")

    @property
    def address(self) -> str:
        return self.link.partition("/?")[0]

    def papers_in_hand(self) -> bool:
        """Whether a paper is being read, or was."""
        with closing(sqlite3.connect(self.data / "process.db")) as jobs:
            return bool(jobs.execute("SELECT 1 FROM jobs WHERE lane = 'papers' AND state <> 'waiting'").fetchall())

    def command(self, *words: str) -> None:
        """Another process on the same data folder: the command line."""
        given = [sys.executable, "-m", "bot", "--env-file", os.devnull, *words]
        subprocess.run(given, env=self._environment, cwd=_CHECKOUT, check=True, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        """As a power cut would: the bot and its reader processes at once."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def stop(self) -> None:
        """As Ctrl-C would."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGINT)
            try:
                self._process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                self.kill()


@contextmanager
def served(data: Path, models: Path, **settings: str) -> Iterator[Server]:
    """A running server; ended however the test ends."""
    server = Server(data, models, **settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def opened(browser: Any, server: Server, size: dict[str, int] = DESKTOP, **how: Any) -> Iterator[Any]:
    """A page that came by the link, ready; whatever its scripts complain of fails the test."""
    context = browser.new_context(viewport=size, **how)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        page.goto(server.link)
        page.wait_for_selector("html[data-ready]")
        assert "key=" not in page.url
        yield page
        assert complaints == []
    finally:
        context.close()


def findings(page: Any) -> list[str]:
    """What axe-core finds of serious or critical weight, one line each."""
    from axe_playwright_python.sync_playwright import Axe

    results = Axe().run(page, options={"resultTypes": ["violations"]})
    grave = [item for item in results.response["violations"] if item["impact"] in ("serious", "critical")]
    return [f"{item['id']}: {item['help']} ({node['html'][:120]})" for item in grave for node in item["nodes"]]


def ask(page: Any, words: str) -> Any:
    """Ask on the line below; returns the thread's element once it is answered."""
    asked = page.locator("article.thread", has=page.locator(".question", has_text=words))
    before = asked.count()
    page.fill("#words", words)
    page.press("#words", "Enter")
    thread = asked.nth(before)
    thread.locator(".reply:not([data-state=working])").last.wait_for()
    return thread


def new_channel(page: Any, name: str, *, private: bool = False) -> None:
    """Make a channel by hand and go there."""
    page.get_by_role("button", name="New channel").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Private: papers shared here").set_checked(private)
    page.get_by_role("button", name="Make it").click()
    page.locator("#channel-name", has_text=name).wait_for()


def drop(page: Any, files: Sequence[tuple[str, bytes]]) -> None:
    """Drop files anywhere on the page, as a hand would."""
    import base64

    carried = page.evaluate_handle(
        """(files) => {
            const carried = new DataTransfer();
            for (const [name, data] of files) {
                const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
                carried.items.add(new File([bytes], name, { type: "application/pdf" }));
            }
            return carried;
        }""",
        [[name, base64.b64encode(data).decode()] for name, data in files],
    )
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event("body", event, {"dataTransfer": carried})


def until(reached: Any, *, seconds: float = 180.0) -> None:
    """Wait for something outside the page."""
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
