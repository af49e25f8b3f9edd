import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evals.__main__ import main
from evals.benchmarks import BENCHMARKS, harness


def figures(name: str, *options: str, out: Path) -> dict[str, Any]:
    assert main(["benchmark", name, *options, "--out", str(out)]) == 0
    data = json.loads(out.read_text("utf-8"))
    assert data["command"] == "benchmark" and data["benchmark"] == name
    measures: dict[str, Any] = data["measures"]
    return measures


def test_the_help_names_every_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("retrieval", "ablation", "benchmark", *BENCHMARKS))
    with pytest.raises(SystemExit):
        main(["benchmark", "--help"])
    shown = capsys.readouterr().out
    assert all(f"{name} " in shown and about in shown for name, about in BENCHMARKS.items())


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_benchmark_says_what_it_measures_and_takes_its_options(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["benchmark", name, "--help"])
    assert ended.value.code == 0
    assert "--out FILE" in capsys.readouterr().out


def test_a_comparison_is_a_ratio_with_its_spread() -> None:
    assert harness.ratio([2.0, 6.0, 4.0], [1.0, 2.0, 4.0]) == {"ratio_min": 1.0, "ratio_p50": 2.0, "ratio_max": 3.0}
    assert [harness.in_turns("ab", number) for number in range(3)] == [["a", "b"], ["b", "a"], ["a", "b"]]
    row = asyncio.run(harness.repeated(3, lambda: asyncio.sleep(0.01))).row
    assert row["wall_ms_p50"] >= 10 and set(row) == {"cpu_ms_p50", "cpu_ms_p95", "wall_ms_p50", "wall_ms_p95"}


def test_writes_to_a_full_library_are_compared_with_an_empty_one(tmp_path: Path) -> None:
    found = figures("library_writes", "--passages", "160", "--runs", "2", out=tmp_path / "writes.json")
    for operation in ("add", "share", "remove", "settle"):
        assert found[f"{operation}, full"]["wall_ms_p50"] > 0
        assert {"cpu_ratio_min", "cpu_ratio_p50", "wall_ratio_max"} <= set(found[f"{operation}, full over empty"])


def test_the_lexical_index_finds_what_rank_bm25_finds(tmp_path: Path) -> None:
    found = figures("lexical_search", "--passages", "160", "--runs", "4", out=tmp_path / "lexical.json")
    assert found["agreement"]["mean"] > 0.8 and found["times faster"]["ratio_p50"] > 0


def test_small_workspaces_are_visited_in_one_process(tmp_path: Path) -> None:
    found = figures("many_workspaces", "--workspaces", "2", out=tmp_path / "many.json")
    assert found["visits"]["cpu_ms_p50"] > 0 and found["memory"]["last_mb"] > 0
