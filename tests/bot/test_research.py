"""Studies through the running bot: commands, plain words in a thread, buttons, settings; every sentence footnoted."""

import csv
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.domain.reply import Reply
from tests.bot.actors import command, dropped, pressed, question
from tests.bot.test_commands import Room, opened

SECOND = "%PDF On Margins\nA margin holds what a footnote cannot. Scholars fill margins with doubts. "


@asynccontextmanager
async def two_papers(folder: Path) -> AsyncIterator[Room]:
    async with opened(folder) as room:
        room.platform.files["f2"] = SECOND
        await room.after(dropped("m8", file="f2", name="margins.pdf"))
        yield room


def noted(reply: Reply) -> list[str]:
    return [span.quote for note in reply.footnotes for span in note.citation.spans]


async def test_summarise_names_its_paper_and_footnotes_each_sentence(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        reply = await room.after(command("summarise", "1"))
    assert reply.kind == "summary"
    assert "**Results**" in reply.body
    assert r"\[1\]" in reply.body
    assert "Not stated." in reply.body
    assert len(noted(reply)) == 1
    assert noted(reply)[0].rstrip(".") in reply.body
    assert reply.footer == "quoted from the papers, no language model"


async def test_plain_words_in_a_thread_do_the_same_and_the_thread_remembers(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        reply = await room.after(question(text="summarise this"))
        turns = room.engine.studies.turns
    assert reply.kind == "summary"
    assert [[item.paper_id for item in turn.citations] for turns_ in turns.values() for turn in turns_] == [
        [note.paper.id for note in reply.footnotes]
    ]


async def test_a_question_that_mentions_a_summary_is_answered_as_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        reply = await room.after(question(text="who follow footnotes in the summary"))
    assert reply.kind == "answer"


async def test_where_it_is_unclear_which_paper_is_meant_it_asks_back_with_buttons(tmp_path: Path) -> None:
    async with two_papers(tmp_path) as room:
        back = await room.after(question(text="summarise this"))
        assert (back.kind, len(back.buttons)) == ("choice", 2)
        reply = await room.after(pressed(back.buttons[1].action, back.buttons[1].value))
    assert reply.kind == "summary"
    assert back.buttons[1].label in reply.body


@pytest.mark.parametrize(
    "event", [command("compare", "1; 2"), command("compare", "1, 2"), question(text="compare these papers")]
)
async def test_papers_are_compared_in_a_table(tmp_path: Path, event: object) -> None:
    async with two_papers(tmp_path) as room:
        reply = await room.after(event)  # type: ignore[arg-type]
    assert reply.kind == "table"
    assert len({note.paper.id for note in reply.footnotes}) == 2
    assert r"\[1\]" in reply.body
    assert r"\[2\]" in reply.body


async def test_a_table_has_the_fields_asked_for_and_says_what_is_not_reported(tmp_path: Path) -> None:
    async with two_papers(tmp_path) as room:
        reply = await room.after(command("extract", "1; 2: Organism; Assay"))
        unclear = await room.after(command("extract", "1: Organism; Organism", message="m11"))
    assert "Organism" in reply.body
    assert reply.body.count("Not found") == 2
    assert [note.citation.marker for note in reply.footnotes] == [1, 2]
    assert "“Organism” is there twice" in unclear.body


async def test_a_channel_may_set_its_own_table_and_switch_the_model_off(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        channel = dropped().thread.channel
        await room.engine.channels.put(channel, "template", "Organism; Assay", user="ada")
        await room.engine.channels.put(channel, "model", "off", user="ada")
        reply = await room.after(command("extract", "1"))
        await room.after(command("summarise", "1", message="m12"))
    assert "Assay" in reply.body
    assert "Dataset" not in reply.body
    assert room.engine.studies.used == ["off"]


async def test_a_topic_is_reviewed_across_the_papers_here(tmp_path: Path) -> None:
    async with two_papers(tmp_path) as room:
        reply = await room.after(command("review", "about reading habits"))
        named = await room.after(command("review", "1", message="m13"))
        neither = await room.after(command("review", "", message="m14"))
    assert reply.kind == named.kind == "review"
    assert "Review: reading habits" in reply.body
    assert len(reply.papers) == 2
    assert neither.body.startswith("Please say what to review")


async def test_a_paper_that_is_not_here_is_said_in_one_sentence(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        reply = await room.after(command("summarise", "Quantum gravity in teapots"))
    assert "No paper here goes by" in reply.body


async def test_a_table_comes_as_a_file_with_a_page_for_each_cell(tmp_path: Path) -> None:
    async with two_papers(tmp_path) as room:
        table = await room.after(command("extract", "1; 2: Organism; Assay"))
        compared = await room.after(question(text="compare these papers"))
    rows = [list(csv.reader(io.StringIO(item.files[0].data.decode("utf-8-sig")))) for item in (table, compared)]
    assert [item.files[0].name for item in (table, compared)] == ["table.csv", "comparison.csv"]
    assert rows[0][0] == ["paper", "authors", "year", "Organism", "Organism (page)", "Assay", "Assay (page)"]
    assert [row[3:] for row in rows[0][1:]] == [[quote, "2", "Not found", ""] for quote in noted(table)]
    assert rows[1][1][1::2] == noted(compared)
