"""Every command, button and form on Discord: acknowledged in time, and answered by the same core as everywhere."""

import asyncio
from pathlib import Path
from typing import Any

import discord
import pytest

from adapters.discord.gateway_events import register
from adapters.discord.settings import DiscordSettings
from bot.commands import BUTTONS, FORMS, command_words
from core.domain.model import Thread
from core.domain.reply import Button, Reply
from tests.adapters.discord.world import World, button, confirmed, labels, said, text, world

SETTINGS = {"answer_on": "always", "model": "off", "follow_ups": "on", "private_first": "off", "removers": "sharer"}
FILLED_IN: dict[str, dict[str, Any]] = {
    "wrong": {"answer": "nobody", "page": "3"},
    "settings": {name: [value] for name, value in SETTINGS.items()},
}
GIVEN = {"paper": "1", "papers": "1", "number": "1", "field": "year", "value": "2019", "name": "model"}


@pytest.mark.parametrize("name", sorted(command_words()))
async def test_every_command_is_acknowledged_and_answered(name: str, tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        takes = {item.lower() for item in command_words()[name].takes.split() if item.isupper()}
        given: dict[str, Any] = {key: value for key, value in GIVEN.items() if key in takes}
        if name == "import":
            given["file"] = ("papers.bib", b"@article{b, title={Bees}}")
        result = await w.alice.slash(w.channel, name, **given)
        assert result.acknowledged
        if result.modal is not None:
            return
        assert result.ephemeral == (not command_words()[name].public)
        await w.until(lambda: result.response is not None and text(result.response.message))


@pytest.mark.parametrize("name", sorted(BUTTONS))
async def test_every_button_is_acknowledged_and_answered(name: str, tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        shown = Reply(kind="answer", body="words", buttons=(Button(label="Press", action=name, value="t:1"),))
        await w.platform.send(Thread(channel=w.location, id=""), shown, key="digest:b")
        message = w.channel.last_message
        assert message is not None
        press = await w.bob.click(message, custom_id=button(message, "Press"))
        assert press.acknowledged
        await w.at_rest()
        assert press.followups or w.channel.threads or said(w.channel) != "words"


@pytest.mark.parametrize("name", sorted(FORMS))
async def test_every_form_opens_and_is_answered_when_it_comes_back(name: str, tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        w.make_manager(w.bob)
        shown = Reply(kind="answer", body="words", buttons=(Button(label="Open", action=name, value=""),))
        await w.platform.send(Thread(channel=w.location, id=""), shown, key="digest:f")
        message = w.channel.last_message
        assert message is not None
        opened = await w.bob.click(message, custom_id=button(message, "Open"))
        assert opened.modal is not None and opened.modal["title"]
        sent = await w.bob.submit_modal(opened, FILLED_IN[name])
        assert sent.acknowledged
        await w.at_rest()
        assert sent.followups or sent.response is not None


async def test_a_slow_process_is_acknowledged_in_time_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path) as w:

        async def never(*_: object, **__: object) -> None:
            await asyncio.sleep(3_600)

        for verb in ("form", "settings", "papers"):
            monkeypatch.setattr(w.app.backend, verb, never)
        papers = await w.alice.slash(w.channel, "papers")
        await w.env.advance_time(2.5)
        assert papers.acknowledged and papers.ephemeral
        asked = await w.alice.slash(w.channel, "ask", question="who follow footnotes?")
        await w.env.advance_time(2.5)
        assert asked.acknowledged and asked.ephemeral  # nobody else is shown what may be for one alone
        assert await w.alice.autocomplete(w.channel, "forget", "paper", "") == []
        await w.until(lambda: papers.response is not None and "no papers here yet" in text(papers.response.message))


async def test_help_lists_every_command_to_its_asker_alone(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        result = await w.alice.slash(w.channel, "help")
        await w.until(lambda: result.response is not None and "papers" in text(result.response.message))
        assert result.ephemeral and not said(w.channel)


async def test_a_page_is_shown_to_the_channel_as_a_picture(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        result = await w.alice.slash(w.channel, "page", paper="footnotes", number="2")
        await w.until(lambda: result.response is not None and result.response.attachments)
        assert result.response is not None and not result.ephemeral
        assert result.response.attachments[0].filename == "page-2.png"
        assert "**On Footnotes**, page 2" in text(result.response.message)


async def test_commands_are_registered_only_when_they_changed(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        assert "papers" in w.alice.available_commands(w.channel)
        assert not await register(w.client, w.app.backend, DiscordSettings(token="t"))
        here = DiscordSettings(token="t", servers=str(w.guild.id))
        assert await register(w.client, w.app.backend, here)
        assert not await register(w.client, w.app.backend, here)
        assert "papers" in w.alice.available_commands(w.channel)
        assert w.env.backend.visible_commands(user_id=w.alice.id, channel_id=w.alice.user.dm_channel.id) == []


async def test_papers_are_offered_while_typing(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        offered = await w.alice.autocomplete(w.channel, "forget", "paper", "foot")
        assert [item["name"] for item in offered] == ["On Footnotes"]
        assert await w.alice.autocomplete(w.channel, "forget", "paper", "whales") == []
        everything = await w.alice.autocomplete(w.channel, "forget", "paper", "")
        assert everything == offered
        await confirmed(w, offered[0]["value"])
        await w.until(lambda: w.titles() == [])


async def test_words_are_offered_for_settings(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        offered = await w.alice.autocomplete(w.channel, "settings", "name", "answer")
        assert [item["value"] for item in offered] == ["answer_on = mention", "answer_on = always"]


async def test_settings_open_as_a_form_and_are_saved(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        w.make_manager(w.alice)
        shown = await w.alice.slash(w.channel, "settings")
        assert shown.modal is not None and "Settings" in shown.modal["title"]
        sent = await w.alice.submit_modal(shown, FILLED_IN["settings"])
        await w.until(
            lambda: w.engine.channels.stored.get(str(w.channel.id)) == {"answer_on": "always", "model": "off"}
        )
        await w.until(lambda: sent.response is not None and "always" in text(sent.response.message))
        assert sent.ephemeral
        await w.alice.send(w.channel, "who follow footnotes?")  # no mention is needed now
        await w.until(lambda: "ask who follow footnotes?" in w.engine.papers.calls)


async def answered(w: World) -> discord.Message:
    """An answer in the thread of its question."""
    await w.drop()
    await w.ask("who follow footnotes?")
    await w.until(lambda: len(w.channel.threads) == 2 and "\\[1\\]" in said(w.thread(1)))
    answer = w.thread(1).last_message
    assert answer is not None
    return answer


async def test_the_buttons_under_an_answer(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        answer = await answered(w)
        press = await w.bob.click(answer, custom_id=button(answer, "Good"))
        await w.until(lambda: press.followups and "noted" in text(press.followups[-1].message))
        assert press.followups[-1].ephemeral
        assert w.engine.threads.judged[-1][1] == "good"


async def test_a_wrong_answer_opens_a_form_whose_words_are_kept(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        answer = await answered(w)
        shown = await w.bob.click(answer, custom_id=button(answer, "Wrong"))
        assert shown.modal is not None
        sent = await w.bob.submit_modal(shown, {"answer": "nobody", "page": "3"})
        await w.until(lambda: sent.followups and "noted that the answer" in text(sent.followups[-1].message))
        assert sent.followups[-1].ephemeral
        assert w.engine.threads.judged[-1][1:] == ("wrong", "nobody · 3")


async def test_the_page_of_a_footnote_is_shown(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        answer = await answered(w)
        assert labels(answer) == ["Show [1]", "Good", "Wrong", "Search wider"]
        press = await w.bob.click(answer, custom_id=button(answer, "Show [1]"))
        assert press.acknowledged
        await w.until(lambda: w.thread(1).last_message != answer or press.followups)


async def test_searching_wider_answers_in_the_same_thread(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        answer = await answered(w)
        await w.bob.click(answer, custom_id=button(answer, "Search wider"))
        await w.until(lambda: len(w.own(w.thread(1))) == 2)
        assert len(w.channel.threads) == 2


async def test_a_private_answer_is_shared_by_its_button(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        result = await w.alice.slash(w.channel, "ask", question="who follow footnotes?", private=True)
        await w.until(lambda: result.response is not None and "\\[1\\]" in text(result.response.message))
        assert result.response is not None
        await w.alice.click(result.response, custom_id=button(result.response.message, "Share with the thread"))
        await w.until(lambda: "Readers follow footnotes home. \\[1\\]" in said(w.channel))


async def test_a_press_twice_does_its_work_twice_at_most_and_says_so(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        answer = await answered(w)
        for _ in range(2):
            press = await w.bob.click(answer, custom_id=button(answer, "Good"))
            assert press.acknowledged
        await w.until(lambda: len(w.engine.threads.judged) == 2)


async def test_commands_work_in_direct_messages(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        result = await w.alice.user.slash("papers")
        await w.until(lambda: result.response is not None and "no papers here yet" in text(result.response.message))
