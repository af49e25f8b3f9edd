"""What all tests share: Hypothesis' profiles, where the corpus lies, and that in CI a skipped test is a failure."""

import hashlib
import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from core.search import onnx_export
from tests.core.search.tiny_models import save_tiny_cross_encoder, save_tiny_encoder

if TYPE_CHECKING:
    from tests.peers.slack.world import Place

_CHECKOUT = Path(__file__).resolve().parent.parent

# No example fails for being slow: the first one in a fresh checkout also builds Hypothesis' tables of characters, and
# a busy machine is slow at anything. In CI there are more of them, the same in every run.
_BY_VALUES_ALONE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", _BY_VALUES_ALONE, max_examples=25)
settings.register_profile("ci", _BY_VALUES_ALONE, max_examples=50, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real papers: TEST_CORPUS, or ``shared/corpus`` beside the checkout. Skips where there is none."""
    folder = Path(os.environ.get("TEST_CORPUS", _CHECKOUT.parent / "shared" / "corpus"))
    if not (folder / "benchmark.jsonl").is_file():
        pytest.skip("the corpus of real papers is missing; set TEST_CORPUS to its folder")
    return folder


@pytest.fixture(scope="session")
def models(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for exported models, the packaged one among them: exporting takes longer than most tests together.

    It lies in pytest's cache, so that only the first run exports; ``--cache-clear`` begins anew. The folder's name
    changes with the code that exports and with the library whose code is exported.
    """
    cache: pytest.Cache | None = getattr(request.config, "cache", None)
    if cache is None:
        return tmp_path_factory.mktemp("models")
    stamp = hashlib.sha256(Path(onnx_export.__file__).read_bytes())
    stamp.update(version("torch").encode() + version("onnx").encode())
    return cache.mkdir(f"models-{stamp.hexdigest()[:12]}")


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small embedder with random weights, a prompt for questions, and a pooling of its own."""
    return save_tiny_encoder(tmp_path_factory.mktemp("encoder"), prompts={"query": "query : ", "document": ""})


@pytest.fixture(scope="session")
def tiny_cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small reranker with random weights."""
    return save_tiny_cross_encoder(tmp_path_factory.mktemp("cross-encoder"))


@pytest.fixture(scope="session")
def workspace() -> Iterator["Place"]:
    """One process of the Slack workspace for all tests, each of which empties it first."""
    from tests.peers.slack.world import running_workspace

    yield from running_workspace()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """In CI a skipped test fails the run: what it needs should have been installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = len(reporter.stats.get("skipped", [])) if reporter is not None else 0
    if os.environ.get("CI") and skipped and exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"{skipped} skipped: in CI nothing may be skipped", red=True)  # type: ignore[union-attr]
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
