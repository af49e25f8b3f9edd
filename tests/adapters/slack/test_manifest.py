"""The manifest asks for what the code uses: the same scopes as installing by OAuth, and events that are understood."""

import re
from pathlib import Path

from adapters.slack import events, forms
from adapters.slack.oauth import BOT_SCOPES

MANIFEST = (Path(events.__file__).parent / "manifest.yaml").read_text(encoding="utf-8")


def listed(name: str) -> list[str]:
    """The items of the list under ``name``."""
    block = re.search(rf"^ *{name}:\n((?: +- .*\n)+)", MANIFEST, re.MULTILINE)
    assert block is not None
    return [line.split("-", 1)[1].split("#")[0].strip() for line in block[1].splitlines()]


def test_installing_by_hand_and_by_oauth_ask_for_the_same() -> None:
    assert listed("bot") == sorted(BOT_SCOPES)


def test_every_event_that_is_asked_for_means_something_here() -> None:
    shapes = {
        "user": "U1",
        "channel": "C1",
        "ts": "1700000000.000100",
        "text": "hi",
        "file_id": "F1",
        "tab": "home",
        "thread_ts": "1700000000.000100",
        "tokens": {"bot": ["U1"]},
    }
    for name in listed("bot_events"):
        event = {**shapes, "type": name.split(".")[0]}
        if name == "user_change":
            event["user"] = {"id": "U1"}
        assert events.parse_event(event, team="T1") is not None, name


def test_the_shortcut_is_the_one_that_is_taken() -> None:
    assert f"callback_id: {forms.SHORTCUT}\n" in MANIFEST
