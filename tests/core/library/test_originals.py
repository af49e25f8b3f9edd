"""Stored originals outlive their database: nothing is deleted because a row is missing, only what is unfinished."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.domain.errors import LibraryFailure
from core.domain.model import Box, Figure
from core.library import OpenLibrary, open_library, workspace_folder
from core.library.sqlite import adding
from tests.core.library.making import EMBEDDER, HERE, Made, make, scope

HOME = workspace_folder(Path(), HERE)


def stored(data: Path) -> list[str]:
    """Names of the files in the workspace's folders of originals and pictures."""
    home = data / HOME
    return sorted(path.name for folder in ("papers", "figures") for path in (home / folder).glob("*"))


async def add(opened: OpenLibrary, made: Made) -> None:
    await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)


async def filled(tmp_path: Path, *titles: str) -> Path:
    """A data folder with a paper a title."""
    opened = await open_library(tmp_path / "data", HERE)
    for title in titles:
        await add(opened, make(tmp_path, [f"about {title}"], title=title))
    await opened.close()
    return tmp_path / "data"


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def begun_anew(file: Path) -> None:
    """The file of a library that was just made, in place of the one that knew the papers."""
    with sqlite3.connect(file, isolation_level=None) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM paper")
        connection.execute("DELETE FROM sqlite_sequence WHERE name = 'paper'")
    connection.close()


@pytest.mark.parametrize(
    ("lose", "words"), [(Path.unlink, "is missing"), (emptied, "is empty"), (begun_anew, "knows no paper")]
)
async def test_a_library_whose_database_was_lost_is_refused_and_keeps_its_originals(
    tmp_path: Path, lose: Callable[[Path], None], words: str
) -> None:
    data = await filled(tmp_path, "okapis", "tapirs", "voles")
    before = stored(data)
    lose(data / HOME / "library.db")
    for _ in range(2):
        with pytest.raises(LibraryFailure, match=f"{words}, but 3 stored papers lie in .*nothing was changed"):
            await open_library(data, HERE)
    assert stored(data) == before
    assert len(before) == 3


async def test_the_originals_of_a_lost_database_can_be_added_again_once_their_folder_was_moved(tmp_path: Path) -> None:
    made = make(tmp_path, ["okapis"])
    data = tmp_path / "data"
    opened = await open_library(data, HERE)
    await add(opened, made)
    await opened.close()
    (data / HOME / "library.db").unlink()
    (data / HOME).rename(tmp_path / "moved")
    again = make(tmp_path, ["okapis"])
    shutil.copy(tmp_path / "moved" / "papers" / f"{made.paper.id}.pdf", again.pdf)
    opened = await open_library(data, HERE)
    await add(opened, again)
    assert await opened.library.papers(scope()) == [again.paper]
    await opened.close()


async def test_an_older_database_put_back_from_a_backup_deletes_no_original(tmp_path: Path) -> None:
    data = await filled(tmp_path, "okapis")
    backup = shutil.copy(data / HOME / "library.db", tmp_path / "backup.db")
    await filled(tmp_path, "tapirs")
    before = stored(data)
    shutil.copy(backup, data / HOME / "library.db")
    opened = await open_library(data, HERE)
    assert len(await opened.library.papers(scope())) == 1
    assert stored(data) == before
    later = make(tmp_path, ["about tapirs"], title="tapirs")
    await add(opened, later)
    assert (await opened.library.pdf(scope(), later.paper.id)).read_bytes() == later.pdf.read_bytes()
    await opened.close()
    assert len(before) == 2


async def test_a_library_whose_papers_were_all_forgotten_opens(tmp_path: Path) -> None:
    data = await filled(tmp_path, "okapis")
    opened = await open_library(data, HERE)
    (paper,) = await opened.library.papers(scope())
    await opened.library.remove([paper.id])
    await opened.close()
    await (await open_library(data, HERE)).close()
    assert stored(data) == []


async def test_what_an_end_without_warning_left_half_written_goes_and_what_nobody_noted_stays(tmp_path: Path) -> None:
    data = await filled(tmp_path, "okapis")
    before = stored(data)
    home = data / HOME
    (home / "figures").mkdir()
    for name in ("papers/half.part", "papers/whole.ready", "figures/half.part", "figures/whole.ready"):
        (home / name).write_bytes(b"of an add that was never committed")
    for name in ("papers/unknown.pdf", "figures/unknown.png"):
        (home / name).write_bytes(b"nobody knows whose")
    await (await open_library(data, HERE)).close()
    assert stored(data) == sorted([*before, "unknown.pdf", "unknown.png"])


async def test_an_original_that_was_not_put_in_its_place_is_read_and_put_there_at_the_next_opening(
    tmp_path: Path,
) -> None:
    made = make(tmp_path, ["okapis"], figures=[picture(tmp_path)])
    data = tmp_path / "data"
    opened = await open_library(data, HERE)
    await add(opened, made)
    in_place = stored(data)
    for name in in_place:  # as a kill between the commit and the last renaming leaves it
        file = next((data / HOME).rglob(name))
        file.rename(file.with_suffix(".ready"))
    assert (await opened.library.pdf(scope(), made.paper.id)).read_bytes() == made.pdf.read_bytes()
    (figure,) = await opened.library.figures(scope(), made.paper.id)
    assert figure.image == made.reading.figures[0].image
    await opened.close()
    await (await open_library(data, HERE)).close()
    assert stored(data) == in_place
    assert len(in_place) == 2


def picture(tmp_path: Path) -> Figure:
    return Figure(
        id="f1",
        paper_id="p",
        page=1,
        box=Box(page=1, x0=1, y0=2, x1=3, y1=4),
        label="Figure 1",
        caption="Okapis.",
        nearby="",
        image=b"\x89PNG okapis",
    )


async def test_an_add_that_fails_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = await filled(tmp_path, "okapis")
    before = stored(data)
    made = make(tmp_path, ["tapirs"], title="tapirs", figures=[picture(tmp_path)])

    async def failing(*given: Any) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    opened = await open_library(data, HERE)
    with monkeypatch.context() as patch:
        patch.setattr(adding, "insert_rows", failing)
        with pytest.raises(LibraryFailure):
            await add(opened, made)
    assert stored(data) == before
    await add(opened, made)
    assert len(stored(data)) == len(before) + 2
    await opened.close()


async def test_a_forgetting_that_was_cut_short_deletes_its_files_at_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(tmp_path, ["okapis"], figures=[picture(tmp_path)])
    data = tmp_path / "data"
    opened = await open_library(data, HERE)
    await add(opened, made)
    await add(opened, make(tmp_path, ["tapirs"], title="tapirs"))

    def failing(*given: object) -> None:
        raise OSError("the files are out of reach")

    with monkeypatch.context() as patch:
        patch.setattr("core.library.files.originals.Files.drop", failing)
        with pytest.raises(LibraryFailure, match="files cannot be used"):
            await opened.library.remove([made.paper.id])
    assert len(stored(data)) == 3
    await opened.close()
    await (await open_library(data, HERE)).close()
    assert len(stored(data)) == 1


async def test_a_paper_that_is_added_again_while_it_is_forgotten_keeps_its_original(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(tmp_path, ["okapis"])
    opened = await open_library(tmp_path / "data", HERE)
    await add(opened, made)
    carry_out = opened.forgetting._carry_out

    async def late() -> Any:
        await add(opened, made)
        return await carry_out()

    with monkeypatch.context() as patch:
        patch.setattr(opened.forgetting, "_carry_out", late)
        await opened.library.remove([made.paper.id])
    assert (await opened.library.pdf(scope(), made.paper.id)).read_bytes() == made.pdf.read_bytes()
    await opened.close()
