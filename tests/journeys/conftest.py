from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.web import Server, chromium, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, models: Path, browser: Any) -> Iterator[Server]:
    """The page as it is served, once for a module's journeys: each takes channels of its own."""
    with served(tmp_path_factory.mktemp("page"), models) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One headless Chromium for a module's journeys. Skips where there is none.

    No longer than the module, because Playwright's loop runs until then and pytest could start no other.
    """
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()
