"""Many files from the command line: whatever one of them is or is called, the others are read."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.cli.app import run
from bot.cli.common import parse_target
from bot.cli.ingest import _ingest_one, _line, pdfs_in
from bot.cli.options import printable
from core.domain.errors import LibraryFailure
from core.domain.model import IngestReport
from core.domain.progress import NoProgress
from tests.bot.fake_engine import FakeEngine, FakePapers
from tests.bot.test_cli import footnote
from tests.journeys.actors import BREAD, COMETS, made

HERE = parse_target("main", ("general",))
NAMES = [
    b"\xd0\xcf \x93old\x94.pdf",
    b"\xff.pdf",
    b"cut \xe4\xb8.pdf",
    b"two\nlines.pdf",
    b"\x1b]0;title\x07\x1b[31m.pdf",
    "turned \N{RIGHT-TO-LEFT OVERRIDE}fdp.pdf".encode(),
]
bytes_in_names = pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")


class Failing(FakePapers):
    """Fails on the files whose names hold ``bad``."""

    def __init__(self, fault: Callable[[], Exception]) -> None:
        super().__init__()
        self._fault = fault

    async def ingest(self, *args: Any, **given: Any) -> IngestReport:
        if "bad" in given["file_name"]:
            raise self._fault()
        return await super().ingest(*args, **given)


def named(folder: Path, name: bytes, words: str = "%PDF A title\nA sentence.") -> Path:
    path = Path(os.fsdecode(os.fsencode(folder) + b"/" + name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words)
    return path


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (lambda: UnicodeEncodeError("utf-8", "\udcd0", 0, 1, "surrogates not allowed"), "(UnicodeEncodeError)"),
        (lambda: RecursionError("deep"), "(RecursionError)"),
        (lambda: KeyError("secret words"), "(KeyError)"),
        (lambda: MemoryError(), "(MemoryError)"),
        (lambda: PermissionError(13, "no"), "The file cannot be opened."),
        (lambda: LibraryFailure("The disk is full."), "The disk is full."),
    ],
)
async def test_whatever_is_raised_for_a_file_is_that_files_failure_in_one_sentence(
    tmp_path: Path, fault: Callable[[], Exception], words: str
) -> None:
    engine = FakeEngine(papers=Failing(fault))
    bad = await _ingest_one(engine.as_engine(), HERE, named(tmp_path, b"bad.pdf"), NoProgress())
    good = await _ingest_one(engine.as_engine(), HERE, named(tmp_path, b"good.pdf"), NoProgress())
    assert (bad.outcome, good.outcome) == ("failed", "indexed")
    assert words in bad.reason and "secret" not in bad.reason and "\n" not in bad.reason


@bytes_in_names
@pytest.mark.parametrize("name", NAMES)
async def test_a_file_may_be_named_by_any_bytes_and_is_known_by_what_can_be_shown(tmp_path: Path, name: bytes) -> None:
    engine = FakeEngine()
    report = await _ingest_one(engine.as_engine(), HERE, named(tmp_path, name), NoProgress())
    assert report.outcome == "indexed"
    assert report.file_name.encode().decode().endswith(".pdf") and "�" in report.file_name
    assert not any(char in report.file_name for char in "\n\x1b\x07\u202e")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders on Windows")
async def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    report = await _ingest_one(FakeEngine().as_engine(), HERE, tmp_path / "pipe.pdf", NoProgress())
    assert (report.outcome, report.reason) == ("failed", "This is not a file but a pipe or a device.")


async def test_a_file_that_is_gone_by_the_time_it_is_read_is_a_failure(tmp_path: Path) -> None:
    report = await _ingest_one(FakeEngine().as_engine(), HERE, tmp_path / "gone.pdf", NoProgress())
    assert (report.outcome, report.reason) == ("failed", "The file cannot be opened.")


@pytest.mark.parametrize(
    "name",
    ["plain.pdf", "two words.pdf", "Übung é.pdf", "論文　一.pdf", "می\N{ZERO WIDTH NON-JOINER}خواهم.pdf", "🙂.pdf"],
)
def test_names_in_any_script_are_shown_as_they_are(name: str) -> None:
    assert printable(name) == name


@bytes_in_names
def test_pdfs_are_found_whatever_they_and_their_folders_are_called(tmp_path: Path) -> None:
    for number, name in enumerate(NAMES):
        named(tmp_path, name.removesuffix(b".pdf") + b"/" + name, str(number))
    named(tmp_path, b".hidden\xff/a.pdf")
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "broken link.pdf").symlink_to(tmp_path / "nowhere")
    files, hidden = pdfs_in([tmp_path])
    assert (sorted(os.fsencode(file.name) for file in files), hidden) == (sorted(NAMES), 1)


async def test_a_paper_that_is_here_in_another_form_is_told_at_once(tmp_path: Path) -> None:
    report = await _ingest_one(FakeEngine().as_engine(), HERE, named(tmp_path, b"a.pdf"), NoProgress())
    told = replace(report, reason="The library already has this work as another file, “Tides”; both can be cited.")
    assert _line(told).endswith(" s. The library already has this work as another file, “Tides”; both can be cited.")
    assert _line(report).endswith(" s")


@bytes_in_names
def test_a_name_that_is_not_there_is_shown_printable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--data", str(tmp_path), "ingest", os.fsdecode(b"no\xff\x1b[2J.pdf")]) == 4
    assert capsys.readouterr().err == "There is no file or folder no��[2J.pdf.\n"


def test_an_address_that_is_too_long_for_a_name_is_still_an_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--data", str(tmp_path), "ingest", f"https://papers.example/{'a' * 5_000}.pdf"]) == 3
    assert "Fetching papers is switched off" in capsys.readouterr().err


@bytes_in_names
@pytest.mark.slow
def test_papers_whose_names_are_no_text_are_read_beside_the_others(tmp_path: Path) -> None:
    data, folder = tmp_path / "data", tmp_path / "papers"
    made(folder, "comet.pdf", COMETS)
    odd = Path(os.fsdecode(os.fsencode(folder) + b"/\xc1\xe5\xeb\n\x1b[1m.pdf"))
    made(folder, "bread.pdf", BREAD).rename(odd)

    first = footnote(data, "ingest", str(folder))
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    assert len(lines) == 3 and all(line.startswith("indexed  ") for line in lines[:2]) and lines[2] == "2 indexed."
    assert not any(char in first.stdout for char in "\x1b\udcc1")
    assert "\x1b" not in first.stdout and "�����[1m.pdf: Sourdough" in first.stdout

    again = footnote(data, "ingest", str(odd), "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["summary"]["known"] == 1
    listed = json.loads(footnote(data, "papers", "--json").stdout)
    assert sorted(row["file"] for row in listed["papers"]) == ["comet.pdf", "�����[1m.pdf"]
