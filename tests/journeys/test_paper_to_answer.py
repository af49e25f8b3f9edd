"""Drop a paper, ask, get a cited answer: the real engine behind the real wiring, in a terminal."""

from datetime import UTC, datetime
from pathlib import Path

from bot.wiring import open_app
from core.domain.events import QuestionAsked
from tests.bot.actors import dropped, thread
from tests.bot.fake_platform import FakePlatform
from tests.journeys.actors import BREAD, COMETS, conversation, made, settings


async def test_a_dropped_paper_answers_with_its_own_words_page_and_section(tmp_path: Path, models: Path) -> None:
    pdf = made(tmp_path, "comet.pdf", COMETS)
    shown = await conversation(
        settings(tmp_path / "data", models),
        [str(pdf), "How many degrees did the tail of the comet Velorum measure?", "/papers", str(pdf)],
    )
    assert "A slow comet over Lowmere" in shown
    assert "Its tail measured 42 degrees. [" in shown
    assert "A slow comet over Lowmere, p. 1, § 2 Results: “Its tail measured 42 degrees.”" in shown
    assert "1 paper\n" in shown
    assert "already shared in this channel" in shown


async def test_what_was_forgotten_is_not_found_again_nor_on_the_disk(tmp_path: Path, models: Path) -> None:
    data = tmp_path / "data"
    comet, bread = made(tmp_path, "comet.pdf", COMETS), made(tmp_path, "bread.pdf", BREAD)
    question = "How many degrees did the tail of the comet Velorum measure?"
    await conversation(settings(data, models), [str(comet), str(bread), question])
    assert b"sextant" in _on_disk(data)
    kept = await conversation(settings(data, models), ["/forget A slow comet", "/2", "/papers"], session="kept")
    assert "To choose, write: /1 Forget  /2 Cancel" in kept
    assert "nothing was removed" in kept and "2 papers\n" in kept
    script = ["/forget A slow comet", "/1", question, "/papers"]
    shown = await conversation(settings(data, models), script, session="later")
    assert "Forgotten: A slow comet over Lowmere." in shown
    assert "42 degrees" not in shown
    assert "1 paper\n" in shown
    assert b"sextant" not in _on_disk(data)


async def test_a_redelivered_event_does_nothing_twice(tmp_path: Path, models: Path) -> None:
    platform = FakePlatform()
    platform.files["f1"] = made(tmp_path, "comet.pdf", COMETS).read_text(encoding="cp1252")
    asked = QuestionAsked(
        thread=thread(), user="ada", at=datetime.now(UTC), message="q", text="How many degrees did the tail measure?"
    )
    for _ in range(2):  # the second time after a restart
        async with open_app(settings(tmp_path / "data", models), [platform]) as app:
            for event in (dropped(), dropped(), asked, asked):
                await app.dispatcher.accept(event)
                if event.key not in platform.order:
                    await platform.until(lambda: event.key in platform.order, seconds=120)  # noqa: B023
    assert platform.order == [dropped().key, asked.key]
    assert len(platform.messages) == 2


def _on_disk(folder: Path) -> bytes:
    """Everything in the data folder; PDFs of the samples hold their text plainly."""
    return b"\n".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())
