"""``demo``: the journey of a first visit as a transcript, on the sample papers and in a folder that goes away again."""

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

import click

from bot.cli.common import PLATFORM, run_async, start
from bot.samples import sample_papers
from bot.settings import Settings
from core.domain.model import Channel, Workspace

_BEYOND = (
    "/compare Do margins; Notes on a screen",
    "How much does a copy of the book cost?",
    "/papers",
)
"""What the questions of the samples do not show: papers side by side, a question without an answer, the list."""


@click.command()
@click.pass_context
def demo(ctx: click.Context) -> None:
    """Show it all on three small papers of our own; nothing of it is kept."""
    settings = start(ctx)
    # The model is exported once and kept where the bot itself will look for it.
    models = settings.embedder.cache or settings.data / "models"
    embedder = replace(settings.embedder, cache=models)
    with tempfile.TemporaryDirectory(prefix="footnote-demo-") as folder:
        run_async(_shown(settings.model_copy(update={"data": Path(folder), "embedder": embedder}), Path(folder)))


async def _shown(settings: Settings, folder: Path) -> None:
    from rich.console import Console

    from adapters.console.platform import ConsolePlatform, ScriptedLines
    from bot.wiring import open_app

    samples = sample_papers()
    paths = [folder / paper.name for paper in samples]
    for path, paper in zip(paths, samples, strict=True):
        await asyncio.to_thread(path.write_bytes, paper.pdf)
    channel = Channel(workspace=Workspace(platform=PLATFORM, id="demo"), id="reading-group")
    console = ConsolePlatform(channel, session="demo", console=Console(), files=folder)
    dropped = [str(path) for path in paths]
    lines = ScriptedLines([*dropped, *(paper.questions[0] for paper in samples), *_BEYOND], console.view)
    async with open_app(settings, [console]) as app:
        await console.talk(lines, app.dispatcher.accept)
