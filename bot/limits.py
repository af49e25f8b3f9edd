"""How much one person and one channel may ask of Footnote, so that nobody's day is spent by another.

Windows move with the clock and are kept in this process: a restart forgives, which costs less than a store.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerHour
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from core.domain.errors import LimitReached
from core.domain.model import Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsConfig:
    """Shares by hour and day; 0 sets no limit."""

    user_questions_per_hour: int = 60
    channel_questions_per_hour: int = 300
    user_pages_per_day: int = 5_000
    channel_pages_per_day: int = 20_000

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not 0 <= getattr(self, name) <= 10_000_000:
                raise ValueError(f"{name} must lie between 0 and 10,000,000")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    item: RateLimitItem
    whose: str
    id: str

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
        config = self._config
        await self._take(
            _shares(
                channel,
                user,
                user_item=_hourly(config.user_questions_per_hour),
                channel_item=_hourly(config.channel_questions_per_hour),
            ),
            what="questions",
            span="hour",
            cost=1,
        )

    async def room_for_pages(self, channel: Channel, user: str) -> None:
        """Raises ``LimitReached`` where a share of pages is used up; how long a paper is shows only in reading."""
        await self._check(self._page_shares(channel, user), what="pages", span="day")

    async def pages(self, channel: Channel, user: str, count: int) -> None:
        """Count the pages of a paper that was read; the last paper may go beyond the share."""
        for share in self._page_shares(channel, user):
            room = (await self._windows.get_window_stats(share.item, share.key)).remaining
            if taken := min(count, room):
                await self._windows.hit(share.item, share.key, cost=taken)

    def _page_shares(self, channel: Channel, user: str) -> Sequence[_Share]:
        config = self._config
        return _shares(
            channel,
            user,
            user_item=_daily(config.user_pages_per_day),
            channel_item=_daily(config.channel_pages_per_day),
        )

    async def _take(self, shares: Sequence[_Share], *, what: str, span: str, cost: int) -> None:
        await self._check(shares, what=what, span=span)
        for share in shares:
            await self._windows.hit(share.item, share.key, cost=cost)

    async def _check(self, shares: Sequence[_Share], *, what: str, span: str) -> None:
        for share in shares:
            if await self._windows.test(share.item, share.key):
                continue
            stats = await self._windows.get_window_stats(share.item, share.key)
            minutes = max(1, math.ceil((stats.reset_time - time.time()) / 60))
            whose = "You have" if share.whose == "user" else "This channel has"
            raise LimitReached(
                f"{whose} had {share.item.amount} {what} within the last {span}, which is the limit here; "
                f"there is more in {minutes} {'minute' if minutes == 1 else 'minutes'}."
            )


def _shares(
    channel: Channel, user: str, *, user_item: RateLimitItem | None, channel_item: RateLimitItem | None
) -> Sequence[_Share]:
    workspace = channel.workspace.key
    found = (("user", f"{workspace}/{user}", user_item), ("channel", f"{workspace}/{channel.id}", channel_item))
    return [_Share(item=item, whose=whose, id=id_) for whose, id_, item in found if item is not None]


def _hourly(amount: int) -> RateLimitItem | None:
    return RateLimitItemPerHour(amount) if amount else None


def _daily(amount: int) -> RateLimitItem | None:
    return RateLimitItemPerDay(amount) if amount else None
