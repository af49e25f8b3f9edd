"""Digests and reminders from the clock to the channel: once, whoever looks, and in the right thread."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.commands.groups import cron_of
from bot.replies import groups
from bot.replies.groups import DisplayContext
from bot.schedule import Scheduler
from bot.settings import Settings
from bot.wiring import App, open_app
from bot.worker import JobPolicy
from core.domain.errors import LibraryFailure, PlatformFailure, SettingsInvalid
from core.domain.events import DigestDue, Event
from core.domain.groups import AddedPaper, Club, ClubQuestion, Digest, DiscussedQuestion, DuePost, Reminder
from core.domain.model import Sentence
from tests.bot.actors import LAB, NOW, READING_GROUP, citation, command, paper, thread
from tests.bot.fake_engine import FakeEngine
from tests.bot.fake_platform import FakePlatform

AT_ONCE = JobPolicy(retry_seconds=0.0)

DUE = DuePost(thread=thread(""), name="digest", period="a/b", at=NOW)
DIGEST = Digest(
    channel=READING_GROUP,
    since=NOW - timedelta(days=7),
    until=NOW,
    arrivals=(
        AddedPaper(
            paper=paper(), users=("ada", "bob"), takeaway=Sentence(text="A footnote is a promise.", markers=(1,))
        ),
    ),
    answered=(DiscussedQuestion(text="Who keeps *it*?", thread=thread("t9"), at=NOW, outcome="answered", times=3),),
    unanswered=(DiscussedQuestion(text="Why?", thread=thread("t8"), at=NOW, outcome="not_found"),),
    unasked=(paper("b" * 64, "Unread"),),
    citations=(citation(),),
    cited=(paper(),),
)


@asynccontextmanager
async def bot(folder: Path, platform: FakePlatform, engine: FakeEngine) -> AsyncIterator[App]:
    given = Settings.model_validate({"data": folder})
    async with open_app(given, [platform], engines=engine.opened, policy=AT_ONCE) as app:
        yield app


class Ear:
    """Takes events and remembers their keys, as the job store does."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.events: list[Event] = []
        self.heard = asyncio.Event()

    async def accept(self, event: Event) -> bool:
        if event.key in self.keys:
            return False
        self.keys.add(event.key)
        self.events.append(event)
        self.heard.set()
        return True


async def test_what_is_due_is_handed_on_once_and_only_for_platforms_that_are_here() -> None:
    engine, ear = FakeEngine(), Ear()
    away = replace(READING_GROUP, workspace=replace(LAB, platform="elsewhere"))
    engine.groups.waiting = [DUE, replace(DUE, thread=replace(thread(""), channel=away))]
    clock = Scheduler(engine.groups, ear.accept, platforms={"local"})
    assert [await clock.tick() for _ in range(3)] == [1, 0, 0]
    assert [event.thread.channel for event in ear.events] == [READING_GROUP]


async def test_a_clock_that_cannot_look_looks_again() -> None:
    class Broken:
        async def due(self) -> Sequence[DuePost]:
            raise LibraryFailure("The disk is gone.")

    assert await Scheduler(Broken(), Ear().accept, platforms={"local"}).tick() == 0


async def test_the_clock_runs_while_it_is_open_and_not_after() -> None:
    engine, ear = FakeEngine(), Ear()
    engine.groups.waiting = [DUE]
    async with Scheduler(engine.groups, ear.accept, platforms={"local"}, seconds=0.05) as clock:
        async with asyncio.timeout(20):
            await ear.heard.wait()
        scheduler = clock._scheduler
    assert scheduler is not None and not scheduler.running
    assert len(ear.events) == 1


async def test_two_processes_on_the_same_data_post_one_digest(tmp_path: Path) -> None:
    platform = FakePlatform()
    first, second = FakeEngine(), FakeEngine()
    for engine in (first, second):
        engine.groups.waiting, engine.groups.digests = [DUE], {"a/b": DIGEST}
    async with bot(tmp_path, platform, first), bot(tmp_path, platform, second) as app:
        await asyncio.gather(first.groups.looked.wait(), second.groups.looked.wait())
        shown = await platform.replies(1)
        assert not await app.backend.accept(
            DigestDue(thread=thread(""), user="", at=NOW, message="", name="digest", period="a/b")
        )
    assert [reply.kind for reply in shown] == ["digest"]
    assert platform.order == ["digest:local:lab/reading-group/digest/a/b"]
    first.groups.looked.clear()
    async with bot(tmp_path, platform, first):
        await first.groups.looked.wait()
    assert len(platform.messages) == 1


async def test_a_digest_names_people_links_threads_and_quotes(tmp_path: Path) -> None:
    platform, engine = FakePlatform(), FakeEngine()
    engine.groups.waiting, engine.groups.digests = [DUE], {"a/b": DIGEST}
    async with bot(tmp_path, platform, engine):
        (reply,) = await platform.replies(1)
    assert "What happened here, 22 Feb 2026 to 01 Mar 2026" in reply.body
    assert "**On Footnotes**, Ada Lovelace et al., 2021, added by Ada, Bob" in reply.body
    assert r"It says: “A footnote is a promise.” \[1\]" in reply.body
    assert r"Who keeps \*it\*?, asked 3 times https://chat.example/reading-group/t9/" in reply.body
    assert "**Still open (1)**" in reply.body and "**Nobody has asked about** Unread." in reply.body
    assert reply.papers == {"a" * 64, "b" * 64}
    assert [note.citation.marker for note in reply.footnotes] == [1]


async def test_a_quiet_period_posts_nothing(tmp_path: Path) -> None:
    platform, engine = FakePlatform(), FakeEngine()
    engine.groups.waiting = [DUE]
    async with bot(tmp_path, platform, engine):
        await engine.groups.made.wait()
    assert platform.messages == {}


async def test_names_that_cannot_be_looked_up_do_not_stop_a_digest(tmp_path: Path) -> None:
    class Nameless(FakePlatform):
        async def name_of(self, workspace: object, user: str) -> str:
            raise PlatformFailure("No names today.")

    platform, engine = Nameless(), FakeEngine()
    engine.groups.waiting, engine.groups.digests = [DUE], {"a/b": DIGEST}
    async with bot(tmp_path, platform, engine):
        (reply,) = await platform.replies(1)
    assert "added by ada, bob" in reply.body


async def test_a_reminder_comes_in_the_clubs_thread_with_members_questions(tmp_path: Path) -> None:
    platform, engine = FakePlatform(), FakeEngine()
    club = Club(
        number=4, thread=thread("t5"), paper_id="a" * 64, meets_at=NOW + timedelta(days=1), remind_at=NOW, user="ada"
    )
    asked = (ClubQuestion(user="bob", text="Why so?"), ClubQuestion(user="", text="What is it?"))
    engine.groups.reminders[4] = Reminder(club=club, paper=paper(), questions=asked)
    engine.groups.waiting = [DuePost(thread=club.thread, name="journal", period="4/x", at=NOW)]
    async with bot(tmp_path, platform, engine):
        (reply,) = await platform.replies(1)
    assert reply.body.startswith("**Journal club on Mon 02 Mar 2026, 09:30** (UTC): On Footnotes")
    assert "- Why so? (Bob)" in reply.body and "- What is it?" in reply.body


async def test_a_schedule_is_set_by_a_manager_in_words(tmp_path: Path) -> None:
    platform, engine = FakePlatform(), FakeEngine()
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(command("digest", "weekly fri 16:00 in Europe/Berlin"))
        refused = (await platform.replies(1))[0]
        platform.managers.add("ada")
        await app.dispatcher.accept(command("digest", "weekly fri 16:00 in Europe/Berlin", message="m4"))
        told = (await platform.replies(2))[1]
    assert refused.kind == "error" and "A manager of this channel" in refused.body
    assert (engine.groups.settings.digest, engine.groups.settings.time_zone) == ("0 16 * * 5", "Europe/Berlin")
    assert "The next digest of this channel comes on Mon 02 Mar 2026, 10:30 (Europe/Berlin)" in told.body


@pytest.mark.parametrize(
    ("words", "cron"),
    [
        ("off", "off"),
        ("daily", "0 9 * * *"),
        ("daily at 8:30", "30 8 * * *"),
        ("weekly", "0 9 * * 1"),
        ("weekly on Friday at 16:00", "0 16 * * 5"),
        ("monthly 7.15", "15 7 1 * *"),
        ("*/5 * * * 1-5", "*/5 * * * 1-5"),
    ],
)
def test_schedules_in_words(words: str, cron: str) -> None:
    assert cron_of(words) == cron


@pytest.mark.parametrize("words", ["", "often", "weekly someday", "daily 25:00", "daily fri"])
def test_words_that_are_no_schedule_are_refused_with_examples(words: str) -> None:
    with pytest.raises(SettingsInvalid, match="digest weekly fri 16:00"):
        cron_of(words)


def test_what_a_model_wrote_stands_without_the_marks_of_a_quote_and_is_told_in_the_footer() -> None:
    (arrival,) = DIGEST.arrivals
    quoted = groups.digest(DIGEST, DisplayContext())
    written = groups.digest(
        replace(DIGEST, arrivals=(replace(arrival, mode="model"),), notes=("slow",)), DisplayContext()
    )
    assert "It says: “A footnote is a promise.” " in quoted.body
    assert r"It says: A footnote is a promise. \[1\]" in written.body
    assert quoted.footer == "of this channel alone, in the papers' own words"
    assert written.footer == "written by the configured model, each sentence checked against the papers · slow"
