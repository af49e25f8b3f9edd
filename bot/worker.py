"""Claims jobs, runs them, stores the reply and delivers it; retries, or gives up with words a person can use.

The only place that catches everything: whatever goes wrong in one job is that job's alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import TracebackType
from typing import Protocol

from bot.observability import Log, tracing
from bot.replies import general
from core.domain.errors import FootnoteError, LibraryFailure, PlatformFailure, RateLimited
from core.domain.events import PdfShared, QuestionAsked, QuestionEdited
from core.domain.jobs import Job, JobStore, Lane
from core.domain.model import Citation, Sentence, Thread
from core.domain.platforms import ChatPlatform
from core.domain.progress import BEFORE_QUESTION, NoProgress, Progress, Stop
from core.domain.reply import Reply

_log = Log(__name__)
_POLL_SECONDS = 0.5
_SWEEP_SECONDS = 3_600.0
_LONGEST_WAIT = timedelta(minutes=15)
_UNEXPECTED = "Something went wrong here that should not have; nothing is lost. Please try once more."
_POISON = "This could not be finished: Footnote was stopped each time it tried. Please tell whoever runs it."


class Work(Protocol):
    """Turns a job's event into the reply to it, or None where nothing is to be said."""

    async def __call__(self, job: Job, progress: Progress, stop: Stop) -> Reply | None:
        """Raises ``FootnoteError``; anything else is a fault. ``stop`` is asked where the asker wants no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPolicy:
    """How long work is kept at; another one than ``POLICY`` is for tests, which cannot wait."""

    attempts: int = 4
    """Tries before a piece of work is given up in clear words."""
    retry_seconds: float = 2.0
    """Before the second try; doubled before each further one."""
    lease_seconds: float = 30.0
    """Without a renewed lease, after which another process takes a piece of work over."""
    keep_days: int = 30
    """For which finished work is remembered, so that a repeated delivery does nothing."""


POLICY = JobPolicy()


class Worker:
    """A pool with ``lanes[lane]`` jobs at once; an async context manager that runs while it is open."""

    def __init__(
        self,
        store: JobStore,
        work: Work,
        platforms: Mapping[str, ChatPlatform],
        *,
        lanes: Mapping[Lane, int],
        now: Callable[[], datetime],
        policy: JobPolicy = POLICY,
        grace_seconds: float = 10.0,
    ) -> None:
        self._store = store
        self._work = work
        self._platforms = platforms
        self._lanes = lanes
        self._now = now
        self._attempts = policy.attempts
        self._retry_seconds = policy.retry_seconds
        self._lease_seconds = policy.lease_seconds
        self._keep = timedelta(days=policy.keep_days)
        self._grace_seconds = grace_seconds
        self._awake: Mapping[Lane, asyncio.Event] = {lane: asyncio.Event() for lane in lanes}
        self._stopping = False
        self._running: list[_Run] = []
        self._loops: list[asyncio.Task[None]] = []

    def wake(self) -> None:
        """There is something to do."""
        for awake in self._awake.values():
            awake.set()

    def stop(self, thread: Thread) -> bool:
        """Ask the answer that runs in ``thread`` to end; False where none runs here."""
        answering = [run for run in self._running if run.answers_in(thread)]
        for run in answering:
            run.stop.ask()
        return bool(answering)

    async def __aenter__(self) -> "Worker":
        self._loops = [asyncio.create_task(self._lane(lane)) for lane, n in self._lanes.items() for _ in range(n)]
        self._loops.append(asyncio.create_task(self._repeat(self._lease_seconds / 3, self._renew_leases)))
        self._loops.append(asyncio.create_task(self._repeat(_SWEEP_SECONDS, self._sweep)))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take nothing new, give running jobs their grace, then hand back what is not finished."""
        self._stopping = True
        self.wake()
        waited = 0.0
        while self._running and waited < self._grace_seconds:
            await asyncio.sleep(0.02)
            waited += 0.02
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)

    async def _lane(self, lane: Lane) -> None:
        awake = self._awake[lane]
        while not self._stopping:
            awake.clear()
            try:
                job = await self._store.claim(at=self._now(), lane=lane)
            except Exception as failure:
                # A lane that ended here would leave everybody without an answer, and nobody would notice.
                _log.error("claim failed", failure, lane=lane)
                job = None
            if job is None:
                await _wait(awake, _POLL_SECONDS)
                continue
            awake.set()  # there may be more for the others of this lane
            await self._run(job)

    async def _run(self, job: Job) -> None:
        run = _Run(job)
        self._running.append(run)
        try:
            with tracing(job.trace_id):
                await run.until_lost(self._complete(run))
        except _ClaimLost:
            _log.warning("job lost", job=job.id, attempt=job.attempts)
        except asyncio.CancelledError:
            await asyncio.shield(self._store.give_back(job, at=self._now()))
            raise
        except Exception as fault:
            # Not even the failure could be noted (a full disk, say): the lease runs out and it is tried again.
            _log.error("job left", fault, job=job.id)
        finally:
            self._running.remove(run)
            self.wake()

    async def _complete(self, run: "_Run") -> None:
        """Work, deliver, note the end. Raises ``_ClaimLost`` where the claim was lost by then."""
        job = run.job
        _log.info("job taken", job=job.id, kind=type(job.event).__name__, attempt=job.attempts)
        reply = job.reply
        if reply is None:
            try:
                reply = await self._make_reply(run)
            except _RetryLater as later:
                _log.warning("job put off", job=job.id, error=type(later.cause).__name__)
                retry_at = self._retry_time(job, later.cause)
                _require(await self._store.failed(job, later.cause.words, at=self._now(), retry_at=retry_at))
                return
            if reply is not None:
                # Whoever has the job by now delivers a reply of its own.
                _require(await self._store.save_reply(job, reply))
        if reply is not None and not await self._deliver(job, reply):
            return
        if reply is not None and reply.kind == "error":
            _require(await self._store.failed(job, reply.body, at=self._now(), retry_at=None))
        else:
            _require(await self._store.done(job, at=self._now()))
        _log.info("job ended", job=job.id, reply=reply.kind if reply else "none")

    async def _make_reply(self, run: "_Run") -> Reply | None:
        """The reply, be it that the job failed for good; ``_RetryLater`` where another try may help."""
        job = run.job
        if job.attempts > self._attempts:
            return general.error(_POISON, trace_id=job.trace_id)
        try:
            reply = await self._work(job, await self._progress(run), run.stop)
            return None if reply is None else replace(reply, reader=job.event.user)
        except FootnoteError as failure:
            # What no second try would change is for the asker to correct: an answer, not a fault of this process.
            log = _log.warning if failure.retry else _log.info
            log("job failed", job=job.id, error=type(failure).__name__, attempt=job.attempts)
            if failure.retry and job.attempts < self._attempts:
                raise _RetryLater(failure) from failure
            return general.error(failure.words, trace_id=job.trace_id if failure.retry else "")
        except Exception as fault:
            _log.error("job broke", fault, job=job.id, attempt=job.attempts)
            return general.error(_UNEXPECTED, trace_id=job.trace_id)

    async def _progress(self, run: "_Run") -> Progress:
        job = run.job
        if isinstance(job.event, QuestionEdited) and job.event.in_place and not job.reply_id:
            job = replace(job, reply_id=await self._store.posted(job.event.first_key))

        async def note_posted(reply_id: str) -> None:
            if not await self._store.save_reply_id(run.job, reply_id):
                run.lose_claim()

        if isinstance(job.event, QuestionAsked) and job.event.audience == "asker":
            return NoProgress()  # the thread is not to see an answer that grows
        platform = self._platforms[job.event.thread.channel.workspace.platform]
        if job.reply_id:
            await note_posted(job.reply_id)
        shown = platform.progress(job.event.thread, key=job.key, reply_id=job.reply_id, posted=note_posted)
        return _ReadingProgress(shown, self._store, job) if isinstance(job.event, PdfShared) else shown

    async def _deliver(self, job: Job, reply: Reply) -> bool:
        platform = self._platforms[job.event.thread.channel.workspace.platform]
        reply_id = await self._store.posted(job.key)
        try:
            shown = await platform.send(job.event.thread, replace(reply, replaces=reply_id), key=job.key)
        except PlatformFailure as failure:
            await self._note_delivery_failure(job, failure)
            return False
        except Exception as fault:
            # Without a verdict the job would come back each time its lease ends, for ever.
            _log.error("delivery broke", fault, job=job.id)
            await self._note_delivery_failure(job, PlatformFailure(_UNEXPECTED))
            return False
        await self._store.save_reply_id(job, shown)
        await _ignore_failure(platform.react(job.event.thread, job.event.message, _reaction(reply)))
        return True

    async def _note_delivery_failure(self, job: Job, failure: PlatformFailure) -> None:
        final = not failure.retry or job.attempts >= 2 * self._attempts
        _log.warning("reply not delivered", job=job.id, error=type(failure).__name__, final=final)
        if final:  # no reply can be posted there; a reaction may be all that shows that it was not passed over
            _require(await self._store.keep(job, at=self._now()))
            platform = self._platforms[job.event.thread.channel.workspace.platform]
            await _ignore_failure(platform.react(job.event.thread, job.event.message, "failed"))
        # Last, since a job that has ended is no longer kept, which looks like a claim that was lost.
        retry_at = None if final else self._retry_time(job, failure)
        _require(await self._store.failed(job, failure.words, at=self._now(), retry_at=retry_at))

    def _retry_time(self, job: Job, failure: FootnoteError) -> datetime:
        wait = timedelta(seconds=self._retry_seconds * 2 ** (job.attempts - 1))
        if isinstance(failure, RateLimited):
            wait = max(wait, timedelta(seconds=failure.seconds))
        return self._now() + min(wait, _LONGEST_WAIT)

    async def _repeat(self, seconds: float, action: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await action()
            except Exception as failure:
                # Whatever it was, without renewed leases other processes would take running jobs over.
                _log.error("upkeep failed", failure)
            await asyncio.sleep(seconds)

    async def _renew_leases(self) -> None:
        for run in list(self._running):
            if not await self._store.keep(run.job, at=self._now()):
                run.lose_claim()

    async def _sweep(self) -> None:
        dropped = await self._store.sweep(before=self._now() - self._keep)
        if dropped:
            _log.info("finished jobs dropped", jobs=dropped)


class _ReadingProgress:
    """The ``Progress`` of reading a paper; each step says whether a question is held until the paper has been read."""

    def __init__(self, shown: Progress, store: JobStore, job: Job) -> None:
        self._shown = shown
        self._store = store
        self._job = job

    async def step(self, name: str, done: int, total: int) -> None:
        """Show the step."""
        try:
            waits = await self._store.awaited(self._job)
        except LibraryFailure:  # showing progress never raises
            waits = False
        await self._shown.step(f"{name}{BEFORE_QUESTION}" if waits else name, done, total)

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """Reading a paper has none."""
        await self._shown.sentence(sentence, citations)


class _Run:
    """One claim of a job, being worked on. ``stop`` is the asker's; ``lose_claim`` ends work whose claim is lost."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.stop = Stop()
        self._lost = False
        self._task: asyncio.Task[None] | None = None

    def answers_in(self, thread: Thread) -> bool:
        """Whether it answers a question that was asked in ``thread``."""
        return isinstance(self.job.event, QuestionAsked) and self.job.event.thread == thread

    async def until_lost(self, work: Coroutine[None, None, None]) -> None:
        """Await ``work``. Raises ``_ClaimLost`` where the claim was lost meanwhile; cancelling this cancels it."""
        self._task = asyncio.create_task(work)
        try:
            await self._task
        except asyncio.CancelledError:
            if self._lost:
                raise _ClaimLost from None
            raise

    def lose_claim(self) -> None:
        """Another process has the job: cancel what runs here."""
        self._lost = True
        if self._task is not None:
            self._task.cancel()


class _ClaimLost(Exception):
    """The lease ran out and another process has the job; nothing more is to be done here."""


def _require(claimed: bool) -> None:
    """Go on where the claim still holds. Raises ``_ClaimLost``."""
    if not claimed:
        raise _ClaimLost


class _RetryLater(Exception):
    """The job is to be tried again."""

    def __init__(self, cause: FootnoteError) -> None:
        super().__init__()
        self.cause = cause


def _reaction(reply: Reply) -> str:
    return "failed" if reply.kind == "error" else "done"


async def _ignore_failure(call: Awaitable[None]) -> None:
    """Await a reaction to a message; a reply that was delivered stays delivered without it."""
    try:
        await call
    except Exception as failure:
        _log.warning("reaction not shown", error=type(failure).__name__)


async def _wait(awake: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await awake.wait()
    except TimeoutError:
        return
