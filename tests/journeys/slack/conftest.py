from collections.abc import AsyncIterator, Iterator

import pytest

from tests.peers.slack.world import Place, World, a_world, running_workspace


@pytest.fixture(scope="session")
def workspace() -> Iterator[Place]:
    """One workspace process for all journeys."""
    yield from running_workspace()


@pytest.fixture
async def world(workspace: Place) -> AsyncIterator[World]:
    """The workspace, new for each journey."""
    async with a_world(workspace) as made:
        yield made
