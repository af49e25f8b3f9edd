"""What only the real job store can show: processes that die, share the file, or meet a bad one."""

import asyncio
import random
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import aiosqlite
import pytest

from bot.backend import ReadBackend
from bot.jobs.liveness import LivenessFile
from bot.jobs.schema import MIGRATIONS
from bot.jobs.store import SqliteJobStore
from core.domain.errors import LibraryFailure
from core.domain.jobs import Job
from core.domain.model import Channel, Scope
from core.domain.reply import Reply
from tests.bot.actors import LAB, NOW, dropped, full_reply, later, paper, question, thread
from tests.bot.fake_engine import FakeEngine


def on_disk(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("process.db*"))


ROOT = Path(__file__).parents[2]


async def test_a_killed_process_leaves_its_job_to_the_next_start(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import asyncio, os, signal, sys
        from pathlib import Path
        from bot.jobs.liveness import LivenessFile
        from bot.jobs.store import SqliteJobStore
        from tests.bot.actors import NOW, question

        async def main():
            with LivenessFile(Path(sys.argv[1]).parent / "alive", "victim") as alive:
                async with SqliteJobStore(Path(sys.argv[1]), liveness=alive) as store:
                    await store.put(question(), at=NOW, trace_id="t")
                    await store.claim(at=NOW, lane="questions")
                    os.kill(os.getpid(), signal.SIGKILL)

        asyncio.run(main())
        """
    )
    path = tmp_path / "process.db"
    ended = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script, str(path)], cwd=ROOT, check=False)
    assert ended.returncode == -9
    with LivenessFile(tmp_path / "alive", "next") as alive:
        async with SqliteJobStore(path, liveness=alive) as store:
            job = await store.claim(at=NOW, lane="questions")
            assert job is not None
            assert (job.event, job.attempts) == (question(), 2)


async def test_a_living_process_keeps_its_job_and_loses_it_when_its_lease_ends(tmp_path: Path) -> None:
    path = tmp_path / "process.db"
    with LivenessFile(tmp_path / "alive", "a") as item, LivenessFile(tmp_path / "alive", "b") as two:
        async with SqliteJobStore(path, liveness=item) as first:
            await first.put(question(), at=NOW, trace_id="t")
            job = await first.claim(at=NOW, lane="questions")
            assert job is not None
            async with SqliteJobStore(path, liveness=two) as second:
                assert await second.claim(at=later(29), lane="questions") is None
                await first.keep(job, at=later(29))
                assert await second.claim(at=later(58), lane="questions") is None
                taken = await second.claim(at=later(60), lane="questions")
                assert taken is not None and taken.attempts == 2


async def test_many_processes_never_get_the_same_job(tmp_path: Path) -> None:
    path = tmp_path / "process.db"
    with LivenessFile(tmp_path / "alive", "a") as item, LivenessFile(tmp_path / "alive", "b") as two:
        async with SqliteJobStore(path, liveness=item) as first, SqliteJobStore(path, liveness=two) as second:
            for number in range(20):
                await first.put(question(f"m{number}", in_thread=thread(str(number))), at=NOW, trace_id=str(number))
            stores = [first, second] * 15
            jobs = await asyncio.gather(*(store.claim(at=NOW, lane="questions") for store in stores))
    assert sorted(int(job.trace_id) for job in jobs if job) == list(range(20))


async def test_a_terminal_leaves_the_jobs_of_other_platforms_alone(tmp_path: Path) -> None:
    with LivenessFile(tmp_path / "alive", "a") as alive:
        async with SqliteJobStore(tmp_path / "process.db", liveness=alive, platforms=frozenset({"slack"})) as store:
            await store.put(question(), at=NOW, trace_id="t")
            assert await store.claim(at=NOW, lane="questions") is None


async def test_a_finished_job_keeps_its_key_and_no_word(tmp_path: Path) -> None:
    with LivenessFile(tmp_path / "alive", "a") as alive:
        async with SqliteJobStore(tmp_path / "process.db", liveness=alive) as store:
            await store.put(question(text="verysecretquestion"), at=NOW, trace_id="t")
            job = await store.claim(at=NOW, lane="questions")
            assert job is not None
            await store.save_reply(job, Reply(kind="answer", body="verysecretanswer"))
            await store.done(job, at=NOW)
            await store.forget_papers(LAB, frozenset({"other"}), frozenset())
            written = on_disk(tmp_path)
    assert b"verysecret" not in written
    assert question().key.encode() in written


async def test_a_forgotten_papers_words_leave_the_disk(tmp_path: Path) -> None:
    with LivenessFile(tmp_path / "alive", "a") as alive:
        async with SqliteJobStore(tmp_path / "process.db", liveness=alive) as store:
            await store.put(question(), at=NOW, trace_id="t")
            job = await store.claim(at=NOW, lane="questions")
            assert job is not None
            await store.save_reply(job, full_reply())
            before = on_disk(tmp_path)
            await store.forget_papers(LAB, frozenset({paper().id}), frozenset())
            after = on_disk(tmp_path)
    assert b"a promise" in before
    assert b"a promise" not in after


async def test_a_forgotten_papers_words_leave_the_disk_however_the_file_was_rearranged(tmp_path: Path) -> None:
    drawn = random.Random(7)
    with LivenessFile(tmp_path / "alive", "a") as alive:
        async with SqliteJobStore(tmp_path / "process.db", liveness=alive) as store:
            jobs: list[Job] = []
            for number in range(120):
                await store.put(question(f"m{number}", in_thread=thread(str(number))), at=NOW, trace_id="t")
                job = await store.claim(at=NOW, lane="questions")
                assert job is not None
                jobs.append(job)
            drawn.shuffle(jobs)
            for place, job in enumerate(jobs):
                # Replies of very different lengths, grown and shrunk, so that pages are split, joined and filled anew.
                words = " ".join(f"verysecret{place}" for _ in range(drawn.choice((1, 9, 80, 300))))
                shown = paper().id if place % 2 else "b" * 64
                await store.save_reply(job, Reply(kind="answer", body=words, papers=frozenset({shown})))
                if place % 3 == 0:
                    await store.done(jobs[place // 2], at=NOW)
            await store.forget_papers(LAB, frozenset({paper().id, "b" * 64}), frozenset())
            assert b"verysecret" not in on_disk(tmp_path)
            assert sum((await store.counts()).values()) == 120


async def test_being_cancelled_in_any_step_leaves_the_file_usable(tmp_path: Path) -> None:
    with LivenessFile(tmp_path / "alive", "a") as alive:
        async with SqliteJobStore(tmp_path / "process.db", liveness=alive) as store:
            for number in range(60):
                task = asyncio.create_task(store.put(question(f"m{number}"), at=NOW, trace_id=str(number)))
                await asyncio.sleep(number * 0.00005)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            assert await store.put(question("last"), at=NOW, trace_id="last")
            assert await store.claim(at=NOW, lane="questions") is not None


async def test_a_file_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "process.db"
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    with LivenessFile(tmp_path / "alive", "a") as alive, pytest.raises(LibraryFailure, match="newer Footnote"):
        async with SqliteJobStore(path, liveness=alive):
            pass


async def test_a_file_that_is_no_database_is_one_clear_sentence(tmp_path: Path) -> None:
    path = tmp_path / "process.db"
    path.write_bytes(b"not a database, " * 500)
    with LivenessFile(tmp_path / "alive", "a") as alive, pytest.raises(LibraryFailure, match="waiting work"):
        async with SqliteJobStore(path, liveness=alive):
            pass


async def test_results_that_are_still_held_do_not_keep_a_new_job_file_from_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[aiosqlite.Cursor] = []
    execute = aiosqlite.Connection.execute

    async def holding(connection: aiosqlite.Connection, *given: object) -> aiosqlite.Cursor:
        cursor = await execute(connection, *given)
        held.append(cursor)
        return cursor

    monkeypatch.setattr(aiosqlite.Connection, "execute", holding)
    with LivenessFile(tmp_path / "alive", "tester") as alive:
        async with SqliteJobStore(tmp_path / "process.db", liveness=alive) as store:
            assert await store.put(question("How long?"), at=NOW, trace_id="t")
    assert held


async def test_only_the_work_of_channels_that_are_seen_is_counted(tmp_path: Path) -> None:
    secret = Channel(workspace=LAB, id="secret", visibility="restricted")
    with LivenessFile(tmp_path / "alive", "a") as alive:
        async with SqliteJobStore(tmp_path / "process.db", liveness=alive) as store:
            await store.put(question("m1"), at=NOW, trace_id="t")
            await store.put(question("m2", in_thread=thread("t2", secret)), at=NOW, trace_id="t")
            await store.put(replace(dropped("m3"), thread=thread("t3", secret)), at=NOW, trace_id="t")
            backend = ReadBackend(FakeEngine().as_engine(), store)
            told = {
                places: await backend.waiting(Scope(workspace=LAB, channels=frozenset(places)))
                for places in (("reading-group",), ("secret",), ("other",))
            }
    assert told == {
        ("reading-group",): "Still to do: 1 question.",
        ("secret",): "Still to do: 1 paper, 1 question.",
        ("other",): "",
    }
