"""What groups keep in the library: tags, reading status, journal clubs, digests posted, answers by place and time."""

from dataclasses import replace
from datetime import UTC, timedelta, timezone
from pathlib import Path

import pytest

from core.domain.errors import NotInScope
from core.domain.model import Channel, Workspace
from core.domain.records import PaperTags
from core.library import open_library, workspace_folder
from core.library.sqlite.unopened import ScheduleReader
from tests.core.library.making import (
    GENERAL,
    HERE,
    NOON,
    SECRET,
    Made,
    Ports,
    answer,
    citation,
    make,
    scope,
    share,
    thread,
)
from tests.core.library.sqlite.test_forgetting import files_with

ELSEWHERE = Channel(workspace=Workspace(platform="local", id="other"), id="general")


async def opened_with(folder: Path, *made: Made):  # type: ignore[no-untyped-def]
    opened = await open_library(folder / "data", HERE)
    for item in made:
        await Ports(opened.library, opened.lexical, opened.memory).add(item)
    return opened


async def test_tags_and_statuses_are_those_of_the_scopes_channels(tmp_path: Path) -> None:
    made, other = make(tmp_path, ["one"], title="One"), make(tmp_path, ["two"], title="Two", channel="secret")
    opened = await opened_with(tmp_path, made, other)
    await opened.library.share(share(made.paper.id, "secret", message="m2"))
    for tag in ("methods", "Methods", "to present"):
        await opened.marks.tag(GENERAL, scope(), made.paper.id, tag, user="ann", at=NOON)
    await opened.marks.tag(SECRET, scope("secret"), made.paper.id, "under review", user="bob", at=NOON)
    await opened.marks.read(GENERAL, scope(), made.paper.id, "reading", user="ann", at=NOON)
    await opened.marks.read(GENERAL, scope(), made.paper.id, "to read", user="", at=NOON)
    assert await opened.marks.of(scope()) == {
        made.paper.id: PaperTags(tags=("methods", "to present"), statuses=(("", "to read"), ("ann", "reading")))
    }
    found = (await opened.marks.of(scope()))[made.paper.id]
    assert (found.status("ann"), found.status("bob"), found.status()) == ("reading", "to read", "to read")
    assert (await opened.marks.of(scope("secret")))[made.paper.id].tags == ("under review",)
    with pytest.raises(NotInScope):
        await opened.marks.tag(GENERAL, scope(), other.paper.id, "methods", user="ann", at=NOON)
    assert await opened.marks.untag(GENERAL, scope(), made.paper.id, "METHODS")
    assert not await opened.marks.untag(GENERAL, scope(), made.paper.id, "methods")
    assert (await opened.marks.of(scope()))[made.paper.id].tags == ("to present",)
    await opened.close()


async def test_a_club_is_planned_once_a_thread_and_moved_when_it_is_planned_again(tmp_path: Path) -> None:
    made = make(tmp_path, ["one"])
    opened = await opened_with(tmp_path, made)
    times = {"meets_at": NOON + timedelta(days=3), "remind_at": NOON + timedelta(days=2)}
    club = await opened.clubs.plan(thread(), scope(), made.paper.id, **times, user="ann", at=NOON)
    await opened.clubs.add_question(club.number, "Why this loss?", user="bob", at=NOON)
    await opened.clubs.reminded(club.number)
    assert await opened.clubs.waiting() == []
    later = {name: at + timedelta(days=7) for name, at in times.items()}
    moved = await opened.clubs.plan(thread(), scope(), made.paper.id, **later, user="ann", at=NOON)
    assert moved.number == club.number
    assert [item.remind_at for item in await opened.clubs.waiting()] == [later["remind_at"]]
    assert [(item.user, item.text) for item in await opened.clubs.questions(club.number)] == [("bob", "Why this loss?")]
    assert [item.number for item in await opened.clubs.coming(GENERAL, at=NOON)] == [club.number]
    assert await opened.clubs.coming(GENERAL, at=NOON + timedelta(days=30)) == []
    assert [item.paper_id for item in await opened.clubs.of_thread(thread())] == [made.paper.id]
    await opened.clubs.cancel(club.number)
    with pytest.raises(NotInScope):
        await opened.clubs.club(GENERAL, club.number)
    with pytest.raises(NotInScope):
        await opened.clubs.add_question(club.number, "Why?", user="bob", at=NOON)
    with pytest.raises(NotInScope):
        await opened.clubs.coming(ELSEWHERE, at=NOON)
    await opened.close()


async def test_no_note_on_a_forgotten_paper_is_left_on_the_disk(tmp_path: Path) -> None:
    made, other = make(tmp_path, ["okapiword hides"], title="Okapi"), make(tmp_path, ["tapirs"], title="Tapir")
    opened = await opened_with(tmp_path, made, other)
    await opened.marks.tag(GENERAL, scope(), made.paper.id, "mytagword", user="ann", at=NOON)
    await opened.marks.tag(GENERAL, scope(), other.paper.id, "see okapiword", user="ann", at=NOON)
    await opened.marks.tag(GENERAL, scope(), other.paper.id, "keptword", user="ann", at=NOON)
    await opened.marks.read(GENERAL, scope(), made.paper.id, "read", user="ann", at=NOON)
    times = {"meets_at": NOON, "remind_at": NOON}
    club = await opened.clubs.plan(thread(), scope(), made.paper.id, **times, user="ann", at=NOON)
    await opened.clubs.add_question(club.number, "Why clubquestionword?", user="bob", at=NOON)
    data = tmp_path / "data"
    assert len(files_with(data, "mytagword", "clubquestionword", "okapiword")) >= 3
    await opened.library.remove([made.paper.id])
    assert files_with(data, "mytagword", "clubquestionword", "okapiword") == []
    assert (await opened.marks.of(scope())) == {other.paper.id: PaperTags(tags=("keptword",))}
    assert await opened.clubs.of_thread(thread()) == []
    await opened.close()


@pytest.mark.parametrize("way", ["withdraw", "unshare"])
async def test_a_paper_that_leaves_one_channel_takes_that_channels_notes_along(tmp_path: Path, way: str) -> None:
    made = make(tmp_path, ["okapi"])
    opened = await opened_with(tmp_path, made)
    await opened.library.share(share(made.paper.id, "secret", message="m2"))
    await opened.marks.tag(GENERAL, scope(), made.paper.id, "mytagword", user="ann", at=NOON)
    await opened.marks.tag(SECRET, scope("secret"), made.paper.id, "theirs", user="bob", at=NOON)
    times = {"meets_at": NOON, "remind_at": NOON}
    await opened.clubs.plan(thread(), scope(), made.paper.id, **times, user="ann", at=NOON)
    if way == "withdraw":
        await opened.library.withdraw(scope(), [made.paper.id])
    else:
        await opened.library.unshare(channel="general", message="m1")
    assert files_with(tmp_path / "data", "mytagword") == [] or way == "unshare"
    assert await opened.clubs.of_thread(thread()) == []
    assert (await opened.marks.of(scope("secret")))[made.paper.id].tags == ("theirs",)
    await opened.library.share(share(made.paper.id, message="m3"))
    assert (await opened.marks.of(scope())) == {}
    await opened.close()


async def test_answers_are_found_by_channel_and_time_whatever_offset_they_were_stored_with(tmp_path: Path) -> None:
    made = make(tmp_path, ["tapirs swim"])
    opened = await opened_with(tmp_path, made)
    cited = citation(made.paper.id, "tapirs swim")
    east = timezone(timedelta(hours=9))
    for hour, zone in ((0, UTC), (6, east), (12, UTC), (23, east)):
        at = (NOON + timedelta(hours=hour)).astimezone(zone)
        given = answer(f"At {hour}?", "Tapirs swim.", cited, trace_id=f"t{hour}")
        await opened.memory.keep_answer(thread(name=f"t{hour % 2}"), given, at=at)
    await opened.memory.keep_answer(thread(SECRET), answer("Hidden?", "Yes.", trace_id="s"), at=NOON)
    found = await opened.records.between(GENERAL, NOON, NOON + timedelta(hours=12))
    assert [item.answer.question for item in found] == ["At 6?", "At 12?"]
    assert [item.at for item in found] == [NOON + timedelta(hours=6), NOON + timedelta(hours=12)]
    assert [item.answer.question for item in await opened.records.of_thread(thread(name="t1"))] == ["At 23?"]
    assert await opened.records.asked_about(GENERAL) == {made.paper.id}
    assert await opened.records.asked_about(SECRET) == frozenset()
    with pytest.raises(NotInScope):
        await opened.records.between(ELSEWHERE, NOON, NOON)
    await opened.close()


async def test_the_clock_sees_what_is_planned_without_opening_a_library(tmp_path: Path) -> None:
    data = tmp_path / "data"
    clockwork = ScheduleReader(data)
    assert clockwork.look() == []
    made = make(tmp_path, ["one"])
    opened = await opened_with(tmp_path, made)
    assert [(item.workspace, list(item.digests), list(item.clubs)) for item in clockwork.look()] == [(HERE, [], [])]
    await opened.settings.put(GENERAL, "digest", "weekly", user="ann", at=NOON)
    await opened.settings.put(GENERAL, "time_zone", "Europe/Berlin", user="ann", at=NOON + timedelta(hours=1))
    times = {"meets_at": NOON + timedelta(days=3), "remind_at": NOON + timedelta(days=2)}
    await opened.clubs.plan(thread(), scope(), made.paper.id, **times, user="ann", at=NOON)
    ((planned,), (waiting,)) = ((item.digests, item.clubs) for item in clockwork.look()).__next__()
    told = (planned.channel, planned.text, planned.zone, planned.set_at, planned.last_at)
    assert told == ("general", "weekly", "Europe/Berlin", NOON + timedelta(hours=1), None)
    assert (waiting.thread, waiting.remind_at) == ("t1", NOON + timedelta(days=2))
    for days in (7, 3):
        await opened.subscriptions.reached(GENERAL, "digest", NOON + timedelta(days=days))
        assert clockwork.look()[0].digests[0].last_at == NOON + timedelta(days=7)
        assert await opened.subscriptions.last(GENERAL, "digest") == NOON + timedelta(days=7)
    await opened.close()
    assert clockwork.look()[0].digests[0].last_at == NOON + timedelta(days=7)


def test_a_file_that_is_no_library_is_passed_over(tmp_path: Path) -> None:
    folder = workspace_folder(tmp_path, replace(HERE, id="broken"))
    folder.mkdir(parents=True)
    (folder / "library.db").write_bytes(b"not a database, " * 100)
    assert ScheduleReader(tmp_path).look() == []


async def test_an_answer_to_the_asker_alone_is_no_record_until_it_is_shared(tmp_path: Path) -> None:
    made = make(tmp_path, ["tapirs swim"])
    opened = await opened_with(tmp_path, made)
    given = answer("Do they?", "Tapirs swim.", citation(made.paper.id, "tapirs swim"), trace_id="t")
    await opened.memory.keep_answer(thread(), given, at=NOON)
    assert not await opened.records.is_private(thread(), "t")
    await opened.records.keep_private(thread(), "t")
    assert await opened.records.is_private(thread(), "t")
    assert not await opened.records.is_private(thread(), "u")
    before = NOON - timedelta(hours=1)
    assert await opened.records.between(GENERAL, before, NOON) == []
    assert await opened.records.of_thread(thread()) == []
    assert await opened.records.asked_about(GENERAL) == frozenset()
    await opened.records.publish(thread(), "t")
    assert [item.answer for item in await opened.records.between(GENERAL, before, NOON)] == [given]
    assert await opened.records.asked_about(GENERAL) == {made.paper.id}
    await opened.close()
