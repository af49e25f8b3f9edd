"""Places, conversations and message ids as they are written down."""

import pytest

from adapters.discord.ids import (
    Location,
    command_id,
    is_direct,
    is_private,
    mark,
    message_id,
    nonce,
    reader_of,
    same_mark,
    split_message_id,
    where_of,
)
from adapters.discord.settings import DiscordSettings
from core.domain.model import Channel, Thread, Workspace

LAB = Workspace(platform="discord", id="1")
CHANNEL = Location(guild="1", where="10")
THREAD = Location(guild="1", where="30", parent="10")
PRIVATE_THREAD = Location(guild="1", where="40", parent="10", visibility="restricted", alone=True)
DIRECT = Location(guild="", where="50", visibility="restricted")


def test_a_message_in_a_channel_begins_a_thread_and_one_in_a_thread_goes_on_with_it() -> None:
    assert CHANNEL.thread("99") == Thread(channel=Channel(workspace=LAB, id="10"), id="99")
    assert THREAD.thread("99") == Thread(channel=Channel(workspace=LAB, id="10"), id="30")


def test_a_private_thread_is_a_place_of_its_own() -> None:
    assert PRIVATE_THREAD.channel == Channel(workspace=LAB, id="40", visibility="restricted")
    assert PRIVATE_THREAD.thread("99").id == "40"


def test_direct_messages_are_one_conversation_in_a_workspace_of_their_own() -> None:
    thread = DIRECT.thread("99")
    assert thread.id == "50" and thread.channel.workspace.key == "discord:dm50"
    assert is_direct(thread.channel.workspace) and not is_direct(LAB)


def test_what_one_person_sees_is_remembered_apart() -> None:
    mine = THREAD.private_thread("7")
    assert mine.id != THREAD.thread("99").id
    assert is_private(mine) and reader_of(mine) == "7" and where_of(mine) == "30"
    assert not is_private(THREAD.thread("99"))


def test_a_command_that_nobody_sees_is_known_by_its_key() -> None:
    thread = CHANNEL.thread("")
    assert is_private(thread, f"command:discord:1/10/{command_id(123)}/papers")
    assert is_private(thread, f"ask:discord:1/10/{command_id(123)}")
    assert not is_private(thread, "command:discord:1/10/10-123/papers")


def test_a_message_id_tells_its_place() -> None:
    assert split_message_id(message_id(10, "99")) == ("10", "99")
    assert split_message_id(command_id(5)) == ("", "") == split_message_id("") == split_message_id("left-5")


def test_a_repeated_send_has_the_same_nonce_and_parts_differ() -> None:
    assert nonce("ask:a", 0) == nonce("ask:a", 0) != nonce("ask:a", 1)
    assert len(nonce("ask:a", 0)) <= 25


def test_parts_of_one_reply_share_their_mark() -> None:
    first = mark("ask:a")
    assert 0 < first < 2**31 and first + 31 < 2**31
    assert same_mark(first, first + 31) and not same_mark(first, first + 32)
    assert not same_mark(first, mark("ask:b"))


def test_settings_name_what_is_wrong() -> None:
    assert DiscordSettings(token="t", servers="1, 2").server_ids == ("1", "2")
    assert not DiscordSettings().configured and "secret" not in repr(DiscordSettings(token="secret"))
    with pytest.raises(ValueError, match="servers must be ids"):
        DiscordSettings(servers="my server")
    with pytest.raises(ValueError, match="catch_up_hours"):
        DiscordSettings(catch_up_hours=-1)
    with pytest.raises(ValueError, match="grace_days"):
        DiscordSettings(grace_days=900)
