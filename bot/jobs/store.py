"""Durable jobs in one SQLite file of the process: a key is never done twice, of a lock only one job runs at a time.

Every step is a single statement or one immediate transaction, so several processes may share the file.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType, TracebackType

import aiosqlite

from adapters.common.sqlite_file import SqliteFile
from bot.jobs.codec import decode_event, decode_reply, encode_reply, job_of, row_of
from bot.jobs.liveness import LivenessFile
from bot.jobs.schema import AWAITED, CLAIM, CLAIMED, EDITS, MARK_KNOWN, MIGRATIONS, PASS_OVER, PUT, UNREAD, WAITING
from bot.observability import Log
from core.domain.events import Event, QuestionEdited
from core.domain.jobs import Job, Lane
from core.domain.model import Channel, Workspace
from core.domain.reply import Reply

_log = Log(__name__)

_FAILURE = "The file of waiting work cannot be used right now; is the disk full?"
WITHDRAWN = Reply(kind="error", body="This reply was withdrawn: a paper that it showed has been forgotten since.")

# Written by a Footnote that knew other events, say; it would stop its lane each time it is claimed.
_GIVE_UP = "UPDATE jobs SET state = 'given up', ended = ?, event = NULL, reply = NULL, owner = '' WHERE id = ?"


class SqliteJobStore:
    """``JobStore`` over ``path``, used as an async context manager.

    ``liveness`` names this process and knows the others; ``platforms`` are those it can deliver to (None: all),
    so that a terminal beside a running bot leaves the bot's jobs alone; ``aliases`` gives a platform another name
    here, for two that share their workspaces and yet must not deliver for each other. ``lease_seconds`` is how long
    a job whose lease is not renewed stays with its process where the system cannot tell that the process died.
    """

    def __init__(
        self,
        path: Path,
        *,
        liveness: LivenessFile,
        platforms: frozenset[str] | None = None,
        aliases: Mapping[str, str] = MappingProxyType({}),
        lease_seconds: float = 30.0,
    ) -> None:
        self._liveness = liveness
        self.owner = liveness.owner
        self._aliases = aliases
        self._platforms = None if platforms is None else frozenset(aliases.get(name, name) for name in platforms)
        self._lease = lease_seconds
        self._file = SqliteFile(path, MIGRATIONS, failure=_FAILURE)

    async def __aenter__(self) -> "SqliteJobStore":
        # Imported here: a command that fails on its arguments need not load it.
        from core.services.storage import make_private_database, make_private_folder

        with self._file.errors():
            make_private_folder(self._file.path.parent)
            make_private_database(self._file.path)
        await self._file.open()
        try:
            await self._take_over()
        except BaseException:
            await self._file.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._file.close()

    async def put(self, event: Event, *, at: datetime, trace_id: str) -> bool:
        """Store a job; False where the key is known, or a later edit of the same question is."""
        platform = event.thread.channel.workspace.platform
        row = row_of(event, platform=self._aliases.get(platform, platform), at=at, trace_id=trace_id)
        async with self._file.transaction() as db:
            if (await db.execute(PUT, row)).rowcount != 1:
                return False
            return not isinstance(event, QuestionEdited) or await _is_latest(db, event)

    async def claim(self, *, at: datetime, lane: Lane) -> Job | None:
        """The job of ``lane`` that has been due longest and whose lock is free, marked as running."""
        parameters = {
            "owner": self.owner,
            "now": at.timestamp(),
            "until": at.timestamp() + self._lease,
            "lane": lane,
            "everywhere": self._platforms is None,
            "platforms": json.dumps(sorted(self._platforms or ())),
        }
        async with self._file.transaction() as db:
            row = await (await db.execute(CLAIM, parameters)).fetchone()
            if row is None:
                return None
            try:
                return job_of(row)
            except ValueError as error:
                await db.execute(_GIVE_UP, (at.timestamp(), row[0]))
                _log.error("job unreadable", error, job=row[0])
        return await self.claim(at=at, lane=lane)

    async def keep(self, job: Job, *, at: datetime) -> bool:
        """Extend the lease: the job is still worked on. False where the claim is lost: the work is to be stopped."""
        return await self._change(job, "lease_until = :until", until=at.timestamp() + self._lease)

    async def give_back(self, job: Job, *, at: datetime) -> bool:
        """Stop without a verdict (the process ends); the job is due again and the attempt does not count."""
        changes = "state = 'waiting', owner = '', attempts = attempts - 1, due = min(due, :at)"
        return await self._change(job, changes, at=at.timestamp())

    async def save_reply(self, job: Job, reply: Reply) -> bool:
        """Keep the finished reply, so that a crash before delivery delivers it and does not work again."""
        return await self._change(job, "reply = :reply", reply=encode_reply(reply))

    async def save_reply_id(self, job: Job, reply_id: str) -> bool:
        """Keep the id of the first posted message before anything more is streamed into it."""
        first = job.event.first_key if isinstance(job.event, QuestionEdited) and job.event.in_place else ""
        async with self._file.transaction() as db:
            if not await _update_claimed(db, job, "reply_id = :reply_id", {"reply_id": reply_id}):
                return False
            await db.execute("UPDATE jobs SET reply_id = ? WHERE key = ?", (reply_id, first))
        return True

    async def done(self, job: Job, *, at: datetime) -> bool:
        """The reply is delivered; only the key stays."""
        return await self._end(job, "done", at)

    async def failed(self, job: Job, words: str, *, at: datetime, retry_at: datetime | None) -> bool:
        """Note a failure; without ``retry_at`` the job is given up and only its key stays."""
        if retry_at is None:
            return await self._end(job, "given up", at)
        changes = "state = 'waiting', owner = '', words = :words, due = :due"
        return await self._change(job, changes, words=words, due=retry_at.timestamp())

    async def posted(self, key: str) -> str:
        """The id of the message that answered the job ``key``, or empty."""
        rows = await self._file.rows("SELECT reply_id FROM jobs WHERE key = ?", (key,))
        return next((str(reply_id) for (reply_id,) in rows), "")

    async def awaited(self, job: Job) -> bool:
        """Whether something that was asked waits until the paper of ``job`` is read."""
        rows = await self._file.rows(AWAITED, (job.id,))
        return any(found for (found,) in rows)

    async def forget_papers(
        self,
        workspace: Workspace,
        papers: frozenset[str],
        words: frozenset[str],
        *,
        channels: frozenset[str] | None = None,
    ) -> Mapping[str, int]:
        """Withdraw the workspace's stored replies that show ``papers`` (in ``channels`` alone, if given); counts them.

        A finished job holds no words at all, and a waiting question is its asker's, not the paper's.
        """
        withdrawn = encode_reply(WITHDRAWN)
        async with self._file.transaction() as db:
            rows = await db.execute_fetchall(
                "SELECT id, reply, event FROM jobs WHERE reply IS NOT NULL AND workspace = ?", (workspace.key,)
            )
            hit = [
                (withdrawn, id_)
                for id_, reply, event in rows
                if papers & _papers_shown(decode_reply(reply))
                and (channels is None or decode_event(event).thread.channel.id in channels)
            ]
            await db.executemany("UPDATE jobs SET reply = ? WHERE id = ?", hit)
        await self._file.wipe()  # it holds little more than the keys of some weeks
        return {"stored replies": len(hit)} if hit else {}

    async def sweep(self, *, before: datetime) -> int:
        """Drop finished jobs that ended before; returns how many. Their keys are new again afterwards."""
        async with self._file.transaction() as db:
            return (await db.execute("DELETE FROM jobs WHERE ended < ?", (before.timestamp(),))).rowcount

    def is_alive(self, owner: str) -> bool:
        """Whether the process ``owner`` still runs."""
        return self._liveness.is_alive(owner)

    async def counts(self) -> dict[str, int]:
        """How many jobs there are in each state, for health and doctor."""
        rows = await self._file.rows("SELECT state, count(*) FROM jobs GROUP BY state")
        return {"waiting": 0, "running": 0, "done": 0, "given up": 0} | {str(state): int(n) for state, n in rows}

    async def waiting(self, workspace: Workspace, channels: frozenset[str]) -> Mapping[str, int]:
        """Jobs of these channels of a workspace that are not done yet, by lane."""
        rows = await self._file.rows(WAITING, (workspace.key, json.dumps(sorted(channels))))
        return {str(lane): int(count) for lane, count in rows}

    async def unread(self, channel: Channel) -> int:
        """How many papers that were dropped into a channel are still to be read."""
        rows = await self._file.rows(UNREAD, (f"thread:{channel.workspace.key}/{channel.id}",))
        return sum(int(count) for (count,) in rows)

    async def _end(self, job: Job, state: str, at: datetime) -> bool:
        changes = "state = :state, ended = :at, event = NULL, reply = NULL, words = '', owner = ''"
        async with self._file.transaction() as db:
            if not await _update_claimed(db, job, changes, {"state": state, "at": at.timestamp()}):
                return False
            await db.execute(
                "UPDATE jobs SET due = max(due, ?) WHERE lock = ? AND state = 'waiting'"
                " AND state IN ('waiting', 'running')",  # for the index, see ``CLAIM``
                (at.timestamp(), job.lock),
            )
        return True

    async def _take_over(self) -> None:
        """Jobs that a dead process left running are due again."""
        async with self._file.transaction() as db:
            rows = await db.execute_fetchall("SELECT DISTINCT owner FROM jobs WHERE state = 'running'")
            dead = [(owner,) for (owner,) in rows if not self._liveness.is_alive(owner)]
            await db.executemany(
                "UPDATE jobs SET state = 'waiting', owner = '' WHERE state = 'running' AND owner = ?", dead
            )

    async def _change(self, job: Job, changes: str, **values: object) -> bool:
        async with self._file.transaction() as db:
            return await _update_claimed(db, job, changes, values)


async def _is_latest(db: aiosqlite.Connection, edit: QuestionEdited) -> bool:
    """Whether ``edit``, which was stored just now, is to be answered; inside the transaction that stored it.

    Platforms may deliver a question and its edits in any order. Earlier edits that still wait are passed over, and so
    is this one where a later edit is known. The question as it was first asked counts as known from here on.
    """
    await db.execute(MARK_KNOWN, (edit.first_key, edit.key))
    position = edit.first_key.partition(":")[2]
    others = [
        str(key)
        for prefix in ("edit", "again")
        for (key,) in await db.execute_fetchall(EDITS, (f"{prefix}:{position}",))
        if key != edit.key
    ]
    if any(edit.beside(key) == "later" for key in others):
        await db.execute(PASS_OVER, (edit.key,))
        return False
    await db.executemany(PASS_OVER, [(key,) for key in others if edit.beside(key) == "earlier"])
    return True


async def _update_claimed(db: aiosqlite.Connection, job: Job, changes: str, values: Mapping[str, object]) -> bool:
    """Make ``changes`` to the row of ``job``; False, and none made, where the job is no longer claimed as it was."""
    claim = {"id": job.id, "owner": job.owner, "attempts": job.attempts}
    cursor = await db.execute(f"UPDATE jobs SET {changes} WHERE {CLAIMED}", {**values, **claim})
    return cursor.rowcount == 1


def _papers_shown(reply: Reply) -> frozenset[str]:
    return reply.papers | {note.paper.id for note in reply.footnotes}
