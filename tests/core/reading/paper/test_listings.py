"""Numbers without a sentence are no text."""

import pytest

from tests.core.reading.by_hand import block, page, read

PROSE = block(
    "text", "The cover was 38 percent on 64 roofs, against 11 percent\non the 27 roofs that look south.", y=300
)


@pytest.mark.parametrize(
    "numbers",
    ["0 50 100 150 200 0.0 0.2 0.4\nNumber of roofs", "north -0.329 −2.310 12%\nsouth 0.071 0.420 (7)\neast 1e-4 4 2"],
)
def test_numbers_that_were_taken_for_text_are_a_table(numbers: str) -> None:
    reading = read(page(1, block("text", numbers, y=100), PROSE))
    assert [(own.kind, own.text) for own in reading.passages if own.kind != "text"] == [("table", numbers)]
    (text,) = [own for own in reading.passages if own.kind == "text"]
    assert text.text.startswith("The cover was 38 percent")


@pytest.mark.parametrize("few", ["1 2 3 4 5", "In 2001, 2002, 2003 and 2004 we saw 5, 6 and 7 roofs of slate there."])
def test_few_numbers_or_a_sentence_of_them_are_text(few: str) -> None:
    assert [own.kind for own in read(page(1, block("text", few, y=100), PROSE)).passages] == ["text"]
