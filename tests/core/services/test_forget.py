"""Forgetting a paper and clearing a workspace, as somebody asks for it."""

from pathlib import Path

import pytest

from core.config import Config
from core.domain.errors import NotInScope
from core.library import clear_workspace, open_library, workspace_folder
from core.services.engine import Engine
from core.services.papers import NotConfirmed
from tests.core.library.making import EMBEDDER, HERE, THERE, make, scope


async def test_a_paper_outside_the_scope_is_refused_and_nothing_is_forgotten(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    hidden, seen = make(tmp_path, ["hidden"], channel="secret"), make(tmp_path, ["seen"], title="Seen")
    for made in (hidden, seen):
        await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
    with pytest.raises(NotInScope):
        await opened.library.withdraw(scope("general"), [seen.paper.id, hidden.paper.id])
    assert len(await opened.library.papers(scope("general", "secret"))) == 2
    report = await opened.library.withdraw(scope("general"), [seen.paper.id])
    assert report.papers == (seen.paper.id,)
    assert report.counts == {"passages": 1, "vectors": 1, "files": 1, "shares": 1}
    assert await opened.library.known(seen.paper.id) is None
    await opened.close()


async def test_clearing_wants_the_workspaces_own_key(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    made = make(tmp_path, ["okapis"])
    await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
    await opened.close()
    async with Engine(Config(data=tmp_path / "data")) as engine:
        for words in ("", "yes", THERE.key, HERE.key.upper()):
            with pytest.raises(NotConfirmed, match=HERE.key):
                await engine.papers.clear(HERE, confirmed=words)
    assert workspace_folder(tmp_path / "data", HERE).is_dir()


async def test_clearing_leaves_nothing_of_the_workspace_and_all_of_the_others(tmp_path: Path) -> None:
    for workspace in (HERE, THERE):
        opened = await open_library(tmp_path / "data", workspace)
        made = make(tmp_path, ["okapis"])
        await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
        await opened.close()
    report = await clear_workspace(tmp_path / "data", HERE)
    assert report.papers == (made.paper.id,)
    assert report.counts["papers"] == 1
    assert [path.name for path in (tmp_path / "data").iterdir()] == [workspace_folder(tmp_path, THERE).name]
    again = await clear_workspace(tmp_path / "data", HERE)
    assert (again.papers, again.counts) == ((), {})


async def test_a_clearing_that_was_cut_short_is_finished_at_the_next_opening(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    made = make(tmp_path, ["okapis"])
    await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
    await opened.close()
    home = workspace_folder(tmp_path / "data", HERE)
    home.rename(home.with_name(home.name + ".leaving"))
    opened = await open_library(tmp_path / "data", HERE)
    assert await opened.library.known(made.paper.id) is None
    assert [path.name for path in (tmp_path / "data").iterdir()] == [home.name]
    await opened.close()
