"""Reader processes: they run side by side, and one that hangs or dies is replaced without harm to the rest.

Pebble is used because it can end the one process that runs a task; the standard library's pool cannot. Tasks
of several papers share the processes because each paper only ever has as many tasks waiting as there are
processes.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import TimeoutError as TaskTimeout
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, TypeVar

from core.config import ReadingConfig
from core.reading import worker

if TYPE_CHECKING:
    from pebble import ProcessPool

Result = TypeVar("Result")
TASKS_PER_PROCESS = 2_000
"""A process is replaced after this many tasks, so that what native libraries leak stays bounded."""

MAX_WAITING = 3
"""A task that hangs without working is ended after this many times the seconds that it may work."""


class ReaderTimedOut(Exception):
    """The task ran out of time and its process was ended."""


class ReaderCrashed(Exception):
    """The task's process crashed or was ended from outside."""


class ReaderPool:
    """The reader processes of this bot; started with the first task, ended by ``close``."""

    def __init__(self, config: ReadingConfig) -> None:
        self._config = config
        self.size = config.workers or _count_cores()
        self._pool: ProcessPool | None = None
        self._closed = False
        self._starting = threading.Lock()

    async def run(self, task: Callable[..., Result], *args: object, seconds: float) -> Result:
        """The task's result; cancelling ends its process.

        ``seconds`` are those of the processor: on a busy machine the task may wait ``MAX_WAITING`` times as long.
        Raises what the task raised, ``ReaderTimedOut`` or ``ReaderCrashed``.
        """
        from pebble import ProcessExpired

        for attempt in (1, 2):
            pool = self._pool if self._pool is not None else await asyncio.to_thread(self._started)
            try:
                limited = pool.schedule(worker.run_limited, args=(task, seconds, *args), timeout=MAX_WAITING * seconds)
                return await asyncio.wrap_future(limited)
            except TaskTimeout as error:
                raise ReaderTimedOut from error
            except ProcessExpired as error:
                raise (ReaderTimedOut if error.exitcode == worker.OUT_OF_TIME else ReaderCrashed) from error
            except (BrokenProcessPool, RuntimeError):
                if self._closed or attempt == 2 or pool.active:
                    raise
                await asyncio.to_thread(self._abandon, pool)
        raise AssertionError("unreachable")

    async def close(self) -> None:
        """End all processes now; tasks still running are lost."""
        self._closed = True
        await asyncio.to_thread(self._end)

    def _started(self) -> "ProcessPool":
        """Starting processes takes a while, so this runs in a thread; a task that is cancelled leaves none behind."""
        from pebble import ProcessPool

        with self._starting:
            if self._closed:
                raise ReaderCrashed("the reader is closed")
            if self._pool is None:
                # The first process starts this tracker, which would then let interrupts through again.
                resource_tracker.ensure_running()
                with _block_interrupts():
                    pool = ProcessPool(
                        max_workers=self.size,
                        max_tasks=TASKS_PER_PROCESS,
                        initializer=worker.init_worker,
                        initargs=(self._config.memory_megabytes,),
                        context=multiprocessing.get_context("spawn"),
                    )
                    # Asking for its state starts the pool's threads, and with them the processes.
                    _ = pool.active
                self._pool = pool
            return self._pool

    def _abandon(self, pool: "ProcessPool") -> None:
        """An idle process that is killed from outside breaks pebble's whole pool; the next task starts a new one.

        Every task of the broken pool calls this; the pool that the first of them started in its place is left alone.
        """
        with self._starting:
            if self._pool is not pool:
                return
            self._pool = None
        pool.stop()  # type: ignore[no-untyped-call]

    def _end(self) -> None:
        with self._starting:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes started meanwhile: it goes to the whole group, and readers are ended by the pool."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
