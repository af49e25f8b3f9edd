"""The bot in a process of its own that dies at a point: ``python -m …discord.killed DATA REST GATEWAY TOKEN POINT``.

Its engine has no models but keeps its papers on disk, so that what was read before a kill is there after it.
"""

import asyncio
import sys
from functools import partial
from pathlib import Path
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket

from adapters.common.download import allow_hosts
from adapters.discord.platform import DiscordPlatform, fetch_file
from adapters.discord.progress import ReplyProgress
from adapters.discord.settings import DiscordSettings
from bot.settings import Settings
from bot.wiring import open_app
from bot.worker import JobPolicy
from core.domain.model import Thread
from core.domain.reply import Reply
from tests.journeys.slack.killed import SlowQuestions, armed_for_edits, die, kept_engine

SOON = JobPolicy(retry_seconds=0.1, lease_seconds=5.0)

POINTS = ("posted", "streaming", "sent")


def armed(point: str) -> None:
    """Let the process die at the point, for a question."""
    show, send = ReplyProgress._show_page, DiscordPlatform.send

    async def _show_page(self: ReplyProgress, page: Any) -> None:
        is_question, had_message = self._key.startswith("ask:"), bool(self.message)
        if is_question and point == "posted":

            async def never(_: str) -> None:
                die()  # the message is there, its id is stored nowhere

            self._posted = never
        await show(self, page)
        if is_question and had_message and point == "streaming":
            die()

    async def _send(self: DiscordPlatform, thread: Thread, reply: Reply, *, key: str) -> str:
        id_ = await send(self, thread, reply, key=key)
        if key.startswith("ask:") and point == "sent":
            die()  # the whole reply is there, and the job not known to be done
        return id_

    ReplyProgress._show_page, DiscordPlatform.send = _show_page, _send  # type: ignore[method-assign]


async def main(data: Path, rest: str, gateway: str, token: str, point: str) -> None:
    discord.http.Route.BASE = rest
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    armed(point)
    armed_for_edits(point)
    given = DiscordSettings(token=token, catch_up_hours=1.0)
    limits = dict.fromkeys(
        ("user_questions_per_hour", "channel_questions_per_hour", "user_pages_per_day", "channel_pages_per_day"), 0
    )
    settings = Settings.model_validate({"data": data, "limits": limits})
    SlowQuestions.moment = 3.0 if point in ("posted", "streaming") else 0.1  # long enough for signs of life to be shown
    fetch = partial(fetch_file, allowed=allow_hosts("127.0.0.1"))
    async with open_app(settings, [DiscordPlatform(given, fetch=fetch)], engines=kept_engine, policy=SOON):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:6]))
