"""Takes the pictures of Discord's messages for the docs: ``python -m tests.journeys.discord.pictures docs/pictures``.

The bot posts each kind of reply on a simulated server, whose own preview draws it as Discord would.
"""

import asyncio
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserType

from core.domain.model import Sentence, Thread
from core.domain.reply import Attachment, Reply
from tests.adapters.discord.world import World, button, said, world
from tests.adapters.slack.kinds import KINDS
from tests.journeys.web import chromium

GROUPS = {
    "answer": ("answer", "not found"),
    "papers": ("ingest", "papers", "page"),
    "studies": ("summary", "table", "review"),
    "group": ("digest", "journal", "settings", "help"),
    "rest": ("choice", "rejected", "status", "forgotten", "export", "error", "home"),
}
TAIL = "The tail of the comet measured 42 degrees on the fourth night."
_WIDTH = 760
_HEIGHTS = {"answer": 560, "papers": 1_180, "studies": 900, "group": 860, "rest": 1_000}


def page_picture() -> bytes:
    """A page with a marked line, as the reader draws it."""
    import pymupdf

    document = pymupdf.open()
    page = document.new_page(width=420, height=220)
    page.insert_text((36, 48), "2.1 Measurements", fontsize=13)
    page.draw_rect(pymupdf.Rect(32, 66, 330, 86), color=None, fill=(1, 0.93, 0.6))
    page.insert_text((36, 80), "On the fourth night its tail measured 42 degrees.", fontsize=12)
    page.insert_text((36, 104), "The sextant was read by two observers in turn.", fontsize=12)
    return bytes(page.get_pixmap(dpi=110).tobytes("png"))


async def main(folder: Path) -> None:
    """Post every kind of reply and keep what it looks like."""
    launch, path = BrowserType.launch, chromium()

    async def own_chromium(self: BrowserType, **given: Any) -> Any:
        arguments = [*(given.pop("args", None) or []), "--no-sandbox", "--disable-gpu"]
        return await launch(self, **{**given, "executable_path": path, "args": arguments})

    BrowserType.launch = own_chromium  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as data:
        async with world(Path(data)) as w:
            w.env.backend.bot_user.name = "Footnote"
            for name, kinds in GROUPS.items():
                await shown(w, name, kinds, folder / f"discord-{name}.png")
            await growing(w, folder / "discord-growing.png")
            await forms(w, folder)


async def shown(w: World, name: str, kinds: tuple[str, ...], path: Path) -> None:
    """One picture of several kinds, posted one after the other."""
    channel = w.guild.create_text_channel(name)
    await w.env.settle()
    place = replace(w.location, id=str(channel.id))
    for kind in kinds:
        reply: Reply = KINDS[kind]
        if kind == "page":
            reply = replace(reply, files=(Attachment(name="page-3.png", mime="image/png", data=page_picture()),))
        await w.platform.send(Thread(channel=place, id=""), reply, key=f"digest:{kind}")
    height = _HEIGHTS[name]
    async with w.env.preview(channel, viewers=[w.alice], layout="channel", width=_WIDTH, height=height) as preview:
        await preview.screenshot(path, viewer=w.alice, mode="viewport", allow_incomplete=True)


async def growing(w: World, path: Path) -> None:
    """An answer while it is written, in the thread of its question."""
    channel = w.guild.create_text_channel("growing")
    await w.env.settle()
    question = await w.alice.send(channel, "How does the tail of a comet decay?")
    answer = KINDS["answer"]
    thread = Thread(channel=replace(w.location, id=str(channel.id)), id=str(question.id))

    async def posted(_: str) -> None:
        return None

    progress = w.platform.progress(thread, key="ask:growing", reply_id="", posted=posted)
    await progress.step("writing", 0, 0)
    await progress.sentence(Sentence(text=TAIL, markers=(1,)), [answer.footnotes[0].citation])
    await w.until(lambda: channel.threads and TAIL in said(channel.threads[0]))
    shown = channel.threads[0]
    async with w.env.preview(shown, viewers=[w.alice], layout="channel", width=_WIDTH, height=300) as preview:
        await preview.screenshot(path, viewer=w.alice, mode="viewport", allow_incomplete=True)


async def forms(w: World, folder: Path) -> None:
    """The forms: behind "Wrong", of the settings, and of "Ask about this"."""
    channel = w.guild.create_text_channel("form")
    await w.env.settle()
    w.make_manager(w.alice)
    await w.platform.send(
        Thread(channel=replace(w.location, id=str(channel.id)), id=""), KINDS["answer"], key="digest:f"
    )
    message = channel.last_message
    assert message is not None
    asked = await w.alice.send(channel, "Does the coma dim with the tail?")
    heights = {"form": 620, "form-settings": 1_000, "form-about": 520}
    for name, height in heights.items():
        async with w.env.preview(channel, viewers=[w.alice], layout="channel", width=_WIDTH, height=height) as preview:
            match name:
                case "form":
                    opened = await w.alice.click(message, custom_id=button(message, "Wrong"))
                case "form-settings":
                    opened = await w.alice.slash(channel, "settings")
                case _:
                    opened = await w.alice.context_menu(channel, "Ask about this", asked)
            path = folder / f"discord-{name}.png"
            await preview.screenshot(path, viewer=w.alice, target=opened, mode="viewport", allow_incomplete=True)


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    asyncio.run(main(Path(sys.argv[1])))
