from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.domain.model import Box
from core.grounding.quotes import (
    PassageSpan,
    build_quote_spans,
    find_quote,
    is_substantial,
    locate_quote,
    quotable_units,
)
from tests.core.grounding.papers import passage

PAGE = (
    "We trained the net-\nwork for 1.5 hours on 13,599 images. The eﬃcient U-Net reached −4.2 dB (p < .05) "
    "and 85% recall.\nIn group 1 5 patients left."
)


@pytest.mark.parametrize(
    "quote",
    [
        "We trained the network for 1.5 hours",
        "we trained   the net-work\nfor 1.5 hours on 13,599 images",
        "“The efficient U-Net reached -4.2 dB”",
        "The efficient UNet reached",
        "and 85% recall...",
        "In group 1 5 patients left",
    ],
)
def test_typesetting_does_not_matter(quote: str) -> None:
    assert find_quote(quote, PAGE) is not None


@pytest.mark.parametrize(
    "quote",
    [
        "We trained the networks for 1.5 hours",
        "We trained the network for 15 hours",
        "for 1.5 hours on 13,598 images",
        "U-Net reached 4.2 dB",
        "4.2 dB (p < .05) and",
        "(p > .05) and 85% recall",
        "In group 15 patients left",
        "hours on 13,599 image",
        "rained the network for",
        "599 images. The efficient",
        "the",
        "and",
        "",
        "… .",
        "85%",
    ],
)
def test_anything_else_does(quote: str) -> None:
    assert find_quote(quote, PAGE) is None


def test_the_span_covers_the_words_as_printed() -> None:
    found = find_quote("the network for 1.5 hours", PAGE)
    assert found is not None
    assert PAGE[slice(*found)] == "the net-\nwork for 1.5 hours"


def test_thousands_may_be_spaced() -> None:
    assert find_quote("a total of 13 599 images", "gave a total of 13\u2009599 images") is not None


def test_chinese_needs_no_spaces() -> None:
    assert find_quote("模型的准确率", "我们发现模型的准确率很高。") is not None
    assert not is_substantial("模型")


def test_a_quote_over_a_page_end_has_two_spans() -> None:
    first = passage("Some text here. The leaves were col-", passage_id="a", page=3, next_id="b")
    second = passage("lected in the spring of 1998. More text.", passage_id="b", page=4)
    spans = build_quote_spans(locate_quote("The leaves were collected in the spring of 1998.", first, second))
    assert [(span.page, span.quote) for span in spans] == [
        (3, "The leaves were col-"),
        (4, "lected in the spring of 1998"),
    ]
    assert locate_quote("The leaves were collected in the spring of 1999.", first, second) == ()
    assert len(locate_quote("Some text here", first, second)) == 1


def test_boxes_are_those_of_the_lines_quoted() -> None:
    boxes = tuple(Box(page=3, x0=0, y0=y, x1=100, y1=y + 10) for y in (0, 10, 20))
    lines = passage("first line of words\nsecond line of words\nthird line of words", boxes=boxes)
    found = find_quote("second line of words", lines.text)
    assert found is not None
    assert build_quote_spans([PassageSpan(passage=lines, start=found[0], end=found[1])])[0].boxes == (boxes[1],)
    told = replace(passage("Short. A much longer line comes second. End.", boxes=boxes), ends=(6, 39, 44))
    assert build_quote_spans([PassageSpan(passage=told, start=7, end=39)])[0].boxes == (boxes[1],)
    assert build_quote_spans([PassageSpan(passage=told, start=0, end=44)])[0].boxes == boxes
    one_line = passage("a" * 40 + " " + "b" * 40 + " " + "c" * 40, boxes=boxes)
    assert build_quote_spans([PassageSpan(passage=one_line, start=45, end=75)])[0].boxes == (boxes[1],)


WORDS = st.lists(
    st.text("abcdefghijklmnopqrstuvwxyzäé", min_size=2, max_size=9) | st.integers(0, 9999).map("({})".format),
    min_size=5,
    max_size=12,
)


@given(WORDS, st.data())
def test_every_stretch_of_words_is_found_and_no_altered_one(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 3))
    quote = " ".join(words[first : first + 3])
    assume(is_substantial(quote))
    assert find_quote(quote, text) is not None
    at = data.draw(st.integers(0, len(quote) - 1))
    assume(quote[at] != " ")
    sign = data.draw(st.sampled_from("xyz0123456789"))
    altered = quote[:at] + sign + quote[at + 1 :]
    if altered not in text:
        found = find_quote(altered, text)
        assert found is None or text[slice(*found)].replace(" ", "") == altered.replace(" ", "")


def test_a_ring_printed_for_a_degree_sign_is_the_same_quote_read_again() -> None:
    page = "Plants were kept at 35\u02daC and 24 \u02daC for ten days."
    assert find_quote(page, page) == (0, len(page) - 1)
    assert find_quote("kept at 35 °C and 24 °C", page) is not None
    assert find_quote("kept at 36 °C and 24 °C", page) is None


@pytest.mark.parametrize("quote", ["The beds lost 12 grams in the frost.", "grams in the frost", "lost \ufffd12 grams"])
def test_a_sentence_with_a_sign_that_could_not_be_read_is_not_quoted(quote: str) -> None:
    text = "Moss was weighed twice a day. The beds lost \ufffd12 grams in the frost. The yard was dry in May."
    assert find_quote(quote, text) is None
    assert find_quote("The yard was dry in May.", text) is not None
    assert len(quotable_units(passage(text))) == 2
