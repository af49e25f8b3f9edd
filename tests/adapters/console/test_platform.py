"""The terminal as a person sees it, over the wiring and an engine without models."""

import asyncio
import io
import os
from pathlib import Path

from rich.console import Console

from adapters.console.platform import ConsolePlatform, ScriptedLines, StreamLines
from bot.settings import Settings
from bot.wiring import open_app
from bot.worker import JobPolicy
from core.domain.reply import Reply
from tests.bot.actors import READING_GROUP, thread
from tests.bot.fake_engine import FakeEngine

AT_ONCE = JobPolicy(retry_seconds=0.0, attempts=2)

PAPER = "%PDF On Footnotes\nA footnote is a promise. Readers follow footnotes home."


def terminal(folder: Path, *, live: bool = False) -> tuple[ConsolePlatform, io.StringIO]:
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=live, width=100)
    return ConsolePlatform(READING_GROUP, session="s", console=console, files=folder), shown


async def said(folder: Path, lines: list[str], *, engine: FakeEngine | None = None, live: bool = False) -> str:
    platform, shown = terminal(folder, live=live)
    settings = Settings.model_validate(
        {
            "data": folder / "data",
        }
    )
    async with open_app(settings, [platform], engines=(engine or FakeEngine()).opened, policy=AT_ONCE) as app:
        await platform.talk(ScriptedLines(lines, platform.view), app.dispatcher.accept)
    return shown.getvalue()


def pdf(folder: Path, name: str = "a paper.pdf", text: str = PAPER) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


async def test_a_conversation(tmp_path: Path) -> None:
    shown = await said(tmp_path, [str(pdf(tmp_path)), "who follow footnotes", "/papers", "/quit", "never asked"])
    assert "On Footnotes\n2 pages" in shown
    assert "Readers follow footnotes home. [1]\n" in shown
    assert "  [1] On Footnotes, p. 2, § 1 Intro: “Readers follow footnotes home.”\n" in shown
    assert "1  On Footnotes" in shown
    assert "never asked" not in shown


async def test_a_streamed_sentence_is_shown_once(tmp_path: Path) -> None:
    shown = await said(tmp_path, [str(pdf(tmp_path)), "who follow footnotes"])
    assert shown.count("Readers follow footnotes home. [1]") == 1


async def test_several_papers_at_once_are_each_confirmed(tmp_path: Path) -> None:
    item, two = pdf(tmp_path, "one.pdf"), pdf(tmp_path, "two.pdf", "%PDF Another\nWords.")
    shown = await said(tmp_path, [f"'{item}' '{two}'", "/papers"])
    assert "1  " in shown and "2  " in shown and "Another" in shown and "2 papers" in shown


async def test_a_file_that_is_not_there_and_one_that_is_no_pdf_are_one_sentence_each(tmp_path: Path) -> None:
    page = pdf(tmp_path, "page.pdf", "<html>")
    shown = await said(tmp_path, [str(tmp_path / "none.pdf"), str(page), "/help"])
    assert f"There is no file {tmp_path / 'none.pdf'}." in shown
    assert "page.pdf was not added: This is not a PDF." in shown
    assert "forget PAPER" in shown


async def test_a_command_that_is_not_known_gets_the_list(tmp_path: Path) -> None:
    assert "That command is not known here; there are: help, papers" in await said(tmp_path, ["/dance"])


async def test_a_page_is_saved_and_named(tmp_path: Path) -> None:
    shown = await said(tmp_path, [str(pdf(tmp_path)), "/page 1 p. 2", "/page 1 p. 9", "/page nothing 1", "/page"])
    assert f"saved as {tmp_path / 'page-2.png'}" in shown
    assert (tmp_path / "page-2.png").read_bytes().startswith(b"\x89PNG")
    assert "has 2 pages; there is no page 9." in shown
    assert "No paper here goes by “nothing”" in shown
    assert "Please name a paper and a page" in shown


async def test_forgetting_says_what_went(tmp_path: Path) -> None:
    shown = await said(tmp_path, [str(pdf(tmp_path)), "/forget footnotes", "/1", "/papers", "/forget"])
    assert "To choose, write: /1 Forget  /2 Cancel" in shown
    assert "Forgotten: On Footnotes." in shown
    assert "There are no papers here yet." in shown
    assert "Please say which paper" in shown


async def test_a_failure_is_words_and_the_conversation_goes_on(tmp_path: Path) -> None:
    engine = FakeEngine()

    def trouble(where: str) -> None:
        engine.papers.trouble = lambda _: None
        raise KeyError("inner words")

    engine.papers.trouble = trouble
    shown = await said(tmp_path, ["first", "second"], engine=engine)
    assert "Something went wrong here" in shown and "inner words" not in shown
    assert "Nothing here says so." in shown


async def test_a_paper_cannot_send_commands_to_the_terminal(tmp_path: Path) -> None:
    path = pdf(tmp_path, "evil.pdf", "%PDF Red \x1b[31mtitle\x07 [bold]x[/bold]\nWords \x1b]0;owned\x07 follow.")
    shown = await said(tmp_path, [str(path), "follow words"])
    assert "\x1b" not in shown and "\x07" not in shown
    assert "[bold]x[/bold]" in shown


async def test_in_a_real_terminal_the_same_things_are_said(tmp_path: Path) -> None:
    shown = await said(tmp_path, [str(pdf(tmp_path)), "who follow footnotes"], live=True)
    assert "Readers follow footnotes home. [1]" in shown


async def test_a_closed_input_is_a_clean_end() -> None:
    empty = io.StringIO("")
    assert await StreamLines(empty).next() is None
    empty.close()
    assert await StreamLines(empty).next() is None


async def test_lines_of_a_stream_come_one_by_one() -> None:
    lines = StreamLines(io.StringIO("one\ntwo"))
    assert [await lines.next(), await lines.next(), await lines.next()] == ["one\n", "two", None]


async def test_a_reply_of_an_earlier_session_is_shown_too(tmp_path: Path) -> None:
    platform, shown = terminal(tmp_path)
    await platform.send(thread("yesterday"), Reply(kind="help", body="late words"), key="old")
    assert "late words" in shown.getvalue()


async def test_waiting_for_a_line_does_not_stop_the_loop() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader, encoding="utf-8") as stream, os.fdopen(writer, "w", encoding="utf-8") as typed:
        waiting = asyncio.create_task(StreamLines(stream).next())
        await asyncio.sleep(0)  # the waiting has begun, and the loop goes on
        assert not waiting.done()
        typed.write("hello\n")
        typed.flush()
        assert await waiting == "hello\n"
