"""What every job store promises, asked of the real one and of the one in memory."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bot.jobs.liveness import LivenessFile
from bot.jobs.store import WITHDRAWN, SqliteJobStore
from core.domain.jobs import Job, JobStore
from core.domain.model import Channel, Thread, Workspace
from core.domain.reply import Reply
from tests.bot.actors import LAB, NOW, command, dropped, edited, full_reply, later, paper, question, removed, thread
from tests.contracts.job_store_in_memory import InMemoryJobStore


@pytest.fixture(params=["sqlite", "memory"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[JobStore]:
    if request.param == "memory":
        yield InMemoryJobStore()
        return
    with LivenessFile(tmp_path / "alive", "one") as alive:
        async with SqliteJobStore(tmp_path / "process.db", liveness=alive) as opened:
            yield opened


@pytest.fixture(params=["sqlite", "memory"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[JobStore, JobStore]]:
    """The stores of two processes that live, over the same jobs."""
    if request.param == "memory":
        first = InMemoryJobStore("one")
        yield first, InMemoryJobStore("two", beside=first)
        return
    path = tmp_path / "process.db"
    with LivenessFile(tmp_path / "alive", "one") as item, LivenessFile(tmp_path / "alive", "two") as two:
        async with SqliteJobStore(path, liveness=item) as opened, SqliteJobStore(path, liveness=two) as beside:
            yield opened, beside


async def claimed(store: JobStore, *, seconds: float = 0) -> Job:
    job = await store.claim(at=later(seconds), lane="questions")
    assert job is not None
    return job


async def test_a_job_comes_back_with_its_event_and_counts_its_attempt(store: JobStore) -> None:
    assert await store.put(question(), at=NOW, trace_id="abc")
    job = await claimed(store)
    assert (job.event, job.trace_id, job.attempts, job.reply, job.reply_id) == (question(), "abc", 1, None, "")


async def test_a_key_is_taken_once_also_after_it_is_done(store: JobStore) -> None:
    assert await store.put(question(), at=NOW, trace_id="1")
    assert not await store.put(question(), at=NOW, trace_id="2")
    job = await claimed(store)
    assert not await store.put(question(), at=NOW, trace_id="3")
    await store.done(job, at=later(1))
    assert not await store.put(question(), at=later(2), trace_id="4")
    assert await store.claim(at=later(3), lane="questions") is None


async def test_a_running_job_is_nobody_elses(store: JobStore) -> None:
    await store.put(question(), at=NOW, trace_id="1")
    await claimed(store)
    assert await store.claim(at=later(1), lane="questions") is None


async def test_jobs_of_one_lock_run_one_after_the_other_in_their_order(store: JobStore) -> None:
    for message in ("m1", "m2", "m3"):
        await store.put(question(message), at=NOW, trace_id=message)
    order = []
    for _ in range(3):
        job = await claimed(store)
        assert await store.claim(at=NOW, lane="questions") is None
        order.append(job.trace_id)
        await store.done(job, at=NOW)
    assert order == ["m1", "m2", "m3"]


async def test_threads_run_side_by_side(store: JobStore) -> None:
    await store.put(question("m1", in_thread=thread("a")), at=NOW, trace_id="a")
    await store.put(question("m2", in_thread=thread("b")), at=NOW, trace_id="b")
    assert {(await claimed(store)).trace_id, (await claimed(store)).trace_id} == {"a", "b"}


async def test_a_person_with_many_threads_keeps_nobody_waiting(store: JobStore) -> None:
    for name in "abcd":
        await store.put(question(name, in_thread=thread(name)), at=NOW, trace_id=name)
    await store.put(replace(question("e", in_thread=thread("e")), user="bob"), at=later(1), trace_id="bob")
    first = await claimed(store, seconds=2)
    assert [first.trace_id, (await claimed(store, seconds=2)).trace_id] == ["a", "bob"]
    assert (await claimed(store, seconds=2)).trace_id == "b"


async def test_a_busy_thread_waits_its_turn_after_a_quiet_one(store: JobStore) -> None:
    for number in range(3):
        await store.put(question(f"busy{number}", in_thread=thread("busy")), at=NOW, trace_id=f"busy{number}")
    await store.put(question("quiet", in_thread=thread("quiet")), at=later(1), trace_id="quiet")
    order = []
    for second in range(2, 6):
        job = await claimed(store, seconds=second)
        order.append(job.trace_id)
        await store.done(job, at=later(second))
    assert order == ["busy0", "quiet", "busy1", "busy2"]


async def test_a_newcomer_does_not_overtake_a_thread_that_has_waited_longer(store: JobStore) -> None:
    await store.put(question("a1", in_thread=thread("a")), at=NOW, trace_id="a1")
    await store.put(question("a2", in_thread=thread("a")), at=NOW, trace_id="a2")
    await store.done(await claimed(store, seconds=1), at=later(2))
    await store.put(question("new", in_thread=thread("new")), at=later(3), trace_id="new")
    assert (await claimed(store, seconds=4)).trace_id == "a2"


async def test_papers_and_questions_have_lanes_of_their_own(store: JobStore) -> None:
    await store.put(dropped(), at=NOW, trace_id="pdf")
    assert await store.claim(at=NOW, lane="questions") is None
    job = await store.claim(at=NOW, lane="papers")
    assert job is not None and job.trace_id == "pdf"


async def test_removing_a_file_waits_for_its_reading(store: JobStore) -> None:
    await store.put(dropped(), at=NOW, trace_id="read")
    await store.put(removed(), at=NOW, trace_id="remove")
    first = await store.claim(at=NOW, lane="papers")
    assert first is not None and first.trace_id == "read"
    assert await store.claim(at=NOW, lane="papers") is None
    await store.done(first, at=NOW)
    second = await store.claim(at=NOW, lane="papers")
    assert second is not None and second.trace_id == "remove"


async def test_a_question_waits_for_the_papers_that_were_dropped_into_its_conversation_before(store: JobStore) -> None:
    await store.put(dropped(file="f1"), at=NOW, trace_id="one")
    await store.put(dropped(file="f2"), at=NOW, trace_id="two")
    await store.put(question(), at=NOW, trace_id="asked")
    await store.put(question("m9", in_thread=thread("elsewhere")), at=later(1), trace_id="elsewhere")
    await store.put(dropped(file="f3"), at=NOW, trace_id="later")
    item, two, late = [await store.claim(at=later(1), lane="papers") for _ in range(3)]
    assert item is not None and two is not None and late is not None
    assert (await claimed(store, seconds=1)).trace_id == "elsewhere"
    assert [await store.awaited(job) for job in (item, two, late)] == [True, True, False]
    await store.done(item, at=later(2))
    assert await store.claim(at=later(2), lane="questions") is None
    await store.failed(two, "cannot be read", at=later(2), retry_at=later(9))
    assert await store.claim(at=later(3), lane="questions") is None
    again = await store.claim(at=later(9), lane="papers")
    assert again is not None and again.trace_id == "two"
    await store.failed(again, "cannot be read", at=later(9), retry_at=None)
    assert (await claimed(store, seconds=9)).trace_id == "asked"
    assert not await store.awaited(two)


async def test_what_is_not_about_papers_passes_a_question_that_waits_for_one(store: JobStore) -> None:
    await store.put(dropped(), at=NOW, trace_id="paper")
    await store.put(question(), at=NOW, trace_id="asked")
    await store.put(command("compare", "1 and 2"), at=NOW, trace_id="compare")
    await store.put(command("help"), at=NOW, trace_id="help")
    assert (await claimed(store)).trace_id == "help"
    assert await store.claim(at=NOW, lane="questions") is None


async def test_of_several_edits_the_newest_is_answered_in_whatever_order_they_come(store: JobStore) -> None:
    await store.put(question(), at=NOW, trace_id="first")
    assert await store.put(edited(revision="1700000002.000100"), at=NOW, trace_id="second")
    assert await store.put(edited(revision="1700000010.000100"), at=NOW, trace_id="newest")
    assert not await store.put(edited(revision="1700000009.000100"), at=NOW, trace_id="late")
    assert not await store.put(edited(revision="1700000010.000100"), at=NOW, trace_id="again")
    order = []
    while job := await store.claim(at=later(1), lane="questions"):
        order.append(job.trace_id)
        await store.done(job, at=later(1))
    assert order == ["first", "newest"]


async def test_edits_whose_revisions_have_no_order_are_answered_as_they_come(store: JobStore) -> None:
    for revision in ("m-b", "m-a"):
        assert await store.put(edited(revision=revision), at=NOW, trace_id=revision)
    first = await claimed(store)
    await store.done(first, at=NOW)
    assert [first.trace_id, (await claimed(store)).trace_id] == ["m-b", "m-a"]


async def test_a_question_that_is_heard_after_its_edit_is_not_asked_once_more(store: JobStore) -> None:
    assert await store.put(edited(), at=NOW, trace_id="edit")
    assert not await store.put(question(), at=NOW, trace_id="late")
    job = await claimed(store)
    await store.save_reply_id(job, "message-7")
    await store.done(job, at=NOW)
    assert await store.claim(at=NOW, lane="questions") is None
    assert await store.posted(question().key) == "message-7"


async def test_a_late_edit_leaves_the_first_answer_where_it_is(store: JobStore) -> None:
    await store.put(question(), at=NOW, trace_id="1")
    first = await claimed(store)
    await store.save_reply_id(first, "message-7")
    await store.done(first, at=NOW)
    late = replace(edited(), changed=later(3_601))
    assert await store.put(late, at=later(3_601), trace_id="2")
    job = await claimed(store, seconds=3_601)
    await store.save_reply_id(job, "message-8")
    assert await store.posted(late.first_key) == "message-7"


async def test_a_failed_job_is_due_again_only_at_its_time_and_keeps_its_place(store: JobStore) -> None:
    await store.put(question("m1"), at=NOW, trace_id="first")
    await store.put(question("m2"), at=NOW, trace_id="second")
    await store.failed(await claimed(store), "busy", at=NOW, retry_at=later(10))
    assert await store.claim(at=later(9), lane="questions") is None
    again = await claimed(store, seconds=10)
    assert (again.trace_id, again.attempts) == ("first", 2)


async def test_a_job_given_up_frees_its_lock_and_is_not_done_again(store: JobStore) -> None:
    await store.put(question("m1"), at=NOW, trace_id="first")
    await store.put(question("m2"), at=NOW, trace_id="second")
    await store.failed(await claimed(store), "no", at=NOW, retry_at=None)
    assert (await claimed(store)).trace_id == "second"
    assert not await store.put(question("m1"), at=later(5), trace_id="third")


async def test_a_saved_reply_comes_back_with_the_job(store: JobStore) -> None:
    await store.put(question(), at=NOW, trace_id="1")
    job = await claimed(store)
    await store.save_reply_id(job, "message-7")
    await store.save_reply(job, full_reply())
    await store.failed(job, "platform down", at=NOW, retry_at=NOW)
    again = await claimed(store)
    assert (again.reply, again.reply_id) == (full_reply(), "message-7")


async def test_what_answered_a_key_is_known_after_it_is_done(store: JobStore) -> None:
    await store.put(question(), at=NOW, trace_id="1")
    job = await claimed(store)
    await store.save_reply_id(job, "message-7")
    await store.done(job, at=NOW)
    assert await store.posted(edited().first_key) == "message-7"
    assert await store.posted("ask:never") == ""


async def test_a_job_handed_back_is_due_at_once_and_the_attempt_does_not_count(store: JobStore) -> None:
    await store.put(question(), at=NOW, trace_id="1")
    await store.give_back(await claimed(store), at=NOW)
    assert (await claimed(store)).attempts == 1


async def test_forgetting_a_paper_withdraws_stored_replies_that_show_it(store: JobStore) -> None:
    await store.put(question("m1", in_thread=thread("a")), at=NOW, trace_id="1")
    await store.put(question("m2", in_thread=thread("b")), at=NOW, trace_id="2")
    await store.put(question("m3", in_thread=thread("c")), at=NOW, trace_id="3")
    cites, lists, other = [await claimed(store) for _ in range(3)]
    await store.save_reply(cites, full_reply())
    await store.save_reply(lists, Reply(kind="papers", body="On Footnotes", papers=frozenset({paper().id})))
    await store.save_reply(other, Reply(kind="help", body="words"))
    gone = frozenset({paper().id})
    assert await store.forget_papers(Workspace(platform="local", id="elsewhere"), gone, frozenset()) == {}
    assert await store.forget_papers(LAB, gone, frozenset()) == {"stored replies": 2}
    assert await store.forget_papers(LAB, gone, frozenset()) == {}
    for job in (cites, lists, other):
        await store.failed(job, "again", at=NOW, retry_at=NOW)
    replies = [(await claimed(store)).reply for _ in range(3)]
    assert replies == [WITHDRAWN, WITHDRAWN, Reply(kind="help", body="words")]


async def test_a_paper_that_leaves_one_channel_withdraws_the_replies_of_that_channel_alone(store: JobStore) -> None:
    for number, channel in enumerate(("general", "secret")):
        place = Thread(channel=Channel(workspace=LAB, id=channel), id=channel)
        await store.put(question(f"m{number}", in_thread=place), at=NOW, trace_id=channel)
    jobs = [await claimed(store) for _ in range(2)]
    for job in jobs:
        await store.save_reply(job, full_reply())
    gone = frozenset({paper().id})
    assert await store.forget_papers(LAB, gone, frozenset(), channels=frozenset({"general"})) == {"stored replies": 1}
    for job in jobs:
        await store.failed(job, "again", at=NOW, retry_at=NOW)
    assert [(await claimed(store)).reply for _ in range(2)] == [WITHDRAWN, full_reply()]


async def test_old_finished_jobs_go_and_unfinished_ones_stay(store: JobStore) -> None:
    await store.put(question("m1"), at=NOW, trace_id="1")
    await store.put(question("m2"), at=NOW, trace_id="2")
    await store.done(await claimed(store), at=later(10))
    assert await store.sweep(before=later(10)) == 0
    assert await store.sweep(before=later(11)) == 1
    assert (await claimed(store, seconds=20)).trace_id == "2"


Change = Callable[[JobStore, Job], Awaitable[bool]]
CHANGES: Mapping[str, Change] = {
    "keep": lambda store, job: store.keep(job, at=later(32)),
    "give back": lambda store, job: store.give_back(job, at=later(32)),
    "save the reply": lambda store, job: store.save_reply(job, Reply(kind="help", body="late")),
    "save the reply's id": lambda store, job: store.save_reply_id(job, "late"),
    "done": lambda store, job: store.done(job, at=later(32)),
    "put off": lambda store, job: store.failed(job, "late", at=later(32), retry_at=later(32)),
    "give up": lambda store, job: store.failed(job, "late", at=later(32), retry_at=None),
}
each_change = pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())


@each_change
async def test_a_claim_that_holds_may_change_its_job(store: JobStore, change: Change) -> None:
    await store.put(question(), at=NOW, trace_id="1")
    assert await change(store, await claimed(store))


@each_change
async def test_a_process_that_lost_its_lease_changes_nothing(stores: tuple[JobStore, JobStore], change: Change) -> None:
    first, second = stores
    await first.put(question("m1"), at=NOW, trace_id="1")
    await first.put(question("m2"), at=NOW, trace_id="2")
    lost = await claimed(first)
    taken = await claimed(second, seconds=31)
    assert (lost.key, lost.attempts, taken.attempts) == (taken.key, 1, 2)
    assert not await change(first, lost)
    assert await first.claim(at=later(33), lane="questions") is None  # the second process still works on it
    assert await second.claim(at=later(33), lane="questions") is None
    assert await second.posted(taken.key) == ""
    await second.failed(taken, "busy", at=later(34), retry_at=later(34))
    again = await claimed(second, seconds=34)
    assert (again.key, again.attempts, again.reply) == (taken.key, 3, None)


@each_change
async def test_a_process_that_claims_its_own_job_anew_speaks_for_the_new_claim_alone(
    store: JobStore, change: Change
) -> None:
    await store.put(question(), at=NOW, trace_id="1")
    lost = await claimed(store)
    taken = await claimed(store, seconds=31)
    assert not await change(store, lost)
    assert await store.done(taken, at=later(33))


@each_change
async def test_a_job_that_is_not_running_is_changed_by_nobody(store: JobStore, change: Change) -> None:
    await store.put(question("m1", in_thread=thread("a")), at=NOW, trace_id="1")
    await store.put(question("m2", in_thread=thread("b")), at=NOW, trace_id="2")
    ended, handed_back = await claimed(store), await claimed(store)
    await store.done(ended, at=NOW)
    await store.give_back(handed_back, at=NOW)
    assert not await change(store, ended)
    assert not await change(store, handed_back)
    assert (await claimed(store)).key == handed_back.key
    assert await store.claim(at=NOW, lane="questions") is None


async def test_a_lost_edit_leaves_the_first_answers_id_alone(stores: tuple[JobStore, JobStore]) -> None:
    first, second = stores
    await first.put(question(), at=NOW, trace_id="1")
    asked = await claimed(first)
    await first.save_reply_id(asked, "message-7")
    await first.done(asked, at=NOW)
    await first.put(edited(), at=NOW, trace_id="2")
    lost = await claimed(first)
    await claimed(second, seconds=31)
    assert not await first.save_reply_id(lost, "message-8")
    assert await first.posted(question().key) == "message-7"


async def test_keeping_a_job_extends_its_lease(stores: tuple[JobStore, JobStore]) -> None:
    first, second = stores
    await first.put(question(), at=NOW, trace_id="1")
    job = await claimed(first)
    assert await first.keep(job, at=later(29))
    assert await second.claim(at=later(58), lane="questions") is None
    assert (await claimed(second, seconds=60)).attempts == 2
    assert not await first.keep(job, at=later(61))
