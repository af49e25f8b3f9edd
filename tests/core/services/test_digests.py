"""Digests by the clock over a real library: what they tell, when they come, and that each comes once."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.domain.errors import SettingsInvalid
from core.domain.groups import DuePost
from core.domain.model import Channel, Reference
from core.services.engine import Engine
from tests.core.assistant.studies.study_context import Says
from tests.core.services.filled_workspace import CLUB, HOME, START, Hand, opened, said, scope, shelve, thread

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
OKAPI = "We show that okapis sleep for five hours a day in dense forest near rivers."
LATER = "We find that okapis sleep for six hours a day in dense forest near villages."
MOTH = "We conclude that moths avoid street lamps with amber filters in all seasons."


async def weekly(engine: Engine, *, channel: Channel = CLUB, zone: str = "UTC", text: str = "weekly") -> None:
    await engine.groups.schedule(channel, text, zone, user="ann")


async def run(engine: Engine, due: DuePost) -> bool:
    """Do what the worker does with what is due; whether something was said."""
    return await engine.groups.digest(due.thread.channel, due.period) is not None


async def test_a_digest_tells_what_was_added_asked_and_left_open(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        old = await shelve(engine, tmp_path, "Sleep of okapis", [OKAPI], at=START - 20 * DAY, doi="10.1/okapi")
        quiet = await shelve(engine, tmp_path, "Nobody reads me", ["We show nothing much."], at=START - 19 * DAY)
        await weekly(engine)
        entry = Reference(
            paper_id="", ordinal=0, raw="Lee A. Sleep of okapis. 2020. doi:10.1/okapi", doi="10.1/okapi", page=9
        )
        new = await shelve(
            engine, tmp_path, "Okapis near villages", [LATER], at=START + DAY, user="bob", references=[entry]
        )
        await said(engine, "How long do okapis sleep?", old, at=START + 2 * DAY, name="t7")
        await said(engine, "how long do OKAPIS sleep", old, at=START + 3 * DAY, name="t8")
        await said(engine, "Do moths sleep?", None, at=START + 3 * DAY, name="t9")
        hand.now = START + WEEK + 2 * HOUR
        (due,) = await engine.groups.due()
        assert due.thread == thread("") and due.name == "digest"
        made = await engine.groups.digest(CLUB, due.period)
    assert made is not None
    (arrival,) = made.arrivals
    assert (arrival.paper.id, arrival.users) == (new.id, ("bob",))
    assert arrival.takeaway is not None and arrival.takeaway.text == LATER
    assert arrival.connection is not None
    assert (arrival.connection.kind, arrival.connection.paper.id) == ("cites", old.id)
    assert [(one.text, one.times, one.thread.id) for one in made.answered] == [("how long do OKAPIS sleep", 2, "t8")]
    assert [one.text for one in made.unanswered] == ["Do moths sleep?"]
    assert [paper.id for paper in made.unasked] == [quiet.id]
    quotes = {one.marker: one.spans[0].quote for one in made.citations}
    assert quotes[arrival.takeaway.markers[0]] == LATER.rstrip(".")
    assert [(one.marker, one.paper_id) for one in made.citations] == [(1, new.id), (2, new.id)]
    assert made.citations[1].spans[0].page == 9


async def test_a_paper_that_cites_nothing_here_is_told_beside_the_nearest(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        old = await shelve(engine, tmp_path, "Sleep of okapis", [OKAPI], at=START)
        await shelve(engine, tmp_path, "Moths", [MOTH], at=START)
        new = await shelve(engine, tmp_path, "Okapis near villages", [LATER], at=START + HOUR)
        made = await engine.groups.digest(
            CLUB, f"{(START + 1 * timedelta(minutes=1)).isoformat()}/{(START + DAY).isoformat()}"
        )
    assert made is not None
    connection = made.arrivals[0].connection
    assert connection is not None and connection.here is not None and connection.there is not None
    assert (made.arrivals[0].paper.id, connection.kind, connection.paper.id) == (new.id, "near", old.id)
    assert (connection.here.text, connection.there.text) == (LATER, OKAPI)
    papers = {one.marker: one.paper_id for one in made.citations}
    assert (papers[connection.here.markers[0]], papers[connection.there.markers[0]]) == (new.id, old.id)


async def test_nothing_of_another_channel_is_told(tmp_path: Path) -> None:
    secret = Channel(workspace=HOME, id="secret", visibility="restricted")
    async with opened(tmp_path, Hand()) as engine:
        await shelve(engine, tmp_path, "Sleep of okapis", [OKAPI], at=START, channel=secret)
        await shelve(engine, tmp_path, "Okapis near villages", [LATER], at=START + HOUR)
        await said(engine, "What is secret?", None, at=START + HOUR, channel=secret)
        made = await engine.groups.preview(CLUB)
    assert made.quiet is False or made.arrivals == ()
    told = repr(made)
    assert "Sleep of okapis" not in told and "What is secret?" not in told and "rivers" not in told


async def test_an_empty_week_says_nothing_and_the_next_one_leaves_nothing_out(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        await weekly(engine)
        hand.now = START + WEEK + 2 * HOUR
        (first,) = await engine.groups.due()
        assert not await run(engine, first)
        assert await engine.groups.due() == []
        await shelve(engine, tmp_path, "Okapis", [OKAPI], at=START + WEEK + 3 * HOUR)
        hand.now = START + 2 * WEEK + 2 * HOUR
        (second,) = await engine.groups.due()
        assert await run(engine, second)
        assert second.period.split("/")[0] == first.period.split("/")[1]


async def test_a_schedule_counts_from_when_it_was_set(tmp_path: Path) -> None:
    hand = Hand(START + 2 * HOUR)  # Monday, after nine
    async with opened(tmp_path, hand) as engine:
        await shelve(engine, tmp_path, "Okapis", [OKAPI], at=START + 90 * timedelta(minutes=1))
        await weekly(engine)
        assert await engine.groups.due() == []
        plan = await engine.groups.plan(CLUB)
        assert plan.next_at == START + WEEK + HOUR
        hand.now = START + WEEK + 2 * HOUR
        (due,) = await engine.groups.due()
        assert await run(engine, due)
        await weekly(engine, text="daily")
        assert await engine.groups.due() == []
        hand.now = START + 8 * DAY + 2 * HOUR
        (due,) = await engine.groups.due()
        assert due.period.startswith((START + WEEK + HOUR).isoformat())
        await weekly(engine, text="off")
        hand.now = START + 9 * WEEK
        assert await engine.groups.due() == []
        assert (await engine.groups.plan(CLUB)).next_at is None


async def test_missed_weeks_are_made_up_for_by_one_digest_of_all_of_them(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        await weekly(engine)
        hand.now = START + WEEK + 2 * HOUR
        (first,) = await engine.groups.due()
        await run(engine, first)
    hand.now = START + 5 * WEEK + 3 * DAY
    async with opened(tmp_path, hand) as engine:
        for week in (1, 3, 4):
            await shelve(engine, tmp_path, f"Paper {week}", [f"{OKAPI} {week}"], at=START + week * WEEK + DAY)
        (late,) = await engine.groups.due()
        made = await engine.groups.digest(CLUB, late.period)
        assert made is not None
        assert [arrival.paper.title for arrival in made.arrivals] == ["Paper 1", "Paper 3", "Paper 4"]
        assert (made.since, made.until) == (START + WEEK + HOUR, START + 5 * WEEK + HOUR)
        assert await engine.groups.due() == []


async def test_weeks_missed_before_the_first_digest_are_made_up_for_too(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        await weekly(engine)
        await shelve(engine, tmp_path, "Okapis", [OKAPI], at=START + DAY)
        hand.now = START + 4 * WEEK
        (late,) = await engine.groups.due()
        made = await engine.groups.digest(CLUB, late.period)
    assert made is not None and [one.paper.title for one in made.arrivals] == ["Okapis"]


async def test_a_restart_at_any_moment_posts_the_same_period_and_no_other(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        await weekly(engine)
        await shelve(engine, tmp_path, "Okapis", [OKAPI], at=START + DAY)
    hand.now = START + WEEK + 2 * HOUR
    periods, told = [], []
    for _ in range(3):  # the process ends after it has looked, and again after the digest was made
        async with opened(tmp_path, hand) as engine:
            periods += [due.period for due in await engine.groups.due()]
            told.append(await engine.groups.digest(CLUB, periods[0]))
        hand.now += HOUR
    assert len(periods) == 1
    assert told[0] is not None and told[0] == told[1] == told[2]


async def test_a_period_that_a_later_one_has_swallowed_is_not_told_again(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine, opened(tmp_path, replace(hand)) as other:
        await weekly(engine)
        await shelve(engine, tmp_path, "First", [OKAPI], at=START + DAY)
        await shelve(engine, tmp_path, "Second", [LATER], at=START + WEEK + DAY)
        hand.now = START + WEEK + 2 * HOUR
        (early,) = await engine.groups.due()
        hand.now = START + 2 * WEEK + 2 * HOUR
        (late,) = await engine.groups.due()
        assert early.period != late.period
        # Both are jobs by now; each process does one, in either order.
        made = await other.groups.digest(CLUB, late.period)
        assert made is not None and len(made.arrivals) == 2
        assert await engine.groups.digest(CLUB, early.period) is None


async def test_two_that_overlap_tell_each_paper_once(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        await weekly(engine)
        await shelve(engine, tmp_path, "First", [OKAPI], at=START + DAY)
        await shelve(engine, tmp_path, "Second", [LATER], at=START + WEEK + DAY)
        hand.now = START + WEEK + 2 * HOUR
        (early,) = await engine.groups.due()
        hand.now = START + 2 * WEEK + 2 * HOUR
        (late,) = await engine.groups.due()
        first, second = [await engine.groups.digest(CLUB, one.period) for one in (early, late)]
    assert first is not None and second is not None
    assert [[one.paper.title for one in made.arrivals] for made in (first, second)] == [["First"], ["Second"]]


@pytest.mark.slow
async def test_ten_channels_in_ten_zones_each_have_nine_in_the_morning_once_a_day(tmp_path: Path) -> None:
    zones = (
        "Pacific/Auckland",
        "Asia/Tokyo",
        "Asia/Kolkata",
        "Asia/Kathmandu",
        "Europe/Berlin",
        "Europe/London",
        "UTC",
        "America/Sao_Paulo",
        "America/New_York",
        "Pacific/Honolulu",
    )
    hand, fired = Hand(START), dict[str, list[datetime]]()
    async with opened(tmp_path, hand) as engine:
        for zone in zones:
            await weekly(engine, channel=Channel(workspace=HOME, id=zone), zone=zone, text="daily")
        for _ in range(28 * 24):  # four weeks hour by hour, over the change to summer time of three zones
            hand.now += HOUR
            for due in await engine.groups.due():
                fired.setdefault(due.thread.channel.id, []).append(due.at)
                assert not await run(engine, due)
    for zone in zones:
        walls = [at.astimezone(ZoneInfo(zone)) for at in fired[zone]]
        assert {(wall.hour, wall.minute) for wall in walls} == {(9, 0)}, zone
        assert len({wall.date() for wall in walls}) == len(walls) >= 27, zone


async def test_the_week_in_which_clocks_change_is_told_whole(tmp_path: Path) -> None:
    hand = Hand(datetime.fromisoformat("2026-03-22T12:00:00+01:00"))
    async with opened(tmp_path, hand) as engine:
        await weekly(engine, zone="Europe/Berlin", text="30 2 * * 0")
        ends = []
        for _ in range(21 * 24):
            hand.now += HOUR
            for due in await engine.groups.due():
                await run(engine, due)
                ends.append(due.period.split("/"))
    assert [end for _, end in ends] == [
        "2026-03-29T01:30:00+00:00",
        "2026-04-05T00:30:00+00:00",
        "2026-04-12T00:30:00+00:00",
    ]
    assert [since for since, _ in ends[1:]] == [end for _, end in ends[:-1]]


async def test_a_preview_takes_nothing_from_the_digest_to_come(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        await weekly(engine)
        await shelve(engine, tmp_path, "Okapis", [OKAPI], at=START + DAY)
        hand.now = START + 2 * DAY
        shown = await engine.groups.preview(CLUB)
        assert [one.paper.title for one in shown.arrivals] == ["Okapis"]
        hand.now = START + WEEK + 2 * HOUR
        (due,) = await engine.groups.due()
        made = await engine.groups.digest(CLUB, due.period)
    assert made is not None and [one.paper.title for one in made.arrivals] == ["Okapis"]


async def test_a_schedule_that_means_nothing_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        await weekly(engine)
        for text, zone in (("61 * * * *", ""), ("daily", "Mars/Olympus")):
            with pytest.raises(SettingsInvalid):
                await engine.groups.schedule(CLUB, text, zone, user="ann")
        with pytest.raises(SettingsInvalid):
            await engine.channels.put(CLUB, "digest", "61 9 * * 1", user="ann")
        plan = await engine.groups.plan(CLUB)
        assert (plan.settings.digest, plan.settings.time_zone) == ("weekly", "UTC")


async def test_a_channel_that_is_gone_has_no_digest_any_more(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        await weekly(engine)
        await engine.channels.close(CLUB)
        hand.now = START + 2 * WEEK
        assert await engine.groups.due() == []


async def test_a_question_answered_wrongly_is_open_until_somebody_says_what_is_right(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        paper = await shelve(engine, tmp_path, "Okapis", [OKAPI], at=START)
        code = await said(engine, "How long do okapis sleep?", paper, at=START + DAY)
        await engine.threads.judge(thread(), code, user="bob", verdict="wrong")
        hand.now = START + 2 * DAY
        assert [one.text for one in (await engine.groups.preview(CLUB)).unanswered] == ["How long do okapis sleep?"]
        await engine.threads.judge(thread(), code, user="bob", verdict="wrong", words="five hours, page 1")
        made = await engine.groups.preview(CLUB)
    assert ([one.text for one in made.answered], made.unanswered) == (["How long do okapis sleep?"], ())


async def test_a_forgotten_paper_is_in_no_later_digest(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        paper = await shelve(engine, tmp_path, "Okapis", [OKAPI], at=START)
        await said(engine, "How long do okapis sleep?", paper, at=START + HOUR, quote=OKAPI)
        await engine.papers.forget(scope(), [paper.id])
        hand.now = START + DAY
        made = await engine.groups.preview(CLUB)
    assert made.quiet and "okapi" not in repr(made).lower()


@pytest.mark.parametrize(
    ("says", "told", "mode"),
    [
        ("Okapis sleep for six hours a day near villages.", "Okapis sleep for six hours a day near villages.", "model"),
        ("Okapis sleep for nine hours a day near villages.", LATER, "model"),
        ("Whales sing. Okapis sleep for six hours a day.", LATER, "model"),
    ],
)
async def test_a_model_may_tell_what_was_added_as_far_as_the_paper_bears_it_out(
    tmp_path: Path, says: str, told: str, mode: str
) -> None:
    async with opened(tmp_path, Hand(START + HOUR), Says(says)) as engine:
        await shelve(engine, tmp_path, "Okapis near villages", [LATER], at=START)
        made = await engine.groups.preview(CLUB)
    (arrival,) = made.arrivals
    assert arrival.takeaway is not None
    assert (arrival.takeaway.text, arrival.mode, made.mode) == (told, mode, mode)
    assert [span.quote.rstrip(".") for one in made.citations for span in one.spans] == [LATER.rstrip(".")]
    assert arrival.takeaway.markers == (1,)


async def test_a_model_that_is_away_or_not_allowed_leaves_the_papers_own_words(tmp_path: Path) -> None:
    model = Says("Okapis sleep for six hours a day.", away=True)
    async with opened(tmp_path, Hand(START + HOUR), model) as engine:
        await shelve(engine, tmp_path, "Okapis near villages", [LATER], at=START)
        await shelve(engine, tmp_path, "Moths", [MOTH], at=START)
        away = await engine.groups.preview(CLUB)
        asked = len(model.asked)
        model.away = False
        await engine.channels.put(CLUB, "model", "off", user="ann")
        off = await engine.groups.preview(CLUB)
    assert (asked, len(model.asked)) == (1, 1)
    assert [one.mode for one in (away, off)] == ["extractive", "extractive"]
    assert {one.takeaway.text for made in (away, off) for one in made.arrivals if one.takeaway} == {LATER, MOTH}
    assert (len(away.notes), off.notes) == (1, ())
