"""The command line as a shell sees it: output, standard error and exit code."""

import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from bot.cli.app import COMMANDS, run
from tests.journeys.actors import COMETS, made

ROOT = Path(__file__).parents[2]


def footnote(data: Path, *arguments: str, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """A command as a shell would have it, with nobody at the terminal; within this process, which is quicker."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in [name for name in os.environ if name.startswith("FOOTNOTE_")]:
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdin", StringIO(said))
        code = run(["--data", str(data), "--env-file", os.devnull, *arguments])
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def started(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, which ends as a shell sees it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("FOOTNOTE_")}
    return subprocess.run(
        [sys.executable, "-m", "bot", "--data", str(data), "--env-file", os.devnull, *arguments],
        cwd=ROOT,
        env=clean,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_command_has_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        assert run([command, "--help"]) == 0
        assert f"Usage: footnote {command}" in capsys.readouterr().out


def test_the_version_is_told_also_from_a_checkout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("footnote")


def test_the_exit_codes_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    assert "3 some files were" in shown and "4 a paper or file was not found" in shown
    assert all(command in shown for command in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["dance"], 2, "No such command 'dance'"),
        (["ask"], 2, "Missing argument 'QUESTION'"),
        (["forget"], 2, "Name one paper, or give --all"),
        (["forget", "1", "--all"], 2, "Name one paper, or give --all"),
    ],
)
def test_wrong_usage_is_code_2(
    arguments: list[str], code: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--data", str(tmp_path), *arguments]) == code
    assert words in capsys.readouterr().err


def test_settings_that_cannot_work_are_code_2_and_one_sentence(tmp_path: Path) -> None:
    ended = footnote(tmp_path, "papers", FOOTNOTE_READNG_WORKERS="1")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.strip().endswith("did you mean FOOTNOTE_READING_WORKERS?")
    assert ended.stderr.count("\n") == 1


def test_a_data_folder_that_cannot_be_made_is_code_1_and_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    ended = footnote(tmp_path / "file" / "x", "papers")
    assert ended.returncode == 1
    assert "FOOTNOTE_DATA names another" in ended.stderr and "Traceback" not in ended.stderr


def test_a_home_that_is_not_known_is_code_1_and_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--data", "~nobody-here/data", "papers"]) == 1
    told = capsys.readouterr().err
    assert "home directory" in told and told.count("\n") == 1


def test_a_data_folder_in_which_nothing_can_be_made_is_code_1_and_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "alive").write_text("in the way")
    ended = started(tmp_path, "chat")
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1 and str(tmp_path) in ended.stderr


def test_a_folder_without_a_pdf_is_code_4(tmp_path: Path) -> None:
    ended = footnote(tmp_path, "ingest", str(tmp_path))
    assert (ended.returncode, ended.stderr.strip()) == (4, "There is no PDF there.")


def test_a_path_that_is_not_there_is_code_4_and_nothing_is_read(tmp_path: Path) -> None:
    made(tmp_path / "papers", "comet.pdf", COMETS)
    ended = footnote(tmp_path / "data", "ingest", str(tmp_path / "papers"), "/nowhere/at/all.pdf")
    assert (ended.returncode, ended.stderr) == (4, "There is no file or folder /nowhere/at/all.pdf.\n")
    assert ended.stdout == ""


def test_a_settings_file_that_was_named_must_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--env-file", str(tmp_path / "typo.env"), "papers"]) == 2
    assert "typo.env' does not exist" in capsys.readouterr().err


def test_an_export_that_cannot_be_written_is_code_1_and_one_sentence(tmp_path: Path) -> None:
    ended = footnote(tmp_path / "data", "export", "--out", str(tmp_path / "no" / "x.json"))
    assert ended.returncode == 1
    assert ended.stderr.endswith("x.json cannot be written (No such file or directory).\n")
    assert ended.stderr.count("\n") == 1


def test_a_paper_that_is_not_there_is_code_4(tmp_path: Path) -> None:
    ended = footnote(tmp_path, "forget", "nothing")
    assert ended.returncode == 4 and "No paper here goes by “nothing”" in ended.stderr


def test_the_wrong_name_clears_nothing_and_is_code_2(tmp_path: Path) -> None:
    assert footnote(tmp_path, "forget", "--all", "--yes-forget", "other").returncode == 2
    assert footnote(tmp_path, "forget", "--all", said="other\n").returncode == 2


def test_nobody_at_the_terminal_is_a_clean_end(tmp_path: Path) -> None:
    ended = started(tmp_path, "chat")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Drop a PDF here" in ended.stdout


@pytest.mark.slow
def test_a_whole_life_of_a_library(tmp_path: Path, models: Path) -> None:
    data, papers = tmp_path / "data", tmp_path / "papers"
    command = partial(footnote, FOOTNOTE_EMBEDDER_CACHE=str(models))
    made(papers, "comet.pdf", COMETS)
    (papers / "broken.PDF").write_text("<html>not a paper</html>")
    (papers / "notes.txt").write_text("not looked at")

    first = command(data, "ingest", str(papers), "--json")
    assert first.returncode == 3, first.stderr
    told = json.loads(first.stdout)
    assert told["summary"] == {"indexed": 1, "known": 0, "rejected": 1, "failed": 0}
    reasons = {Path(row["file"]).name: row["reason"] for row in told["files"]}
    assert reasons.keys() == {"broken.PDF", "comet.pdf"} and "PDF" in reasons["broken.PDF"]

    again = command(data, "ingest", str(papers / "comet.pdf"))
    line, summary = again.stdout.splitlines()
    assert (again.returncode, summary) == (0, "1 known.")
    assert line.split() == ["known", *"comet.pdf: This paper was here already; it was not read again.".split()]

    asked = command(data, "ask", "How many degrees did the tail of the comet Velorum measure?", "--json")
    answer = json.loads(asked.stdout)
    assert (asked.returncode, answer["outcome"]) == (0, "answered")
    cited = answer["citations"][0]
    assert (cited["file"], cited["spans"][0]["page"]) == ("comet.pdf", 1)
    assert any("42 degrees" in span["quote"] for item in answer["citations"] for span in item["spans"])

    elsewhere = json.loads(command(data, "papers", "--channel", "other", "--json").stdout)
    assert elsewhere == {"papers": []}

    out = tmp_path / "out.json"
    assert command(data, "export", "--out", str(out)).returncode == 0
    exported = json.loads(out.read_text(encoding="utf-8"))["papers"]
    assert any("brass sextant" in passage["text"] for passage in exported[0]["passages"])

    gone = json.loads(command(data, "forget", "slow comet", "--json").stdout)
    assert len(gone["papers"]) == 1
    assert json.loads(command(data, "papers", "--json").stdout) == {"papers": []}
    assert command(data, "forget", "--all", "--yes-forget", "main").returncode == 0


@pytest.mark.slow
def test_reindexing_makes_every_vector_anew(tmp_path: Path, models: Path) -> None:
    command = partial(footnote, FOOTNOTE_EMBEDDER_CACHE=str(models))
    made(tmp_path, "comet.pdf", COMETS)
    assert command(tmp_path / "data", "ingest", str(tmp_path / "comet.pdf")).returncode == 0
    ended = command(tmp_path / "data", "reindex", "--json")
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["passages"] > 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM on Windows")
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_being_told_to_end_is_a_clean_end(sign: signal.Signals, tmp_path: Path) -> None:
    arguments = [sys.executable, "-m", "bot", "--data", str(tmp_path), "chat"]
    heeding = partial(signal.signal, sign, signal.SIG_DFL)  # tests may run where a shell has it ignored
    with subprocess.Popen(
        arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heeding
    ) as bot:
        assert bot.stdout is not None and bot.stderr is not None
        assert b"Drop a PDF here" in bot.stdout.readline()
        bot.send_signal(sign)
        assert bot.wait(timeout=60) == 0
        assert bot.stderr.read() == b""
    assert list((tmp_path / "alive").iterdir()) == []


def test_papers_named_by_id_are_fetched_only_where_that_is_switched_on(tmp_path: Path) -> None:
    off = footnote(tmp_path, "ingest", "2101.00001")
    assert off.returncode == 3
    assert off.stderr == "Fetching papers is switched off; FOOTNOTE_FETCH_ENABLED=true allows it.\n"
    walled = footnote(tmp_path, "ingest", "http://127.0.0.1/moss.pdf", FOOTNOTE_FETCH_ENABLED="true")
    assert walled.returncode == 3
    assert "not on the open internet" in walled.stdout
