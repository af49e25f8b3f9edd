"""``footnote demo`` prints the journey of a first visit, and every sample answers its first question."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_demo_is_a_whole_first_visit(tmp_path: Path, models: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FOOTNOTE_")}
    shown = subprocess.run(
        [sys.executable, "-m", "bot", "--env-file", os.devnull, "demo"],
        env={**environment, "FOOTNOTE_DATA": str(tmp_path / "data"), "FOOTNOTE_EMBEDDER_CACHE": str(models)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (shown.returncode, shown.stderr) == (0, "")
    words = " ".join(shown.stdout.split())
    for title in ("Do margins slow readers down", "Notes on a screen", "Endnotes in the reading room"):
        assert title in words
    assert "readers needed 6.2 seconds on average" in words  # printed
    assert "The desk gave out 96 strips of paper." in words  # read by OCR
    assert "“The desk gave out 96 strips of paper.”" in words and "p. 1" in words
    assert not (tmp_path / "data" / "process.db").exists()
