"""Files that Footnote puts into Slack (page pictures, exports), and bibliographies that it is given."""

from pathlib import Path
from typing import Any

import pymupdf
import pytest

from bot.wiring import core_engine
from core.domain.records import PageShown
from tests.bot.fake_engine import FakeEngine
from tests.journeys.actors import COMETS as COMET_PAGES
from tests.journeys.actors import made
from tests.journeys.slack.papers import QUESTION, dropped
from tests.peers.slack.front import TEAM, Fault
from tests.peers.slack.world import World, at_rest, called, over, shown, the_bot, until

QUOTE = "Its tail measured 42 degrees."
PNG = b"\x89PNG\r\n\x1a\n"


async def with_page(world: World, engine: FakeEngine) -> bytes:
    """The engine knows the page behind the answer about the comet; returns its picture."""
    (paper,) = [paper for paper, _ in engine.papers.shelves[f"slack:{TEAM}"].values()]
    with pymupdf.open() as pdf:
        png: bytes = pdf.new_page(width=60, height=80).get_pixmap().tobytes("png")
    engine.records.shown = [PageShown(paper=paper, page=2, png=png, quotes=(QUOTE,))]
    return png


async def files_in(world: World, channel: str, thread: str) -> list[dict[str, Any]]:
    """Files of the bot in a thread, or (without one) in a conversation."""
    said = await world.of_bot(channel, thread) if thread else await world.messages(channel)
    return [file for item in said for file in item.get("files", ())]


async def test_the_page_behind_a_footnote_is_shown_as_a_picture_in_the_thread(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        await dropped(world)
        png = await with_page(world, engine)
        ts = await world.asks("alice", "papers", QUESTION)
        answer = await world.answer("papers", ts, "42 degrees")
        await world.presses("bob", "papers", answer, "Show [1]")
        told = await world.answer("papers", ts, "page 2")
        await at_rest(world, tmp_path)
        (file,) = await files_in(world, "papers", ts)

    assert file["name"] == "page-2.png"
    assert await world.holds(file) == png
    assert file["title"] == f"Page 2 of A slow comet over Lowmere; marked: {QUOTE}"
    assert QUOTE in shown(told)


async def test_the_page_behind_a_private_answer_goes_to_the_direct_conversation(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        await dropped(world)
        png = await with_page(world, engine)
        await world.slash("alice", "papers", "ask")
        (form,) = world.views()
        values = {
            "question": {"filled": {"value": QUESTION}},
            "audience": {"filled": {"selected_option": {"value": "asker"}}},
        }
        seen = len(await world.messages("papers"))
        await world.fills_in("alice", form, values)
        await called(world, "chat.postEphemeral")
        (private,) = await world.whispers("alice")
        message = {"ts": "1700000000.000900", "blocks": private["blocks"]}
        await world.presses("alice", "papers", message, "Show [1]", is_ephemeral=True)
        await at_rest(world, tmp_path)
        (file,) = await files_in(world, await world.direct("alice"), "")

    assert await world.holds(file) == png
    assert len(await world.messages("papers")) == seen


@pytest.mark.parametrize("words", ["export", "bibliography ris all"])
async def test_an_export_is_a_file_in_the_thread(world: World, tmp_path: Path, words: str) -> None:
    engine = FakeEngine()
    async with the_bot(world, tmp_path, engine=engine):
        await dropped(world)
        (id_,) = engine.papers.shelves[f"slack:{TEAM}"]
        ts = await world.asks("alice", "papers", words)
        await world.answer("papers", ts)
        await at_rest(world, tmp_path)
        (file,) = await files_in(world, "papers", ts)

    held = {"export": ("thread.md", f"{world.channels['papers']}/{ts}"), "bibliography ris all": ("papers.ris", id_)}
    assert (file["name"], (await world.holds(file)).decode()) == held[words]


@pytest.mark.parametrize(
    "fault",
    [
        Fault("files.getUploadURLExternal", error="internal_error"),
        Fault("files.completeUploadExternal", status=429, retry_after=0.2),
        Fault("files.completeUploadExternal", lost=True),
    ],
    ids=["no address", "too many requests", "answer lost"],
)
async def test_a_file_whose_upload_went_wrong_is_there_once(world: World, tmp_path: Path, fault: Fault) -> None:
    async with the_bot(world, tmp_path):
        await dropped(world)
        world.front.faults.append(fault)
        ts = await world.asks("alice", "papers", "export")
        await world.answer("papers", ts)
        await at_rest(world, tmp_path)
        files = await files_in(world, "papers", ts)

    assert fault.times == 0
    assert [file["name"] for file in files] == ["thread.md"]
    assert len(await world.of_bot("papers", ts)) == 2  # what is said of the file, and the file


async def test_a_bibliography_that_is_dropped_fills_in_what_papers_lack(world: World, tmp_path: Path) -> None:
    engine = FakeEngine()
    bib = "@article{kell2021, title = {A slow comet over Lowmere}}"
    async with the_bot(world, tmp_path, engine=engine):
        await world.drops("alice", "papers", {"group.bib": bib, "broken.ris": "no bibliography"})
        (message,) = [item for item in await world.messages("papers") if item.get("files")]
        told = await world.answer("papers", message["ts"])

    assert engine.records.taken_in == [bib.encode()]
    assert "2 of 3 entries are papers that are here" in shown(told)
    assert "broken.ris" in shown(told)


@over("socket")  # one way is enough for what comes behind it
async def test_the_real_engine_answers_with_a_quote_and_shows_its_page(
    world: World, tmp_path: Path, models: Path
) -> None:
    pdf = made(tmp_path, "comet.pdf", COMET_PAGES).read_bytes()
    more = {"embedder": {"cache": models}, "reading": {"workers": 1}}
    async with the_bot(world, tmp_path / "data", engines=core_engine, more=more):
        await world.drops("alice", "papers", {"comet.pdf": pdf})
        (message,) = [item for item in await world.messages("papers") if item.get("files")]
        await at_rest(world, tmp_path / "data", seconds=200)  # the first to need them makes the models
        card = await world.answer("papers", message["ts"], "Found")
        ts = await world.asks("bob", "papers", "How many degrees did the tail of the comet Velorum measure?")
        answer = await world.answer("papers", ts, "reference")
        await world.presses("bob", "papers", answer, "Show [1]")

        async def there() -> list[dict[str, Any]]:
            return await files_in(world, "papers", ts)

        (file,) = await until(there)
        png = await world.holds(file)

    assert "A slow comet over Lowmere" in shown(card) and "Ada Ferris" in shown(card)
    assert "Its tail measured 42 degrees. [1]" in shown(answer)
    assert f"A slow comet over Lowmere, p. 1, § 2 Results: “{QUOTE}”" in shown(answer)
    assert png.startswith(PNG)
    assert len(png) > 10_000
