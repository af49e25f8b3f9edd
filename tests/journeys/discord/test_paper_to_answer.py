"""Drop a paper on Discord, ask, get a cited answer and see its page: the real engine behind the real wiring."""

from pathlib import Path

from bot.wiring import core_engine
from tests.adapters.discord.world import button, confirmed, said, text, world
from tests.journeys.actors import COMETS, made, settings


async def test_a_dropped_paper_answers_with_its_own_words_page_and_section(tmp_path: Path, models: Path) -> None:
    pdf = made(tmp_path, "comet.pdf", COMETS).read_bytes()
    process = settings(tmp_path / "data", models)
    async with world(tmp_path, engines=core_engine, process=process) as w:
        await w.alice.send(w.channel, "", attachments=[("comet.pdf", pdf)])
        await w.until(lambda: w.channel.threads and "Found" in said(w.thread()), seconds=120)
        card = w.thread().last_message
        assert "**A slow comet over Lowmere**" in text(card) and "Ada Ferris" in text(card)

        await w.ask("How many degrees did the tail of the comet Velorum measure?")
        await w.until(lambda: len(w.channel.threads) == 2 and "reference" in said(w.thread(1)), seconds=60)
        answer = w.thread(1).last_message
        assert answer is not None
        assert "Its tail measured 42 degrees. \\[1\\]" in text(answer)
        assert "A slow comet over Lowmere, p. 1, § 2 Results: “Its tail measured 42 degrees.”" in text(answer)

        await w.bob.click(answer, custom_id=button(answer, "Show [1]"))
        await w.until(lambda: w.thread(1).last_message is not None and w.own(w.thread(1))[-1].attachments, seconds=60)
        assert await w.own(w.thread(1))[-1].attachments[0].read() != b""

        await confirmed(w, "A slow comet")
        await w.until(lambda: len(w.channel.threads) == 3 and "Forgotten" in said(w.thread(2)), seconds=60)
        await w.ask("How many degrees did the tail of the comet Velorum measure?")
        await w.until(lambda: len(w.channel.threads) == 4 and "reference" in said(w.thread(3)), seconds=60)
        assert "42 degrees" not in said(w.thread(3))
