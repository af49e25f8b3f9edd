"""Conversations are listed in their own channel, remembered in short, and forgotten with what they quote."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.domain.errors import NotInScope
from core.domain.model import Channel
from core.domain.records import Recollection
from core.library import OpenLibrary, open_library
from tests.core.library.making import GENERAL, HERE, NOON, SECRET, THERE, Ports, citation, make, thread, turn


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[OpenLibrary]:
    library = await open_library(tmp_path / "data", HERE)
    yield library
    await library.close()


async def test_the_conversation_used_last_comes_first_with_its_opening_question(opened: OpenLibrary) -> None:
    cited = citation("a" * 64, "moss grows")
    await opened.memory.append(thread(name="old"), turn("What grows?"), turn("Moss grows.", cited, minutes=1))
    await opened.memory.append(thread(name="new"), turn("Who counted?", minutes=5))
    await opened.memory.append(thread(name="old"), turn("And where?", minutes=9), turn("Here.", cited, minutes=10))
    found = await opened.threads.listed(GENERAL, limit=9)
    assert [(item.thread.id, item.opening, item.questions, item.papers) for item in found] == [
        ("old", "What grows?", 2, ("a" * 64,)),
        ("new", "Who counted?", 1, ()),
    ]
    assert found[0].last_at == turn("", minutes=10).at
    assert [item.thread.id for item in await opened.threads.listed(GENERAL, limit=1)] == ["old"]


async def test_a_channel_sees_its_own_conversations_alone(opened: OpenLibrary) -> None:
    await opened.memory.append(thread(SECRET, "s"), turn("What is hidden?"))
    assert list(await opened.threads.listed(GENERAL, limit=9)) == []
    assert [item.opening for item in await opened.threads.listed(SECRET, limit=9)] == ["What is hidden?"]
    with pytest.raises(NotInScope):
        await opened.threads.listed(Channel(workspace=THERE, id="general"), limit=9)


async def test_a_summary_takes_the_place_of_the_one_before_and_is_no_turn(opened: OpenLibrary) -> None:
    await opened.memory.append(thread(), turn("What grows?"), turn("Moss.", citation("a" * 64, "moss")))
    for covers in (2, 4):
        kept = Recollection(text=f"{covers} turns", covers=covers, citations=(citation("a" * 64, "moss"),), model="m")
        await opened.threads.recollect(thread(), kept, at=NOON)
    assert await opened.threads.recollection(thread()) == kept
    assert await opened.threads.recollection(thread(name="other")) is None
    assert await opened.threads.count(thread()) == 2
    assert [item.text for item in await opened.memory.recent(thread(), limit=9)] == ["What grows?", "Moss."]
    assert [item.questions for item in await opened.threads.listed(GENERAL, limit=9)] == [1]


async def test_a_forgotten_paper_takes_the_summary_along(opened: OpenLibrary, tmp_path: Path) -> None:
    made = make(tmp_path, ["The zorbite crystals hum."])
    await Ports(opened.library, opened.lexical, opened.memory).add(made)
    about = Recollection(text="Zorbite hums.", covers=2, citations=(citation(made.paper.id, "crystals hum"),))
    await opened.threads.recollect(thread(), about, at=NOON)
    await opened.library.remove([made.paper.id])
    assert await opened.threads.recollection(thread()) is None
    await opened.forgetting.settled()
    files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert not any(b"orbite" in path.read_bytes() for path in files)
    await opened.threads.recollect(thread(), about, at=NOON)
    assert await opened.threads.recollection(thread()) is None


async def test_a_forgotten_thread_takes_the_summary_along(opened: OpenLibrary) -> None:
    await opened.memory.append(thread(), turn("What grows?"))
    await opened.threads.recollect(thread(), Recollection(text="Things.", covers=1), at=NOON)
    assert await opened.memory.forget(thread()) == 1
    assert await opened.threads.recollection(thread()) is None
    assert list(await opened.threads.listed(GENERAL, limit=9)) == []
