from collections.abc import AsyncIterator

import pytest

from tests.peers.slack.world import Place, World, a_world


@pytest.fixture(params=["socket", pytest.param("http", marks=pytest.mark.slow)])
async def world(workspace: Place, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """The workspace, new for each journey, which goes over Socket Mode and over signed HTTP."""
    async with a_world(workspace, request.param) as made:
        yield made
