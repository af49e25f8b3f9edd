"""Marks stand for words as the index cuts them, and do not tell them."""

from core.text import hash_as_text, hash_word, hash_words, hash_words_as_text


def test_forms_of_one_word_have_one_mark_and_other_words_others() -> None:
    assert hash_words_as_text("Okapis") == hash_words_as_text("okapi") == {hash_as_text(hash_word("okapi"))}
    assert hash_words_as_text("okapi").isdisjoint(hash_words_as_text("tapir"))
    assert len(hash_words("two okapis, two tapirs")) == 3


def test_a_mark_does_not_hold_its_word() -> None:
    (mark,) = hash_words_as_text("okapi")
    assert "okapi" not in mark and mark.strip("-0123456789abcdef") == ""
