"""All that the page shows of one workspace: messages, steps of running jobs, uploads; and a wake-up on changes."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from adapters.web.message_store import MessageStore, Tokens
from adapters.web.messages import PageChannel
from adapters.web.uploads import Uploads
from core.domain.model import Workspace

FIRST_CHANNELS = (
    PageChannel(id="general", name="general"),
    PageChannel(id="private", name="private", visibility="restricted"),
)


class ChangeNotifier:
    """Rings for all who wait. Take ``next_ring`` before looking, so that no ring falls in between."""

    def __init__(self) -> None:
        self._ring = asyncio.Event()

    def ring(self) -> None:
        """Wake everybody."""
        rung, self._ring = self._ring, asyncio.Event()
        rung.set()

    def next_ring(self) -> asyncio.Event:
        """The ring that comes next."""
        return self._ring


async def wait_for_ring(ring: asyncio.Event, *, seconds: float) -> bool:
    """Whether it rang within ``seconds``."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await ring.wait()
    return ring.is_set()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far a job is. ``message`` is where it shows: a reply, or the message with the ``file`` that is read."""

    message: str
    file: str
    name: str
    done: int
    total: int


class Steps:
    """The last step of every running job. Lives in memory: after a restart the job says anew how far it is."""

    def __init__(self, notifier: ChangeNotifier) -> None:
        self._notifier = notifier
        self._steps: dict[str, tuple[int, Step]] = {}
        self._count = 0

    def tell(self, key: str, step: Step) -> None:
        """Job ``key`` got further."""
        self._count += 1
        self._steps[key] = (self._count, step)
        self._notifier.ring()

    def end(self, key: str) -> None:
        """Job ``key`` has no more to tell."""
        self._steps.pop(key, None)

    def since(self, count: int) -> tuple[int, Mapping[str, Step]]:
        """The steps told after ``count``, and the count to ask with next time."""
        return self._count, {key: step for key, (number, step) in self._steps.items() if number > count}


class Conversations:
    """Everything that the page shows and the platform writes: notebook, steps and uploads of one workspace."""

    def __init__(self, workspace: Workspace, folder: Path, *, limit: int, tokens: Tokens) -> None:
        self.workspace = workspace
        self.notifier = ChangeNotifier()
        self.steps = Steps(self.notifier)
        self.notebook = MessageStore(
            folder / "page.db", places=FIRST_CHANNELS, tokens=tokens, changed=self.notifier.ring
        )
        self.uploads = Uploads(folder / "uploads", limit=limit)

    async def place(self, id_: str) -> PageChannel | None:
        """A channel of the page by its id."""
        return next((channel for channel in await self.notebook.places() if channel.id == id_), None)

    async def visible(self) -> frozenset[str]:
        """Ids of the open channels."""
        return frozenset(channel.id for channel in await self.notebook.places() if channel.visibility == "open")
