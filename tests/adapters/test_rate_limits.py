"""Edits at a legal pace and silence when asked for it; time is counted in calls where it can be."""

import asyncio

import pytest

from adapters.common.progress import Edits
from adapters.common.retry import RateLimits
from core.domain.errors import PlatformFailure, RateLimited


async def until(reached: list[str], last: str) -> None:
    async with asyncio.timeout(5):
        while last not in reached:  # noqa: ASYNC110 - the list tells nobody
            await asyncio.sleep(0.005)


async def test_the_newest_state_wins_and_is_always_shown() -> None:
    shown: list[str] = []

    async def edit(state: str) -> None:
        shown.append(state)

    edits = Edits(edit, seconds=0.1)
    for number in range(200):
        edits.show(str(number))
        if number == 100:
            await until(shown, "100")
    await until(shown, "199")
    await edits.close()

    assert shown == ["100", "199"]


async def test_nothing_is_shown_after_closing() -> None:
    shown: list[str] = []
    going = asyncio.Event()
    go_on = asyncio.Event()

    async def edit(state: str) -> None:
        going.set()
        await go_on.wait()
        shown.append(state)

    edits = Edits(edit, seconds=0.01)
    edits.show("first")
    await going.wait()
    edits.show("second")
    closing = asyncio.create_task(edits.close())
    await asyncio.sleep(0)
    assert not closing.done()  # it waits for the edit under way
    go_on.set()
    await closing
    edits.show("third")

    assert asyncio.all_tasks() == {asyncio.current_task()}  # nothing is left that could show more
    assert shown == ["first"]


async def test_what_was_refused_for_its_pace_is_shown_later_and_what_failed_is_passed_over() -> None:
    tried: list[str] = []

    async def edit(state: str) -> None:
        tried.append(state)
        if tried == ["a"]:
            raise RateLimited("wait", 0.05)
        if state == "b":
            raise PlatformFailure("no")

    edits = Edits(edit, seconds=0.01)
    edits.show("a")
    await until(tried, "a")
    async with asyncio.timeout(5):
        while len(tried) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    edits.show("b")
    await until(tried, "b")
    edits.show("c")
    await until(tried, "c")
    await edits.close()

    assert tried == ["a", "a", "b", "c"]


async def test_a_long_silence_is_told_and_ends() -> None:
    now = [100.0]
    limits = RateLimits(patience=1.0, clock=lambda: now[0])
    limits.hold_back("T1 chat.postMessage", 30)

    with pytest.raises(RateLimited) as told:
        await limits.wait_turn("T1 chat.postMessage")
    assert told.value.seconds == 30
    await limits.wait_turn("T1 chat.update")  # other calls go on
    now[0] = 131
    await limits.wait_turn("T1 chat.postMessage")
