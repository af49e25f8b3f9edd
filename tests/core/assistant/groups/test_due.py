"""When digests are due: clock changes, leap days, weekdays by number and by name, texts that mean nothing."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assistant.groups.due import Schedule
from core.domain.errors import SettingsInvalid

BERLIN = ZoneInfo("Europe/Berlin")


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type,misc]


def walls(fires: Schedule, start: datetime, count: int, zone: ZoneInfo = BERLIN) -> list[str]:
    found: list[str] = []
    at: datetime | None = start
    while at is not None and len(found) < count:
        at = fires.after(at)
        if at is not None:
            found.append(f"{at.astimezone(zone):%a %m-%d %H:%M}")
    return found


def test_weekly_is_monday_morning_on_the_channels_own_clock() -> None:
    fires = Schedule("weekly", "Europe/Berlin")
    assert fires.after(utc(2026, 6, 3)) == utc(2026, 6, 8, 7)
    assert fires.after(utc(2026, 12, 2)) == utc(2026, 12, 7, 8)
    assert fires.last(utc(2026, 6, 8, 7)) == utc(2026, 6, 8, 7)
    assert fires.last(utc(2026, 6, 8, 6, 59)) == utc(2026, 6, 1, 7)


def test_an_hour_that_is_skipped_fires_once_by_the_old_offset() -> None:
    fires = Schedule("30 2 * * *", "Europe/Berlin")  # clocks go from 02:00 to 03:00 on 29 March 2026
    assert walls(fires, utc(2026, 3, 27, 12), 3) == ["Sat 03-28 02:30", "Sun 03-29 03:30", "Mon 03-30 02:30"]


def test_an_hour_that_comes_twice_fires_once() -> None:
    fires = Schedule("30 2 * * *", "Europe/Berlin")  # clocks go from 03:00 to 02:00 on 25 October 2026
    assert fires.after(utc(2026, 10, 24, 12)) == utc(2026, 10, 25, 0, 30)
    assert fires.after(utc(2026, 10, 25, 0, 30)) == utc(2026, 10, 26, 1, 30)
    assert fires.last(utc(2026, 10, 25, 1, 45)) == utc(2026, 10, 25, 0, 30)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("0 9 * * 0", ["Sun"]),
        ("0 9 * * 7", ["Sun"]),
        ("0 9 * * 1-5", ["Mon", "Tue", "Wed", "Thu", "Fri"]),
        ("0 9 * * fri-mon", ["Mon", "Fri", "Sat", "Sun"]),
        ("0 9 * * MON,THU", ["Mon", "Thu"]),
        ("0 9 * * */3", ["Wed", "Sat", "Sun"]),
        ("0 9 * * 0-6/2", ["Tue", "Thu", "Sat", "Sun"]),
    ],
)
def test_days_of_the_week_mean_what_they_mean_in_cron(text: str, days: list[str]) -> None:
    found = walls(Schedule(text, "Europe/Berlin"), utc(2026, 5, 31, 22), len(days))
    assert [one[:3] for one in found] == days


def test_a_limited_day_of_month_and_a_limited_weekday_are_each_enough() -> None:
    found = walls(Schedule("0 9 15 * 1", "UTC"), utc(2026, 9, 1), 4, ZoneInfo("UTC"))
    assert found == ["Mon 09-07 09:00", "Mon 09-14 09:00", "Tue 09-15 09:00", "Mon 09-21 09:00"]


def test_the_29th_of_february_is_found_years_away_and_the_30th_never() -> None:
    leap = Schedule("0 9 29 2 *", "UTC")
    assert (leap.last(utc(2027, 6, 1)), leap.after(utc(2026, 6, 1))) == (utc(2024, 2, 29, 9), utc(2028, 2, 29, 9))
    never = Schedule("0 9 30 2 *", "UTC")
    assert (never.last(utc(2026, 6, 1)), never.after(utc(2026, 6, 1))) == (None, None)


@pytest.mark.parametrize(
    "text", ["", "often", "0 9 * *", "61 9 * * *", "0 9 * * noday", "0 9 * * 8", "0 9 * * 1/0", "x"]
)
def test_a_text_that_means_nothing_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(SettingsInvalid, match="is no schedule; write daily, weekly"):
        Schedule(text, "UTC")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "Europe"])
def test_a_zone_that_does_not_exist_is_refused_in_one_sentence(zone: str) -> None:
    with pytest.raises(SettingsInvalid, match="is no time zone"):
        Schedule("daily", zone)


@given(
    moment=st.datetimes(datetime(2024, 1, 1), datetime(2028, 1, 1)).map(lambda at: at.replace(tzinfo=UTC)),
    text=st.sampled_from(["daily", "weekly", "monthly", "30 2 * * *", "*/20 * * * *", "0 */5 * * 2", "59 23 31 * *"]),
    zone=st.sampled_from(
        ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata"]
    ),
)
def test_last_and_after_meet_at_every_moment(moment: datetime, text: str, zone: str) -> None:
    fires = Schedule(text, zone)
    last, after = fires.last(moment), fires.after(moment)
    assert last is not None and after is not None
    assert last <= moment < after
    assert fires.after(last) == after or fires.last(after - timedelta(seconds=1)) == last
    assert fires.after(last - timedelta(seconds=1)) == last


def test_a_year_of_days_has_a_fire_on_each_of_them_in_every_zone() -> None:
    for zone in ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo"):
        fires, at = Schedule("30 2 * * *", zone), utc(2026, 1, 1)
        found: list[date] = []
        while len(found) < 366:
            at = fires.after(at) or at
            found.append(at.astimezone(ZoneInfo(zone)).date())
        assert all(later - earlier == timedelta(days=1) for earlier, later in pairwise(found)), zone
