"""The library that its contract suites run over."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.library import open_library
from tests.core.library.making import HERE, Ports


@pytest.fixture
async def ports(tmp_path: Path) -> AsyncIterator[Ports]:
    """Library, lexical index and memory of one workspace."""
    opened = await open_library(tmp_path / "data", HERE)
    yield Ports(opened.library, opened.lexical, opened.memory)
    await opened.close()
