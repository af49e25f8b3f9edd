"""The door to conversations: each channel has its own, one can be gone on with elsewhere, and forgotten."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.errors import NotInScope
from core.domain.model import Channel, Thread, Turn, Workspace
from core.library import open_library
from core.services.channels import Threads
from core.services.open_workspaces import OpenWorkspace, OpenWorkspaces
from tests.core.search.fake_embedder import FakeEmbedder

HOME = Workspace(platform="test", id="home")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def place(channel: str, thread: str) -> Thread:
    return Thread(channel=Channel(workspace=HOME, id=channel), id=thread)


def turn(text: str) -> Turn:
    return Turn(role="user", text=text, at=NOON)


@pytest.fixture
async def workspaces(tmp_path: Path) -> AsyncIterator[OpenWorkspaces]:
    async def opened(workspace: Workspace) -> OpenWorkspace:
        library = await open_library(tmp_path, workspace)
        return OpenWorkspace(workspace=workspace, stores=library, embedder=FakeEmbedder())

    workspaces = OpenWorkspaces(opened, most=4, idle_seconds=900.0)
    yield workspaces
    await workspaces.close()


@pytest.fixture
async def door(workspaces: OpenWorkspaces) -> Threads:
    async with workspaces.enter(HOME) as opened:
        await opened.stores.memory.append(place("c", "old"), turn("What grows?"), turn("And where?"))
        await opened.stores.memory.append(place("d", "other"), turn("What is hidden?"))
    return Threads(workspaces, now=lambda: NOON)


async def test_a_channel_lists_its_own_conversations(door: Threads) -> None:
    listed = await door.listed(Channel(workspace=HOME, id="c"))
    assert [(item.thread.id, item.opening, item.questions) for item in listed] == [("old", "What grows?", 2)]
    assert await door.asked_in(place("c", "old")) and not await door.asked_in(place("c", "new"))


async def test_a_conversation_is_gone_on_with_elsewhere_in_its_channel(door: Threads) -> None:
    assert await door.reopen(place("c", "old"), place("c", "new")) == 2
    assert [item.text for item in await door.turns(place("c", "new"))] == ["What grows?", "And where?"]
    assert await door.reopen(place("c", "new"), place("c", "new")) == 0
    for earlier in (place("d", "other"), place("c", "never")):
        with pytest.raises(NotInScope):
            await door.reopen(earlier, place("c", "new"))


async def test_a_forgotten_conversation_is_gone(door: Threads) -> None:
    assert await door.forget(place("c", "old")) == 2
    assert list(await door.listed(Channel(workspace=HOME, id="c"))) == []
    assert await door.recollection(place("c", "old")) is None
