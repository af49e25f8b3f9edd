"""Two workspaces and two private channels: nothing of one ever shows in the other."""

from pathlib import Path

import pytest

from bot.settings import Settings
from tests.journeys.actors import BREAD, COMETS, conversation, made, settings

ABOUT_COMETS = "How many degrees did the tail of the comet Velorum measure?"
ABOUT_BREAD = "Within how many minutes did the sourdough in Quillmont rise?"
OF_COMETS = ("Its tail", "42 degrees", "slow comet", "sextant", "comet.pdf")
OF_BREAD = ("dough rose", "95 minutes", "Sourdough at high", "juniper", "bread.pdf")
PROBES = [
    ABOUT_COMETS,
    ABOUT_BREAD,
    "/papers",
    "/page A slow comet 1",
    "/page Sourdough 1",
    "/forget A slow comet",
    "/forget Sourdough at high altitude",
    "What did I ask before?",
    "/status",
]


@pytest.fixture
def given(tmp_path: Path, models: Path) -> Settings:
    return settings(tmp_path / "data", models)


def answered(shown: str) -> str:
    """What the bot said, without what the person typed."""
    return "\n".join(
        line for line in shown.splitlines() if not line.startswith("› ") and "No paper here goes" not in line
    )


def leaks(shown: str, words: tuple[str, ...]) -> list[str]:
    return [word for word in words if word in answered(shown)]


# The two sides probe each other before they ask what their own paper answers, so that a cache filled by one
# would be read by the other. Forgetting is probed with the other side's names alone.
def probes(*, own_last: str, foreign: str) -> list[str]:
    return [item for item in PROBES if not item.startswith("/forget") or foreign in item] + [own_last]


async def test_two_workspaces_share_nothing(tmp_path: Path, given: Settings) -> None:
    comet, bread = made(tmp_path, "comet.pdf", COMETS), made(tmp_path, "bread.pdf", BREAD)
    item = await conversation(given, [str(comet), ABOUT_COMETS], workspace="one", session="same")
    two = await conversation(given, [str(bread), ABOUT_BREAD], workspace="two", session="same")
    assert "42 degrees" in item and "95 minutes" in two
    item += await conversation(
        given, probes(own_last=ABOUT_COMETS, foreign="Sourdough"), workspace="one", session="probe"
    )
    two += await conversation(given, probes(own_last=ABOUT_BREAD, foreign="comet"), workspace="two", session="probe")
    assert leaks(item, OF_BREAD) == []
    assert leaks(two, OF_COMETS) == []


async def test_two_private_channels_share_nothing(tmp_path: Path, given: Settings) -> None:
    comet, bread = made(tmp_path, "comet.pdf", COMETS), made(tmp_path, "bread.pdf", BREAD)
    for channel, pdf in (("stars", comet), ("ovens", bread)):
        await conversation(given, [str(pdf)], channel=channel, visibility="restricted", session=channel)
    stars = await conversation(
        given,
        probes(own_last=ABOUT_COMETS, foreign="Sourdough"),
        channel="stars",
        visibility="restricted",
        session="probe-1",
    )
    ovens = await conversation(
        given,
        probes(own_last=ABOUT_BREAD, foreign="comet"),
        channel="ovens",
        visibility="restricted",
        session="probe-2",
    )
    assert "42 degrees" in stars and "95 minutes" in ovens
    assert leaks(stars, OF_BREAD) == []
    assert leaks(ovens, OF_COMETS) == []


async def test_a_private_channel_reads_open_ones_and_open_ones_never_read_it(tmp_path: Path, given: Settings) -> None:
    comet, bread = made(tmp_path, "comet.pdf", COMETS), made(tmp_path, "bread.pdf", BREAD)
    await conversation(given, [str(bread)], channel="general", session="a")
    private = await conversation(
        given,
        [str(comet), ABOUT_COMETS, ABOUT_BREAD],
        channel="stars",
        visibility="restricted",
        visible=frozenset({"general"}),
        session="b",
    )
    public = await conversation(
        given, [ABOUT_COMETS, ABOUT_BREAD, "/papers"], channel="general", visible=frozenset({"general"}), session="c"
    )
    assert "42 degrees" in private and "95 minutes" in private
    assert "95 minutes" in public
    assert leaks(public, OF_COMETS) == []


async def test_the_same_paper_dropped_elsewhere_is_new_there_and_tells_of_no_other_place(
    tmp_path: Path, given: Settings
) -> None:
    comet = made(tmp_path, "comet.pdf", COMETS)
    await conversation(given, [str(comet)], channel="stars", visibility="restricted", session="a")
    shown = await conversation(given, [str(comet)], channel="ovens", visibility="restricted", session="b")
    assert "already" not in shown and "another channel" not in shown and "stars" not in shown
    assert "A slow comet over Lowmere" in shown
