"""The line from an event to a delivered reply, and everything that can go wrong on it."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.jobs.liveness import LivenessFile
from bot.jobs.store import SqliteJobStore
from bot.settings import Settings
from bot.wiring import App, open_app, open_store
from bot.worker import JobPolicy, Worker
from core.domain.errors import (
    FootnoteError,
    ModelUnavailable,
    NotInScope,
    PlatformFailure,
    PlatformRefused,
    RateLimited,
)
from core.domain.events import Event, PdfShared
from core.domain.jobs import Job, Lane
from core.domain.model import Answer, IngestReport
from core.domain.progress import Progress, Stop
from core.domain.reply import Reply
from tests.bot.actors import NOW, READING_GROUP, command, dropped, edited, later, question, removed, thread
from tests.bot.dying import killed_while_running
from tests.bot.fake_engine import FakeEngine, FakePapers, FakeQuestions
from tests.bot.fake_platform import FakePlatform

AT_ONCE = JobPolicy(retry_seconds=0.0, attempts=3)

PAPER = "%PDF On Footnotes\nA footnote is a promise. Readers follow footnotes home. "


def settings(folder: Path, **given: object) -> Settings:
    return Settings.model_validate({"data": folder, **given})


@asynccontextmanager
async def bot(folder: Path, platform: FakePlatform, engine: FakeEngine, **given: object) -> AsyncIterator[App]:
    async with open_app(settings(folder, **given), [platform], engines=engine.opened, policy=AT_ONCE) as app:
        yield app


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def platform() -> FakePlatform:
    shown = FakePlatform()
    shown.files["f1"] = PAPER
    return shown


class Slow(FakePapers):
    """Begins to read a paper, and ends only once that is released."""

    def __init__(self) -> None:
        super().__init__()
        self.release = asyncio.Event()

    async def ingest(self, *args: Any, **given: Any) -> IngestReport:
        await given["progress"].step("reading", 1, 2)
        await self.release.wait()
        return await super().ingest(*args, **given)


def failing(times: int, failure: Callable[[], Exception], *, at: str) -> Callable[[str], None]:
    """Trouble at ``at`` for the first ``times`` calls."""
    left = [times]

    def trouble(where: str) -> None:
        if where == at and left[0]:
            left[0] -= 1
            raise failure()

    return trouble


async def test_a_dropped_paper_is_confirmed_and_a_question_answered_with_a_footnote(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    async with bot(tmp_path, platform, engine) as app:
        assert await app.dispatcher.accept(dropped())
        card = (await platform.replies(1))[0]
        assert await app.dispatcher.accept(question(text="who follow footnotes"))
        answer = (await platform.replies(2))[1]
    assert card.kind == "ingest" and "**On Footnotes**" in card.body
    assert answer.body == r"Readers follow footnotes home. \[1\]"
    assert [note.paper.title for note in answer.footnotes] == ["On Footnotes"]
    assert platform.signs.count(("m2", "done")) == 1


async def test_a_redelivered_event_is_answered_once(tmp_path: Path, platform: FakePlatform, engine: FakeEngine) -> None:
    async with bot(tmp_path, platform, engine) as app:
        accepted = [await app.dispatcher.accept(question()) for _ in range(5)]
        await platform.until(lambda: ("m1", "done") in platform.signs)
        accepted.append(await app.dispatcher.accept(question()))
        counts = await app.store.counts()
    assert accepted == [True, False, False, False, False, False]
    assert counts["waiting"] == counts["running"] == 0
    assert (len(platform.messages), engine.papers.calls) == (1, ["ask What is it?"])


async def test_the_first_sign_comes_while_the_work_still_runs(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    asked = asyncio.Event()
    engine.papers.trouble = lambda where: asked.set()
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question())
        await platform.until(lambda: ("m1", "seen") in platform.signs)
        await asked.wait()
        await platform.replies(1)
    assert platform.steps[0] == (question().key, "searching")


async def test_what_may_pass_is_tried_again_and_then_answered(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    engine.papers.trouble = failing(2, lambda: ModelUnavailable("The model is away."), at="ask")
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question())
        replies = await platform.replies(1)
    assert len(engine.papers.calls) == 3
    assert replies[0].kind == "answer"


async def test_what_does_not_pass_is_given_up_in_the_errors_own_words(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    engine.papers.trouble = failing(99, lambda: ModelUnavailable("The model is away."), at="ask")
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question())
        reply = (await platform.replies(1))[0]
        await platform.until(lambda: ("m1", "failed") in platform.signs)
        await app.dispatcher.accept(question("m5"))
        await platform.until(lambda: ("m5", "failed") in platform.signs)
    assert (reply.kind, reply.body, len(engine.papers.calls)) == ("error", "The model is away.", 6)
    assert reply.footer.startswith("reference ") and len(reply.footer) == len("reference ") + 8


async def test_what_trying_again_cannot_change_is_not_tried_again(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    engine.papers.trouble = failing(99, lambda: NotInScope("Not here."), at="ask")
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question())
        await platform.replies(1)
    assert len(engine.papers.calls) == 1


async def test_a_fault_shows_no_words_of_the_exception_and_harms_nobody_else(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    engine.papers.trouble = failing(1, lambda: KeyError("secret words of a paper"), at="ask")
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question("m1"))
        await platform.replies(1)
        await app.dispatcher.accept(question("m2"))
        replies = await platform.replies(2)
    assert replies[0].kind == "error" and "secret" not in replies[0].body
    assert replies[1].kind == "answer"
    assert "secret words" not in caplog.text
    assert any(getattr(record, "fields", {}).get("error") == "KeyError" for record in caplog.records)


async def test_a_reply_that_could_not_be_delivered_is_delivered_later_without_working_again(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    platform.trouble = failing(2, lambda: PlatformFailure("The chat is away."), at="send")
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question())
        await platform.replies(1)
    assert engine.papers.calls == ["ask What is it?"]


async def test_a_reply_that_breaks_its_platform_is_given_up_after_a_while(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    platform.trouble = failing(6, lambda: KeyError("a fault of the platform"), at="send")
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question("m1", text="first"))
        await app.dispatcher.accept(question("m2", text="second"))  # the same thread: its turn comes after the first
        assert (await platform.replies(1))[0].kind == "answer"
        assert (await app.store.counts())["given up"] == 1
    assert engine.papers.calls == ["ask first", "ask second"]


async def test_a_reply_that_nowhere_may_be_shown_leaves_a_sign(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    platform.trouble = failing(1, lambda: PlatformRefused("No writing here."), at="send")
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question())
        await platform.until(lambda: ("m1", "failed") in platform.signs)
    assert engine.papers.calls == ["ask What is it?"]


async def test_a_job_that_cannot_be_read_stops_nobody(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    async with bot(tmp_path, platform, engine):
        pass
    async with open_store(settings(tmp_path)) as store:
        await store.put(question("m1"), at=NOW, trace_id="t")
    with sqlite3.connect(tmp_path / "process.db") as db:
        db.execute("""UPDATE jobs SET event = '{"event": "form sent"}'""")
    db.close()
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question("m2"))
        assert (await platform.replies(1))[0].kind == "answer"
        assert (await app.store.counts())["given up"] == 1


async def test_a_sign_that_cannot_be_shown_costs_nothing(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    platform.trouble = failing(99, lambda: PlatformFailure("No signs today."), at="react")
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(question())
        await platform.replies(1)
        await app.dispatcher.accept(question("m9"))
        await platform.replies(2)
    assert len(engine.papers.calls) == 2


async def test_a_platform_that_asks_to_wait_is_waited_for(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    platform.trouble = failing(1, lambda: RateLimited("Slow down.", 0.3), at="send")
    loop = asyncio.get_running_loop()
    async with bot(tmp_path, platform, engine) as app:
        before = loop.time()
        await app.dispatcher.accept(question())
        await platform.replies(1)
        assert loop.time() - before >= 0.3


async def test_an_edited_question_is_answered_in_place_of_the_first_answer(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(dropped())
        await platform.replies(1)
        await app.dispatcher.accept(question(text="is a promise"))
        await platform.replies(2)
        await app.dispatcher.accept(edited(text="who follow footnotes"))
        await platform.until(lambda: "home" in platform.messages["message-2"].body)
    assert len(platform.messages) == 2


async def test_a_question_changed_long_after_its_answer_is_answered_beneath_it(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(dropped())
        await platform.replies(1)
        await app.dispatcher.accept(question(text="is a promise"))
        await platform.replies(2)
        late = replace(edited(text="who follow footnotes"), changed=later(2 * 3_600))
        assert await app.dispatcher.accept(late)
        assert not await app.dispatcher.accept(late)
        _, first, second = await platform.replies(3)
    assert "A footnote is a promise" in first.body
    assert "Readers follow footnotes home" in second.body
    assert "the answer above is to its earlier words" in second.footer and first.footer not in second.footer


async def test_a_streamed_answer_is_finished_in_the_message_it_began_in(tmp_path: Path, engine: FakeEngine) -> None:
    platform = FakePlatform(streams=True)
    platform.files["f1"] = PAPER
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(dropped())
        await platform.replies(1)
        await app.dispatcher.accept(question(text="is a promise"))
        await platform.until(lambda: any(reply.footnotes for reply in platform.messages.values()))
    assert list(platform.messages) == ["message-1", "message-2"]


async def test_a_retry_goes_on_in_the_message_that_was_begun(tmp_path: Path, engine: FakeEngine) -> None:
    platform = FakePlatform(streams=True)
    platform.files["f1"] = PAPER
    platform.trouble = failing(1, lambda: PlatformFailure("away"), at="send")
    async with bot(tmp_path, platform, engine) as app:
        engine.papers.shelves["local:lab"] = {}
        await app.dispatcher.accept(dropped())
        await platform.replies(1)
        platform.trouble = failing(1, lambda: PlatformFailure("away"), at="send")
        await app.dispatcher.accept(question(text="is a promise"))
        await platform.until(lambda: any(reply.footnotes for reply in platform.messages.values()))
    assert list(platform.messages) == ["message-1", "message-2"]


async def test_a_removed_file_takes_its_paper_along(tmp_path: Path, platform: FakePlatform, engine: FakeEngine) -> None:
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(dropped())
        await platform.replies(1)
        await app.dispatcher.accept(removed())
        gone = (await platform.replies(2))[1]
        await app.dispatcher.accept(command("papers"))
        listed = (await platform.replies(3))[2]
    assert gone.body.startswith("Forgotten: 1 paper.")
    assert listed.body == "There are no papers here yet. Drop a PDF to add one."


class Forgetful(FakeQuestions):
    """Forgets every paper while an answer is on its way."""

    async def _answered(self, *given: Any) -> Answer:
        answer = await super()._answered(*given)
        self.papers.shelves.clear()
        return answer


async def test_an_answer_that_quotes_a_paper_forgotten_meanwhile_is_not_shown(
    tmp_path: Path, platform: FakePlatform
) -> None:
    async with bot(tmp_path, platform, FakeEngine(questions_type=Forgetful)) as app:
        await app.dispatcher.accept(dropped())
        await platform.replies(1)
        await app.dispatcher.accept(question(text="who follow footnotes"))
        reply = (await platform.replies(2))[1]
    assert reply.kind == "error" and "forgotten meanwhile" in reply.body and "home" not in reply.body


async def test_removing_a_file_that_was_no_paper_says_nothing(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(removed())
        await app.dispatcher.accept(question())
        replies = await platform.replies(1)
        await platform.until(lambda: ("m1", "done") in platform.signs)
    assert [reply.kind for reply in replies] == ["answer"]


async def test_a_refused_file_is_one_sentence_and_is_not_tried_again(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    platform.files["f1"] = "<html>"
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(dropped(name="page_1.pdf"))
        reply = (await platform.replies(1))[0]
        await platform.until(lambda: ("m2", "done") in platform.signs)
    assert reply.body == "**page\\_1.pdf** was not added: This is not a PDF."
    assert engine.papers.calls == ["ingest page_1.pdf"]


async def test_long_papers_do_not_keep_a_question_waiting(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    slow = Slow()
    platform.files |= {f"f{n}": PAPER for n in range(8)}
    async with bot(tmp_path, platform, FakeEngine(papers=slow), questions_at_once=1) as app:
        for number in range(8):
            await app.dispatcher.accept(dropped(f"pdf{number}", file=f"f{number}"))
        await app.dispatcher.accept(question(in_thread=thread("elsewhere")))
        assert [reply.kind for reply in await platform.replies(1)] == ["answer"]
        slow.release.set()
        await platform.replies(9)


async def test_a_question_in_a_papers_thread_is_answered_once_the_paper_is_read_and_the_reading_says_so(
    tmp_path: Path, platform: FakePlatform
) -> None:
    slow = Slow()
    async with bot(tmp_path, platform, FakeEngine(papers=slow)) as app:
        await app.dispatcher.accept(dropped())
        await platform.until(lambda: (dropped().key, "reading") in platform.steps)
        await app.dispatcher.accept(question(text="who follow footnotes"))
        await app.dispatcher.accept(command("help"))
        (helped,) = await platform.replies(1)
        slow.release.set()
        _, card, answer = await platform.replies(3)
    assert [item.kind for item in (helped, card, answer)] == ["help", "ingest", "answer"]
    assert "Readers follow footnotes home." in answer.body
    assert platform.steps.index((dropped().key, "reading before the question")) < platform.steps.index(
        (question().key, "searching")
    )


async def test_what_is_not_found_while_papers_are_still_being_read_says_so(
    tmp_path: Path, platform: FakePlatform
) -> None:
    slow = Slow()
    async with bot(tmp_path, platform, FakeEngine(papers=slow)) as app:
        await app.dispatcher.accept(dropped())
        await app.dispatcher.accept(question(in_thread=thread("elsewhere")))
        (early,) = await platform.replies(1)
        slow.release.set()
        await platform.replies(2)
        while await app.store.unread(READING_GROUP):  # noqa: ASYNC110  no event tells it
            await asyncio.sleep(0.01)
        await app.dispatcher.accept(question("m9", text="zzz", in_thread=thread("elsewhere")))
        *_, later_on = await platform.replies(3)
    assert "1 paper of this channel is still being read; ask again then" in early.footer
    assert "being read" not in later_on.footer


async def test_a_question_is_answered_also_where_its_paper_cannot_be_read(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    platform.files["f1"] = "no paper"
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(dropped())
        await app.dispatcher.accept(question())
        refused, answer = await platform.replies(2)
    assert "was not added" in refused.body
    assert answer.kind == "answer"


async def test_one_thread_keeps_its_order_under_many_workers(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    events: list[Event] = [question(f"m{n}", in_thread=thread(f"t{n % 3}")) for n in range(18)]
    async with bot(tmp_path, platform, engine, questions_at_once=8) as app:
        for event in events:
            await app.dispatcher.accept(event)
        await platform.replies(18)
    for number in range(3):
        mine = [event.key for event in events if event.thread.id == f"t{number}"]
        assert [key for key in platform.order if key in mine] == mine


async def test_stopping_hands_back_what_is_not_finished_and_the_next_start_does_it(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    asked = asyncio.Event()

    class Stuck(FakeQuestions):
        async def ask(self, *args: object, **given: object):  # type: ignore[no-untyped-def]
            asked.set()
            await asyncio.sleep(3600)

    stuck = FakeEngine(questions_type=Stuck)
    async with bot(tmp_path, platform, stuck) as app:
        app.worker._grace_seconds = 0.05
        await app.dispatcher.accept(question())
        await asked.wait()
    async with bot(tmp_path, platform, engine) as app:
        assert not await app.dispatcher.accept(question())
        await platform.replies(1)
    async with bot(tmp_path, platform, engine) as app:
        assert await app.store.counts() == {"waiting": 0, "running": 0, "done": 1, "given up": 0}
    assert engine.papers.calls == ["ask What is it?"]


async def test_a_job_that_ends_the_process_each_time_is_given_up(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    for _ in range(3):
        await killed_while_running(tmp_path / "process.db", question())
    async with bot(tmp_path, platform, engine):
        reply = (await platform.replies(1))[0]
    assert "stopped each time" in reply.body
    assert engine.papers.calls == []


async def test_downloads_leave_nothing_behind(tmp_path: Path, platform: FakePlatform, engine: FakeEngine) -> None:
    left = tmp_path / "spool" / "somebody-who-died"
    left.mkdir(parents=True)
    (left / "1.pdf").write_text("half a paper")
    async with bot(tmp_path, platform, engine) as app:
        assert not left.exists()
        await app.dispatcher.accept(dropped())
        await platform.replies(1)
    assert list((tmp_path / "spool").glob("*/*")) == []


async def test_at_info_the_log_holds_no_word_that_anybody_wrote(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with bot(tmp_path, platform, engine) as app:
        await app.dispatcher.accept(dropped(name="confidential-name.pdf"))
        await platform.replies(1)
        await app.dispatcher.accept(question(text="is a promise"))
        await app.dispatcher.accept(command("forget", "Footnotes"))
        await platform.replies(3)
    written = "\n".join(f"{record.getMessage()} {getattr(record, 'fields', '')}" for record in caplog.records)
    assert "job ended" in written
    for words in ("promise", "Footnotes", "confidential", "ada"):
        assert words not in written, words


async def test_an_error_of_the_tree_reaches_nobody_as_a_traceback(
    tmp_path: Path, platform: FakePlatform, engine: FakeEngine
) -> None:
    engine.papers.trouble = failing(99, lambda: FootnoteError("Plain words."), at="ingest")
    async with bot(tmp_path, platform, engine) as app:
        event: PdfShared = dropped()
        await app.dispatcher.accept(event)
        reply = (await platform.replies(1))[0]
    assert reply.body == "Plain words."


class Gated:
    """Work that begins, and ends only once it is let go on; ``ended`` says how."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self.ended: list[str] = []

    async def __call__(self, job: Job, progress: Progress, stop: Stop) -> Reply:
        self.begun.set()
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise
        self.ended.append("finished")
        return Reply(kind="help", body="a late reply")


@asynccontextmanager
async def two_processes(folder: Path) -> AsyncIterator[tuple[SqliteJobStore, SqliteJobStore]]:
    path = folder / "process.db"
    with LivenessFile(folder / "alive", "one") as item, LivenessFile(folder / "alive", "two") as two:
        async with SqliteJobStore(path, liveness=item) as first, SqliteJobStore(path, liveness=two) as second:
            yield first, second


async def eventually(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  no event tells it
            await asyncio.sleep(0.01)


async def test_a_process_that_lost_its_lease_cancels_the_work_and_delivers_nothing(
    tmp_path: Path, platform: FakePlatform
) -> None:
    work = Gated()
    async with two_processes(tmp_path) as (first, second):
        await first.put(question(), at=NOW, trace_id="t")
        lanes: Mapping[Lane, int] = {"questions": 1}
        async with Worker(
            first, work, {"local": platform}, lanes=lanes, now=lambda: NOW, policy=JobPolicy(lease_seconds=0.1)
        ):
            await work.begun.wait()
            taken = await second.claim(at=later(31), lane="questions")
            assert taken is not None
            await eventually(lambda: bool(work.ended))
            await first.put(question("m9", in_thread=thread("b")), at=NOW, trace_id="next")
            work.go_on.set()
            assert [reply.body for reply in await platform.replies(1)] == ["a late reply"]  # the lane goes on
        assert work.ended == ["cancelled", "finished"]
        assert await second.posted(question().key) == ""
        assert await second.done(taken, at=later(32))


async def test_a_reply_that_is_ready_after_the_lease_was_lost_is_not_delivered(
    tmp_path: Path, platform: FakePlatform
) -> None:
    work = Gated()
    async with two_processes(tmp_path) as (first, second):
        await first.put(question(), at=NOW, trace_id="t")
        lanes: Mapping[Lane, int] = {"questions": 1}
        async with Worker(
            first, work, {"local": platform}, lanes=lanes, now=lambda: NOW, policy=JobPolicy(lease_seconds=600)
        ):
            await work.begun.wait()
            taken = await second.claim(at=later(31), lane="questions")
            assert taken is not None
            work.go_on.set()
            await eventually(lambda: bool(work.ended))
            await asyncio.sleep(0.1)
        assert (work.ended, platform.messages) == (["finished"], {})
        assert await second.keep(taken, at=later(32))


async def test_a_process_that_stops_does_not_hand_back_what_another_has_taken(
    tmp_path: Path, platform: FakePlatform
) -> None:
    work = Gated()
    async with two_processes(tmp_path) as (first, second):
        await first.put(question(), at=NOW, trace_id="t")
        lanes: Mapping[Lane, int] = {"questions": 1}
        worker = Worker(
            first,
            work,
            {"local": platform},
            lanes=lanes,
            now=lambda: NOW,
            policy=JobPolicy(lease_seconds=600),
            grace_seconds=0.05,
        )
        async with worker:
            await work.begun.wait()
            taken = await second.claim(at=later(31), lane="questions")
        assert taken is not None and work.ended == ["cancelled"]
        assert await second.claim(at=later(32), lane="questions") is None
        assert await second.keep(taken, at=later(32))
