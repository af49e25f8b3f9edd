"""A word that a line end broke is made whole; the paper's own words say whether its hyphen stays."""

import pytest

from core.reading.paper.word_joining import Vocabulary, join_lines

PAPER = (
    "The wind chill was low and the wind-chill index was lower.",
    "A tide gauge and a stone wall stood by the harbour, with a note on whom to call there.",
    "Networks were drawn for there and fore.",
)


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["the wind-", "chill of May"], "the wind-chill of May"),
        (["the net-", "works of May"], "the networks of May"),
        (["a stone-", "gauge of May"], "a stone-gauge of May"),
        (["and there-", "fore no more"], "and therefore no more"),
        (["the mea-", "surement of May"], "the measurement of May"),
        (["the wind\u00ad", "chill of May"], "the wind-chill of May"),
        (["the mea\u00ad", "surement of May"], "the measurement of May"),
        (["the Baltic-", "North Sea"], "the Baltic-North Sea"),
    ],
)
def test_a_broken_word_is_joined_as_the_paper_prints_it_elsewhere(lines: list[str], joined: str) -> None:
    assert join_lines(lines, Vocabulary([*PAPER, *lines])) == joined
