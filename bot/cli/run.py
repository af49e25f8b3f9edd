"""``run``, ``chat`` and ``demo``: the bot itself, and the journey of a first visit in a folder that goes away again."""

import asyncio
import signal
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from bot.cli.common import PLATFORM, Target, run_async, start, target_options
from bot.platforms import PLATFORM_ALIASES, configured_platforms, local_page, page_wanted
from bot.samples import sample_papers
from bot.settings import Settings
from core.domain.model import Channel, Workspace
from core.domain.platforms import ChatPlatform


@click.command()
@target_options
@click.pass_context
def run(ctx: click.Context, where: Target) -> None:
    """Start the bot on every platform that is set up.

    With no tokens of a chat platform that is a page on this machine; its link is printed.
    """
    settings = start(ctx)
    platforms = list(configured_platforms(settings))
    if page_wanted(settings.web, platforms):
        shown = partial(_opened, settings)
        env_file = ctx.find_root().obj[1]
        platforms.append(local_page(settings, where.workspace, env_file=env_file, opened=shown, now=_clock))
    run_async(_serve(settings, platforms) if platforms else _talk(settings, where))


@click.command()
@target_options
@click.pass_context
def chat(ctx: click.Context, where: Target) -> None:
    """Talk to the bot in this terminal: drop a PDF by its path, ask, /help."""
    run_async(_talk(start(ctx), where))


async def _serve(settings: Settings, platforms: Sequence[ChatPlatform]) -> None:
    from bot.wiring import open_app

    _leave_on_signal()
    with suppress(asyncio.CancelledError):  # it may come while everything is still being opened
        async with open_app(settings, platforms, aliases=PLATFORM_ALIASES):
            chats = [platform.name for platform in platforms if platform.name not in PLATFORM_ALIASES]
            if chats:
                click.echo(f"Footnote listens on {', '.join(chats)}.")
            click.echo("Ctrl-C stops it.")
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()


def _opened(settings: Settings, link: str) -> None:
    """Say where the page is, and show it where that is wanted."""
    click.echo(f"Footnote is open at\n\n    {link}\n\non this machine, for whoever has this link.")
    if settings.web.open:
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()  # some browsers stay until closed


async def _talk(settings: Settings, where: Target) -> None:
    from rich.console import Console

    from adapters.console.platform import ConsolePlatform, StreamLines
    from bot.wiring import clock, open_app

    _leave_on_signal()
    with suppress(asyncio.CancelledError), tempfile.TemporaryDirectory(prefix="footnote-") as shown:
        console = ConsolePlatform(
            where.channel,
            session=f"{clock():%Y%m%d-%H%M%S-%f}",
            console=Console(),
            files=Path(shown),
            visible=frozenset(where.channels),
        )
        async with open_app(settings, [console]) as app:
            with suppress(asyncio.CancelledError):
                await console.talk(StreamLines(sys.stdin), app.dispatcher.accept)


def _clock() -> datetime:
    return datetime.now(UTC)


def _leave_on_signal() -> None:
    """On SIGTERM leave the conversation as at its end, so that jobs are handed back."""
    task = asyncio.current_task()
    assert task is not None
    if sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


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
