"""What a visit costs and what memory grows where one process serves many small workspaces, of one paper each."""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from core.config import Config
from core.domain.model import Scope, Workspace
from core.services.engine import Engine
from evals.benchmarks.harness import Report, distribution, resident_megabytes
from evals.benchmarks.synthetic_papers import EVERYTHING, PASSAGES, fill_library


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--workspaces", type=int, default=1_000)
    parser.add_argument("--data", type=Path, help="keep the filled libraries here, and use those that are there")


def run(options: argparse.Namespace) -> Report:
    """Fill the workspaces, then list the papers of each of them twice."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(options.data or Path(folder), options.workspaces))


async def _measure(folder: Path, count: int) -> Report:
    workspaces = [Workspace(platform="local", id=f"W{number}") for number in range(count)]
    for workspace in workspaces:
        await fill_library(folder, PASSAGES, workspace)
    scopes = [Scope(workspace=workspace, channels=EVERYTHING.channels) for workspace in workspaces]
    visits: list[float] = []
    async with Engine(Config(data=folder)) as engine:
        await engine.papers.in_scope(scopes[0])
        before = resident_megabytes()
        for scope in (*scopes, *scopes):
            began = time.process_time()
            await engine.papers.in_scope(scope)
            visits.append(1e3 * (time.process_time() - began))
        memory = {"first_mb": before, "last_mb": resident_megabytes()}
        files = await asyncio.to_thread(_open_files)
    return {"visits": distribution("cpu_ms", visits, "p50", "p95"), "memory": memory, "files": {"open": files}}


def _open_files() -> int:
    """Files that this process has open; 0 where the system does not say."""
    listed = Path("/proc/self/fd")
    return len(list(listed.iterdir())) if listed.is_dir() else 0
