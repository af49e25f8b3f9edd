"""What discord.py raises, put into Footnote's own errors: one place, so that no other file knows both."""

from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
import discord

from core.domain.errors import FootnoteError, PlatformFailure, PlatformRefused, RateLimited

UNKNOWN_MESSAGE = 10008
ARCHIVED = 50083
THREAD_EXISTS = 160004
LATE = (10062, 40060)
"""The three seconds are over, or the press was answered already."""
EXPIRED = (10015, 50027)
"""An interaction can no longer be answered by its token."""

_REFUSED = {
    10003: "That channel or thread is gone.",
    40005: "The file is larger than Discord takes here.",
    40067: "Discord does not take this message here.",
    50001: "Footnote cannot see that channel; it lacks the right to view it.",
    50007: "Discord does not let Footnote write to this person directly.",
    50013: "Footnote lacks a right in that channel: it needs to send messages and to create and use threads.",
    50083: "That thread is archived.",
    160005: "That thread is locked.",
    200000: "This server's AutoMod does not let the message through.",
}
_SLOW = (20016, 20028, 40062)
_SLOW_SECONDS = 10.0


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raises ``PlatformFailure`` (``RateLimited``, ``PlatformRefused``) in place of what discord.py raises."""
    try:
        yield
    except FootnoteError:
        raise
    except discord.RateLimited as limit:
        raise RateLimited("Discord asks to wait before the next call.", limit.retry_after) from limit
    except discord.HTTPException as failure:
        raise _of_status(failure) from failure
    except (TimeoutError, aiohttp.ClientError, OSError) as failure:
        raise PlatformFailure("Discord cannot be reached just now.") from failure
    except discord.DiscordException as failure:
        raise PlatformFailure("Discord is not ready just now.") from failure


def _of_status(failure: discord.HTTPException) -> PlatformFailure:
    if failure.code in _SLOW or failure.status == 429:
        wait = failure.response.headers.get("Retry-After", "") if failure.response is not None else ""
        seconds = float(wait) if wait.replace(".", "", 1).isdigit() else _SLOW_SECONDS
        return RateLimited("Discord asks to wait before the next call.", seconds)
    if failure.code in EXPIRED:
        return PlatformFailure("Discord takes no more answers to that command.")
    if failure.code in _REFUSED:
        return PlatformRefused(_REFUSED[failure.code])
    if failure.status >= 500:
        return PlatformFailure("Discord has trouble of its own just now.")
    return PlatformRefused(f"Discord does not take this (status {failure.status}, code {failure.code}).")
