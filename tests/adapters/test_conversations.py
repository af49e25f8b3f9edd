"""Who spoke last, and which words are commands."""

import pytest

from adapters.common.conversations import Conversations, Recent, command_in
from bot.commands import TABLE


def test_others_who_spoke_since_the_bot_make_it_a_conversation_between_people() -> None:
    talk = Conversations()
    talk.answered("t")
    talk.spoke("t", "ada")
    assert not talk.between_people("t", "ada")
    talk.spoke("t", "bob")
    assert talk.between_people("t", "ada")
    talk.answered("t")
    assert not talk.between_people("t", "ada")


def test_old_threads_are_let_go() -> None:
    talk = Conversations(most=2)
    for thread in ("a", "b", "c"):
        talk.spoke(thread, "ada")

    assert not talk.between_people("a", "bob")
    assert talk.between_people("c", "bob")


def test_what_was_told_lately_is_remembered_with_its_word() -> None:
    recent: Recent[str] = Recent(most=2)
    for key in ("a", "b", "c"):
        recent.remember(key, key.upper())

    assert ("a" in recent, recent.get("a"), recent.get("c")) == (False, None, "C")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("help", ("help", "")),
        ("/papers bees", ("papers", "bees")),
        ("papers about bees", None),
        ("Compare 1 and 2", ("compare", "1 and 2")),
        ("compare how they bake?", None),
        ("summarize 3", ("summarise", "3")),
        ("forget: comet", ("forget", "comet")),
        ("what is a comet", None),
        ("status?", None),
        ("", None),
    ],
)
def test_commands_are_told_from_questions(words: str, meant: tuple[str, str] | None) -> None:
    assert command_in(words, TABLE) == meant
