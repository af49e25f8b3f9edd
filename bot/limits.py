"""Rate limits: how many questions and pages one person and one channel may have.

Moving windows kept in memory: a restart empties them, which costs less than a store.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerHour
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from bot.replies.plurals import pluralize
from core.domain.errors import LimitReached
from core.domain.model import Channel

LOCAL = "local"
_What: TypeAlias = Literal["questions", "pages"]
_Span: TypeAlias = Literal["hour", "day"]
_ITEMS: Mapping[str, Callable[[int], RateLimitItem]] = {"hour": RateLimitItemPerHour, "day": RateLimitItemPerDay}


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsConfig:
    """Shares by hour and day; 0 sets no limit. ``local``: whether they hold for this machine's own workspaces too."""

    user_questions_per_hour: int = 60
    channel_questions_per_hour: int = 300
    user_pages_per_day: int = 5_000
    channel_pages_per_day: int = 20_000
    local: bool = False

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not 0 <= getattr(self, name) <= 10_000_000:
                raise ValueError(f"{name} must lie between 0 and 10,000,000")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    item: RateLimitItem
    setting: str
    whose: str
    id: str
    what: _What
    per: _Span

    @property
    def key(self) -> str:
        return f"{self.whose}/{self.id}"


class Limits:
    """Counts questions and pages; a workspace's people and channels are counted apart from all others'."""

    def __init__(self, config: LimitsConfig) -> None:
        self._config = config
        self._windows = MovingWindowRateLimiter(MemoryStorage())

    async def question(self, channel: Channel, user: str) -> None:
        """Count a question. Raises ``LimitReached`` and counts nothing where a share is used up."""
        shares = self._shares(channel, user, what="questions", per="hour")
        await self._check(shares)
        for share in shares:
            await self._windows.hit(share.item, share.key)

    async def room_for_pages(self, channel: Channel, user: str) -> None:
        """Raises ``LimitReached`` where a share of pages is used up; how long a paper is shows only in reading."""
        await self._check(self._shares(channel, user, what="pages", per="day"))

    async def pages(self, channel: Channel, user: str, count: int) -> None:
        """Count the pages of a paper that was read; the last paper may go beyond the share."""
        for share in self._shares(channel, user, what="pages", per="day"):
            left = (await self._windows.get_window_stats(share.item, share.key)).remaining
            if taken := min(count, left):
                await self._windows.hit(share.item, share.key, cost=taken)

    def _shares(self, channel: Channel, user: str, *, what: _What, per: _Span) -> Sequence[_Share]:
        """The limits that apply: none for this machine's own workspaces, unless the settings say so."""
        workspace = channel.workspace
        if workspace.platform == LOCAL and not self._config.local:
            return ()
        shares = []
        for whose, id_ in (("user", f"{workspace.key}/{user}"), ("channel", f"{workspace.key}/{channel.id}")):
            name = f"{whose}_{what}_per_{per}"
            if amount := int(getattr(self._config, name)):
                shares.append(_Share(item=_ITEMS[per](amount), setting=name, whose=whose, id=id_, what=what, per=per))
        return shares

    async def _check(self, shares: Sequence[_Share]) -> None:
        for share in shares:
            if await self._windows.test(share.item, share.key):
                continue
            stats = await self._windows.get_window_stats(share.item, share.key)
            minutes = max(1, math.ceil((stats.reset_time - time.time()) / 60))
            amount = pluralize(share.item.amount, share.what.removesuffix("s"))
            raise LimitReached(
                f"{'You have' if share.whose == 'user' else 'This channel has'} had {amount} within the last "
                f"{share.per}, which is the limit here (FOOTNOTE_LIMITS_{share.setting.upper()}); "
                f"there is more in {pluralize(minutes, 'minute')}."
            )
