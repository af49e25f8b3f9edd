"""What is to be posted now: digests whose period has ended, reminders whose time has come. Pure; the clock is given.

A period ends at a time of the channel's schedule and begins where the last one ended, so that nothing is repeated
and nothing is left out. Times that were missed while nothing ran are made up for by one digest of all of it. A
schedule counts from when it was set: it does not fire for times before.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol

from core.assistant.groups.recurrence import Schedule
from core.domain.errors import SettingsInvalid
from core.domain.groups import DuePost
from core.domain.model import Channel, Thread, Workspace

DIGEST, JOURNAL = "digest", "journal"


class DigestSchedule(Protocol):
    """A channel's digest as it is set."""

    @property
    def channel(self) -> str:
        """The channel's id."""

    @property
    def text(self) -> str:
        """``off``, a word of ``recurrence.WORDS`` or five cron fields."""

    @property
    def zone(self) -> str:
        """The time zone's name."""

    @property
    def set_at(self) -> datetime:
        """Since when it is so."""

    @property
    def last_at(self) -> datetime | None:
        """The end of the period that was posted last."""


class PendingReminder(Protocol):
    """A journal club whose reminder was not given yet."""

    @property
    def number(self) -> int:
        """The club's."""

    @property
    def channel(self) -> str:
        """The channel's id."""

    @property
    def thread(self) -> str:
        """The thread in which it is prepared."""

    @property
    def remind_at(self) -> datetime:
        """When to remind."""


def find_due(
    workspace: Workspace, digests: Iterable[DigestSchedule], clubs: Iterable[PendingReminder], *, now: datetime
) -> Sequence[DuePost]:
    """What of a workspace is due at ``now``. A schedule that means nothing (any more) is passed over."""
    return [*_digests(workspace, digests, now), *_reminders(workspace, clubs, now)]


def _digests(workspace: Workspace, planned: Iterable[DigestSchedule], now: datetime) -> Iterator[DuePost]:
    for plan in planned:
        if plan.text == "off":
            continue
        try:
            ended = _period(plan, now)
        except SettingsInvalid:
            continue
        if ended is not None:
            thread = Thread(channel=Channel(workspace=workspace, id=plan.channel), id="")
            yield DuePost(thread=thread, name=DIGEST, period=format_period(*ended), at=ended[1])


def _period(planned: DigestSchedule, now: datetime) -> tuple[datetime, datetime] | None:
    """Beginning and end of the period that is to be posted at ``now``, or None."""
    fires = Schedule(planned.text, planned.zone)
    until = fires.last(now)
    covered_until = planned.set_at if planned.last_at is None else max(planned.set_at, planned.last_at)
    if until is None or until <= covered_until:
        return None
    # The first one begins where the period began in which the schedule was set, however long ago that is by now.
    return planned.last_at or fires.last(planned.set_at) or planned.set_at, until


def _reminders(workspace: Workspace, clubs: Iterable[PendingReminder], now: datetime) -> Iterator[DuePost]:
    for club in clubs:
        if club.remind_at <= now:
            thread = Thread(channel=Channel(workspace=workspace, id=club.channel), id=club.thread)
            # A meeting that was moved has another period: it is reminded of anew.
            period = f"{club.number}/{club.remind_at.astimezone(UTC).isoformat()}"
            yield DuePost(thread=thread, name=JOURNAL, period=period, at=club.remind_at)


def preview_period(text: str, zone: str, last_at: datetime | None, *, now: datetime) -> tuple[datetime, datetime]:
    """What a digest would be of if it came at ``now``; a week where none is planned. Raises ``SettingsInvalid``."""
    if last_at is not None:
        return last_at, now
    fires = Schedule(text, zone) if text != "off" else None
    ended = fires.last(now) if fires else None
    if fires is None or ended is None:
        return now - timedelta(days=7), now
    before = fires.last(ended - timedelta(microseconds=1))
    return before or ended, now


def format_period(since: datetime, until: datetime) -> str:
    """A period as an event carries it."""
    return "/".join(at.astimezone(UTC).isoformat() for at in (since, until))


def parse_period(text: str) -> tuple[datetime, datetime]:
    """What ``period_text`` wrote. Raises ``ValueError``."""
    since, until = (datetime.fromisoformat(part) for part in text.split("/"))
    return since, until
