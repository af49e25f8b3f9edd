"""What all tests share: where the corpus lies, and that a skipped test is a failure where everything can be had."""

import os
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real papers: TEST_CORPUS, or ``shared/corpus`` beside the checkout. Skips where there is none."""
    folder = Path(os.environ.get("TEST_CORPUS", _CHECKOUT.parent / "shared" / "corpus"))
    if not (folder / "benchmark.jsonl").is_file():
        pytest.skip("the corpus of real papers is missing; set TEST_CORPUS to its folder")
    return folder


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """In CI a skipped test fails the run: what it needs should have been installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = len(reporter.stats.get("skipped", [])) if reporter is not None else 0
    if os.environ.get("CI") and skipped and exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"{skipped} skipped: in CI nothing may be skipped", red=True)  # type: ignore[union-attr]
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
