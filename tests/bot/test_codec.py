import json

import pytest

from bot.jobs.codec import EVENTS, decode_event, decode_reply, encode_event, encode_reply
from core.domain.events import Event
from core.domain.model import SharedFile
from tests.bot import actors

ALL = [
    actors.question(text="Was heißt „das“ — 日本語?"),
    actors.edited(),
    actors.dropped(name='odd "name" \u2028.pdf'),
    actors.removed(),
    actors.command("forget", "3"),
    actors.pressed("page", "abc:1"),
    actors.sent("wrong", "abc", answer="Seven."),
    actors.digest_due(),
    actors.closed(),
    actors.uninstalled(),
]


@pytest.mark.parametrize("event", ALL, ids=lambda event: type(event).__name__)
def test_every_event_comes_back_as_it_was(event: Event) -> None:
    assert decode_event(encode_event(event)) == event


def test_no_event_type_is_left_out() -> None:
    assert set(EVENTS.values()) == {type(event) for event in ALL} == set(Event.__args__)


def test_a_reply_with_everything_in_it_comes_back_as_it_was() -> None:
    assert decode_reply(encode_reply(actors.full_reply())) == actors.full_reply()


def test_what_an_older_version_lacked_takes_its_default_and_what_is_gone_is_dropped() -> None:
    stored = json.loads(encode_event(actors.command("help")))
    del stored["files"]
    stored["colour"] = "blue"
    event = decode_event(json.dumps(stored))
    assert event.files == () and event.name == "help"  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["{}", "[]", "null", '{"event": "nonsense"}', '{"event": "pdf shared"}'])
def test_anything_else_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="not a stored event"):
        decode_event(text)


def test_files_of_an_event_are_values_again() -> None:
    event = decode_event(encode_event(actors.dropped()))
    assert isinstance(event.file, SharedFile)  # type: ignore[union-attr]
