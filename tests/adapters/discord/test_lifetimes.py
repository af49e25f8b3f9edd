"""What outlives what: answers their tokens, buttons a restart, replies a failed call, and long ones their message."""

import asyncio
from dataclasses import replace
from pathlib import Path

import discord
import pytest

from adapters.discord.ids import mark
from adapters.discord.progress import ReplyProgress
from adapters.discord.render import Page
from core.domain.errors import PlatformFailure, PlatformRefused, RateLimited
from core.domain.model import Answer, Reach, Thread
from core.domain.reply import Button, Reply
from core.domain.request_context import RequestContext
from tests.adapters.discord.world import World, button, labels, said, text, world
from tests.bot.fake_engine import FakeEngine, FakeQuestions

LONG = "\n\n".join(f"Paragraph {n} of a long answer. " + "word " * 100 for n in range(20))


class HeldQuestions(FakeQuestions):
    """Answers once ``go`` is set."""

    go: asyncio.Event

    async def ask(self, question: str, request: RequestContext, *, reach: Reach = "usual") -> Answer:
        await self.go.wait()
        return await super().ask(question, request, reach=reach)


class Held(FakeEngine):
    """Answers when it is let go."""

    def __init__(self) -> None:
        super().__init__(questions_type=HeldQuestions)
        self.go = asyncio.Event()
        vars(self.questions)["go"] = self.go


def reply(body: str, **others: object) -> Reply:
    return replace(Reply(kind="answer", body=body), **others)  # type: ignore[arg-type]


def thread(w: World, id_: int | str = "") -> Thread:
    return Thread(channel=w.location, id=str(id_))


async def test_work_longer_than_a_token_lives_ends_as_a_normal_message(tmp_path: Path) -> None:
    engine = Held()
    async with world(tmp_path, engine=engine) as w:
        await w.alice.slash(w.channel, "ask", question="who follow footnotes?")
        await w.env.advance_time(16 * 60)
        engine.go.set()
        await w.until(lambda: w.channel.threads and "Nothing here says so" in said(w.thread()))


async def test_a_private_answer_that_took_too_long_comes_as_a_direct_message(tmp_path: Path) -> None:
    engine = Held()
    async with world(tmp_path, engine=engine) as w:
        await w.alice.slash(w.channel, "ask", question="who follow footnotes?", private=True)
        await w.env.advance_time(16 * 60)
        engine.go.set()
        await w.until(lambda: "Nothing here says so" in said(w.alice.user.dm_channel))
        assert not said(w.channel) and not w.channel.threads


async def test_a_command_whose_token_is_over_is_answered_in_a_thread(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        result = await w.alice.slash(w.channel, "page", paper="1", number="2")
        assert result.response is not None
        await w.env.advance_time(16 * 60)
        key = f"command:discord:{w.guild.id}/{w.channel.id}/{w.channel.id}-{result.response.id}/page"
        shown = await w.platform.send(thread(w, result.response.id), reply("late words"), key=key)
        assert "late words" in said(w.thread()) and shown.startswith(str(w.thread().id))


@pytest.mark.parametrize("code", [10062, 40060])
async def test_what_is_answered_too_late_or_twice_begins_nothing(code: int, tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        w.env.inject_error("POST", "/interactions/*/*/callback", status=404 if code == 10062 else 400, code=code)
        late = await w.alice.slash(w.channel, "ask", question="who follow footnotes?")
        await w.at_rest()
        assert not late.acknowledged and not w.engine.papers.calls and not w.channel.threads
        again = await w.alice.slash(w.channel, "ask", question="who follow footnotes?")
        assert again.acknowledged
        await w.until(lambda: w.channel.threads and "Nothing here says so" in said(w.thread()))


async def test_a_token_that_ends_sooner_than_our_clock_says_loses_nothing(tmp_path: Path) -> None:
    engine = Held()
    async with world(tmp_path, engine=engine) as w:
        command = await w.alice.slash(w.channel, "ask", question="who follow footnotes?", private=True)
        assert command.ephemeral
        for method in ("POST", "PATCH"):
            w.env.inject_error(method, "/webhooks/*/*", status=401, code=50027)
            w.env.inject_error(method, "/webhooks/*/*/messages/*", status=401, code=50027)
        engine.go.set()
        await w.until(lambda: "Nothing here says so" in said(w.alice.user.dm_channel))
        assert w.engine.papers.calls.count("ask who follow footnotes?") == 1


async def test_a_command_given_alone_before_a_restart_is_answered_by_a_direct_message(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        key = f"command:discord:{w.guild.id}/{w.channel.id}/i123456789/papers"
        await w.platform.send(thread(w), reply("two papers", reader=str(w.alice.id)), key=key)
        assert said(w.alice.user.dm_channel) == "two papers" and not said(w.channel)


async def test_buttons_work_after_a_restart(tmp_path: Path) -> None:
    engine = FakeEngine()
    async with world(tmp_path, engine=engine) as w:
        await w.drop()
        await w.ask("who follow footnotes?")
        await w.until(lambda: len(w.channel.threads) == 2 and "\\[1\\]" in said(w.thread(1)))
        answer = w.thread(1).last_message
        assert answer is not None
        w.platform._delivery._commands.clear()
        w.platform._delivery._names.clear()
        w.client._connection._view_store._views.clear()
        press = await w.alice.click(answer, custom_id=button(answer, "Good"))
        await w.until(lambda: press.followups and "noted" in text(press.followups[-1].message))


async def test_a_long_answer_is_whole_and_an_edit_of_it_leaves_no_old_part(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        question = await w.alice.send(w.channel, "just talk")
        where = thread(w, question.id)
        first = await w.platform.send(
            where, reply(LONG, buttons=(Button(label="Good", action="good", value="t"),)), key="ask:long"
        )
        parts = w.own(w.thread())
        assert len(parts) > 2 and all(f"Paragraph {n} of" in said(w.thread()) for n in range(20))
        assert [labels(part) for part in sorted(parts, key=lambda one: one.id)][-1] == ["Good"]
        await w.alice.send(w.thread(), "something between")
        again = await w.platform.send(where, reply("Short.", replaces=first), key="edit:long")
        assert again == first and said(w.thread()).count("Paragraph") == 0
        assert [text(one) for one in w.own(w.thread())] == ["Short."]


async def test_a_message_that_is_gone_is_posted_anew(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        first = await w.platform.send(thread(w), reply("one"), key="digest:a")
        w.env.backend.delete_message(w.channel.id, int(first.split("-")[1]))
        again = await w.platform.send(thread(w), reply("two", replaces=first), key="digest:a")
        assert again != first and said(w.channel) == "two"


async def test_a_channel_itself_can_be_written_to(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        shown = await w.platform.send(thread(w), reply("The digest."), key="digest:b")
        assert said(w.channel) == "The digest." and not w.channel.threads
        follow = thread(w, shown.split("-")[1])
        await w.platform.send(follow, reply("More."), key="digest:c")
        assert said(w.thread()) == "More."


async def test_what_a_process_posted_before_it_died_is_continued(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        question = await w.alice.send(w.channel, "before the crash")
        key = f"ask:discord:{w.guild.id}/{w.channel.id}/{w.channel.id}-{question.id}"
        first = await w.platform.send(thread(w, question.id), reply("once"), key=key)
        await w.env.advance_time(3_600)
        w.platform._delivery._began = w.env.now()
        again = await w.platform.send(thread(w, question.id), reply("once, whole"), key=key)
        assert again == first and said(w.thread()) == "once, whole"


async def test_an_archived_thread_is_opened_and_a_locked_one_refuses(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        question = await w.alice.send(w.channel, "old")
        first = await w.platform.send(thread(w, question.id), reply("one"), key="ask:a")
        opened = w.client.get_channel(w.thread().id)
        assert isinstance(opened, discord.Thread)
        await opened.edit(archived=True)
        await w.platform.send(thread(w, question.id), reply("two", replaces=first), key="ask:a")
        assert said(w.thread()) == "two"


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (500, 0, PlatformFailure),
        (429, 0, RateLimited),
        (403, 50013, PlatformRefused),
        (403, 200000, PlatformRefused),
        (400, 50035, PlatformRefused),
        (429, 20016, RateLimited),
    ],
)
async def test_what_discord_refuses_is_told_in_our_own_errors(
    status: int, code: int, kind: type[PlatformFailure], tmp_path: Path
) -> None:
    async with world(tmp_path) as w:
        w.env.inject_error("POST", f"/channels/{w.channel.id}/messages", status=status, code=code)
        with pytest.raises(PlatformFailure) as failure:
            await w.platform.send(thread(w), reply("words"), key="digest:x")
        assert type(failure.value) is kind and failure.value.words.endswith(".")


async def test_an_answer_that_could_not_be_delivered_is_delivered_later(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        w.env.inject_error("POST", "/channels/*/threads", status=500)
        w.env.inject_error("POST", "/channels/*/messages/*/threads", status=500)
        await w.ask("who follow footnotes?")
        await w.until(lambda: len(w.channel.threads) == 2 and "\\[1\\]" in said(w.thread(1)))
        assert w.engine.papers.calls.count("ask who follow footnotes?") == 1


async def test_a_command_given_twice_by_discord_is_done_once(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        message = await w.ask("who follow footnotes?")
        await w.until(lambda: w.channel.threads and said(w.thread()))
        own = w.client.get_channel(w.channel.id)
        assert isinstance(own, discord.TextChannel)
        await w.tell("message", await own.fetch_message(message.id))
        await w.at_rest()
        assert w.engine.papers.calls.count("ask who follow footnotes?") == 1


class Recorder:
    """An outlet that remembers."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    async def put(self, page: Page, *, nonce: str) -> str:
        self.shown.append(f"put {page.texts}")
        return "1-2"

    async def change(self, message: str, page: Page) -> bool:
        self.shown.append(f"change {page.texts}")
        return True

    async def drop(self, message: str) -> None:
        self.shown.append("drop")

    async def further(self, message: str) -> tuple[str, ...]:
        return ()

    async def found(self, mark: int) -> str:
        return ""


async def nothing() -> None:
    return None


async def test_work_that_is_over_in_a_moment_shows_no_sign_of_life() -> None:
    destination, posted = Recorder(), list[str]()

    async def note(id_: str) -> None:
        posted.append(id_)

    async def find() -> Recorder:
        return destination

    shown = ReplyProgress(find, key="ask:q", reply_id="", posted=note, typing=nothing, quiet_seconds=30.0)
    await shown.step("searching", 1, 3)
    await shown.close()
    await shown.step("writing", 1, 3)
    assert destination.shown == [] and posted == []


async def test_a_sign_of_life_is_told_before_anything_more_is_shown_and_trouble_stays_inside() -> None:
    destination, posted = Recorder(), asyncio.Event()

    async def note(id_: str) -> None:
        posted.set()
        raise KeyError("the disk is full")

    async def find() -> Recorder:
        return destination

    async def no_typing() -> None:
        raise OSError

    shown = ReplyProgress(
        find, key="pdf:q", reply_id="", posted=note, typing=no_typing, quiet_seconds=0.01, edit_seconds=0.0
    )
    await shown.step("reading", 1, 3)
    await posted.wait()
    await shown.close()
    assert destination.shown == ["put (('footer', '-# Reading the pages · 1 of 3'),)"]


async def test_a_reply_takes_the_place_of_a_sign_of_life_that_was_posted_just_before_it(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        question = await w.alice.send(w.channel, "slow network")
        where = thread(w, question.id)

        async def unnoted(_: str) -> None:
            return None

        progress = w.platform.progress(where, key="ask:race", reply_id="", posted=unnoted)
        await progress.step("searching", 0, 0)
        await w.until(lambda: w.channel.threads and "Searching" in said(w.thread()))
        await w.platform.send(where, reply("The answer."), key="ask:race")
        assert [text(item) for item in w.own(w.thread())] == ["The answer."]


async def test_the_mark_of_a_reply_is_read_back_from_its_message(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        from adapters.discord.destinations import mark_of

        for kind in ("answer", "ingest"):
            await w.platform.send(thread(w), replace(reply("words"), kind=kind), key=f"digest:{kind}")
            assert mark_of(w.own(w.channel)[-1]) == mark(f"digest:{kind}")
