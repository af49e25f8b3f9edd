"""What every chat platform promises the process: one suite over the terminal, the local page, Discord and Slack."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.errors import TooLarge
from core.domain.model import Citation, Sentence, Span
from core.domain.reply import Attachment, Button, Reply
from tests.bot.actors import full_reply
from tests.contracts.stages import PDF, Opened, opened

__all__ = ["opened"]

SENTENCE = Sentence(text="A footnote is a promise.", markers=(1,))
CITATION = Citation(marker=1, paper_id="p", section=(), spans=(Span(passage_id="p", page=1, quote="A promise."),))


def reply(words: str) -> Reply:
    return Reply(kind="answer", body=words)


async def test_a_reply_is_shown_with_its_footnotes_under_an_id(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as stage:
        given = replace(full_reply(), audience="thread", replaces="", files=())
        id_ = await stage.platform.send(stage.thread, given, key="ask:a/b/c")
        shown = await stage.shown()
        assert id_ and stage.platform.name
        for words in ("A footnote is a promise.", "On Footnotes", "2.3 Notes", "0.3 s"):
            assert words in shown


async def test_a_reply_that_replaces_keeps_the_id(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as stage:
        first = await stage.platform.send(stage.thread, reply("First words."), key="ask:a/b/c")
        again = await stage.platform.send(
            stage.thread, replace(reply("Second words."), replaces=first), key="ask:a/b/c"
        )
        assert again == first and "Second words." in await stage.shown()


async def test_a_long_reply_is_shown_whole(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as stage:
        body = "\n\n".join(f"Paragraph {n} begins. " + "It goes on. " * 60 + f"Here ends {n}." for n in range(25))
        await stage.platform.send(stage.thread, reply(body), key="command:a/b/c/review")
        shown = " ".join((await stage.shown()).split())
        assert all(f"Paragraph {n} begins." in shown and f"Here ends {n}." in shown for n in range(25))


async def test_the_id_of_what_grows_is_told_first_and_the_reply_takes_its_place(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as stage:
        told: asyncio.Queue[str] = asyncio.Queue()
        progress = stage.platform.progress(stage.thread, key="ask:a/b/d", reply_id="", posted=told.put)
        await progress.step("searching", 0, 0)
        await progress.sentence(SENTENCE, [CITATION])
        async with asyncio.timeout(60):
            first = await told.get()  # shown at the platform's own pace
        whole = replace(reply(r"A footnote is a promise. \[1\]"), replaces=first)
        assert await stage.platform.send(stage.thread, whole, key="ask:a/b/d") == first
        assert (await stage.shown()).count("A footnote is a promise.") >= 1 and told.empty()


async def test_buttons_tables_and_files_are_taken(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as stage:
        given = Reply(
            kind="table",
            body="| Method | Score |\n| --- | --- |\n| CRF | 91 |",
            buttons=(Button(label="Search wider", action="wider", value="t" * 80),),
            files=(Attachment(name="table.csv", mime="text/csv", data=b"method,score\nCRF,91\n"),),
        )
        assert await stage.platform.send(stage.thread, given, key="command:a/b/e/compare")
        shown = await stage.shown()
        assert all(words in shown for words in ("Method", "CRF", "91"))


async def test_a_dropped_file_is_fetched_and_guarded(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as stage:
        event = await stage.drop(PDF)
        assert event.user == stage.user and event.file.name == "dropped.pdf"
        to = tmp_path / "fetched"
        await stage.platform.download(event.file, to, limit=1_000_000)
        assert to.read_bytes() == PDF
        with pytest.raises(TooLarge):
            await stage.platform.download(event.file, tmp_path / "too-large", limit=10)


async def test_places_and_people_are_told(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as stage:
        channel = stage.thread.channel
        assert (await stage.platform.channel(channel.workspace, channel.id)).id == channel.id
        assert isinstance(await stage.platform.visible_channels(channel.workspace, stage.user), frozenset)
        assert await stage.platform.installed(channel.workspace)
        assert await stage.platform.may_manage(channel, stage.user) in (True, False)
        assert await stage.platform.name_of(channel.workspace, stage.user)
        link = await stage.platform.link(stage.thread)
        assert link == "" or link.startswith("http")
        assert all(event.file.name for event in [item async for item in stage.platform.earlier_files(channel)])


async def test_signs_are_put_on_messages_and_nothing_else_is_disturbed(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as stage:
        event = await stage.drop(PDF)
        for sign in ("seen", "done", "failed"):
            await stage.platform.react(event.thread, event.message, sign)
