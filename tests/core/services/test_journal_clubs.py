"""Journal clubs: when they meet, what their brief says, what the thread collects, and when the reminder is due."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.assistant.groups.journal_club import NotADate, parse_meeting_time, reminder_time
from core.domain.errors import NotInScope
from tests.core.assistant.studies.study_context import Says
from tests.core.services.filled_workspace import CLUB, START, Hand, opened, said, scope, shelve, thread

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TEXTS = [
    "We ask whether okapis sleep longer near rivers, a question that remains open.",
    "We show that okapis sleep for five hours a day in dense forest near rivers.",
]


async def test_a_brief_quotes_the_paper_and_asks_five_questions(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        paper = await shelve(engine, tmp_path, "Sleep of okapis", TEXTS, at=START)
        brief = await engine.groups.meet(thread(), scope(), paper.id, "2026-03-06 15:00", user="ann")
    assert brief.meets_at == datetime(2026, 3, 6, 15, tzinfo=UTC)
    said = [sentence for item in brief.points for sentence in item.sentences]
    assert {item.text for item in said} <= set(TEXTS) and len(said) == 2
    markers = {item.marker for item in brief.citations}
    assert all(set(item.markers) <= markers and item.markers for item in said)
    assert len(brief.questions) == 5 and len({item.text for item in brief.questions}) == 5
    assert [bool(item.markers) for item in brief.questions] == [True, True, False, False, False]


async def test_a_paper_without_a_sayable_sentence_still_has_its_five_questions(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        paper = await shelve(engine, tmp_path, "Numbers", ["12 34 56 78"], at=START)
        brief = await engine.groups.meet(thread(), scope(), paper.id, "tomorrow", user="ann")
    assert (brief.points, brief.citations, len(brief.questions)) == ((), (), 5)


async def test_the_thread_collects_questions_and_the_reminder_brings_them(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        paper = await shelve(engine, tmp_path, "Sleep of okapis", TEXTS, at=START)
        await engine.groups.meet(thread(), scope(), paper.id, "friday 15:00", user="ann")
        await engine.groups.ask(thread(), "Why rivers?", user="bob")
        await said(engine, "How long do they sleep?", paper, at=START + HOUR)
        await said(engine, "Elsewhere?", paper, at=START + HOUR, name="t2")
        hand.now = START + 3 * DAY + 6 * HOUR
        assert await engine.groups.due() == []
        hand.now += 2 * HOUR  # a day before, and a little more
        (due,) = await engine.groups.due()
        assert (due.name, due.thread.id) == ("journal", "t1")
        number = int(due.period.split("/")[0])
        reminder = await engine.groups.reminder(CLUB, number)
        assert reminder is not None and reminder == await engine.groups.reminder(CLUB, number)
        assert [(item.user, item.text) for item in reminder.questions] == [
            ("bob", "Why rivers?"),
            ("", "How long do they sleep?"),
        ]
        assert await engine.groups.due() == []
        with pytest.raises(NotInScope, match="No meeting is planned in this thread"):
            await engine.groups.ask(thread("t2"), "Why?", user="bob")


async def test_a_meeting_that_is_moved_is_reminded_of_anew_and_one_that_is_over_is_not(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        paper = await shelve(engine, tmp_path, "Sleep of okapis", TEXTS, at=START)
        await engine.groups.meet(thread(), scope(), paper.id, "2026-03-06 15:00", user="ann")
        hand.now = START + 4 * DAY
        (first,) = await engine.groups.due()
        number = int(first.period.split("/")[0])
        await engine.groups.reminder(CLUB, number)
        await engine.groups.meet(thread(), scope(), paper.id, "2026-03-13 15:00", user="ann")
        hand.now = START + 11 * DAY
        (second,) = await engine.groups.due()
        assert first.period != second.period
        hand.now = START + 20 * DAY
        assert await engine.groups.reminder(CLUB, number) is None
        assert await engine.groups.clubs(CLUB) == []


async def test_a_meeting_called_off_or_on_a_forgotten_paper_is_not_reminded_of(tmp_path: Path) -> None:
    hand = Hand()
    async with opened(tmp_path, hand) as engine:
        papers = [await shelve(engine, tmp_path, title, TEXTS, at=START) for title in ("One", "Two")]
        for paper, name in zip(papers, ("t1", "t2"), strict=True):
            await engine.groups.meet(thread(name), scope(), paper.id, "2026-03-06 15:00", user="ann")
        assert [club.paper_id for club in await engine.groups.clubs(CLUB)] == [paper.id for paper in papers]
        hand.now = START + 4 * DAY
        waiting = [int(due.period.split("/")[0]) for due in await engine.groups.due()]
        await engine.groups.cancel(thread("t1"))
        await engine.papers.forget(scope(), [papers[1].id])
        assert await engine.groups.due() == []
        assert [await engine.groups.reminder(CLUB, number) for number in waiting] == [None, None]


@pytest.mark.parametrize(
    ("words", "zone", "expected"),
    [
        ("2026-03-06 15:00", "UTC", "2026-03-06T15:00"),
        ("2026-03-06T15:00", "UTC", "2026-03-06T15:00"),
        ("2026-03-30 15:00", "Europe/Berlin", "2026-03-30T13:00"),
        ("friday 15h30", "UTC", "2026-03-06T15:30"),
        ("next Monday at 9:00", "UTC", "2026-03-09T09:00"),
        ("tomorrow", "America/New_York", "2026-03-03T17:00"),
        ("on fri at 15", "UTC", "2026-03-06T15:00"),
    ],
)
def test_times_are_those_of_the_channels_clock(words: str, zone: str, expected: str) -> None:
    assert parse_meeting_time(words, zone, now=START).isoformat()[:16] == expected


@pytest.mark.parametrize(
    "words", ["", "soon", "2026-02-31", "2026-03-06 25:00", "t 15:00", "friday 15:99", "2020-01-01"]
)
def test_words_that_are_no_time_to_come_are_refused_in_one_sentence(words: str) -> None:
    with pytest.raises(NotADate):
        parse_meeting_time(words, "UTC", now=START)


def test_a_reminder_comes_a_day_before_or_as_soon_as_can_be() -> None:
    ahead = [reminder_time(START + left, now=START) - START for left in (3 * DAY, 5 * HOUR, HOUR / 2)]
    assert ahead == [2 * DAY, 4 * HOUR, timedelta(0)]


async def test_a_model_may_write_the_brief_as_far_as_the_paper_bears_it_out(tmp_path: Path) -> None:
    text = "We find that okapis sleep for six hours a day in dense forest near villages."
    model = Says("Okapis sleep for six hours a day in dense forest. They also sing in winter.")
    async with opened(tmp_path, Hand(), model) as engine:
        paper = await shelve(engine, tmp_path, "Okapis near villages", [text], at=START)
        brief = await engine.groups.meet(thread(), scope(), paper.id, "tomorrow", user="ann")
    said = [sentence for item in brief.points for sentence in item.sentences]
    assert [item.text for item in said] == ["Okapis sleep for six hours a day in dense forest."]
    assert (brief.mode, said[0].markers) == ("model", (1,))
    assert [item.spans[0].quote.rstrip(".") for item in brief.citations] == [text.rstrip(".")]


async def test_a_brief_says_where_a_paper_names_no_limitations_and_asks_for_them(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        paper = await shelve(engine, tmp_path, "Sleep of okapis", TEXTS, at=START)
        brief = await engine.groups.meet(thread(), scope(), paper.id, "tomorrow", user="ann")
    silent = [item for item in brief.points if not item.sentences]
    assert [(item.name, item.missing) for item in silent] == [
        ("What it lacks", "No limitations could be found that the paper states itself.")
    ]
    assert "No limitations could be found that the paper states itself; which do we see?" in {
        item.text for item in brief.questions
    }
    assert [item.marker for item in brief.citations] == list(range(1, len(brief.citations) + 1))
