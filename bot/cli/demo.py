"""``demo``: drop, ask, cited answer, on a small paper made on the spot and in a folder that goes away again."""

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

import click

from bot.cli.common import PLATFORM, finish, start
from bot.sample_pdf import sample
from bot.settings import Settings
from core.domain.model import Channel, Workspace


@click.command()
@click.pass_context
def demo(ctx: click.Context) -> None:
    """Show it all on a small paper made on the spot; nothing of it is kept."""
    settings = start(ctx)
    # The model is exported once and kept where the bot itself will look for it.
    models = settings.embedder.cache or settings.data / "models"
    embedder = replace(settings.embedder, cache=models)
    with tempfile.TemporaryDirectory(prefix="footnote-demo-") as folder:
        finish(_shown(settings.model_copy(update={"data": Path(folder), "embedder": embedder}), Path(folder)))


async def _shown(settings: Settings, folder: Path) -> None:
    from rich.console import Console

    from adapters.console import ConsolePlatform, ScriptedLines
    from bot.wiring import open_app

    paper = sample()
    pdf = folder / paper.name
    await asyncio.to_thread(pdf.write_bytes, paper.pdf)
    channel = Channel(workspace=Workspace(platform=PLATFORM, id="demo"), id="reading-group")
    console = ConsolePlatform(channel, session="demo", console=Console(), files=folder)
    lines = ScriptedLines([str(pdf), *paper.questions, "/papers"], console.view)
    async with open_app(settings, [console]) as app:
        await console.talk(lines, app.dispatcher.accept)
