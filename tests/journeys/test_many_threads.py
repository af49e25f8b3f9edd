"""Twenty threads at once on one process with a model: order within a thread, turns between people, a bounded load."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import App, open_app
from core.config import Config
from core.domain.events import Event, PdfShared, QuestionAsked
from core.domain.model import SharedFile
from core.domain.ports import ForgetsPapers
from core.services.engine import Engine
from tests.bot.actors import thread
from tests.bot.fake_platform import FakePlatform
from tests.journeys.actors import COMETS, made
from tests.journeys.test_with_a_model import shared_parts
from tests.llm.brains import Brain, claim, claims
from tests.llm.scripted_server import Request, Says, ScriptedServer

pytestmark = pytest.mark.slow

RIGHT = "Its tail measured 42 degrees."
QUESTION = "How many degrees did the tail of the comet Velorum measure?"
THREADS = 20
AT_ONCE = 4
CALLS = 2


@asynccontextmanager
async def engine(config: Config, others: Sequence[ForgetsPapers]) -> AsyncIterator[Engine]:
    """The real one with an embedder without a model."""
    async with Engine(config, models=shared_parts(config), others=others) as opened:
        yield opened


class Busy:
    """A model that takes a moment for each call and knows how many it was given at once."""

    def __init__(self) -> None:
        self._brain = Brain(write=claims(claim(RIGHT, RIGHT), claim("It was green.", "It was green.")))
        self._lock = threading.Lock()
        self._now = 0
        self.most = 0
        self.calls = 0

    def __call__(self, request: Request) -> Says:
        with self._lock:
            self._now += 1
            self.calls += 1
            self.most = max(self.most, self._now)
        try:
            threading.Event().wait(0.02)
            return self._brain(request)
        finally:
            with self._lock:
                self._now -= 1


def asked(user: str, name: str, number: int) -> QuestionAsked:
    return QuestionAsked(
        thread=thread(name), user=user, at=datetime.now(UTC), message=f"{name}-{number}", text=QUESTION
    )


async def most_running(app: App) -> int:
    """How many questions ran at once; ends when it is cancelled."""
    most = 0
    try:
        while True:
            most = max(most, len(app.worker._running))
            await asyncio.sleep(0.005)
    except asyncio.CancelledError:
        return most


async def test_twenty_threads_at_once_keep_order_take_turns_and_stay_within_bounds(tmp_path: Path) -> None:
    platform, busy = FakePlatform(), Busy()
    platform.files["f"] = made(tmp_path, "comet.pdf", COMETS).read_text(encoding="cp1252")
    file = SharedFile(id="f", name="comet.pdf", mime="application/pdf", size=1, locator="")
    drop = PdfShared(thread=thread("drop"), user="ada", at=datetime.now(UTC), message="drop", file=file)
    many: list[Event] = [asked("ada", f"t{n}", number) for number in range(2) for n in range(THREADS - 1)]
    late = [asked("bob", "late", number) for number in range(2)]
    with ScriptedServer(busy) as server:
        settings = Settings.model_validate(
            {
                "data": tmp_path / "data",
                "llm": {"base_url": server.url, "model": "scripted", "concurrency": CALLS},
                "reading": {"workers": 1},
                "questions_at_once": AT_ONCE,
            }
        )
        async with open_app(settings, [platform], engines=engine) as app:
            await app.dispatcher.accept(drop)
            await platform.until(lambda: drop.key in platform.order, seconds=240)
            watching = asyncio.create_task(most_running(app))
            for event in (*many, *late):
                await app.dispatcher.accept(event)
            await platform.until(lambda: len(platform.order) == 1 + len(many) + len(late), seconds=240)
            watching.cancel()
            running = await watching
    order = platform.order[1:]
    assert sorted(order) == sorted(event.key for event in (*many, *late))
    for n in range(THREADS - 1):
        assert order.index(asked("ada", f"t{n}", 0).key) < order.index(asked("ada", f"t{n}", 1).key)
    assert order.index(late[0].key) < order.index(late[1].key) < len(many) / 2
    assert 1 < running <= AT_ONCE and busy.most <= CALLS
    bodies = [reply.body for reply in platform.messages.values()][1:]
    assert all("42 degrees" in body and "green" not in body for body in bodies)
