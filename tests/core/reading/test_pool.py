"""A reader process that hangs, dies or is killed costs its own task; the others and the next ones live."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from core.config import ReadingConfig
from core.reading.pool import ReaderCrashed, ReaderPool, ReaderTimedOut
from tests.core.reading import hostile


@pytest.fixture
async def readers() -> AsyncIterator[ReaderPool]:
    readers = ReaderPool(ReadingConfig(workers=2, memory_megabytes=1_024))
    yield readers
    await readers.close()


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not reached():  # noqa: ASYNC110 - another process tells nobody
            await asyncio.sleep(0.01)


async def test_one_hung_and_one_crashed_task_leave_the_others_alone(readers: ReaderPool) -> None:
    hung = asyncio.create_task(readers.run(hostile.hang, seconds=1))
    crashed = asyncio.create_task(readers.run(hostile.crash, seconds=60))
    fine = [asyncio.create_task(readers.run(hostile.echo, n, seconds=60)) for n in range(8)]
    assert await asyncio.gather(*fine) == list(range(8))
    with pytest.raises(ReaderTimedOut):
        await hung
    with pytest.raises(ReaderCrashed):
        await crashed
    assert await readers.run(hostile.echo, 42, seconds=60) == 42


async def test_a_task_is_ended_for_the_time_that_it_works_and_not_for_the_time_that_it_waits(
    readers: ReaderPool,
) -> None:
    assert await readers.run(hostile.doze, 2.5, seconds=1) == 2.5
    with pytest.raises(ReaderTimedOut):
        await asyncio.wait_for(readers.run(hostile.spin, seconds=2), 60)
    assert await readers.run(hostile.echo, 3, seconds=60) == 3


async def test_memory_beyond_the_limit_is_refused_by_the_process_itself(readers: ReaderPool) -> None:
    with pytest.raises(MemoryError):
        await readers.run(hostile.devour, seconds=60)
    assert await readers.run(hostile.echo, 1, seconds=60) == 1


async def test_an_idle_process_killed_from_outside_is_replaced(readers: ReaderPool) -> None:
    victim = await readers.run(hostile.process_id, seconds=60)
    broken = readers._pool
    assert broken is not None
    os.kill(victim, signal.SIGKILL)
    await until(lambda: not broken.active)
    # All of these meet the broken pool; the one that is made for the first must do for the others.
    echoes = [readers.run(hostile.echo, n, seconds=60) for n in range(5)]
    assert await asyncio.gather(*echoes) == list(range(5))


async def test_cancelling_ends_the_task_and_frees_its_process(readers: ReaderPool, tmp_path: Path) -> None:
    began = [tmp_path / "first", tmp_path / "second"]
    hung = [asyncio.create_task(readers.run(hostile.hang_after, str(path), seconds=600)) for path in began]
    await until(lambda: all(path.exists() for path in began))
    for task in hung:
        task.cancel()
    await asyncio.gather(*hung, return_exceptions=True)
    assert await asyncio.wait_for(readers.run(hostile.echo, 7, seconds=60), 60) == 7


async def test_reader_processes_do_not_load_the_embedders_library(readers: ReaderPool) -> None:
    assert await readers.run(hostile.loaded, "torch", "sentence_transformers", seconds=60) == []


async def test_a_closed_pool_takes_no_task(readers: ReaderPool) -> None:
    await readers.close()
    with pytest.raises(ReaderCrashed):
        await readers.run(hostile.echo, 1, seconds=60)
