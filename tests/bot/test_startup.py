"""What a start may load: nothing that a person waits for before it is needed."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.benchmarks.cold_start import HEAVY_LIBRARIES, start_until_acknowledged

ROOT = Path(__file__).parents[2]


def loaded_by(*commands: Sequence[str]) -> tuple[int, list[str]]:
    """The worst exit code of commands run one after the other in a new process, and what they had loaded."""
    watched = (*HEAVY_LIBRARIES, "rich", "pydantic")
    script = (
        "import sys; from bot.cli.app import run; "
        f"code = max(run(arguments) for arguments in {commands!r}); "
        f"print('LOADED', *[name for name in {watched!r} if name in sys.modules], file=sys.stderr); "
        "sys.exit(code)"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    line = next(line for line in ended.stderr.splitlines() if line.startswith("LOADED"))
    return ended.returncode, line.split()[1:]


def test_help_loads_nothing_heavy() -> None:
    code, loaded = loaded_by(["--help"], ["ingest", "--help"], ["ask", "--help"], ["papers", "--help"])
    assert code == 0
    assert set(loaded) & set(HEAVY_LIBRARIES) == set()


def test_the_list_of_commands_does_not_even_load_the_settings() -> None:
    assert loaded_by(["--help"]) == (0, [])


def test_listing_papers_loads_no_model_and_no_reader(tmp_path: Path) -> None:
    code, loaded = loaded_by(["--data", str(tmp_path), "papers", "--json"])
    assert code == 0
    assert set(loaded) & set(HEAVY_LIBRARIES) == set()


def test_an_event_is_acknowledged_before_anything_heavy_is_loaded(tmp_path: Path) -> None:
    assert start_until_acknowledged(ROOT, tmp_path)["heavy"] == []
