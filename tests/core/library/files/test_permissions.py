"""What is stored is for the user alone who runs Footnote, whatever the umask and whoever stored it before."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.model import Box, Figure
from core.library import open_library, restrict_data_folder, workspace_folder
from tests.core.library.making import EMBEDDER, HERE, make, scope

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
PICTURE = Figure(
    id="f1",
    paper_id="p",
    page=1,
    label="Figure 1",
    caption="Okapis.",
    nearby="",
    box=Box(page=1, x0=1, y0=2, x1=3, y1=4),
    image=b"\x89PNG okapis",
)


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def wrong(data: Path) -> dict[str, str]:
    """Everything under ``data`` that others than its owner may use, with its mode."""
    found = [data, *data.rglob("*")]
    modes = {path: path.stat().st_mode & 0o777 for path in found}
    return {
        str(path.relative_to(data)): oct(mode)
        for path, mode in modes.items()
        if mode != (0o700 if path.is_dir() else 0o600)
    }


async def fill(tmp_path: Path, data: Path) -> None:
    made = make(tmp_path, ["okapis"], figures=[PICTURE])
    opened = await open_library(data, HERE)
    await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
    assert await opened.library.papers(scope())
    assert (workspace_folder(data, HERE) / "library.db-wal").exists()
    assert wrong(data) == {}
    await opened.close()


@pytest.mark.usefixtures("umask")
async def test_a_new_library_is_its_owners_alone(tmp_path: Path) -> None:
    await fill(tmp_path, tmp_path / "data")
    assert wrong(tmp_path / "data") == {}


async def test_what_was_stored_for_all_to_read_is_restricted_at_the_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    await fill(tmp_path, data)
    (data / "process.db").write_bytes(b"")
    for path in (data, *data.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    restrict_data_folder(data)
    assert wrong(data) == {}


async def test_a_folder_whose_mode_cannot_be_changed_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object, **named: object) -> None:
        raise PermissionError("not yours")

    monkeypatch.setattr(Path, "chmod", refuse)
    made = make(tmp_path, ["okapis"])
    opened = await open_library(tmp_path, HERE)
    await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
    assert await opened.library.papers(scope()) == [made.paper]
    await opened.close()


def test_a_folder_that_was_made_read_only_stays_so(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o555)
    restrict_data_folder(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o500
    folder.chmod(0o755)
