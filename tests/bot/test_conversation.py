"""Commands on conversations and on papers that lie elsewhere, through the running bot."""

from pathlib import Path

from tests.bot.actors import command, question
from tests.bot.test_commands import PAPER, opened


async def test_conversations_are_listed_and_one_is_forgotten(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        nothing = await room.after(command("threads", message="m4"))
        await room.after(question(text="who follow footnotes"))
        listed = await room.after(command("threads", message="m5"))
        trust = await room.after(command("trust", message="m6"))
        odd = await room.after(command("reopen", "seven", message="m7"))
        gone = await room.after(command("forget", "this thread", message="m8"))
        again = await room.after(command("clear", message="m9"))
    assert "Nothing was asked" in nothing.body
    assert "who follow footnotes" in listed.body
    assert trust.body.startswith("Faithfulness 1.00")
    assert "reopen NUMBER" in odd.body
    assert gone.body.startswith("Forgotten") and "Nothing was asked" in again.body
    assert not room.engine.threads.kept


async def test_papers_that_are_named_are_fetched_and_each_has_its_line(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        room.engine.fetching.held = {
            "arXiv:2101.00001": "%PDF On Moss\nMoss grows slowly. ",
            "doi:10.1000/x": "<html>",
            "arXiv:2101.00003": PAPER,
        }
        reply = await room.after(
            command("fetch", "2101.00001 10.1000/x and arXiv:2101.00002, 2101.00003", message="m4")
        )
        item = await room.after(command("fetch", "2101.00001", message="m5"))
        odd = await room.after(command("fetch", "something nice", message="m6"))
    lines = reply.body.splitlines()
    assert len(lines) == 4
    assert "On Moss" in lines[0] and "not a PDF" in lines[1] and "no open PDF" in lines[2]
    assert "was here already" in lines[3]
    assert "On Moss" in item.body
    assert odd.body.startswith("Please write it as")
