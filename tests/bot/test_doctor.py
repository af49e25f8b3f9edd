import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from bot import doctor
from bot.settings import Settings
from core.domain.errors import ModelUnavailable
from core.domain.model import Workspace
from core.library import open_library, workspace_folder

if TYPE_CHECKING:
    from core.services.engine import Engine


class Away:
    """Every part of this engine is broken, each in its own way."""

    identity = "away/model"
    note = "away/model took too long"

    async def read(self, *_: object, **__: object) -> None:
        raise OSError("no process")

    async def query(self, text: str) -> None:
        raise ModelUnavailable("The embedder cannot be loaded.")

    async def scores(self, query: str, texts: object) -> None:
        return None

    @property
    def models(self) -> object:
        return SimpleNamespace(embedder=self, reranker=self)

    @property
    def papers(self) -> object:
        return self


async def test_broken_parts_are_lines_and_never_a_crash(tmp_path: Path) -> None:
    settings = Settings.model_validate({"data": tmp_path, "reading": {"ocr": False}})
    checks = {check.name: check async for check in doctor.thorough(settings, cast("Engine", Away()))}
    assert {name for name, check in checks.items() if not check.ok} == {"reader", "embedder", "reranker"}
    assert checks["embedder"].words == "The embedder cannot be loaded."
    assert checks["reader"].words == "does not work (OSError: no process)"
    assert checks["reranker"].words == "away/model took too long; the order of the search stands"
    assert checks["OCR"].words.startswith("switched off")
    assert checks["jobs"].words == "0 waiting, 0 running, 0 done, 0 given up"


async def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    settings = Settings.model_validate({"data": tmp_path / "file" / "data"})
    checks = {check.name: check async for check in doctor.quick(settings)}
    assert not checks["data folder"].ok and "FOOTNOTE_DATA names another" in checks["data folder"].words
    assert not checks["jobs"].ok


async def _library_of(data: Path, passages: int) -> None:
    """A library with that many passages without words; only their number is looked at."""
    place = Workspace(platform="slack", id="T1")
    await (await open_library(data, place)).close()
    with sqlite3.connect(workspace_folder(data, place) / "library.db") as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("INSERT INTO meta (key, value) VALUES ('dimension', '384')")
        connection.executemany(
            "INSERT INTO passage (number, paper, wording, id, ordinal, page, kind, boxes, from_ocr) "
            "VALUES (?, 1, 1, ?, 1, 1, 'text', x'', 0)",
            [(number, f"p{number}") for number in range(1, passages + 1)],
        )
    connection.close()


async def _workspaces(data: Path) -> doctor.Check:
    settings = Settings.model_validate({"data": data})
    return await doctor.workspaces(settings)


async def test_the_largest_workspace_is_told(tmp_path: Path) -> None:
    assert (await _workspaces(tmp_path)).words == "none yet"
    await _library_of(tmp_path, 1_200)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "library.db").write_text("no library")
    found = await _workspaces(tmp_path)
    assert found.ok and found.words == "the largest of 1, slack:T1, holds 1,200 passages"


async def test_a_workspace_that_outgrows_the_machine_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _library_of(tmp_path, 1_200)
    monkeypatch.setattr(doctor, "_memory", lambda: 3_000_000.0)
    small = await _workspaces(tmp_path)
    assert not small.ok and "more" in small.words and "0.0 of 0.0 GB of memory" in small.words
    monkeypatch.setattr(doctor, "_memory", lambda: 1e12)
    monkeypatch.setattr(doctor, "_MANY_PASSAGES", 1_000)
    slow = await _workspaces(tmp_path)
    assert not slow.ok and "divide them among several workspaces" in slow.words
