"""Papers made for the journeys, and a terminal in which a whole conversation is played."""

import io
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from adapters.console.platform import ConsolePlatform, ScriptedLines
from bot.settings import Settings
from bot.wiring import open_app
from bot.worker import JobPolicy
from core.domain.model import Channel, Visibility, Workspace
from tests.pdfs.papers import Draft, Section, pdf_bytes

COMETS = (
    "A slow comet over Lowmere",
    "The comet Velorum was seen from the roof of the observatory on eleven nights. Its tail measured 42 degrees. "
    "The observers used a brass sextant that had been repaired twice before.",
)
BREAD = (
    "Sourdough at high altitude",
    "Sourdough loaves were baked in Quillmont at an altitude of 3100 metres. The dough rose within 95 minutes. "
    "The bakers added a pinch of ground juniper to every loaf before baking.",
)


def made(folder: Path, name: str, paper: tuple[str, str]) -> Path:
    """A PDF of one page with a title and two sections."""
    title, words = paper
    introduction = Section(
        heading="1 Introduction",
        paragraphs=("This short report tells what was done and what was seen, in plain words.",),
    )
    results = Section(heading="2 Results", paragraphs=(words,))
    draft = Draft(title=title, authors="Ada Ferris and Jon Holt", sections=(introduction, results))
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pdf_bytes(draft))
    return path


def settings(data: Path, models: Path) -> Settings:
    """The real settings, with one folder of exported models for all journeys."""
    return Settings.model_validate({"data": data, "embedder": {"cache": models}, "reading": {"workers": 1}})


async def conversation(
    given: Settings,
    lines: Sequence[str],
    *,
    workspace: str = "lab",
    channel: str = "general",
    visibility: Visibility = "open",
    visible: frozenset[str] = frozenset(),
    session: str = "s",
) -> str:
    """What the terminal shows when ``lines`` are said in a channel, over the wiring that production uses."""
    shown = io.StringIO()
    place = Channel(workspace=Workspace(platform="local", id=workspace), id=channel, visibility=visibility)
    console = ConsolePlatform(
        place, session=session, console=Console(file=shown, width=100), files=given.data, visible=visible
    )
    async with open_app(given, [console], policy=JobPolicy(retry_seconds=0.0)) as app:
        await console.talk(ScriptedLines(lines, console.view), app.dispatcher.accept)
    return shown.getvalue()
