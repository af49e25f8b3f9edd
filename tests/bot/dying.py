"""A process that died in the middle of a job, as the job file sees it."""

import secrets
from pathlib import Path

from bot.jobs.liveness import LivenessFile
from bot.jobs.store import SqliteJobStore
from core.domain.events import Event
from tests.bot.actors import NOW


async def killed_while_running(path: Path, event: Event) -> None:
    """A process takes the job and dies without a word: its row says running, its lock is free."""
    with LivenessFile(path.parent / "alive", f"dead-{secrets.token_hex(3)}") as alive:
        async with SqliteJobStore(path, liveness=alive) as store:
            await store.put(event, at=NOW, trace_id="t")
            assert await store.claim(at=NOW, lane="questions") is not None
