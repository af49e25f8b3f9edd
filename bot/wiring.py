"""The composition root: settings and platforms become a running app on one exit stack, in production and in tests."""

import asyncio
import os
import secrets
import shutil
import socket
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from bot.backend import NO_JOBS, ReadBackend
from bot.dispatcher import Dispatcher
from bot.health import Health
from bot.jobs.liveness import LivenessFile
from bot.jobs.store import SqliteJobStore
from bot.limits import Limits
from bot.platform_backend import PlatformBackend
from bot.platforms import PageMessages
from bot.schedule import Scheduler
from bot.settings import Settings
from bot.use_cases import UseCases
from bot.worker import POLICY, JobPolicy, Worker
from core.config import Config
from core.domain.errors import LibraryFailure
from core.domain.platforms import ChatPlatform
from core.domain.ports import ForgetsPapers

if TYPE_CHECKING:
    from core.services.engine import Engine

PAPERS_AT_ONCE = 2
"""Papers that are read side by side; the pages of each use all reader processes there are."""

_NO_ALIASES: Mapping[str, str] = MappingProxyType({})
Engines: TypeAlias = Callable[[Config, Sequence[ForgetsPapers]], AbstractAsyncContextManager["Engine"]]


@asynccontextmanager
async def core_engine(config: Config, others: Sequence[ForgetsPapers]) -> AsyncIterator["Engine"]:
    """The real engine; ``others`` forget papers when it does."""
    # Imported here: a command that fails on its arguments need not load it.
    from core.services.engine import Engine

    async with Engine(config, others=others) as engine:
        yield engine


def clock() -> datetime:
    """Now, with its zone."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a command needs: the engine and immediate answers from it, without workers."""

    engine: "Engine"
    backend: ReadBackend


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """A running bot: events go in at ``dispatcher``, replies come out at the platforms."""

    engine: "Engine"
    store: SqliteJobStore
    backend: PlatformBackend
    dispatcher: Dispatcher
    worker: Worker


@asynccontextmanager
async def open_store(
    settings: Settings,
    *,
    platforms: frozenset[str] = frozenset(),
    aliases: Mapping[str, str] = _NO_ALIASES,
    policy: JobPolicy = POLICY,
) -> AsyncIterator[SqliteJobStore]:
    """The job file; jobs of ``platforms`` alone can be claimed through it, under the names that ``aliases`` gives."""
    path = settings.data / "process.db"
    with ExitStack() as stack:
        liveness = _liveness_file(settings.data, stack)
        async with SqliteJobStore(
            path, liveness=liveness, platforms=platforms, aliases=aliases, lease_seconds=policy.lease_seconds
        ) as store:
            yield store


@asynccontextmanager
async def open_tools(settings: Settings) -> AsyncIterator[Tools]:
    """Engine and backend for a command that writes."""
    async with open_store(settings) as store, _engine_with(store, settings, core_engine) as engine:
        yield Tools(engine=engine, backend=ReadBackend(engine, store))


def _engine_with(store: SqliteJobStore, settings: Settings, engines: Engines) -> AbstractAsyncContextManager["Engine"]:
    """The engine; when it forgets a paper, stored replies and the page's messages do so too."""
    return engines(settings.config, [store, PageMessages(settings.data)])


@asynccontextmanager
async def open_read_only(settings: Settings) -> AsyncIterator[Tools]:
    """Engine and backend for reading; where the data folder may only be read, without the job file."""
    from core.services.storage import is_writable

    if is_writable(settings.data):
        async with open_tools(settings) as tools:
            yield tools
    else:
        async with core_engine(settings.config, ()) as engine:
            yield Tools(engine=engine, backend=ReadBackend(engine, NO_JOBS))


@asynccontextmanager
async def open_app(
    settings: Settings,
    platforms: Sequence[ChatPlatform],
    *,
    aliases: Mapping[str, str] = _NO_ALIASES,
    engines: Engines = core_engine,
    policy: JobPolicy = POLICY,
    now: Callable[[], datetime] = clock,
) -> AsyncIterator[App]:
    """The whole bot, running; leaving the block stops it and hands back unfinished jobs.

    ``aliases``: see ``SqliteJobStore``.
    """
    by_name: Mapping[str, ChatPlatform] = {platform.name: platform for platform in platforms}
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(
            open_store(settings, platforms=frozenset(by_name), aliases=aliases, policy=policy)
        )
        engine = await stack.enter_async_context(_engine_with(store, settings, engines))
        spool = settings.data / "spool" / store.owner
        stack.callback(shutil.rmtree, spool, ignore_errors=True)
        _clear_spools(spool.parent, store)
        # Lambdas, because these need each other: the dispatcher wakes the worker, whose work may accept events.
        dispatcher = Dispatcher(store, by_name, wake=lambda: worker.wake(), now=now)
        backend = PlatformBackend(engine, store, accept=dispatcher.accept, stop=lambda thread: worker.stop(thread))
        work = UseCases(
            engine,
            by_name,
            backend,
            accept=backend.accept,
            spool=spool,
            limit=int(settings.reading.max_megabytes * 1_000_000),
            limits=Limits(settings.limits),
        )
        worker = Worker(
            store,
            work,
            by_name,
            lanes={"questions": settings.questions_at_once, "papers": PAPERS_AT_ONCE},
            now=now,
            policy=policy,
        )
        await stack.enter_async_context(worker)
        if settings.health_port:
            began = time.monotonic()
            health = Health(store.counts, lambda: time.monotonic() - began)
            await stack.enter_async_context(health.serving(settings.health_port))
        await stack.enter_async_context(dispatcher)
        warming = asyncio.create_task(engine.warm())
        stack.callback(warming.cancel)
        for platform in platforms:  # late in and early out: nothing arrives that could not be taken
            await stack.enter_async_context(platform.listening(backend))
        # After them: loading a scheduler takes longer than taking the first message.
        await stack.enter_async_context(Scheduler(engine.groups, backend.accept, platforms=frozenset(by_name)))
        yield App(engine=engine, store=store, backend=backend, dispatcher=dispatcher, worker=worker)


def _liveness_file(data: Path, stack: ExitStack) -> LivenessFile:
    from core.services.storage import restrict_data_folder

    try:
        restrict_data_folder(data)
    except OSError as error:
        raise LibraryFailure(f"The data folder {data} cannot be made; FOOTNOTE_DATA names another.") from error
    name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
    try:
        return stack.enter_context(LivenessFile(data / "alive", name))
    except OSError as error:
        raise LibraryFailure(
            f"The data folder {data} cannot be written ({error.strerror}): give this user the right to do so, or name "
            "another with FOOTNOTE_DATA; papers and export do without."
        ) from error


def _clear_spools(folder: Path, store: SqliteJobStore) -> None:
    """Drop what processes that died had downloaded; their jobs fetch it again."""
    for left in folder.glob("*") if folder.is_dir() else ():
        if not store.is_alive(left.name):
            shutil.rmtree(left, ignore_errors=True)
