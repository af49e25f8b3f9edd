"""Signs of life of one job on Discord: one message that is edited at a legal pace until the reply takes its place.

Work that is over in a moment shows nothing but "typing"; a button ends an answer while it grows.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adapters.common.markdown import escape
from adapters.common.progress import QUESTION_PREFIXES, Edits, stage_words
from adapters.discord.ids import mark, nonce
from adapters.discord.render import Page, pages
from core.domain.errors import PlatformFailure
from core.domain.model import Citation, Sentence
from core.domain.platforms import Posted
from core.domain.reply import Button, Reply

if TYPE_CHECKING:
    from adapters.discord.destinations import Destination

_log = logging.getLogger(__name__)
_EDIT_SECONDS = 1.2
_QUIET_SECONDS = 0.8
_STREAMED = 3_000
STOP = "stop"


class ReplyProgress:
    """``Progress`` of one job. ``outlet`` is asked for once there is something to show."""

    def __init__(
        self,
        destination: "Callable[[], Awaitable[Destination]]",
        *,
        key: str,
        reply_id: str,
        posted: Posted,
        typing: Callable[[], Awaitable[None]],
        quiet_seconds: float = _QUIET_SECONDS,
        edit_seconds: float = _EDIT_SECONDS,
    ) -> None:
        self._find = destination
        self._destination: Destination | None = None
        self._key = key
        self._posted = posted
        self._typing = typing
        self._begun = time.monotonic()
        self._quiet = quiet_seconds
        self._edits: Edits[Page] = Edits(self._edit, seconds=edit_seconds)
        self._step = ""
        self._sentences: list[str] = []
        self._ended = asyncio.Event()
        self.message = reply_id

    async def step(self, name: str, done: int, total: int) -> None:
        """Tell how far the job is."""
        words = stage_words(name)
        self._step = f"{words} · {done} of {total}" if total else f"{words} …"
        self._show()

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """Show a verified sentence behind those before it."""
        marks = "".join(rf"\[{marker}\]" for marker in sentence.markers)
        self._sentences.append(f"{escape(sentence.text)} {marks}".rstrip())
        self._show()

    async def close(self) -> None:
        """Show nothing more; what is under way ends first."""
        self._ended.set()
        await self._edits.close()

    def _show(self) -> None:
        while len(self._sentences) > 1 and sum(map(len, self._sentences)) > _STREAMED:
            self._sentences.pop(0)  # the whole answer comes at the end; this is its newest part
        buttons = (Button(label="Stop", action=STOP, value=""),) if self._answers else ()
        reply = Reply(kind="answer", body=" ".join(self._sentences), footer=self._step, buttons=buttons)
        self._edits.show(replace(pages(reply)[-1], mark=mark(self._key)))

    @property
    def _answers(self) -> bool:
        return self._key.startswith(QUESTION_PREFIXES)

    async def _edit(self, page: Page) -> None:
        if not self.message and await self._soon_over():
            return
        try:
            await self._show_page(page)
        except PlatformFailure:
            raise
        except Exception as failure:  # nobody waits for this: the reply itself will tell what is wrong
            _log.warning("sign of life not shown: %s", type(failure).__name__)

    async def _show_page(self, page: Page) -> None:
        if self._destination is None:
            self._destination = await self._find()
        if self.message and await self._destination.change(self.message, page):
            return
        self.message = await self._destination.put(page, nonce=nonce(self._key, 0))
        await self._posted(self.message)

    async def _soon_over(self) -> bool:
        """Wait a moment before the first message, typing; whether the job ended in it."""
        left = self._begun + self._quiet - time.monotonic()
        if left > 0:
            try:
                await self._typing()
            except Exception as failure:  # a courtesy, whatever goes wrong with it
                _log.info("typing not shown: %s", type(failure).__name__)
            try:
                async with asyncio.timeout(left):
                    await self._ended.wait()
            except TimeoutError:
                return False
        return self._ended.is_set()
