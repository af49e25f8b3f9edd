"""Who asks, where, and what may be read: one value that every use case on somebody's behalf is handed whole."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.domain.model import Channel, Scope, Thread, Workspace
from core.domain.progress import NO_PROGRESS, Progress, Stop


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """The circumstances of one request.

    ``scope`` bounds every read. ``user`` is whose account a model's use is charged to; empty for nobody in
    particular. Once ``stop`` is asked, work ends with what was verified until then. ``progress`` hears how far the
    work is, ``at`` is when the request was made, and ``trace_id`` names it in logs and in what is stored of it.
    """

    scope: Scope
    thread: Thread
    user: str = ""
    at: datetime = field(default_factory=_now)
    trace_id: str = ""
    progress: Progress = NO_PROGRESS
    stop: Stop = field(default_factory=Stop)

    @property
    def workspace(self) -> Workspace:
        """Whose library is read."""
        return self.scope.workspace

    @property
    def channel(self) -> Channel:
        """Where it was asked; its settings apply."""
        return self.thread.channel
