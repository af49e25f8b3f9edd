"""The bot in a process of its own that dies at a point: ``python -m …slack.killed DATA API POINT MODE PORT``.

Its engine has no models but keeps its papers on disk, so that what was read before a kill is there after it.
"""

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from adapters.slack.platform import SlackPlatform
from adapters.slack.settings import SlackSettings
from adapters.slack.streaming import StreamedReply
from bot.jobs.store import SqliteJobStore
from bot.settings import Settings
from bot.wiring import open_app
from bot.worker import JobPolicy
from core.config import Config
from core.domain.events import Event, QuestionEdited
from core.domain.model import Answer, IngestReport, Thread
from core.domain.ports import ForgetsPapers
from core.domain.reply import Reply
from core.services.engine import Engine
from tests.bot.fake_engine import FakeEngine, FakePapers, FakeQuestions
from tests.peers.slack.front import APP_TOKEN, SECRET, TOKEN

SOON = JobPolicy(retry_seconds=0.1, lease_seconds=5.0)

POINTS = ("posted", "streaming", "sent")
EDITS = ("heard", "kept")


class KeptPapers(FakePapers):
    """Papers that outlive the process, in one file."""

    def __init__(self) -> None:
        super().__init__()
        self._keeping = asyncio.Lock()
        self.path = Path()

    async def ingest(self, *given: Any, **named: Any) -> IngestReport:
        report = await super().ingest(*given, **named)
        async with self._keeping:  # two papers at once write one file
            written = self.path.with_suffix(".new")
            await asyncio.to_thread(written.write_bytes, pickle.dumps(self.shelves))
            written.replace(self.path)
        return report


class SlowQuestions(FakeQuestions):
    """Answering takes a moment, so that a kill can come in its middle."""

    moment = 0.1

    async def _answered(self, *given: Any, **named: Any) -> Answer:
        await asyncio.sleep(self.moment / 2)
        answer = await super()._answered(*given, **named)
        await asyncio.sleep(self.moment)
        return answer


@asynccontextmanager
async def kept_engine(config: Config, others: Sequence[ForgetsPapers]) -> AsyncIterator[Engine]:
    """A fake engine over kept papers, in the place of ``core_engine``."""
    papers = KeptPapers()
    papers.others = others
    papers.path = config.data / "shelves.pickle"
    if papers.path.exists():
        papers.shelves = pickle.loads(papers.path.read_bytes())
    yield FakeEngine(papers=papers, questions_type=SlowQuestions).as_engine()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def armed_for_edits(point: str) -> None:
    """Let the process die where it was told of an edit: before that is kept, or before the platform knows of it."""
    put = SqliteJobStore.put

    async def _put(self: SqliteJobStore, event: Event, *, at: datetime, trace_id: str) -> bool:
        if isinstance(event, QuestionEdited) and point == "heard":
            die()
        stored = await put(self, event, at=at, trace_id=trace_id)
        if isinstance(event, QuestionEdited) and point == "kept":
            die()
        return stored

    SqliteJobStore.put = _put  # type: ignore[method-assign]


def armed(point: str) -> None:
    """Let the process die at the point, for a question."""
    keep, append, send = StreamedReply._keep, StreamedReply._append, SlackPlatform.send

    async def _keep(self: StreamedReply) -> None:
        if self._job.answers and point == "posted":
            die()  # the message is there, its id is stored nowhere
        await keep(self)

    async def _append(self: StreamedReply, state: Any) -> None:
        await append(self, state)
        if point == "streaming":
            die()

    async def _send(self: SlackPlatform, thread: Thread, reply: Reply, *, key: str) -> str:
        id_ = await send(self, thread, reply, key=key)
        if key.startswith("ask:") and point == "sent":
            die()  # the whole reply is there, and the job not known to be done
        return id_

    StreamedReply._keep, StreamedReply._append, SlackPlatform.send = _keep, _append, _send  # type: ignore[method-assign]


async def main(data: Path, api: str, point: str, mode: str, port: str) -> None:
    armed(point)
    armed_for_edits(point)
    way: dict[str, Any] = {"mode": mode, "port": int(port), "signing_secret": SECRET}
    slack = SlackSettings(bot_token=TOKEN, app_token=APP_TOKEN, api_url=api, **way)
    limits = dict.fromkeys(
        ("user_questions_per_hour", "channel_questions_per_hour", "user_pages_per_day", "channel_pages_per_day"), 0
    )
    given = {"data": data, "slack": slack, "limits": limits}
    settings = Settings.model_validate(given)
    SlowQuestions.moment = 2.0 if point == "streaming" else 0.1  # long enough for the sentence to be shown
    async with open_app(settings, [SlackPlatform(slack, data)], engines=kept_engine, policy=SOON):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:6]))
