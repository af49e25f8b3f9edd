"""What on a page is no sentence about the work."""

import pytest

from core.text.fragments import is_bibliography_entry, is_broken, is_heading


@pytest.mark.parametrize("text", ["4.1 Sampling of the reeds", "Otters and rivers", "Journal of Rivers, June issue"])
def test_a_short_line_without_an_end_is_a_heading(text: str) -> None:
    assert is_heading(text)


@pytest.mark.parametrize(
    "text",
    ["Otters sleep by day.", "They were weighed [12].", "Ist das so?", "水獭白天睡觉。", "a b c d e f g h i j k l m"],
)
def test_a_sentence_or_a_long_line_is_none(text: str) -> None:
    assert not is_heading(text)


def test_what_ends_inside_a_word_is_broken() -> None:
    assert is_broken("The otters were seen in non-differen-")
    assert not is_broken("The otters were seen 3 -")


@pytest.mark.parametrize(
    "text",
    [
        "Brandt, K. L., & Osei, M. (2011). Otters of the north. River Notes, 14(2), 101-119.",
        "[7] Osei M, Brandt KL. Dens of otters. 2009;12:33-40.",
    ],
)
def test_an_entry_of_a_bibliography_is_known_by_names_year_and_place(text: str) -> None:
    assert is_bibliography_entry(text)


@pytest.mark.parametrize(
    "text",
    [
        "Brandt and Osei (2011) saw 101-119 otters in the north.",
        "Osei M. was seen in the field in spring.",
        "In 2011 the otters were counted twice.",
    ],
)
def test_a_sentence_that_cites_is_none(text: str) -> None:
    assert not is_bibliography_entry(text)
