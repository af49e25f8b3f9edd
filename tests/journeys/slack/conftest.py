from collections.abc import AsyncIterator, Iterator

import pytest

from tests.peers.slack.world import Place, World, a_world, running_workspace


@pytest.fixture(scope="session")
def workspace() -> Iterator[Place]:
    """One workspace process for all journeys."""
    yield from running_workspace()


@pytest.fixture(params=["socket", "http"])
async def world(workspace: Place, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """The workspace, new for each journey, which goes over Socket Mode and over signed HTTP."""
    async with a_world(workspace, request.param) as made:
        yield made
