"""A paper's reading time begins with its first step: it does not count the papers that were read before it."""

import asyncio

from core.assistant.papers.ingest import _ReadingClock
from core.domain.progress import NO_PROGRESS


async def test_waiting_for_other_papers_is_no_reading_time() -> None:
    clock = _ReadingClock(NO_PROGRESS)
    await asyncio.sleep(0.5)
    waited = clock.seconds()
    await clock.step("reading", 0, 3)
    assert clock.seconds() < 0.5 <= waited


async def test_later_steps_do_not_begin_anew() -> None:
    clock = _ReadingClock(NO_PROGRESS)
    await clock.step("reading", 0, 3)
    await asyncio.sleep(0.1)
    await clock.step("embedding", 1, 3)
    assert clock.seconds() >= 0.1
