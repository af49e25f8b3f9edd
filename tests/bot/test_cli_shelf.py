"""The shelf from the shell: numbers that mean the paper listed, removal that asks, places that are not there."""

import asyncio
import ctypes
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.cli.ingest import pdfs_in
from core.domain.model import Workspace
from core.library import open_library, workspace_folder
from tests.bot.test_cli import ROOT, footnote
from tests.core.library.making import EMBEDDER, make

MAIN = Workspace(platform="local", id="main")
TITLES = ("Slow Comets", "Brass Sextants", "Wet Lichens")
_BOUNDING_SET_DROP, _OVERRIDE = 24, 1


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    """A data folder with three papers of the workspace main, the oldest first in ``TITLES``."""
    folder = tmp_path / "data"
    opened = await open_library(folder, MAIN)
    for days, title in enumerate(TITLES):
        made = make(tmp_path, [title], title=title, days=days)
        await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
    await opened.close()
    return folder


def listed(data: Path, *words: str) -> dict[int, str]:
    ended = footnote(data, "papers", *words, "--json")
    assert ended.returncode == 0, ended.stderr
    return {row["number"]: row["title"] for row in json.loads(ended.stdout)["papers"]}


def at_a_terminal(data: Path, typed: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    ours, theirs = pty.openpty()
    try:
        os.write(ours, typed.encode())
        return subprocess.run(
            [sys.executable, "-m", "bot", "--data", str(data), "--env-file", os.devnull, *arguments],
            cwd=ROOT,
            stdin=theirs,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)


def test_every_number_that_is_listed_means_that_paper_to_the_other_commands(data: Path) -> None:
    assert listed(data) == {3: TITLES[2], 2: TITLES[1], 1: TITLES[0]}
    assert listed(data, "sextants") == {2: TITLES[1]}
    exported = json.loads(footnote(data, "export", "2").stdout)["papers"]
    assert [paper["title"] for paper in exported] == [TITLES[1]]
    assert json.loads(footnote(data, "correct", "3", "--set", "year=1999", "--json").stdout)["title"] == TITLES[2]
    assert f"Forgotten: {TITLES[0]}." in footnote(data, "forget", "1").stdout
    assert set(listed(data).values()) == {TITLES[1], TITLES[2]}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals on Windows")
def test_forgetting_at_a_terminal_names_the_paper_and_asks(data: Path) -> None:
    kept = at_a_terminal(data, "n\n", "forget", "1")
    assert (kept.returncode, kept.stdout) == (0, "")
    assert f"Remove “{TITLES[0]}” (Ann Lee, 2020)?" in kept.stderr and "Nothing was removed." in kept.stderr
    assert len(listed(data)) == 3
    gone = at_a_terminal(data, "y\n", "forget", "1")
    assert f"Forgotten: {TITLES[0]}." in gone.stdout
    unasked = footnote(data, "forget", "1", "--yes")
    assert f"Forgotten: {TITLES[1]}." in unasked.stdout and unasked.stderr == ""


def test_an_export_has_more_papers_than_a_page_of_a_list(tmp_path: Path) -> None:
    async def many() -> None:
        opened = await open_library(tmp_path / "data", MAIN)
        for days in range(30):
            made = make(tmp_path, [f"{days}"], title=f"Paper {days}", days=days)
            await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
        await opened.close()

    asyncio.run(many())
    assert len(json.loads(footnote(tmp_path / "data", "export").stdout)["papers"]) == 30
    assert len(listed(tmp_path / "data")) == 30


@pytest.mark.parametrize(
    "arguments",
    [("papers",), ("export",), ("forget", "1"), ("correct", "1", "--set", "year=1999"), ("ask", "Why?"), ("reindex",)],
)
def test_a_workspace_that_is_not_there_is_named_with_those_that_are_and_none_is_made(
    data: Path, arguments: Sequence[str]
) -> None:
    ended = footnote(data, *arguments, "--workspace", "mian")
    assert (ended.returncode, ended.stdout) == (4, "")
    assert ended.stderr == f"There is no workspace mian in {data}; those that are: main.\n"
    assert not workspace_folder(data, Workspace(platform="local", id="mian")).exists()


def test_before_the_first_paper_nothing_is_made_and_the_list_is_empty(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert listed(data) == {}
    assert footnote(data, "forget", "1").returncode == 4
    assert not data.exists()


def test_a_channel_without_papers_is_told_with_those_that_have_some(data: Path) -> None:
    ended = footnote(data, "papers", "--channel", "genral")
    assert ended.returncode == 0 and "There are no papers here yet" in ended.stdout
    assert ended.stderr == "There is no paper in the channel genral; papers are in general.\n"
    gone = footnote(data, "forget", "1", "--channel", "general", "--channel", "genral")
    assert gone.stdout.startswith("Forgotten: ") and gone.stderr == ended.stderr  # told once


@pytest.mark.parametrize(
    "arguments",
    [
        ("papers", "--workspace", ""),
        ("papers", "--channel", " "),
        ("ingest", ""),
        ("export", "--out", ""),
        ("correct", "1", "--set", "bogus=1"),
        ("correct", "1", "--set", "year=soon"),
    ],
)
def test_an_empty_name_and_a_field_that_is_none_are_wrong_usage(data: Path, arguments: Sequence[str]) -> None:
    ended = footnote(data, *arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1].startswith("Error: ")
    assert len(listed(data)) == 3


def test_an_empty_data_folder_name_is_not_the_current_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--data", "", "papers"]) == 2
    assert "the name is empty" in capsys.readouterr().err


def test_a_mistyped_command_is_told_the_one_that_is_near(tmp_path: Path) -> None:
    ended = footnote(tmp_path, "ingst", "x.pdf")
    assert ended.returncode == 2 and "No such command 'ingst'. Did you mean ingest?" in ended.stderr


def test_what_is_hidden_in_a_folder_is_passed_over_and_counted(tmp_path: Path) -> None:
    for name in ("a.pdf", "deep/b.PDF", ".venv/icons/c.pdf", "deep/._b.pdf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert pdfs_in([tmp_path]) == ([tmp_path / "a.pdf", tmp_path / "deep" / "b.PDF"], 2)
    named = tmp_path / ".venv" / "icons"
    assert pdfs_in([named, named / "c.pdf"]) == ([named / "c.pdf"], 0)
    only = footnote(tmp_path / "data", "ingest", str(tmp_path / ".venv" / ".."))
    assert "2 PDFs in hidden folders or files passed over" in only.stderr


def _without_rights() -> None:
    """A superuser is held to the rights of files too, as everybody else is."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(_BOUNDING_SET_DROP, _OVERRIDE, 0, 0, 0)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="rights are taken away in Linux's way")
def test_a_data_folder_that_may_only_be_read_is_listed_and_exported_and_says_so_for_the_rest(data: Path) -> None:
    def told(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "bot", "--data", str(data), "--env-file", os.devnull, *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=_without_rights,
        )

    folders = [data, *(path for path in data.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        shown = json.loads(told("papers", "--json").stdout)["papers"]
        assert [paper["title"] for paper in shown] == [*reversed(TITLES)]
        (exported,) = json.loads(told("export", "2").stdout)["papers"]
        assert exported["passages"][0]["text"] == TITLES[1]
        for command in (("forget", "1"), ("ask", "Why?")):
            ended = told(*command)
            assert (ended.returncode, ended.stdout) == (1, "")
            assert ended.stderr.startswith(f"The data folder {data} cannot be written (Permission denied): ")
            assert ended.stderr.count("\n") == 1
        checked = told("doctor", "--quick")
        assert checked.returncode == 1 and "PermissionError" not in checked.stdout
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert len(listed(data)) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM on Windows")
@pytest.mark.parametrize("command", ["chat", "run"])
def test_being_told_to_end_while_everything_is_still_being_opened_is_a_clean_end(command: str, tmp_path: Path) -> None:
    # The signal comes from within, at the very moment when the platform would begin to listen.
    script = (
        "import os, signal, sys; from contextlib import asynccontextmanager; import bot.wiring as wiring\n"
        "opened = wiring.open_store\n"
        "@asynccontextmanager\n"
        "async def slow(*args, **kwargs):\n"
        "    async with opened(*args, **kwargs) as store:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        import asyncio; await asyncio.Event().wait()\n"
        "        yield store\n"
        "wiring.open_store = slow\n"
        "from bot.cli.app import run; sys.exit(run(sys.argv[1:]))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, "--data", str(tmp_path), "--env-file", os.devnull, command],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL),
    )
    assert (ended.returncode, ended.stderr) == (0, "")
