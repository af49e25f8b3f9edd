"""What goes to RAGAS and comes back, with another program in its place; and what is said where it is missing."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from evals.ragas_scores import NOT_THERE, VERSION
from evals.with_ragas import SCORER, Judge, RagasUnusable, Row, measures, scored

JUDGE = Judge(base_url="http://127.0.0.1:9/v1", model="judge-1", embedder="near-1")
ROWS = (
    Row(id="q1", question="How much?", answer="It was 38 percent.", contexts=("It was 38 percent.",), reference="38"),
    Row(id="q2", question="How many?", answer="There were nine.", contexts=("Nine parks.", "One."), reference="9"),
)


def stand_in(folder: Path, program: str) -> Path:
    """A program that is run as the Python of RAGAS' environment."""
    path = folder / "python"
    path.write_text(f"#!{sys.executable}\n{textwrap.dedent(program)}", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_rows_go_by_ragas_names_and_scores_come_back(tmp_path: Path) -> None:
    python = stand_in(
        tmp_path,
        """
        import json, sys
        order = json.load(sys.stdin)
        assert order["judge"]["model"] == "judge-1" and order["judge"]["embedder"] == "near-1"
        assert set(order["rows"][0]) == {"id", "user_input", "response", "retrieved_contexts", "reference"}
        shares = [len(row["retrieved_contexts"]) / 2 for row in order["rows"]]
        scores = [{"faithfulness": share, "answer_relevancy": None} for share in shares]
        print(json.dumps({"ragas": "0", "scores": scores}))
        """,
    )
    version, found = scored(ROWS, JUDGE, python)
    assert (version, [one["faithfulness"] for one in found]) == ("0", [0.5, 1.0])
    assert {name: one.value for name, one in measures(found).items()} == {"faithfulness": 0.75}


@pytest.mark.parametrize("program", ["raise SystemExit(7)", "raise ValueError"])
def test_a_run_that_fails_is_told_in_a_sentence(tmp_path: Path, program: str) -> None:
    with pytest.raises(RagasUnusable, match="ended with an error"):
        scored(ROWS, JUDGE, stand_in(tmp_path, program))


def test_a_python_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RagasUnusable, match="--python"):
        scored(ROWS, JUDGE, tmp_path / "nothing")


def test_without_ragas_it_says_how_to_get_it() -> None:
    """An isolated Python without any installed package, as one that has no RAGAS."""
    ran = subprocess.run(
        [sys.executable, "-I", "-S", str(SCORER)], input="{}", capture_output=True, text=True, check=False
    )
    assert ran.returncode == NOT_THERE
    assert f"ragas=={VERSION}" in ran.stderr and "--python" in ran.stderr
