"""A share used up is told in words, and nobody else's share is touched."""

import pytest

from bot.limits import Limits, LimitsConfig
from core.domain.errors import LimitReached
from core.domain.model import Channel, Workspace

LAB = Workspace(platform="slack", id="T1")
READING_GROUP = Channel(workspace=LAB, id="reading-group")


async def test_a_person_who_has_asked_enough_is_told_when_there_is_more() -> None:
    limits = Limits(LimitsConfig(user_questions_per_hour=2, channel_questions_per_hour=0))
    await limits.question(READING_GROUP, "ada")
    await limits.question(READING_GROUP, "ada")
    with pytest.raises(LimitReached, match=r"You have had 2 questions within the last hour.*more in 60 minutes\."):
        await limits.question(READING_GROUP, "ada")
    await limits.question(READING_GROUP, "grace")


async def test_the_words_name_the_setting_that_can_be_changed() -> None:
    limits = Limits(LimitsConfig(user_questions_per_hour=1, channel_pages_per_day=1))
    await limits.question(READING_GROUP, "ada")
    with pytest.raises(LimitReached, match=r"\(FOOTNOTE_LIMITS_USER_QUESTIONS_PER_HOUR\)"):
        await limits.question(READING_GROUP, "ada")
    await limits.pages(READING_GROUP, "ada", 1)
    with pytest.raises(LimitReached, match=r"\(FOOTNOTE_LIMITS_CHANNEL_PAGES_PER_DAY\)"):
        await limits.room_for_pages(READING_GROUP, "grace")


async def test_a_machine_of_ones_own_has_no_limit_unless_it_is_wanted() -> None:
    own = Channel(workspace=Workspace(platform="local", id="main"), id="general")
    for config in (LimitsConfig(), LimitsConfig(user_questions_per_hour=1, user_pages_per_day=1)):
        limits = Limits(config)
        for _ in range(61):
            await limits.question(own, "you")
        await limits.pages(own, "you", 50_000)
        await limits.room_for_pages(own, "you")
    limits = Limits(LimitsConfig(user_questions_per_hour=1, local=True))
    await limits.question(own, "you")
    with pytest.raises(LimitReached, match="1 question within"):
        await limits.question(own, "you")


async def test_a_channel_has_a_share_of_its_own_and_so_has_each_workspace() -> None:
    limits = Limits(LimitsConfig(user_questions_per_hour=0, channel_questions_per_hour=1))
    await limits.question(READING_GROUP, "ada")
    with pytest.raises(LimitReached, match=r"^This channel has had 1 question within"):
        await limits.question(READING_GROUP, "grace")
    elsewhere = Channel(workspace=Workspace(platform="slack", id="T2"), id=READING_GROUP.id)
    await limits.question(elsewhere, "grace")


async def test_a_refused_question_uses_up_no_share() -> None:
    limits = Limits(LimitsConfig(user_questions_per_hour=5, channel_questions_per_hour=1))
    await limits.question(READING_GROUP, "ada")
    for _ in range(9):
        with pytest.raises(LimitReached, match="This channel"):
            await limits.question(READING_GROUP, "ada")
    other = Channel(workspace=READING_GROUP.workspace, id="elsewhere")
    await limits.question(other, "ada")


async def test_pages_are_counted_when_read_and_the_next_paper_waits_once_they_are_used_up() -> None:
    limits = Limits(LimitsConfig(user_pages_per_day=30, channel_pages_per_day=0))
    await limits.room_for_pages(READING_GROUP, "ada")
    await limits.pages(READING_GROUP, "ada", 29)
    await limits.room_for_pages(READING_GROUP, "ada")
    await limits.pages(READING_GROUP, "ada", 400)
    with pytest.raises(LimitReached, match="30 pages within the last day"):
        await limits.room_for_pages(READING_GROUP, "ada")


async def test_zero_sets_no_limit() -> None:
    limits = Limits(
        LimitsConfig(
            user_questions_per_hour=0, channel_questions_per_hour=0, user_pages_per_day=0, channel_pages_per_day=0
        )
    )
    for _ in range(50):
        await limits.question(READING_GROUP, "ada")
    await limits.pages(READING_GROUP, "ada", 10_000)
    await limits.room_for_pages(READING_GROUP, "ada")
