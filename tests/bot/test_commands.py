"""Commands, buttons and forms through the running bot: who may do what, and what comes of it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.backend import scope_of
from bot.commands import TABLE, command_words
from bot.settings import Settings
from bot.wiring import App, open_app
from bot.worker import JobPolicy
from core.domain.events import CommandGiven, Event
from core.domain.model import Channel
from core.domain.records import AnswerCorrection
from core.domain.reply import LONGEST_VALUE, Reply
from tests.bot.actors import LAB, NOW, closed, command, dropped, pressed, question, sent, thread, uninstalled
from tests.bot.fake_engine import FakeEngine
from tests.bot.fake_platform import FakePlatform

AT_ONCE = JobPolicy(retry_seconds=0.0)

PAPER = "%PDF On Footnotes\nA footnote is a promise. Readers follow footnotes home. "


HERE = scope_of(thread().channel, frozenset())


class Room:
    """A bot with one paper, told one event after the other."""

    def __init__(self, app: App, platform: FakePlatform, engine: FakeEngine) -> None:
        self.app = app
        self.platform = platform
        self.engine = engine

    async def after(self, event: Event) -> Reply:
        count = len(self.platform.messages) + 1
        assert await self.app.dispatcher.accept(event)
        return (await self.platform.replies(count))[-1]


@asynccontextmanager
async def opened(folder: Path, limits: Mapping[str, int] | None = None) -> AsyncIterator[Room]:
    platform, engine = FakePlatform(), FakeEngine()
    platform.files["f1"] = PAPER
    settings = Settings.model_validate({"data": folder, "limits": limits or {}})
    async with open_app(settings, [platform], engines=engine.opened, policy=AT_ONCE) as app:
        room = Room(app, platform, engine)
        await room.after(dropped())
        yield room


def trace(reply: Reply, action: str = "good") -> str:
    return next(button.value for button in reply.buttons if button.action == action)


async def test_an_answer_can_be_judged_and_the_judgement_is_told_to_whoever_pressed_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        answer = await room.after(question(text="who follow footnotes"))
        said = await room.after(pressed("good", trace(answer)))
    assert (said.audience, said.reader) == ("asker", "ada")
    assert room.engine.threads.judged == [(trace(answer), "good", "")]


async def test_the_form_behind_wrong_keeps_what_would_be_right(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        answer = await room.after(question(text="who follow footnotes"))
        form = await room.app.backend.form("wrong", trace(answer), thread=thread(), scope=HERE, user="ada")
        assert form is not None and [field.name for field in form.fields] == ["answer", "page"]
        await room.after(sent(form.name, form.value, answer="Writers do.", page="p. 2"))
    assert room.engine.threads.judged == [(trace(answer), "wrong", "Writers do. · p. 2")]


async def test_a_button_of_an_answer_that_is_gone_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        said = await room.after(pressed("good", "no-such-trace"))
        odd = await room.after(pressed("no such action", press="p2"))
    assert said.body == "That answer is no longer stored; please ask again."
    assert odd.body.startswith("That button belongs to an older Footnote")


async def test_search_wider_asks_the_same_question_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        answer = await room.after(question(text="who follow footnotes"))
        again = await room.after(pressed("wider", trace(answer, "wider")))
    assert again.body == answer.body
    assert room.engine.papers.calls.count("ask who follow footnotes") == 2


async def test_a_starter_question_is_asked_of_its_paper(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        (paper,) = [paper for paper, _ in room.engine.papers.shelves["local:lab"].values()]
        said = await room.after(pressed("ask", f"{paper.id[:16]}/0"))
        gone = await room.after(pressed("ask", "feedfacefeedface/0", press="p2"))
    assert said.body.startswith("> What is it about?")
    assert gone.body == "That paper is no longer here."


async def test_questions_behind_buttons_are_counted_like_written_ones(tmp_path: Path) -> None:
    async with opened(tmp_path, limits={"user_questions_per_hour": 2, "local": 1}) as room:
        (paper,) = [paper for paper, _ in room.engine.papers.shelves["local:lab"].values()]
        answer = await room.after(question(text="who follow footnotes"))
        again = await room.after(pressed("wider", trace(answer, "wider")))
        third = await room.after(pressed("ask", f"{paper.id[:16]}/0", press="p2"))
    assert again.body == answer.body
    assert third.kind == "error" and third.body.startswith("You have had 2 questions within the last hour")


async def test_questions_behind_buttons_have_readers_corrections_beside_their_answers(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        answer = await room.after(question(text="who follow footnotes"))
        room.engine.records.corrections = [AnswerCorrection(user="bob", words="six, page 2", at=NOW)]
        again = await room.after(pressed("wider", trace(answer, "wider")))
    assert again.body == f"{answer.body}\n\n> Bob on an earlier answer to this (01 Mar 2026): six, page 2"


async def test_questions_behind_buttons_go_to_whoever_pressed_alone_where_written_ones_would(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        room.platform.streams = True
        (paper,) = [paper for paper, _ in room.engine.papers.shelves["local:lab"].values()]
        open_ = await room.after(question(text="who follow footnotes"))
        await room.engine.channels.put(thread().channel, "private_first", "on", user="m")
        starter = await room.after(pressed("ask", f"{paper.id[:16]}/0"))
        private = {trace(starter)}
        assert room.engine.records.private == private
        await room.engine.channels.put(thread().channel, "private_first", "off", user="m")
        under_private = await room.after(pressed("wider", trace(starter, "wider"), press="p2"))
        under_open = await room.after(pressed("wider", trace(open_, "wider"), press="p3"))
    assert [item.audience for item in (starter, under_private, under_open)] == ["asker", "asker", "thread"]
    assert [item.buttons[0].action for item in (starter, under_private)] == ["share", "share"]
    assert room.engine.records.private == private | {trace(under_private)}


async def test_every_value_of_a_button_is_short_enough_for_every_platform(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        answer = await room.after(question(text="who follow footnotes"))
    assert answer.buttons
    assert all(len(button.value) <= LONGEST_VALUE for button in answer.buttons)


async def confirmed(room: Room, asking: CommandGiven) -> Reply:
    """What comes of a command that asks first, once its first button was pressed by the same person."""
    asked = await room.after(asking)
    button = asked.buttons[0]
    return await room.after(pressed(button.action, button.value, press=f"of {asking.message}", user=asking.user))


@pytest.mark.parametrize("words", ["paper", "PAPER", "the paper", "study", "this article", "reviews"])
async def test_a_word_that_any_paper_may_be_called_by_names_none(tmp_path: Path, words: str) -> None:
    async with opened(tmp_path) as room:
        told = await room.after(command("forget", words))
    assert told.body.startswith(f"No paper here goes by “{words}”") and not told.buttons


async def test_forgetting_names_the_paper_and_its_sharer_and_waits_for_a_press(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        asked = await room.after(command("forget", "footnotes"))
        kept = await room.after(pressed(asked.buttons[1].action, asked.buttons[1].value))
        assert len(room.engine.papers.shelves["local:lab"]) == 1
        gone = await room.after(pressed(asked.buttons[0].action, asked.buttons[0].value, press="p2"))
        again = await room.after(pressed(asked.buttons[0].action, asked.buttons[0].value, press="p3"))
    assert "On Footnotes" in asked.body and "Shared by Ada on" in asked.body
    assert [(button.label, button.style) for button in asked.buttons] == [("Forget", "danger"), ("Cancel", "plain")]
    assert "nothing was removed" in kept.body
    assert gone.kind == "forgotten" and room.engine.papers.shelves["local:lab"] == {}
    assert again.body == "That paper is no longer here."


async def test_who_may_remove_is_asked_of_the_channels_where_the_paper_lies(tmp_path: Path) -> None:
    direct = thread("t9", Channel(workspace=LAB, id="direct", visibility="restricted"))
    here = thread().channel.id
    typed = replace(command("forget", "1"), thread=direct, user="eve", visible=frozenset({here, "club"}))
    async with opened(tmp_path) as room:
        room.platform.open_channels = frozenset({here, "club"})
        room.platform.managers |= {"direct/eve", "club/eve"}
        refused = await room.after(typed)
        (paper, body) = next(iter(room.engine.papers.shelves["local:lab"].values()))
        shares = (*paper.shares, replace(paper.shares[0], channel="club"))
        room.engine.papers.shelves["local:lab"][paper.id] = (replace(paper, shares=shares), body)
        asked = await room.after(replace(typed, message="m5"))
        press = replace(pressed("forget", asked.buttons[0].value, user="eve"), thread=direct, visible=typed.visible)
        gone = await room.after(press)
        (left, _) = room.engine.papers.shelves["local:lab"][paper.id]
    assert "can be removed by whoever shared it or a manager of the channels where it lies" in refused.body
    assert "It stays in 1 other channel." in asked.body
    assert "It stays in 1 channel where you may not remove it." in gone.body
    assert [share.channel for share in left.shares] == [here]


async def test_only_the_sharer_or_a_manager_removes_a_paper(tmp_path: Path) -> None:
    stranger = replace(command("forget", "1"), user="eve")
    async with opened(tmp_path) as room:
        refused = await room.after(stranger)
        asked = await room.after(command("forget", "1", message="m5"))
        not_theirs = await room.after(pressed("forget", asked.buttons[0].value, user="eve"))
        room.platform.managers.add("eve")
        removed = await confirmed(room, replace(stranger, message="m4"))
    assert not_theirs.body == refused.body
    assert refused.body.startswith("“On Footnotes” can be removed by whoever shared it or a manager")
    assert removed.kind == "forgotten"


async def test_a_channel_can_leave_removing_to_its_managers_or_to_anyone(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        await room.engine.channels.put(thread().channel, "removers", "managers", user="m")
        refused = await room.after(command("forget", "1"))
        await room.engine.channels.put(thread().channel, "removers", "anyone", user="m")
        removed = await confirmed(room, replace(command("forget", "1"), message="m4", user="eve"))
    assert refused.body.endswith("can be removed by a manager of this channel; nothing was changed.")
    assert removed.kind == "forgotten"


async def test_settings_are_shown_to_all_and_changed_by_managers(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        shown = await room.after(command("settings"))
        refused = await room.after(command("settings", "answer = always", message="m4"))
        room.platform.managers.add("ada")
        changed = await room.after(command("settings", "Follow-ups = no", message="m5"))
        odd = await room.after(command("settings", "answer = sometimes", message="m6"))
    assert shown.kind == "settings" and "| Answer | mention |" in shown.body
    assert refused.body == "A manager of this channel can do this; nothing was changed."
    assert "| Follow-ups | off |" in changed.body
    assert odd.body == "Answer takes mention or always, not “sometimes”."


async def test_a_settings_form_changes_what_was_changed_in_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        room.platform.managers.add("ada")
        form = await room.app.backend.form("settings", "digest", thread=thread(), scope=HERE, user="ada")
        assert form is not None and len(form.fields) <= 5
        await room.after(sent("settings", "digest", digest="weekly", time_zone="Europe/Berlin", template=""))
        now = await room.engine.channels.settings(thread().channel)
    assert (now.digest, now.time_zone, now.answer_on) == ("weekly", "Europe/Berlin", "mention")


async def test_private_first_sends_the_answer_to_its_asker_alone_and_streams_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        room.platform.streams = True
        await room.engine.channels.put(thread().channel, "private_first", "on", user="m")
        count = len(room.platform.messages) + 1
        assert await room.app.backend.accept(question(text="who follow footnotes"))
        answer = (await room.platform.replies(count))[-1]
        shared = await room.after(pressed("share", trace(answer)))
    assert (answer.audience, answer.reader, shared.audience) == ("asker", "ada", "thread")
    assert shared.body == answer.body


async def test_backfill_takes_in_what_lies_there_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        room.platform.managers.add("ada")
        room.platform.files |= {"f2": "%PDF Two\nAnother text. ", "f3": "%PDF Three\nA third text. "}
        room.platform.earlier = [dropped(), dropped("m7", file="f2"), dropped("m8", file="f3")]
        assert await room.app.dispatcher.accept(command("backfill", message="m9"))
        await room.platform.until(lambda: ("m9", "done") in room.platform.signs)
        await room.platform.replies(4)
        again = await room.after(command("backfill", message="m10"))
    assert any(
        "3 PDFs were found here; 2 are being read now" in reply.body for reply in room.platform.messages.values()
    )
    assert "0 are being read now" in again.body


async def test_a_closed_channel_and_a_removed_bot_take_their_papers_along(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        assert await room.app.dispatcher.accept(closed())
        assert await room.app.dispatcher.accept(uninstalled())
        await _ended(room, 3)
        assert room.engine.channels.closed == ["reading-group"]
        assert room.engine.papers.shelves["local:lab"], "it is still installed"
        room.platform.still_installed = False
        assert await room.app.dispatcher.accept(replace(uninstalled(), message="again"))
        await _ended(room, 4)
    assert "local:lab" not in room.engine.papers.shelves


async def test_a_question_reads_only_what_its_asker_can_still_see(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        asked = replace(question(text="who follow footnotes"), visible=frozenset({"reading-group"}))
        elsewhere = replace(thread().channel, id="elsewhere")
        asked = replace(asked, thread=replace(thread(), channel=elsewhere))
        hidden = await room.after(asked)
        room.platform.open_channels = frozenset({"reading-group"})
        seen = await room.after(replace(asked, message="m5"))
    assert hidden.body == "Nothing here says so."
    assert seen.body.startswith("Readers follow footnotes home.")


@pytest.mark.parametrize(
    ("words", "addressed", "to_others", "wanted"),
    [
        ("thanks all", True, False, True),
        ("how many readers were there?", False, False, True),
        ("how many readers were there?", False, True, False),
        ("see you tomorrow", False, False, False),
        ("welche Leser wurden befragt", False, False, True),
        ("quelles données ont été utilisées", False, False, True),
        ("bis morgen", False, False, False),
    ],
)
async def test_a_follow_up_is_taken_where_the_bot_was_asked_and_nobody_else_is_meant(
    tmp_path: Path, words: str, addressed: bool, to_others: bool, wanted: bool
) -> None:
    async with opened(tmp_path) as room:
        await room.after(question(text="who follow footnotes"))
        answers = room.app.backend.answers
        assert await answers(thread(), words, addressed=addressed, to_others=to_others) is wanted
        new = thread("another")
        assert await answers(new, words, addressed=addressed, to_others=to_others) is addressed


async def test_words_of_commands_are_completed(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        backend = room.app.backend
        scope = HERE
        assert await backend.choices("settings", "answer", scope=scope) == ["answer_on = mention", "answer_on = always"]
        assert await backend.choices("page", "foot", scope=scope) == ["On Footnotes"]
        assert await backend.choices("help", "set", scope=scope) == ["settings"]
        assert [paper.title for paper in await backend.papers(scope, words="footnotes")] == ["On Footnotes"]


def test_every_command_says_what_it_does() -> None:
    assert set(command_words()) == set(TABLE)
    assert all(command.usage.split()[0] == name and command.does for name, command in TABLE.items())


async def _ended(room: Room, done: int) -> None:
    async with asyncio.timeout(20):
        while (await room.app.store.counts())["done"] < done:  # noqa: ASYNC110  (the store calls nobody)
            await asyncio.sleep(0.02)


async def test_status_counts_what_is_here_and_not_the_command_that_asks(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        said = await room.after(command("status"))
    assert said.body == "1 paper with 2 pages is here."
