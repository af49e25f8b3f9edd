"""Long replies arrive whole: whatever the text, every piece fits and no word is lost or out of order."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.common.splitting import length, split

SENTENCES = " ".join(f"Sentence number {n} tells something of its own." for n in range(40))
TABLE = "\n".join(["| Name | Value |", "| --- | --- |", *(f"| row {n} | {n * n} |" for n in range(60))])
CODE = "```python\n" + "\n".join(f"line_{n} = {n}" for n in range(80)) + "\n```"


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def test_a_short_text_is_one_piece_as_it_is() -> None:
    assert split("One.\n\n- two\n- three", 100) == ("One.\n\n- two\n- three",)
    assert split("", 100) == () == split("\n \n", 100)


def test_paragraphs_stay_whole_where_they_fit() -> None:
    first, second = "a" * 60, "b" * 60
    assert split(f"{first}\n\n{second}", 100) == (first, second)


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    pieces = split(SENTENCES, 300)
    assert len(pieces) > 5
    assert all(piece.endswith("own.") for piece in pieces)
    assert " ".join(pieces) == SENTENCES


def test_a_long_table_repeats_its_header_and_loses_no_row() -> None:
    pieces = split(TABLE, 300)
    assert all(piece.startswith("| Name | Value |\n| --- | --- |\n| row ") for piece in pieces)
    rows = [line for piece in pieces for line in piece.split("\n")[2:]]
    assert rows == TABLE.split("\n")[2:]


def test_long_code_is_fenced_again_in_each_piece() -> None:
    pieces = split(f"Before.\n\n{CODE}\n\nAfter.", 300)
    fenced = [piece for piece in pieces if "line_" in piece]
    assert all(piece.count("```") == 2 for piece in fenced) and len(fenced) > 3
    assert pieces[0].startswith("Before.") and pieces[-1].endswith("After.")
    assert words("\n".join(pieces).replace("```python", "")) == words(f"Before. {CODE} After.".replace("```python", ""))


def test_a_table_or_code_that_fits_alone_is_not_cut_for_the_text_before_it() -> None:
    table = "\n".join(TABLE.split("\n")[:6])
    pieces = split(f"{'x ' * 90}\n\n{table}", 200)
    assert pieces[-1] == table


def test_bold_and_code_are_closed_and_opened_again() -> None:
    text = "**" + "bold words " * 30 + "end** and `" + "code words " * 30 + "end`"
    pieces = split(text, 120)
    assert all(piece.count("**") % 2 == 0 and piece.count("`") % 2 == 0 for piece in pieces)
    assert words(" ".join(pieces)) == words(text)


def test_quotes_and_bullets_keep_their_mark() -> None:
    assert all(piece.startswith("> ") for piece in split(f"> {SENTENCES}", 200))
    first, *rest = split(f"- {SENTENCES}", 200)
    assert first.startswith("- ") and all(piece.startswith("  ") for piece in rest)


def test_a_taken_sign_is_not_torn_from_its_backslash() -> None:
    for piece in split("\\*" * 500, 41):
        assert not (len(piece) - len(piece.rstrip("\\"))) % 2


def test_an_emoji_counts_as_the_two_units_that_it_is() -> None:
    assert length("a😀") == 3
    assert all(length(piece) <= 50 for piece in split("😀" * 400, 50))


def test_too_small_a_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="40"):
        split("text", 39)


LINES = st.text(alphabet="ab .|`*\\>#-\n😀é。 ", max_size=60)


@given(st.lists(LINES, max_size=30), st.integers(min_value=40, max_value=400))
def test_whatever_the_text_every_piece_fits_and_no_word_is_lost(lines: list[str], limit: int) -> None:
    text = "\n".join(lines)
    pieces = split(text, limit)
    assert all(0 < length(piece) <= limit for piece in pieces)
    said = iter("".join(words("".join(pieces))))  # a repeated header may add signs, never take one away
    assert all(sign in said for sign in "".join(words(text)))
