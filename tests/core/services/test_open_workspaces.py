"""OpenWorkspaces open once, stay while they are used, close when idle, and one workspace never holds up another."""

import asyncio
from pathlib import Path
from typing import cast

import pytest

from core.domain.errors import LibraryFailure
from core.domain.model import Scope, Workspace
from core.library import OpenLibrary, open_library
from core.library.files.originals import clear_folder, workspace_folder
from core.services.open_workspaces import OpenWorkspace, OpenWorkspaces
from tests.core.search.fake_embedder import FakeEmbedder

ONE, TWO, THREE = (Workspace(platform="test", id=name) for name in ("one", "two", "three"))


class House:
    """Opens real libraries and counts how often."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.opened: list[OpenWorkspace] = []

    async def open(self, workspace: Workspace) -> OpenWorkspace:
        opened = OpenWorkspace(
            workspace=workspace, stores=await open_library(self.data, workspace), embedder=FakeEmbedder(dimension=8)
        )
        self.opened.append(opened)
        return opened


class Broken:
    """An open library whose disk is gone."""

    async def close(self) -> None:
        raise LibraryFailure("The disk failed.")


def workspaces(house: House, *, most: int = 8, idle_seconds: float = 900.0) -> OpenWorkspaces:
    return OpenWorkspaces(house.open, most=most, idle_seconds=idle_seconds)


async def is_open(opened: OpenWorkspace) -> bool:
    try:
        await opened.stores.library.papers(Scope(workspace=opened.workspace, channels=frozenset()))
    except LibraryFailure:
        return False
    return True


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


async def test_a_workspace_is_opened_once_for_all_who_come_at_the_same_time(house: House) -> None:
    held = workspaces(house)

    everybody = asyncio.Barrier(5)

    async def visit() -> OpenWorkspace:
        async with held.enter(ONE) as opened:
            await everybody.wait()
            return opened

    assert len({id(opened) for opened in await asyncio.gather(*(visit() for _ in range(5)))}) == 1
    assert len(house.opened) == 1
    await held.close()
    assert not await is_open(house.opened[0])


async def test_idle_rooms_close_and_rooms_in_use_stay_open_beyond_the_bound(house: House) -> None:
    held = workspaces(house, most=1)
    async with held.enter(ONE) as item:
        async with held.enter(TWO) as two:
            assert await is_open(item) and await is_open(two)
        async with held.enter(THREE):
            assert await is_open(item) and not await is_open(two)
    await held.close()


async def test_closing_one_workspace_waits_for_its_users_and_keeps_nobody_else_out(house: House) -> None:
    held = workspaces(house)
    inside, leave, gone = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def reading() -> None:
        async with held.enter(ONE):
            inside.set()
            await leave.wait()

    async def clearing() -> None:
        async with held.closed(ONE):
            assert not await is_open(house.opened[0])
            gone.set()

    reader = asyncio.create_task(reading())
    await inside.wait()
    clearer = asyncio.create_task(clearing())
    async with asyncio.timeout(10):
        async with held.enter(TWO):
            assert not gone.is_set()
        leave.set()
        await asyncio.gather(reader, clearer)
    assert gone.is_set()
    async with held.enter(ONE) as anew:
        assert await is_open(anew)
    await held.close()


async def test_a_clearing_that_is_called_off_leaves_the_workspace_usable(house: House) -> None:
    held = workspaces(house)
    async with held.enter(ONE) as opened:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05), held.closed(ONE):
                pytest.fail("somebody is still inside")
        assert await is_open(opened)
    async with asyncio.timeout(10), held.enter(ONE) as again:
        assert again is opened
    await held.close()


async def test_a_room_that_fails_to_close_is_no_concern_of_who_enters_another(house: House) -> None:
    held = workspaces(house, idle_seconds=-1.0)
    async with held.enter(ONE) as item:
        pass

    file = item.stores
    item.stores = cast(OpenLibrary, Broken())
    async with held.enter(TWO) as two:
        assert await is_open(two)
    async with asyncio.timeout(10), held.closed(TWO):
        assert not await is_open(two)
    await file.close()


async def test_a_workspace_that_another_process_cleared_is_opened_anew(house: House) -> None:
    held = workspaces(house)
    async with held.enter(ONE) as before:
        clear_folder(workspace_folder(house.data, ONE))
        async with held.enter(ONE) as after:
            assert after is not before
            assert await is_open(before) and await is_open(after)
            assert workspace_folder(house.data, ONE).is_dir()
    async with asyncio.timeout(10):
        while await is_open(before):  # noqa: ASYNC110 (nothing tells when a workspace was closed)
            await asyncio.sleep(0.01)
    async with held.enter(ONE) as again:
        assert again is after
    await held.close()


async def test_closing_closes_a_cleared_room_that_somebody_is_still_in(house: House) -> None:
    held = workspaces(house)
    async with held.enter(ONE) as before:
        clear_folder(workspace_folder(house.data, ONE))
        async with held.enter(ONE):
            await held.close()
        assert not await is_open(before)
