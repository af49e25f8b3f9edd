"""What every ``Memory`` promises."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.errors import NotInScope
from core.domain.model import Channel, Derivation, Evidence
from tests.contracts.library_ports import ports
from tests.core.library.making import NOON, SECRET, THERE, Ports, answer, citation, make, thread, turn

__all__ = ["ports"]


async def test_the_last_turns_come_oldest_first(ports: Ports) -> None:
    said = [turn(f"turn {place}", minutes=place) for place in range(5)]
    await ports.memory.append(thread(), *said[:2])
    await ports.memory.append(thread(), *said[2:])
    assert list(await ports.memory.recent(thread(), limit=3)) == said[2:]
    assert list(await ports.memory.recent(thread(), limit=99)) == said
    assert list(await ports.memory.recent(thread(), limit=0)) == []


async def test_turns_keep_their_citations(ports: Ports) -> None:
    derived = replace(citation("b" * 64, "two", 2), derivation=Derivation(expression="1+1", result="2", operands=(1,)))
    said = turn('Quoted "words" \n 中文.', citation("a" * 64, "one"), derived)
    await ports.memory.append(thread(), said)
    assert list(await ports.memory.recent(thread(), limit=1)) == [said]


async def test_threads_are_apart(ports: Ports) -> None:
    await ports.memory.append(thread(name="a"), turn("in a"))
    await ports.memory.append(thread(SECRET, "a"), turn("in secret"))
    assert [item.text for item in await ports.memory.recent(thread(name="a"), limit=9)] == ["in a"]
    assert list(await ports.memory.recent(thread(name="b"), limit=9)) == []


async def test_an_answer_comes_back_whole_and_only_in_its_thread(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["near"])
    near = Evidence(passage=made.reading.passages[0], paper=made.paper, score=0.5, ranks={"dense": 1})
    kept = replace(
        answer("Why?", "Because.", citation("a" * 64, "because")),
        nearest=(near,),
        notes=("slow",),
        faithfulness=0.5,
    )
    await ports.memory.keep_answer(thread(), kept, at=NOON)
    assert await ports.memory.answer(thread(), "trace-1") == kept
    assert await ports.memory.answer(thread(name="other"), "trace-1") is None
    assert await ports.memory.answer(thread(), "trace-2") is None


async def test_keeping_an_answer_again_replaces_it(ports: Ports) -> None:
    await ports.memory.keep_answer(thread(), answer("Why?", "First."), at=NOON)
    await ports.memory.keep_answer(thread(), answer("Why?", "Second."), at=NOON)
    found = await ports.memory.answer(thread(), "trace-1")
    assert found is not None
    assert [item.text for item in found.sentences] == ["Second."]


async def test_feedback_needs_an_answer_of_the_thread(ports: Ports) -> None:
    await ports.memory.keep_answer(thread(), answer("Why?", "So."), at=NOON)
    await ports.memory.keep_feedback(thread(), "trace-1", user="ann", verdict="wrong", words="No.", at=NOON)
    with pytest.raises(NotInScope):
        await ports.memory.keep_feedback(thread(), "trace-9", user="ann", verdict="good", words="", at=NOON)
    with pytest.raises(NotInScope):
        await ports.memory.keep_feedback(thread(name="x"), "trace-1", user="ann", verdict="good", words="", at=NOON)


async def test_forgetting_a_thread_leaves_the_others(ports: Ports) -> None:
    await ports.memory.append(thread(), turn("one"), turn("two"))
    await ports.memory.append(thread(name="other"), turn("kept"))
    await ports.memory.keep_answer(thread(), answer("Why?", "So."), at=NOON)
    assert await ports.memory.forget(thread()) == 2
    assert list(await ports.memory.recent(thread(), limit=9)) == []
    assert await ports.memory.answer(thread(), "trace-1") is None
    assert [item.text for item in await ports.memory.recent(thread(name="other"), limit=9)] == ["kept"]
    assert await ports.memory.forget(thread()) == 0


async def test_a_thread_of_another_workspace_is_refused(ports: Ports) -> None:
    elsewhere = thread(Channel(workspace=THERE, id="general"))
    for call in (
        ports.memory.recent(elsewhere, limit=1),
        ports.memory.append(elsewhere, turn("x")),
        ports.memory.forget(elsewhere),
        ports.memory.keep_answer(elsewhere, answer("q", "a"), at=NOON),
        ports.memory.answer(elsewhere, "trace-1"),
        ports.memory.keep_feedback(elsewhere, "trace-1", user="u", verdict="good", words="", at=NOON),
    ):
        with pytest.raises(NotInScope):
            await call


async def test_what_was_under_way_when_its_paper_was_forgotten_brings_no_words_back(
    ports: Ports, tmp_path: Path
) -> None:
    made = make(tmp_path, ["okapis hide"])
    await ports.add(made)
    cited = citation(made.paper.id, "okapis hide")
    await ports.library.remove([made.paper.id])
    await ports.memory.append(thread(), turn("Where?"), turn("Okapis hide.", cited))
    await ports.memory.keep_answer(thread(), answer("Where?", "Okapis hide.", cited), at=NOON)
    turns = await ports.memory.recent(thread(), limit=9)
    assert [(item.text, item.forgotten) for item in turns] == [("Where?", False), ("", True)]
    assert await ports.memory.answer(thread(), "trace-1") is None
    await ports.add(made)
    await ports.memory.append(thread(), turn("Okapis hide.", cited))
    assert [item.text for item in await ports.memory.recent(thread(), limit=1)] == ["Okapis hide."]
