"""``JobStore`` in a dictionary: what the port promises, without a file."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.jobs.codec import lane_of
from bot.jobs.store import WITHDRAWN
from core.domain.events import Event, QuestionEdited
from core.domain.jobs import Job, Lane
from core.domain.model import Workspace
from core.domain.reply import Reply

LEASE = timedelta(seconds=30)


@dataclass
class _Row:
    job: Job
    lane: Lane
    due: datetime
    lease_until: datetime | None = None
    state: str = "waiting"
    ended: datetime | None = None


class InMemoryJobStore:
    """The store of the process ``owner``; ``beside`` is that of another process, over the same jobs."""

    def __init__(self, owner: str = "one", *, beside: "InMemoryJobStore | None" = None) -> None:
        self._owner = owner
        self._rows: dict[str, _Row] = {} if beside is None else beside._rows

    async def put(self, event: Event, *, at: datetime, trace_id: str) -> bool:
        if event.key in self._rows:
            return False
        job = Job(id=len(self._rows) + 1, key=event.key, lock=event.lock, event=event, attempts=0, trace_id=trace_id)
        self._rows[event.key] = _Row(job=job, lane=lane_of(event), due=at)
        return not isinstance(event, QuestionEdited) or self._is_latest(event, at)

    async def claim(self, *, at: datetime, lane: Lane) -> Job | None:
        held: set[str] = set()
        ready: list[_Row] = []
        for row in self._rows.values():
            if row.state in ("waiting", "running") and not self._is_held(row):
                if _is_free(row, at) and row.lane == lane and row.job.lock not in held:
                    ready.append(row)
                held.add(row.job.lock)
        if not ready:
            return None
        busy = [one.job.event.user for one in self._rows.values() if one.lane == lane and _is_leased(one, at)]
        row = min(ready, key=lambda one: (busy.count(one.job.event.user), one.due, one.job.id))
        row.state, row.lease_until = "running", at + LEASE
        row.job = replace(row.job, attempts=row.job.attempts + 1, owner=self._owner)
        return row.job

    async def keep(self, job: Job, *, at: datetime) -> bool:
        row = self._claimed(job)
        if row is not None:
            row.lease_until = at + LEASE
        return row is not None

    async def give_back(self, job: Job, *, at: datetime) -> bool:
        row = self._claimed(job)
        if row is None:
            return False
        row.state, row.due = "waiting", min(row.due, at)
        row.job = replace(row.job, attempts=row.job.attempts - 1)
        return True

    async def save_reply(self, job: Job, reply: Reply) -> bool:
        row = self._claimed(job)
        if row is None:
            return False
        row.job = replace(row.job, reply=reply)
        return True

    async def save_reply_id(self, job: Job, reply_id: str) -> bool:
        if self._claimed(job) is None:
            return False
        keys = {job.key}
        if isinstance(job.event, QuestionEdited) and job.event.in_place:
            keys.add(job.event.first_key)
        for row in (self._rows[key] for key in keys if key in self._rows):
            row.job = replace(row.job, reply_id=reply_id)
        return True

    async def done(self, job: Job, *, at: datetime) -> bool:
        return self._end(job, "done", at)

    async def failed(self, job: Job, words: str, *, at: datetime, retry_at: datetime | None) -> bool:
        if retry_at is None:
            return self._end(job, "given up", at)
        row = self._claimed(job)
        if row is None:
            return False
        row.state, row.due = "waiting", retry_at
        return True

    def _claimed(self, job: Job) -> _Row | None:
        row = self._rows.get(job.key)
        if row is None or row.state != "running":
            return None
        same = (row.job.owner, row.job.attempts) == (job.owner, job.attempts)
        return row if same else None

    async def posted(self, key: str) -> str:
        return self._rows[key].job.reply_id if key in self._rows else ""

    async def awaited(self, job: Job) -> bool:
        return any(
            row.lane == "questions" and row.state == "waiting" and row.job.id > job.id
            for row in self._rows.values()
            if row.job.event.reads and row.job.event.reads == job.event.reads
        )

    async def forget_papers(
        self,
        workspace: Workspace,
        papers: frozenset[str],
        words: frozenset[str],
        *,
        channels: frozenset[str] | None = None,
    ) -> Mapping[str, int]:
        hit = 0
        for row in self._rows.values():
            reply = row.job.reply
            if reply is None or row.job.event.thread.channel.workspace != workspace:
                continue
            if channels is not None and row.job.event.thread.channel.id not in channels:
                continue
            if papers & (reply.papers | {note.paper.id for note in reply.footnotes}):
                row.job = replace(row.job, reply=WITHDRAWN)
                hit += 1
        return {"stored replies": hit} if hit else {}

    async def sweep(self, *, before: datetime) -> int:
        old = [key for key, row in self._rows.items() if row.ended and row.ended < before]
        for key in old:
            del self._rows[key]
        return len(old)

    def _is_held(self, row: _Row) -> bool:
        reads = row.job.event.reads
        return (
            bool(reads)
            and row.lane == "questions"
            and row.state == "waiting"
            and any(
                item.lane == "papers" and item.state in ("waiting", "running") and item.job.id < row.job.id
                for item in self._rows.values()
                if item.job.event.reads == reads
            )
        )

    def _is_latest(self, edit: QuestionEdited, at: datetime) -> bool:
        own = self._rows[edit.key]
        self._rows.setdefault(edit.first_key, replace(own, state="done", ended=at))
        edits = [
            item
            for key, item in self._rows.items()
            if isinstance(item.job.event, QuestionEdited) and key == item.job.event.key != edit.key
            if item.job.event.first_key == edit.first_key
        ]
        if any(edit.beside(item.job.key) == "later" for item in edits):
            own.state, own.ended = "done", at
            return False
        for item in edits:
            if item.state == "waiting" and edit.beside(item.job.key) == "earlier":
                item.state, item.ended = "done", at
        return True

    def _end(self, job: Job, state: str, at: datetime) -> bool:
        row = self._claimed(job)
        if row is None:
            return False
        row.state, row.ended = state, at
        row.job = replace(row.job, reply=None)
        for other in self._rows.values():
            if other.job.lock == job.lock and other.state == "waiting":
                other.due = max(other.due, at)
        return True


def _is_free(row: _Row, at: datetime) -> bool:
    if row.state == "waiting":
        return row.due <= at
    return row.state == "running" and not _is_leased(row, at)


def _is_leased(row: _Row, at: datetime) -> bool:
    return row.state == "running" and row.lease_until is not None and row.lease_until >= at
