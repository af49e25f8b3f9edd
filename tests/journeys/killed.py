"""Takes a paper in and is killed at a point: ``python -m tests.journeys.killed DATA MODELS PDF POINT``."""

import asyncio
import io
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rich.console import Console

from adapters.console.platform import ConsolePlatform, ScriptedLines
from bot.jobs.store import SqliteJobStore
from bot.wiring import core_engine, open_app
from core.config import Config
from core.domain.events import Event
from core.domain.jobs import Job
from core.domain.model import Channel, IngestReport, Workspace
from core.domain.ports import ForgetsPapers
from core.domain.progress import NoProgress
from core.domain.reply import Reply
from core.library.sqlite import adding
from core.services.engine import Engine
from tests.journeys.actors import settings

POINTS = ("accepted", "fetched", "reading", "embedding", "storing", "stored", "replied")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Watched(NoProgress):
    """Progress that ends the process at a stage."""

    def __init__(self, point: str) -> None:
        self._point = point

    async def step(self, name: str, done: int, total: int) -> None:
        if name == self._point:
            die()


async def main(data: Path, models: Path, pdf: Path, point: str) -> None:
    @asynccontextmanager
    async def engines(config: Config, others: Sequence[ForgetsPapers]) -> AsyncIterator[Engine]:
        async with core_engine(config, others) as engine:
            taken_in = engine.papers.ingest

            async def ingest(share, *, scope, pdf, file_name, progress) -> IngestReport:  # type: ignore[no-untyped-def]
                if point == "fetched":
                    die()
                watched = Watched(point)
                report = await taken_in(share, scope=scope, pdf=pdf, file_name=file_name, progress=watched)
                if point == "stored":
                    die()
                return report

            engine.papers.ingest = ingest  # type: ignore[method-assign, assignment]
            yield engine

    writing: Any = adding
    insert = writing.insert_rows

    async def insert_rows(*given: Any) -> None:
        await insert(*given)
        if point == "storing":
            die()

    writing.insert_rows = insert_rows  # the last write of a paper's transaction: all is written, nothing committed

    save = SqliteJobStore.save_reply

    async def save_reply(self: SqliteJobStore, job: Job, reply: Reply) -> bool:
        saved = await save(self, job, reply)
        if point == "replied":
            die()
        return saved

    SqliteJobStore.save_reply = save_reply  # type: ignore[method-assign]
    channel = Channel(workspace=Workspace(platform="local", id="lab"), id="general")
    console = ConsolePlatform(channel, session="killed", console=Console(file=io.StringIO()), files=data)
    async with open_app(settings(data, models), [console], engines=engines) as app:

        async def accept(event: Event) -> bool:
            taken = await app.dispatcher.accept(event)
            if point == "accepted":
                die()
            return taken

        await console.talk(ScriptedLines([str(pdf)], console.view), accept)


if __name__ == "__main__":
    asyncio.run(main(*(Path(argument) for argument in sys.argv[1:4]), sys.argv[4]))  # type: ignore[arg-type, call-arg]
