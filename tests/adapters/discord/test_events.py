"""What a message means, whichever way it came."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from adapters.discord import events
from adapters.discord.events import File, ReceivedMessage
from adapters.discord.ids import Location
from core.domain.model import Channel, Thread, Workspace

NOW = datetime(2026, 3, 1, tzinfo=UTC)
CHANNEL = Channel(workspace=Workspace(platform="discord", id="1"), id="10")
PDF = File(id="7", name="a.pdf", mime="application/pdf", size=5, url="https://cdn.discordapp.com/a.pdf?ex=1")
NOTE = ReceivedMessage(
    location=Location(guild="1", where="10"), id="99", author="5", at=NOW, bot="3", visible=frozenset({"10"})
)


def test_each_pdf_of_a_message_is_an_event_with_its_own_key() -> None:
    note = replace(
        NOTE,
        files=(PDF, replace(PDF, id="8", name="B.PDF", mime=""), replace(PDF, id="9", name="c.png", mime="image/png")),
    )
    item, two = events.shared_pdfs(note)
    assert (item.file.id, two.file.id) == ("7", "8") and item.key != two.key
    assert item.thread == Thread(channel=CHANNEL, id="99") and item.message == "10-99"
    assert events.decode_locator(item.file.locator) == ("10", "99", PDF.url)


def test_a_pdf_is_known_by_its_kind_too() -> None:
    assert replace(PDF, name="paper", mime="application/pdf; charset=binary").is_pdf
    assert not replace(PDF, name="a.pdf.exe", mime="application/octet-stream").is_pdf


def test_the_bots_mention_is_no_part_of_the_question_and_others_are_names() -> None:
    note = replace(NOTE, text="<@3> what did <@8> say in <#10> <:wave:123>?", names={"8": "Bob", "10": "papers"})
    said = events.incoming_message(note)
    assert said.words == "what did @Bob say in #papers :wave:?"
    assert (said.message, said.thread.id, said.conversation) == ("10-99", "99", "1/10/99")


def test_a_mention_of_the_bots_role_goes_too() -> None:
    assert events.words_of(replace(NOTE, text="<@&77> why?", names={})) == "why?"


def test_a_message_without_words_says_nothing() -> None:
    assert events.incoming_message(replace(NOTE, text="<@3>  ")).words == ""


def test_a_reply_to_the_bot_goes_on_with_its_conversation() -> None:
    said = events.incoming_message(replace(NOTE, root="55", text="and why?", mentions_bot=True, files=(PDF,)))
    assert said.thread.id == "55" and said.addressed
    assert [file.id for file in said.papers] == ["7"]


def test_edits_are_told_from_each_other_in_their_order() -> None:
    first, again = (
        events.incoming_message(replace(NOTE, text="why?", edited=NOW + timedelta(seconds=n))) for n in (9, 10)
    )
    assert events.incoming_message(NOTE).revision == ""
    assert float(first.revision) < float(again.revision)
    assert again.changed == NOW + timedelta(seconds=10)


def test_removals_name_place_message_and_file() -> None:
    item, two = events.removals(NOTE.location, "99", files=["7", "8"], user="", at=NOW)
    shared = events.shared_pdfs(replace(NOTE, files=(PDF,)))[0]
    assert (item.message, item.file_id, item.lock) == (shared.message, "7", shared.lock)
    assert item.key != two.key


def test_files_of_a_command_belong_to_the_message_that_stands_for_them() -> None:
    thread = Thread(channel=CHANNEL, id="70")
    (event,) = events.pdfs_of_command([PDF], thread=thread, user="5", at=NOW, message="10-70")
    assert event.message == "10-70" and event.thread == thread
    assert events.decode_locator(event.file.locator) == ("10", "70", PDF.url)


def test_direct_messages_need_no_mention() -> None:
    assert replace(NOTE, location=Location(guild="", where="50")).addressed
    assert not NOTE.addressed
