"""What a scope holds is remembered, and never longer than it is true."""

from pathlib import Path

import aiosqlite

from core.domain.ports import Filters
from core.library import open_library, workspace_folder
from core.library.sqlite.database import Database
from core.library.sqlite.selection import Selections
from tests.core.library.making import EMBEDDER, HERE, make, scope


async def test_a_read_that_began_before_a_withdrawal_leaves_nothing_behind_for_later_ones(tmp_path: Path) -> None:
    made = make(tmp_path, ["okapis hide", "tapirs swim"])
    opened = await open_library(tmp_path, HERE)
    await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
    await opened.close()
    database = await Database.open(workspace_folder(tmp_path, HERE) / "library.db")
    selections = Selections(database, HERE)

    async def withdraw(connection: aiosqlite.Connection) -> None:
        await connection.execute("DELETE FROM share")

    async with database.read() as earlier:
        await database.change(withdraw)
        assert len((await selections.papers(earlier, scope())).papers) == 1
        assert len(await selections.numbers(earlier, scope(), Filters())) == 2
    async with database.read() as later:
        assert (await selections.papers(later, scope())).papers == ()
        assert len(await selections.numbers(later, scope(), Filters())) == 0
    await database.close()
