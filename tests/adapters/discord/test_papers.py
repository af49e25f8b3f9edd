"""Papers on Discord: dropped, handed in, already there, taken back, wherever a server lets people talk."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest

from adapters.discord import messages
from adapters.discord.settings import DiscordSettings
from bot.settings import Settings
from bot.wiring import open_store
from tests.adapters.discord.world import PAPER, World, said, text, world

BEES = b"%PDF Bees\nBees follow footnotes too."


async def bees(w: World) -> discord.Message:
    before = len(w.titles())
    message = await w.alice.send(w.channel, "", attachments=[("b.pdf", BEES)])
    await w.until(lambda: len(w.titles()) > before and "Found" in said(w.thread(-1)))
    return message


async def test_several_papers_of_one_message_are_each_confirmed_in_its_thread(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        files = [("a.pdf", PAPER), ("b.pdf", BEES), ("c.png", b"\x89PNG"), ("d.pdf", b"<html>")]
        await w.alice.send(w.channel, "our papers", attachments=files)
        await w.until(lambda: w.channel.threads and said(w.thread()).count("Found") == 2)
        await w.until(lambda: "**d.pdf** was not added: This is not a PDF." in said(w.thread()))
        assert w.titles() == ["Bees", "On Footnotes"] and len(w.channel.threads) == 1


async def test_the_same_paper_again_is_told_as_known(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        await w.drop(name="again.pdf")
        assert len(w.channel.threads) == 2 and "here already" in said(w.thread(1))


async def test_a_deleted_message_forgets_its_paper(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        message = await w.drop()
        await w.alice.delete(message)
        await w.until(lambda: w.titles() == [] and "Forgotten" in said(w.thread()))


async def test_a_message_of_before_a_restart_forgets_its_paper_too(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        message = await w.drop()
        remembered = w.client._connection._messages
        assert remembered is not None
        remembered.clear()
        await w.alice.delete(message)
        await w.until(lambda: w.titles() == [])


async def test_what_was_told_just_before_the_end_is_kept(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        message = await w.drop()
        put, begun, release = w.app.store.put, asyncio.Event(), asyncio.Event()

        async def slow(*given: Any, **named: Any) -> bool:
            begun.set()
            await release.wait()
            return await put(*given, **named)

        w.app.store.put = slow  # type: ignore[method-assign]
        w.env.backend.bulk_delete_messages(w.channel.id, [message.id])
        await begun.wait()
        asyncio.get_running_loop().call_later(0.1, release.set)
    async with open_store(Settings.model_validate({"data": tmp_path / "data"})) as store:
        assert sum((await store.counts()).values()) == 2  # the paper, and that it is gone


async def test_messages_deleted_in_bulk_forget_their_papers(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        item, two = await w.drop(), await bees(w)
        w.env.backend.bulk_delete_messages(w.channel.id, [item.id, two.id])
        await w.env.settle()
        await w.until(lambda: w.titles() == [])


async def test_papers_in_a_thread_belong_to_its_channel_and_go_with_the_thread(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        await w.alice.send(w.thread(), "", attachments=[("b.pdf", BEES)])
        await w.until(lambda: w.titles() == ["Bees", "On Footnotes"])
        (shares,) = [
            paper.shares
            for paper, _ in w.engine.papers.shelves[w.location.workspace.key].values()
            if paper.title == "Bees"
        ]
        assert [share.channel for share in shares] == [str(w.channel.id)]
        await w.until(lambda: "Bees" in said(w.thread()))
        w.env.backend.delete_channel(w.thread().id)
        await w.env.settle()
        await w.until(lambda: w.titles() == ["On Footnotes"])


async def test_a_post_of_a_forum_is_a_thread_of_the_forum(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        forum = w.guild.create_forum_channel("reading")
        await w.env.settle()
        opened = w.client.get_channel(forum.id)
        assert isinstance(opened, discord.ForumChannel)
        await opened.create_thread(name="Week one", content="What we read")
        post = forum.threads[0]
        await w.alice.send(post, "", attachments=[("b.pdf", BEES)])
        await w.until(lambda: "Found" in said(post))
        await w.ask("who follow footnotes?", post)
        await w.until(lambda: "Bees follow footnotes too. \\[1\\]" in said(post))
        await w.ask("who follow footnotes?")  # an open forum is found from elsewhere
        await w.until(lambda: w.channel.threads and "Bees follow" in said(w.thread()))


async def test_a_post_that_somebody_opens_with_a_paper_is_confirmed_in_it_and_its_paper_goes_with_it(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as w:
        forum = w.guild.create_forum_channel("reading")
        await w.env.settle()
        backend = w.env.backend
        post = backend.create_thread(forum.id, "Week two", w.alice.id)
        files = backend.store_attachments(post.id, [("b.pdf", BEES)])
        backend.create_message(post.id, w.alice.id, "What we read", attachments=files)
        await w.env.settle()
        await w.until(lambda: "Found" in said(forum.threads[0]))
        assert w.titles() == ["Bees"] and len(forum.threads) == 1
        backend.delete_channel(post.id)
        await w.env.settle()
        await w.until(lambda: w.titles() == [])


async def test_without_the_intent_upload_and_mentions_work(tmp_path: Path) -> None:
    async with world(tmp_path, message_content=False) as w:
        await w.alice.send(w.channel, "", attachments=[("a.pdf", PAPER)])
        await w.at_rest()
        assert not w.channel.threads
        result = await w.alice.slash(w.channel, "upload", file=("a.pdf", PAPER), file2=("b.pdf", BEES))
        assert result.response is not None and "Reading a.pdf, b.pdf." in text(result.response.message)
        await w.until(lambda: w.channel.threads and said(w.thread()).count("Found") == 2)
        await w.ask("who follow footnotes?")
        await w.until(lambda: len(w.channel.threads) == 2 and "\\[1\\]" in said(w.thread(1)))


async def test_upload_without_a_pdf_says_so(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        result = await w.alice.slash(w.channel, "upload", file=("a.png", b"\x89PNG"))
        assert result.response is not None and "no PDF among these files" in text(result.response.message)


async def test_deleting_the_upload_forgets_its_papers(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        result = await w.alice.slash(w.channel, "upload", file=("a.pdf", PAPER))
        await w.until(lambda: w.titles() == ["On Footnotes"])
        assert result.response is not None
        w.env.backend.delete_message(w.channel.id, result.response.id)
        await w.env.settle()
        await w.until(lambda: w.titles() == [])


async def test_a_message_of_before_can_be_indexed_by_its_menu(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        message = await w.unheard(w.alice.send(w.channel, "", attachments=[("b.pdf", BEES)]))
        plain = await w.bob.send(w.channel, "nothing here")
        result = await w.bob.context_menu(w.channel, "Index these PDFs", message)
        assert result.ephemeral and result.response is not None and "Reading b.pdf" in text(result.response.message)
        await w.until(lambda: w.titles() == ["Bees"])
        nothing = await w.bob.context_menu(w.channel, "Index these PDFs", plain)
        assert nothing.response is not None and "no PDF" in text(nothing.response.message)
        await w.alice.delete(message)
        await w.until(lambda: w.titles() == [])


async def test_asking_about_a_message_asks_its_papers_alone(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        message = await w.drop()
        await bees(w)
        menu = await w.bob.context_menu(w.channel, "Ask about this", message)
        assert menu.modal is not None
        await w.bob.submit_modal(menu, {"question": "bees follow footnotes too?"})
        await w.until(lambda: len(w.channel.threads) == 3 and "\\[1\\]" in said(w.thread(2)))
        assert "Readers follow footnotes home." in said(w.thread(2))


async def test_what_was_said_without_connection_is_heard_afterwards_once(tmp_path: Path) -> None:
    async with world(tmp_path, settings=DiscordSettings(token="t", catch_up_hours=1)) as w:
        await w.env.advance_time(60)
        await w.drop()
        await w.unheard(w.alice.send(w.channel, "", attachments=[("b.pdf", BEES)]))
        await w.unheard(w.alice.send(w.channel, f"{w.mention} what is a promise?"))
        await w.tell("ready", w.client)
        await w.until(lambda: w.titles() == ["Bees", "On Footnotes"])
        await w.until(lambda: w.engine.papers.calls.count("ask what is a promise?") == 1)
        await w.tell("ready", w.client)
        await w.at_rest()
        assert len([call for call in w.engine.papers.calls if call.startswith("ingest")]) == 2
        assert w.engine.papers.calls.count("ask what is a promise?") == 1


async def test_of_more_than_can_be_looked_through_the_newest_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "_MISSED_IN_ONE_CHANNEL", 2)
    async with world(tmp_path, settings=DiscordSettings(token="t", catch_up_hours=1)) as w:
        await w.env.advance_time(60)
        for question in ("one?", "two?", "three?"):
            await w.unheard(w.alice.send(w.channel, f"{w.mention} {question}"))
        await w.tell("ready", w.client)
        await w.until(lambda: len(w.engine.papers.calls) == 2)
        await w.at_rest()
        assert sorted(w.engine.papers.calls) == ["ask three?", "ask two?"]


async def test_backfill_finds_what_lies_in_channel_and_threads(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.unheard(w.alice.send(w.channel, "", attachments=[("a.pdf", PAPER)]))
        opener = await w.alice.send(w.channel, "talk here")
        await opener.create_thread(name="talk")
        await w.unheard(w.alice.send(w.thread(), "", attachments=[("b.pdf", BEES)]))
        found = [event async for event in w.platform.earlier_files(w.location)]
        assert [event.file.name for event in found] == ["a.pdf", "b.pdf"]
        assert found[1].thread.id == str(w.thread().id) and found[1].thread.channel == w.location
        w.make_manager(w.alice)
        result = await w.alice.slash(w.channel, "backfill")
        await w.until(lambda: w.titles() == ["Bees", "On Footnotes"])
        await w.until(lambda: result.response is not None and "2 PDFs were found" in text(result.response.message))


async def test_an_address_that_expired_is_asked_for_anew(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        message = await w.drop()
        (event,) = [event async for event in w.platform.earlier_files(w.location)]
        url = message.attachments[0].url
        stale = replace(event.file, locator=event.file.locator.replace(url, f"{url}-old"))
        await w.platform.download(stale, tmp_path / "got.pdf", limit=10_000)
        assert (tmp_path / "got.pdf").read_bytes() == PAPER


async def test_a_channel_that_is_deleted_is_closed(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        other = w.guild.create_text_channel("other")
        await w.env.settle()
        w.env.backend.delete_channel(other.id)
        await w.env.settle()
        await w.until(lambda: w.engine.channels.closed == [str(other.id)])


async def test_a_pdf_taken_out_of_a_message_is_forgotten(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        files = [("a.pdf", PAPER), ("b.pdf", BEES)]
        message = await w.alice.send(w.channel, "two", attachments=files)
        await w.until(lambda: w.titles() == ["Bees", "On Footnotes"])
        stored = w.env.backend.get_message(w.channel.id, message.id)
        stored.attachments = stored.attachments[:1]
        await w.env.advance_time(5)
        await w.alice.edit(message, "one")
        await w.until(lambda: w.titles() == ["On Footnotes"])


async def test_a_server_that_took_the_bot_out_is_forgotten_after_its_grace(tmp_path: Path) -> None:
    async with world(tmp_path, settings=DiscordSettings(token="t", catch_up_hours=0, grace_days=0)) as w:
        await w.drop()
        w.env.backend.remove_guild(w.guild.id)
        await w.env.settle()
        await w.until(lambda: w.titles() == [])


BIB = ("papers.bib", b"@article{b, title={Bees}, year={2019}}")


async def test_a_bibliography_that_is_dropped_fills_metadata(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.alice.send(w.channel, "", attachments=[BIB])
        await w.until(lambda: w.channel.threads and "3 entries" in said(w.thread()))
        assert w.engine.records.taken_in == [BIB[1]]


async def test_json_is_a_bibliography_only_where_somebody_says_so(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        data = ("data.json", b"@ what the engine of the test takes for one")
        await w.alice.send(w.channel, "", attachments=[data])
        await w.at_rest()
        assert not w.channel.threads and not w.engine.records.taken_in
        await w.alice.send(w.channel, f"{w.mention} import", attachments=[data])
        await w.until(lambda: w.channel.threads and "3 entries" in said(w.thread()))
        assert w.engine.records.taken_in == [data[1]]


async def test_import_takes_a_file(tmp_path: Path) -> None:
    async with world(tmp_path, message_content=False) as w:
        result = await w.alice.slash(w.channel, "import", file=BIB)
        await w.until(lambda: result.response is not None and "3 entries" in text(result.response.message))
        assert result.ephemeral and w.engine.records.taken_in == [BIB[1]]


async def test_of_two_bibliographies_the_one_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.alice.send(w.channel, "", attachments=[("papers.ris", b""), BIB])
        await w.until(lambda: w.channel.threads and "papers.ris was not taken in" in said(w.thread()))
        assert "3 entries" in said(w.thread()) and w.engine.records.taken_in == [BIB[1]]
