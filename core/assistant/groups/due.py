"""What a group has planned and when it is due: schedules of digests, their periods, reminders of journal clubs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.domain.errors import SettingsInvalid
from core.domain.groups import DuePost
from core.domain.model import Channel, Thread, Workspace

if TYPE_CHECKING:
    from apscheduler.triggers.cron import CronTrigger

DIGEST, JOURNAL = "digest", "journal"


class DigestSchedule(Protocol):
    """A channel's digest as it is set."""

    @property
    def channel(self) -> str:
        """The channel's id."""

    @property
    def text(self) -> str:
        """``off``, a word of ``WORDS`` or five cron fields."""

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


WORDS: Mapping[str, str] = {"daily": "0 9 * * *", "weekly": "0 9 * * 1", "monthly": "0 9 1 * *"}
"""What a plain word means: nine in the morning, of every day, of Mondays, of the first of a month."""
_FAR = datetime(9999, 1, 1, tzinfo=UTC)
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LOOKS = (timedelta(hours=2), timedelta(days=2), timedelta(days=9), timedelta(days=63), timedelta(days=366 * 9))
"""How far back a last time is looked for, in growing steps, so that few times lie in the step that has one."""


class Schedule:
    """The times of one cron text (five fields, or a word of ``WORDS``) in one time zone.

    Raises ``SettingsInvalid`` in one sentence for a text or a zone that cannot be understood.
    """

    def __init__(self, text: str, zone: str) -> None:
        self._text = text
        self._zone = zone_of(zone)
        _triggers(text, until=_FAR)

    def after(self, moment: datetime) -> datetime | None:
        """The first time later than ``moment``, or None where there is none (the 30th of February)."""
        wall = moment.astimezone(self._zone).replace(tzinfo=None)
        # An hour may come twice or not at all: begin a little before and skip what is not later.
        for fire in self._walls(wall - timedelta(hours=3)):
            instant = self._instant(fire)
            if instant > moment:
                return instant
        return None

    def last(self, moment: datetime) -> datetime | None:
        """The last time not later than ``moment``, or None where there was none for years."""
        wall = moment.astimezone(self._zone).replace(tzinfo=None)
        for look in _LOOKS:
            walls = takewhile(lambda fire: fire <= wall + timedelta(hours=3), self._walls(wall - look))
            instants = [instant for instant in map(self._instant, walls) if instant <= moment]
            if instants:
                return max(instants)
        return None

    def _walls(self, start: datetime) -> Iterator[datetime]:
        """Wall times from ``start`` on. The triggers run in a zone without changes, so that each comes once."""
        at = start.replace(tzinfo=UTC)
        triggers = _triggers(self._text, until=at + _LOOKS[-1])
        while times := list(filter(None, (trigger.get_next_fire_time(None, at) for trigger in triggers))):
            coming = min(times)
            yield coming.replace(tzinfo=None)
            at = coming + timedelta(seconds=1)

    def _instant(self, wall: datetime) -> datetime:
        return wall.replace(tzinfo=self._zone, fold=0).astimezone(UTC)


def zone_of(name: str) -> ZoneInfo:
    """The time zone of this name. Raises ``SettingsInvalid``."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SettingsInvalid(f"“{name}” is no time zone; they are written like Europe/Berlin or UTC.") from error


def _triggers(text: str, *, until: datetime) -> "Sequence[CronTrigger]":
    """One trigger, or two where day of month and day of week are both limited: either is enough, as in cron.

    ``until`` ends the search for a day that never comes.
    """
    from apscheduler.triggers.cron import CronTrigger

    fields = WORDS.get(text.strip().lower(), text).split()
    if len(fields) != 5:
        raise SettingsInvalid(_unclear(text))
    minute, hour, day, month, weekday = fields
    pairs = [(day, weekday)] if "*" in (day[0], weekday[0]) else [(day, "*"), ("*", weekday)]
    times = {"minute": minute, "hour": hour, "month": month, "timezone": "UTC", "end_date": until}
    try:
        return tuple(CronTrigger(day=day, day_of_week=_weekdays(weekday), **times) for day, weekday in pairs)
    except (ValueError, TypeError) as error:
        raise SettingsInvalid(_unclear(text)) from error


def _weekdays(field: str) -> str:
    """Days of the week by name: in cron 0 and 7 are Sunday, and a range may run over the week's end."""
    if field == "*":
        return field
    days: set[int] = set()
    for part in field.lower().split(","):
        span, _, step = part.partition("/")
        low, high = _day_range(span, open_ended=bool(step))
        days |= {day % 7 for day in range(low, high + 1, int(step or 1))}
    return ",".join(_DAYS[day] for day in sorted(days))


def _day_range(span: str, *, open_ended: bool) -> tuple[int, int]:
    """First and last day of ``*``, ``2`` or ``fri-mon``; a single day that has a step runs to the week's end."""
    first, dash, last = span.partition("-")
    if first == "*":
        return 0, 6
    low = _day(first)
    high = _day(last) if dash else low
    if open_ended and not dash:
        high = 6
    return low, high + 7 if high < low else high


def _day(name: str) -> int:
    return int(name) % 8 if name.isdigit() and int(name) < 8 else _DAYS.index(name[:3])


def _unclear(text: str) -> str:
    return (
        f"“{text}” is no schedule; write daily, weekly, monthly, or the five fields of cron, "
        "for example 0 9 * * 1 for Mondays at nine."
    )
