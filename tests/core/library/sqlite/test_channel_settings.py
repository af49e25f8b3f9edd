"""What a channel sets for itself, and what readers say, stay in their channel."""

from pathlib import Path

import pytest

from core.domain.errors import NotInScope
from core.domain.model import Channel, Scope
from core.library import open_library
from tests.core.library.making import GENERAL, HERE, NOON, SECRET, THERE, answer, scope, thread


async def test_settings_are_a_channels_own(tmp_path: Path) -> None:
    opened = await open_library(tmp_path, HERE)
    await opened.settings.put(GENERAL, "language", "de", user="ann", at=NOON)
    await opened.settings.put(GENERAL, "language", "fr", user="bo", at=NOON)
    await opened.settings.put(SECRET, "k", "7", user="ann", at=NOON)
    assert await opened.settings.of(GENERAL) == {"language": "fr"}
    assert await opened.settings.of(SECRET) == {"k": "7"}
    assert await opened.settings.drop(GENERAL, "language")
    assert not await opened.settings.drop(GENERAL, "language")
    assert await opened.settings.of(GENERAL) == {}
    with pytest.raises(NotInScope):
        await opened.settings.of(Channel(workspace=THERE, id="general"))
    await opened.close()


async def test_an_answer_remembers_under_which_settings_it_was_made(tmp_path: Path) -> None:
    opened = await open_library(tmp_path, HERE)
    await opened.memory.keep_answer(thread(), answer("a", "b", trace_id="before"), at=NOON)
    await opened.settings.put(GENERAL, "k", "7", user="ann", at=NOON)
    await opened.memory.keep_answer(thread(), answer("a", "b", trace_id="after"), at=NOON)
    async with opened.library._database.read() as connection:
        rows = await connection.execute_fetchall("SELECT trace_id, settings_version FROM answer ORDER BY number")
    assert [tuple(row) for row in rows] == [("before", 0), ("after", 1)]
    await opened.close()


async def test_feedback_is_read_by_channel_with_its_answer(tmp_path: Path) -> None:
    opened = await open_library(tmp_path, HERE)
    open_one, hidden = answer("open?", "yes"), answer("hidden?", "yes")
    await opened.memory.keep_answer(thread(), open_one, at=NOON)
    await opened.memory.keep_answer(thread(SECRET), hidden, at=NOON)
    for place in (thread(), thread(SECRET)):
        await opened.memory.keep_feedback(place, "trace-1", user="ann", verdict="good", words="", at=NOON)
        await opened.memory.keep_feedback(place, "trace-1", user="ann", verdict="wrong", words="It is 7.", at=NOON)
    (only,) = await opened.feedback.given(scope("general"))
    assert (only.answer, only.user, only.verdict, only.words) == (open_one, "ann", "wrong", "It is 7.")
    assert len(await opened.feedback.given(scope("general", "secret"))) == 2
    for user, verdict, words in (("bob", "good", ""), ("cy", "wrong", ""), ("dee", "good", "Well put.")):
        await opened.memory.keep_feedback(thread(), "trace-1", user=user, verdict=verdict, words=words, at=NOON)
    assert [item.user for item in await opened.feedback.given(scope("general"))] == ["ann", "bob", "cy", "dee"]
    assert await opened.feedback.corrections(scope("general")) == [only]
    with pytest.raises(NotInScope):
        await opened.feedback.given(Scope(workspace=THERE, channels=frozenset({"general"})))
    await opened.close()
