"""What all tests share: Hypothesis' profiles, where the corpus lies, and that in CI a skipped test is a failure."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_CHECKOUT = Path(__file__).resolve().parent.parent

# No example fails for being slow: the first one in a fresh checkout also builds Hypothesis' tables of characters, and
# a busy machine is slow at anything. In CI the examples are the same in every run.
_BY_VALUES_ALONE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", _BY_VALUES_ALONE)
settings.register_profile("ci", _BY_VALUES_ALONE, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


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
