"""Payloads of Slack as values; shapes as its reference gives them, and shapes that it never sends."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack import events
from adapters.slack.events import (
    AppRemoved,
    BotMessage,
    ChannelChange,
    FileDeletion,
    Message,
    MessageDeletion,
    MessageEdit,
)

TS = "1700000000.000100"
PDF = {
    "id": "F1",
    "name": "comet.pdf",
    "mimetype": "application/pdf",
    "filetype": "pdf",
    "mode": "hosted",
    "size": 9,
    "url_private": "https://files.slack.com/files-pri/T1-F1/comet.pdf",
    "url_private_download": "https://files.slack.com/files-pri/T1-F1/download/comet.pdf",
}


def message(**given: Any) -> dict[str, Any]:
    usual = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U1", "text": "hello", "ts": TS}
    return {**usual, **given}


BIB = {**PDF, "id": "F2", "name": "zotero.bib", "mimetype": "text/plain", "filetype": "text"}


def told(event: dict[str, Any]) -> events.SlackEvent:
    return events.parse_event(event, team="T1")


def test_a_message_with_a_mention_in_a_thread() -> None:
    said = told(message(text="<@UBOT> and <@U2>", thread_ts="1690000000.000100", client_msg_id="m1"))

    assert isinstance(said, Message)
    assert said.thread == "1690000000.000100"
    assert said.mentions == {"UBOT", "U2"}
    assert said.client_id == "m1"
    assert said.surface == "channel"


@pytest.mark.parametrize(
    "event",
    [
        message(subtype="channel_join"),
        message(subtype="reminder_add"),
        message(user=""),
        message(user="USLACKBOT"),
        message(ts="nonsense"),
        message(channel=None),
        {"type": "reaction_added", "user": "U1"},
        {"type": "message", "subtype": "message_changed"},
        {"type": "tokens_revoked", "tokens": {"oauth": ["U1"]}},
        {},
    ],
)
def test_what_is_nobodys_business_is_nothing(event: dict[str, Any]) -> None:
    assert told(event) is None


def test_other_bots_are_heard_but_not_answered() -> None:
    assert told(message(bot_id="B2", user="U9")) == BotMessage(channel="C1", thread=TS, user="U9")
    assert told(message(subtype="bot_message", bot_id="B2", user=None)) == BotMessage(
        channel="C1", thread=TS, user="B2"
    )


def test_pdfs_are_told_from_other_files() -> None:
    files = [
        PDF,
        {"id": "F2", "name": "notes.txt", "mimetype": "text/plain", "filetype": "text"},
        {"id": "F3", "name": "SCAN.PDF", "mimetype": "application/octet-stream", "url_private": "https://x/y"},
        {"id": "F4", "mode": "tombstone"},
        {"id": "F5", "mode": "hidden_by_limit", "name": "old.pdf"},
        {"name": "without id.pdf"},
        "not a file",
    ]
    said = told(message(subtype="file_share", files=files))

    assert isinstance(said, Message)
    assert [pdf.id for pdf in said.pdfs] == ["F1", "F3"]
    assert said.pdfs[0].locator == "T1 https://files.slack.com/files-pri/T1-F1/download/comet.pdf"


def test_a_file_from_another_organisation_comes_without_an_address() -> None:
    """The shape that Slack Connect sends: everything but the id has to be asked for."""
    said = told(message(files=[{"id": "F9", "file_access": "check_file_info", "mode": "file_access", "created": 0}]))

    assert isinstance(said, Message)
    assert said.pdfs[0].id == "F9"
    assert said.pdfs[0].locator == "T1 "


def test_an_edit_and_files_that_it_took_away() -> None:
    inner = {"type": "message", "user": "U1", "text": "after", "ts": TS, "edited": {"user": "U1", "ts": "1700000009.0"}}
    event = {
        "type": "message",
        "subtype": "message_changed",
        "channel": "C1",
        "channel_type": "group",
        "ts": "1700000009.000200",
        "hidden": True,
        "message": {**inner, "files": [{"id": "F1", "mode": "tombstone"}]},
        "previous_message": {**inner, "text": "<@UBOT> before", "files": [PDF]},
    }
    said = told(event)

    assert isinstance(said, MessageEdit)
    assert (said.before, said.now.raw, said.now.revision) == ("<@UBOT> before", "after", "1700000009.0")
    assert said.gone == ("F1",)
    assert said.now.surface == "group"


def test_a_deleted_message_names_its_files_however_it_went() -> None:
    before = {"user": "U1", "ts": TS, "files": [PDF], "thread_ts": TS}
    deleted = {
        "type": "message",
        "subtype": "message_deleted",
        "channel": "C1",
        "deleted_ts": TS,
        "previous_message": before,
    }
    tombstone = {
        "type": "message",
        "subtype": "message_changed",
        "channel": "C1",
        "message": {"subtype": "tombstone", "ts": TS, "user": "USLACKBOT"},
        "previous_message": before,
    }
    wanted = MessageDeletion(channel="C1", ts=TS, thread=TS, user="U1", files=("F1",))

    assert told(deleted) == told(tombstone) == wanted
    assert told({"type": "file_deleted", "file_id": "F1"}) == FileDeletion(file="F1")


@pytest.mark.parametrize(
    ("event", "change", "member"),
    [
        ({"type": "channel_archive", "channel": "C1", "user": "U1"}, "archived", ""),
        ({"type": "group_left", "channel": "C1"}, "left", ""),
        ({"type": "channel_deleted", "channel": "C1"}, "deleted", ""),
        ({"type": "channel_rename", "channel": {"id": "C1", "name": "x"}}, "changed", ""),
        ({"type": "member_left_channel", "channel": "C1", "user": "U7"}, "left", "U7"),
        (message(subtype="channel_convert_to_private"), "changed", ""),
    ],
)
def test_what_becomes_of_channels(event: dict[str, Any], change: str, member: str) -> None:
    assert told(event) == ChannelChange(channel="C1", change=change, member=member)  # type: ignore[arg-type]


def test_an_app_is_taken_out_by_either_event() -> None:
    assert told({"type": "app_uninstalled"}) == AppRemoved()
    assert told({"type": "tokens_revoked", "tokens": {"oauth": [], "bot": ["UBOT"]}}) == AppRemoved()


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("<@UBOT> what is &lt;T&gt; &amp; why?", "what is <T> & why?"),
        ("<@UBOT|footnote>  hi", "hi"),
        ("see <https://x.org/a|the paper> and <https://y.org>", "see the paper and https://y.org"),
        ("ask <@U2|bob> or <@U3> in <#C2|general>", "ask @bob or in #general"),
        ("<!here> <!subteam^S1|@lab> <!date^1^{date}|today>", "@here @lab today"),
        ("one\n\n  two", "one\n\ntwo"),
        ("<mailto:a@b.org|a@b.org>", "a@b.org"),
        ("a < b", "a < b"),
        ("", ""),
    ],
)
def test_words_as_a_person_reads_them(raw: str, words: str) -> None:
    assert events.readable_text(raw, bot="UBOT") == words


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
FIELDS = [
    "type",
    "subtype",
    "channel",
    "user",
    "text",
    "ts",
    "files",
    "message",
    "previous_message",
    "edited",
    "tokens",
]


@given(st.dictionaries(st.sampled_from(FIELDS), json))
def test_no_payload_whatever_breaks_it(event: dict[str, Any]) -> None:
    for kind in ("message", "app_mention", "file_deleted", "channel_rename", "tokens_revoked", "user_change"):
        told({**event, "type": kind})
        told({**event, "type": kind, "subtype": "message_changed"})


def test_files_that_may_be_bibliographies_are_told_apart_from_papers_and_the_rest() -> None:
    names = ("papers.ris", "Exported Items.json", "notes.txt")
    files = [PDF, BIB, *({**BIB, "id": f"F{at}", "name": name} for at, name in enumerate(names, 3))]
    said = told(message(files=files))
    gone = told(message(files=[{**BIB, "mode": "tombstone"}]))

    assert isinstance(said, Message) and isinstance(gone, Message)
    assert [file.id for file in said.pdfs] == ["F1"]
    assert [file.name for file in said.bibliographies] == ["zotero.bib", "papers.ris", "Exported Items.json"]
    assert said.bibliographies[0].locator == f"T1 {BIB['url_private_download']}"
    assert gone.bibliographies == ()
