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

from core.domain.model import Thread
from core.domain.reply import Attachment, Reply
from tests.adapters.discord.world import World, button, world
from tests.adapters.slack.kinds import KINDS
from tests.journeys.web import chromium

GROUPS = {
    "answer": ("answer", "not found"),
    "papers": ("ingest", "papers", "page"),
    "studies": ("summary", "table", "review"),
    "group": ("digest", "journal", "settings", "help"),
    "rest": ("choice", "rejected", "status", "forgotten", "export", "error", "home"),
}
_WIDTH = 760
_HEIGHTS = {"answer": 560, "papers": 1_080, "studies": 860, "group": 860, "rest": 1_000}


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
            for name, kinds in GROUPS.items():
                await shown(w, name, kinds, folder / f"discord-{name}.png")
            await form(w, folder / "discord-form.png")


async def shown(w: World, name: str, kinds: tuple[str, ...], path: Path) -> None:
    """One picture of several kinds, posted one after the other."""
    channel = w.guild.create_text_channel(name)
    await w.env.settle()
    place = replace(w.place, id=str(channel.id))
    for kind in kinds:
        reply: Reply = KINDS[kind]
        if kind == "page":
            reply = replace(reply, files=(Attachment(name="page-3.png", mime="image/png", data=page_picture()),))
        await w.platform.send(Thread(channel=place, id=""), reply, key=f"digest:{kind}")
    height = _HEIGHTS[name]
    async with w.env.preview(channel, viewers=[w.alice], layout="channel", width=_WIDTH, height=height) as preview:
        await preview.screenshot(path, viewer=w.alice, mode="viewport", allow_incomplete=True)


async def form(w: World, path: Path) -> None:
    """The form behind "Wrong"."""
    channel = w.guild.create_text_channel("form")
    await w.env.settle()
    place = replace(w.place, id=str(channel.id))
    await w.platform.send(Thread(channel=place, id=""), KINDS["answer"], key="digest:form")
    message = channel.last_message
    assert message is not None
    async with w.env.preview(channel, viewers=[w.alice], layout="channel", width=_WIDTH, height=620) as preview:
        opened = await w.alice.click(message, custom_id=button(message, "Wrong"))
        await preview.screenshot(path, viewer=w.alice, target=opened, mode="viewport", allow_incomplete=True)


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    asyncio.run(main(Path(sys.argv[1])))
