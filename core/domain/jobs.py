"""Durable work: what a job is, and what the store of jobs promises. The process's side of the nouns."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from core.domain.events import Event
from core.domain.ports import ForgetsPapers
from core.domain.reply import Reply

Lane: TypeAlias = Literal["papers", "questions"]
"""Two lanes, so that a row of long papers never keeps a question waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A durable piece of work as one process has claimed it.

    ``owner`` names that process and ``attempts`` which of its claims this is, counted from 1: together they tell
    this claim from every other. ``reply_id`` is the platform's id of the first posted message, once there is one.
    """

    id: int
    key: str
    lock: str
    event: Event
    attempts: int
    trace_id: str
    owner: str = ""
    reply: Reply | None = None
    reply_id: str = ""


class JobStore(ForgetsPapers, Protocol):
    """Durable jobs: ``key`` is never done twice, jobs of one ``lock`` never run side by side.

    A claim is a lease. Where it ran out and another process claimed the job, or it was ended, nothing that is said
    of the earlier claim changes the job any more; such calls return False, and True where they took effect.
    """

    async def put(self, event: Event, *, at: datetime, trace_id: str) -> bool:
        """Store a job; False where the key is known, or a later edit of the same question is."""

    async def claim(self, *, at: datetime, lane: Lane) -> Job | None:
        """A job of ``lane`` whose lock is free, marked as running: of whoever has fewest running, the longest due.

        What is asked in a conversation comes after the papers that were dropped there before.
        """

    async def keep(self, job: Job, *, at: datetime) -> bool:
        """Extend the lease: the job is still worked on. False where the claim is lost: the work is to be stopped."""

    async def give_back(self, job: Job, *, at: datetime) -> bool:
        """Stop without a verdict (the process ends); the job is due again and the attempt does not count."""

    async def save_reply(self, job: Job, reply: Reply) -> bool:
        """Keep the finished reply, so that a crash before delivery delivers it and does not work again."""

    async def save_reply_id(self, job: Job, reply_id: str) -> bool:
        """Keep the id of the first posted message before anything more is streamed into it."""

    async def done(self, job: Job, *, at: datetime) -> bool:
        """The reply is delivered."""

    async def failed(self, job: Job, words: str, *, at: datetime, retry_at: datetime | None) -> bool:
        """Note a failure; without ``retry_at`` the job is given up."""

    async def posted(self, key: str) -> str:
        """The id of the message that answered the job ``key``, or empty."""

    async def awaited(self, job: Job) -> bool:
        """Whether something that was asked waits until the paper of ``job`` is read."""

    async def sweep(self, *, before: datetime) -> int:
        """Drop finished jobs that ended before; returns how many. Their keys are new again afterwards."""
