"""The implementations that the library's contract suites run over."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.library import open_library
from core.library.fakes import FakeLexicalIndex, FakeLibrary, FakeMemory
from tests.core.library.making import HERE, Ports


@pytest.fixture(params=["sqlite", "fake"])
async def ports(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Ports]:
    """Library, lexical index and memory of one workspace."""
    if request.param == "fake":
        memory = FakeMemory(HERE)
        library = FakeLibrary(HERE, memory=memory)
        yield Ports(library, FakeLexicalIndex(library), memory)
    else:
        opened = await open_library(tmp_path / "data", HERE)
        yield Ports(opened.library, opened.lexical, opened.memory)
        await opened.close()
