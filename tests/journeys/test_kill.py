"""kill -9 at several points of an ingest, then a start: nothing lost, nothing twice, the same answers."""

import asyncio
import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from adapters.console.platform import ConsolePlatform, ScriptedLines
from bot.wiring import open_app
from core.domain.model import Channel, Passage, Scope, Workspace
from tests.journeys.actors import COMETS, made, settings
from tests.journeys.killed import POINTS

ROOT = Path(__file__).parents[2]
LAB = Workspace(platform="local", id="lab")
GENERAL = Channel(workspace=LAB, id="general")
SCOPE = Scope(workspace=LAB, channels=frozenset({"general"}))
QUESTION = "How many degrees did the tail of the comet Velorum measure?"


async def start(data: Path, models: Path, lines: list[str], *, jobs: int) -> tuple[str, list[Passage], int]:
    """Start the bot, let it finish ``jobs`` jobs left over, then talk. Returns what was shown, passages, shares."""
    shown = io.StringIO()
    console = ConsolePlatform(GENERAL, session="after", console=Console(file=shown, width=100), files=data)
    async with open_app(settings(data, models), [console]) as app:
        async with asyncio.timeout(150):
            while (await app.store.counts())["done"] < jobs:  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.05)
        await console.talk(ScriptedLines(lines, console.view), app.dispatcher.accept)
        papers = await app.engine.papers.in_scope(SCOPE)
        passages = [item for paper in papers for item in await app.engine.papers.passages(SCOPE, paper.id)]
        shares = sum(len(paper.shares) for paper in papers)
    return shown.getvalue(), passages, shares


def answer(shown: str) -> str:
    """The answer with its footnotes, without times and references."""
    said = shown.split(QUESTION)[-1]
    return "\n".join(line for line in said.splitlines() if "reference" not in line)


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("papers"), "comet.pdf", COMETS)


@pytest.fixture(scope="module")
def unharmed(tmp_path_factory: pytest.TempPathFactory, models: Path, pdf: Path) -> tuple[str, list[Passage], int]:
    """The same conversation in a bot that nobody killed."""
    return asyncio.run(start(tmp_path_factory.mktemp("unharmed"), models, [str(pdf), QUESTION], jobs=0))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
@pytest.mark.parametrize(
    "point", [point if point == "storing" else pytest.param(point, marks=pytest.mark.slow) for point in POINTS]
)
async def test_a_kill_loses_nothing_and_doubles_nothing(
    point: str, tmp_path: Path, models: Path, pdf: Path, unharmed: tuple[str, list[Passage], int]
) -> None:
    data = tmp_path / "data"
    arguments = [sys.executable, "-m", "tests.journeys.killed", str(data), str(models), str(pdf), point]
    ended = await asyncio.to_thread(subprocess.run, arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == -9, ended.stderr

    shown, passages, shares = await start(data, models, [QUESTION], jobs=1)

    assert shown.count("Found: ") + shown.count("already shared") == 1
    assert "A slow comet over Lowmere" in shown
    assert shares == unharmed[2] == 1
    assert [replace(item, ordinal=0) for item in passages] == [replace(item, ordinal=0) for item in unharmed[1]] != []
    assert answer(shown) == answer(unharmed[0])
    assert "Its tail measured 42 degrees." in answer(shown)
    assert list((data / "spool").glob("*/*")) == []
