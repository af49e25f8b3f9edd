"""A bibliography that is dropped fills what is not known of the papers; what cannot be read is said."""

from collections.abc import Mapping
from pathlib import Path

from tests.journeys.slack.papers import dropped
from tests.peers.slack.front import BOT_USER
from tests.peers.slack.world import World, at_rest, shown, the_bot

BIB = "@article{a, title={A slow comet over Lowmere}, year={1999}}"
JSON = {"Exported Items.json": '[{"title": "A slow comet over Lowmere"}]'}


async def said_to(world: World, folder: Path, files: Mapping[str, str], words: str = "") -> list[str]:
    """What the bot says under a message with files, when nothing is left to do."""
    await world.drops("alice", "papers", files, words=words)
    await at_rest(world, folder)
    ts = str([item for item in await world.messages("papers") if item.get("files")][-1]["ts"])
    return [shown(item) for item in await world.of_bot("papers", ts)]


async def test_a_bibliography_dropped_into_a_channel_is_taken_in_json_only_where_the_bot_is_spoken_to(
    world: World, tmp_path: Path
) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        bib = await said_to(world, tmp_path, {"zotero.bib": BIB})
        prose = await said_to(world, tmp_path, {"zotero.bib": "Dear all,"})
        unasked = await said_to(world, tmp_path, JSON)
        asked = await said_to(world, tmp_path, JSON, f"<@{BOT_USER}> import")

    assert len(bib) == len(prose) == len(asked) == 1
    assert "entries are papers that are here" in bib[0]
    assert "zotero.bib was not taken in: That file is no bibliography" in prose[0]
    assert unasked == []
    assert "zotero" not in asked[0] and "Exported Items.json was not taken in" in asked[0]
