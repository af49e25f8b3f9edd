"""The page's memory forgets papers so that their words are gone from its file."""

from dataclasses import replace
from pathlib import Path

from adapters.web.message_store import SHELF, MessageStore
from adapters.web.messages import DroppedFile, Message, with_files
from core.domain.reply import Attachment
from tests.adapters.web.clients import LAB, NOW, answered


def said(id_: str, text: str = "", **more: object) -> Message:
    return replace(Message(id=id_, channel="general", thread="t", by="reader", at=NOW, text=text), **more)  # type: ignore[arg-type]


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


def tokens(text: str) -> list[str]:
    return text.lower().replace("?", "").split()


async def test_forgetting_leaves_no_word_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "page.db"
    async with MessageStore(path, tokens=tokens) as notebook:
        reply = replace(said("r1", by="footnote"), reply=answered("The velorum tail measured 42 degrees."))
        await notebook.put(reply, [Attachment(name="p.png", mime="image/png", data=b"velorum picture")])
        await notebook.add(said("q1", "What is velorum?"))
        await notebook.add(said("q2", "What is bread?"))
        file = DroppedFile(id="f1", name="velorum.pdf", size=9, state="read", paper="a" * 64)
        await notebook.add(with_files(said("d1"), (file,)))
        counts = await notebook.forget_papers(LAB, frozenset({"a" * 64}), frozenset({"velorum"}))
        assert counts == {"messages of the page": 3}
        held = {item.id: item for item in await notebook.since(0)}
        assert held["r1"].state == "withdrawn" and held["r1"].reply is None
        assert "Withdrawn" in held["q1"].text and held["q2"].text == "What is bread?"
        assert held["d1"].files[0].name == "a paper that was forgotten"
        assert await notebook.attachment("r1", 0) is None
        assert await notebook.forget_papers(LAB, frozenset({"a" * 64}), frozenset({"velorum"})) == {}
    left = bytes_in(tmp_path)
    assert b"velorum" not in left and b"bread" in left


async def test_a_notebook_that_is_not_there_is_not_made_for_forgetting(tmp_path: Path) -> None:
    assert await MessageStore(tmp_path / "page.db").forget_papers(LAB, frozenset({"a"}), frozenset()) == {}
    assert bytes_in(tmp_path) == b""


async def test_every_change_gets_a_revision_and_nothing_is_changed_without(tmp_path: Path) -> None:
    async with MessageStore(tmp_path / "page.db") as notebook:
        assert await notebook.add(said("a", "one"))
        assert not await notebook.add(said("a", "two"))
        await notebook.change("a", lambda before: before)
        assert await notebook.revision() == 1
        await notebook.change("a", lambda before: replace(before, text="three"))
        assert [(item.text, item.revision) for item in await notebook.since(0)] == [("three", 2)]
        assert await notebook.change("nobody", lambda before: before) is None


async def test_a_paper_that_leaves_one_channel_keeps_its_words_in_the_others(tmp_path: Path) -> None:
    paper = "a" * 64
    async with MessageStore(tmp_path / "page.db", tokens=tokens) as notebook:
        for id_, channel in (("r1", "general"), ("r2", "private")):
            await notebook.put(replace(said(id_, by="footnote", channel=channel), reply=answered()))
        named = said("q1", "Summarise “On comets”", words=f"/summarise {paper[:16]}", asked=frozenset({paper}))
        await notebook.add(named)
        counts = await notebook.forget_papers(LAB, frozenset({paper}), frozenset(), channels=frozenset({"general"}))
        assert counts == {"messages of the page": 2}
        held = {item.id: item for item in await notebook.since(0)}
        assert (held["r1"].state, held["r1"].reply) == ("withdrawn", None)
        assert held["r2"].reply == answered()
        assert "comets" not in held["q1"].text and held["q1"].papers == frozenset() and held["q1"].words == ""


async def test_every_forgetting_is_noted_for_who_shows_the_shelf(tmp_path: Path) -> None:
    async with MessageStore(tmp_path / "page.db") as notebook:
        assert await notebook.fact(SHELF) == ""
        for count in ("1", "2"):
            await MessageStore(tmp_path / "page.db").forget_papers(LAB, frozenset({"b" * 64}), frozenset())
            assert await notebook.fact(SHELF) == count
