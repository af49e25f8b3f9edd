"""Asking on Discord: acknowledged in time, answered in a thread, to whom it is for."""

from pathlib import Path

import discord

from adapters.discord.settings import DiscordSettings
from core.domain.model import Answer, Citation, Reach, Sentence, Span
from core.domain.request_context import RequestContext
from tests.adapters.discord.world import PAPER, World, button, labels, said, text, world
from tests.bot.fake_engine import FakeEngine, FakeQuestions

ANSWER = "Readers follow footnotes home. \\[1\\]"
QUESTION = "who follow footnotes?"


def mention(w: World) -> str:
    assert w.env.bot.user is not None
    return w.env.bot.user.mention


async def ask(w: World, words: str = QUESTION) -> None:
    before = len(w.channel.threads)
    await w.alice.send(w.channel, f"{mention(w)} {words}")
    await w.until(lambda: len(w.channel.threads) > before)
    await w.at_rest()


async def test_a_mention_is_answered_in_a_thread_of_its_own(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        await ask(w)
        answer = text(w.thread(1).last_message)
        assert w.thread(1).name == QUESTION
        assert answer.startswith(ANSWER)
        assert "-# \\[1\\] On Footnotes, p. 2, § 1 Intro: “Readers follow footnotes home.”" in answer


async def test_a_follow_up_in_the_thread_needs_no_mention_and_people_are_left_to_themselves(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        await ask(w)
        thread = w.thread(1)
        await w.alice.send(thread, "what is a promise?")
        await w.until(lambda: "A footnote is a promise" in said(thread))
        count = len(thread.history())
        await w.bob.send(thread, f"{w.alice.mention} did you see this?")
        await w.bob.send(thread, "nice weather")
        await w.alice.send(thread, "what do you think?")  # said to bob, who spoke last
        await w.at_rest()
        assert len(thread.history()) == count + 3
        assert w.engine.papers.calls.count("ask what do you think?") == 0


async def test_a_reply_to_the_bot_goes_on_with_that_thread(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        await ask(w)
        await w.alice.send(w.thread(1), "and so on", reply_to=w.thread(1).last_message)
        await w.until(lambda: "ask and so on" in w.engine.papers.calls)
        assert len(w.channel.threads) == 2


async def test_a_slash_command_shows_the_question_and_answers_in_its_thread(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        result = await w.alice.slash(w.channel, "ask", question=QUESTION)
        assert result.acknowledged and not result.ephemeral
        await w.until(lambda: len(w.channel.threads) == 2 and ANSWER in said(w.thread(1)))
        assert result.response is not None
        assert text(result.response.message) == f"> {QUESTION}\n-# asked by alice"


async def test_a_slash_question_in_a_thread_stays_there(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        await w.alice.slash(w.thread(), "ask", question=QUESTION)
        await w.until(lambda: ANSWER in said(w.thread()))
        assert len(w.channel.threads) == 1


async def test_a_private_question_is_answered_to_the_asker_alone(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        result = await w.alice.slash(w.channel, "ask", question=QUESTION, private=True)
        await w.until(lambda: result.response is not None and ANSWER in text(result.response.message))
        assert result.ephemeral and len(w.channel.threads) == 1
        assert ANSWER not in said(w.channel)
        (location,) = list(w.engine.threads.kept)
        assert location == f"{w.channel.id}/{w.channel.id}~{w.alice.id}"


async def test_one_paper_can_be_asked_alone(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        await w.alice.send(w.channel, "", attachments=[("b.pdf", b"%PDF Bees\nBees follow footnotes too.")])
        await w.until(lambda: len(w.channel.threads) == 2 and "Bees" in said(w.thread(1)))
        (choice,) = await w.alice.autocomplete(w.channel, "ask", "paper", "bee", question="x")
        assert choice["name"] == "Bees"
        await w.alice.slash(w.channel, "ask", question=QUESTION, paper=choice["value"])
        await w.until(lambda: len(w.channel.threads) == 3 and "Bees follow" in said(w.thread(2)))
        unclear = await w.alice.slash(w.channel, "ask", question=QUESTION, paper="whales")
        assert "“whales” does not name one paper" in text(unclear.followups[-1].message)


async def test_direct_messages_are_a_place_of_their_own(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        await w.alice.send_dm(QUESTION)
        dm = w.alice.user.dm_channel
        await w.until(lambda: "Nothing here says so" in said(dm))
        bees = w.env.backend.store_attachments(dm.id, [("b.pdf", b"%PDF Bees\nBees follow footnotes too.")])
        await w.alice.send_dm("", attachments=bees)
        await w.until(lambda: "Bees" in said(dm))
        await w.alice.send_dm("who follow?")
        await w.until(lambda: "Bees follow footnotes too. \\[1\\]" in said(dm))
        await ask(w)
        assert "Bees" not in said(w.thread(1))
        assert sorted(w.engine.papers.shelves) == sorted([f"discord:{w.guild.id}", f"discord:dm{dm.id}"])


async def test_an_edited_question_is_answered_anew_in_its_place(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        message = await w.alice.send(w.channel, f"{mention(w)} {QUESTION}")
        await w.until(lambda: len(w.channel.threads) == 2 and ANSWER in said(w.thread(1)))
        await w.env.advance_time(60)
        await w.alice.edit(message, f"{mention(w)} what is a promise?")
        await w.until(lambda: "A footnote is a promise. \\[1\\]" in said(w.thread(1)))
        assert ANSWER not in said(w.thread(1))
        own = [item for item in w.thread(1).history() if item.components]
        assert len(own) == 1


async def test_an_edit_that_was_missed_is_answered_in_place_once(tmp_path: Path) -> None:
    async with world(tmp_path, settings=DiscordSettings(token="t", catch_up_hours=1)) as w:
        await w.env.advance_time(60)
        await w.drop()
        message = await w.alice.send(w.channel, f"{mention(w)} {QUESTION}")
        await w.until(lambda: len(w.channel.threads) == 2 and ANSWER in said(w.thread(1)))
        await w.env.advance_time(60)
        await w.unheard(w.alice.edit(message, f"{mention(w)} what is a promise?"))
        for _ in range(2):
            await w.tell("ready", w.client)
            await w.until(lambda: "A footnote is a promise. \\[1\\]" in said(w.thread(1)))
            await w.at_rest()
        assert w.engine.papers.calls.count("ask what is a promise?") == 1
        assert len(w.own(w.thread(1))) == 1


async def test_a_question_edited_long_after_its_answer_is_answered_beneath_it(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        message = await w.alice.send(w.channel, f"{mention(w)} {QUESTION}")
        await w.until(lambda: len(w.channel.threads) == 2 and ANSWER in said(w.thread(1)))
        await w.env.advance_time(2 * 3_600)
        await w.alice.edit(message, f"{mention(w)} what is a promise?")
        await w.until(lambda: "A footnote is a promise. \\[1\\]" in said(w.thread(1)))
        await w.at_rest()
        first, second = [text(item) for item in w.own(w.thread(1))]
    assert first.startswith(ANSWER) and "earlier words" not in first
    assert second.startswith("A footnote is a promise") and "the answer above is to its earlier words" in second


async def test_a_question_that_comes_with_its_paper_is_answered_from_it(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.alice.send(w.channel, f"{mention(w)} {QUESTION}", attachments=[("a.pdf", PAPER)])
        await w.until(lambda: w.channel.threads and ANSWER in said(w.thread()))
        await w.at_rest()
        card, answer = [text(item) for item in w.own(w.thread())]
    assert "Found" in card and answer.startswith(ANSWER)


async def test_a_question_of_which_only_the_edit_was_heard_is_answered_once(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        message = await w.unheard(w.alice.send(w.channel, f"{mention(w)} {QUESTION}"))
        await w.env.advance_time(60)
        await w.alice.edit(message, f"{mention(w)} what is a promise?")
        await w.until(lambda: len(w.channel.threads) == 2 and "A footnote is a promise" in said(w.thread(1)))
        channel = w.client.get_channel(w.channel.id)
        assert isinstance(channel, discord.TextChannel)
        await w.tell("message", await channel.fetch_message(message.id))
        await w.at_rest()
        assert len(w.own(w.thread(1))) == 1


class SlowQuestions(FakeQuestions):
    """Answers a sentence, then waits until it is stopped."""

    async def ask(self, question: str, request: RequestContext, *, reach: Reach = "usual") -> Answer:
        sentence = Sentence(text="A first sentence.", markers=(1,))
        span = Span(passage_id="p", page=1, quote="A first sentence.")
        citation = Citation(marker=1, paper_id="x", section=(), spans=(span,))
        await request.progress.step("searching", 1, 3)
        await request.progress.sentence(sentence, [citation])
        await request.stop.wait()
        return Answer(
            question=question, outcome="answered", mode="extractive", sentences=(sentence,), notes=("stopped",)
        )


async def test_a_growing_answer_shows_its_sentences_and_can_be_stopped(tmp_path: Path) -> None:
    async with world(tmp_path, engine=FakeEngine(questions_type=SlowQuestions)) as w:
        await w.ask(QUESTION)
        shown = "A first sentence. \\[1\\]\n-# Searching the papers · 1 of 3"
        await w.until(lambda: w.channel.threads and text(w.thread().last_message) == shown)
        grown = w.thread().last_message
        assert grown is not None and labels(grown) == ["Stop"]
        press = await w.alice.click(grown, custom_id=button(grown, "Stop"))
        assert press.acknowledged
        await w.until(lambda: "stopped" in said(w.thread()))
        assert labels(w.thread().last_message) != ["Stop"]
        assert len([item for item in w.thread().history() if item.components]) == 1


async def test_stop_is_a_command_too(tmp_path: Path) -> None:
    async with world(tmp_path, engine=FakeEngine(questions_type=SlowQuestions)) as w:
        nothing = await w.alice.slash(w.channel, "stop")
        assert nothing.response is not None and "No answer is being written" in text(nothing.response.message)
        await w.ask(QUESTION)
        await w.until(lambda: w.channel.threads and w.thread().last_message)
        await w.alice.send(w.thread(), f"{mention(w)} stop")
        await w.until(lambda: "stopped" in said(w.thread()))


async def test_private_first_offers_the_answer_to_its_asker_alone(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        w.engine.channels.stored[str(w.channel.id)] = {"private_first": "on"}
        await w.alice.send(w.channel, f"{mention(w)} {QUESTION}")
        offer = w.channel.last_message
        assert offer is not None
        await w.at_rest()
        assert labels(offer) == ["Answer me alone"] and "ask " + QUESTION not in w.engine.papers.calls
        other = await w.bob.click(offer, custom_id=button(offer, "Answer me alone"))
        assert other.response is not None and "Only whoever asked" in text(other.response.message)
        mine = await w.alice.click(offer, custom_id=button(offer, "Answer me alone"))
        await w.until(lambda: mine.response is not None and ANSWER in text(mine.response.message))
        assert mine.ephemeral and ANSWER not in said(w.channel)
        slash = await w.alice.slash(w.channel, "ask", question=QUESTION)
        await w.until(lambda: slash.response is not None and ANSWER in text(slash.response.message))
        assert slash.ephemeral


async def test_where_answers_go_to_their_asker_first_asking_about_a_message_does_too(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        message = await w.drop()
        w.engine.channels.stored[str(w.channel.id)] = {"private_first": "on"}
        menu = await w.alice.context_menu(w.channel, "Ask about this", message)
        sent = await w.alice.submit_modal(menu, {"question": QUESTION})
        await w.until(lambda: sent.response is not None and ANSWER in text(sent.response.message))
        assert sent.ephemeral and QUESTION not in said(w.channel)


async def test_nobody_is_called_by_an_answer(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        loud = f"%PDF Loud\nReaders @everyone follow <@{w.bob.id}> and @here footnotes."
        await w.alice.send(w.channel, "", attachments=[("loud.pdf", loud.encode())])
        await w.until(lambda: len(w.channel.threads) == 1 and "Loud" in said(w.thread()))
        await ask(w, "who follow footnotes?")
        answer = w.thread(1).last_message
        assert answer is not None and "follow" in text(answer)
        assert not answer.mention_everyone and not answer.mentions


async def test_the_question_has_a_sign_while_it_is_worked_on_and_another_when_done(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        message = await w.alice.send(w.channel, f"{mention(w)} {QUESTION}")
        await w.until(lambda: len(w.channel.threads) == 2 and ANSWER in said(w.thread(1)))
        await w.until(lambda: signs(w, message) == ["✅"])


def signs(w: World, message: discord.Message) -> list[str]:
    found = next(item for item in w.channel.history() if item.id == message.id)
    return [str(item.emoji) for item in found.reactions]


async def test_a_question_without_words_gets_the_help(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.alice.send(w.channel, mention(w))
        await w.until(lambda: w.channel.threads and "shows this list" in said(w.thread()))


async def test_a_command_in_words_is_the_command(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        await w.alice.send(w.channel, f"{mention(w)} papers")
        await w.until(lambda: len(w.channel.threads) == 2 and "1 paper" in said(w.thread(1)))


async def test_other_bots_are_not_answered(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        hook = w.guild.create_webhook(w.channel, "robot")
        await hook.send(f"{mention(w)} {QUESTION}")
        await w.at_rest()
        assert not w.engine.papers.calls and not w.channel.threads
