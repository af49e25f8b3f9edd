"""Marks stand for words as the index cuts them, and do not tell them."""

from core.text import mark_of, word_hash, word_hashes, word_marks


def test_forms_of_one_word_have_one_mark_and_other_words_others() -> None:
    assert word_marks("Okapis") == word_marks("okapi") == {mark_of(word_hash("okapi"))}
    assert word_marks("okapi").isdisjoint(word_marks("tapir"))
    assert len(word_hashes("two okapis, two tapirs")) == 3


def test_a_mark_does_not_hold_its_word() -> None:
    (mark,) = word_marks("okapi")
    assert "okapi" not in mark and mark.strip("-0123456789abcdef") == ""
