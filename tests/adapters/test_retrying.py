"""Work that fails is tried again beside its caller, once at a time, and ends when it is closed."""

import asyncio

import pytest

from adapters.common import retry
from adapters.common.retry import Retrying, notify_nobody


class Work:
    """Fails so many times, then succeeds."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.attempts = 0
        self.is_done = asyncio.Event()

    async def __call__(self) -> None:
        self.attempts += 1
        if self.attempts <= self.failures:
            raise RuntimeError("not yet")
        self.is_done.set()


async def test_a_delivery_that_comes_again_meanwhile_is_not_tried_twice_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retry, "PAUSES", (0.05, 0.05))
    work, trying = Work(failures=3), Retrying()
    await trying.run("a", work, notify_nobody)
    await trying.run("a", work, notify_nobody)
    async with asyncio.timeout(5):
        await work.is_done.wait()
    await asyncio.sleep(0.2)
    assert work.attempts == 4
    await trying.close()


async def test_closing_leaves_off_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "PAUSES", (60.0,))
    work, trying = Work(failures=1), Retrying()
    await trying.run("a", work, notify_nobody)
    async with asyncio.timeout(5):
        await trying.close()
    assert work.attempts == 1
