"""Asking on Discord: acknowledged in time, answered in a thread, to whom it is for."""

from pathlib import Path

from tests.adapters.discord.world import said, text, world


async def test_a_mention_is_answered_in_a_thread_of_its_own(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.alice.send(
            w.channel, "", attachments=[("notes.pdf", b"%PDF On Footnotes\nReaders follow footnotes home.")]
        )
        await w.until(lambda: w.channel.threads and "On Footnotes" in said(w.thread()))
        assert w.env.bot.user is not None
        await w.alice.send(w.channel, f"{w.env.bot.user.mention} who follow footnotes")
        await w.until(lambda: len(w.channel.threads) == 2 and "home" in said(w.thread(1)))
        print(w.env.transcript())
        answer = text(w.thread(1).last_message)
        assert "Readers follow footnotes home. \\[1\\]" in answer
