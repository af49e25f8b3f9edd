"""The numbers of a figure's axes are left out of its lettering; its values stay."""

from core.reading.blocks import Block, Line
from core.reading.paper.passage_drafts import remove_axis_ticks
from tests.core.reading.by_hand import block, page, read


def _lines(*texts: str) -> tuple[Line, ...]:
    return block("text", "\n".join(texts)).lines


def _left(*texts: str) -> list[str]:
    return [own.text for own in remove_axis_ticks(_lines(*texts))]


def test_numbers_in_even_steps_are_an_axis() -> None:
    assert _left("0", "50", "100", "150", "0.0", "0.2", "0.4", "0.6", "Number of roofs") == ["Number of roofs"]
    assert _left("Cover", "30,0%", "20,0%", "10,0%", "0,0%") == ["Cover"]
    assert _left("−2", "0", "2", "4", "6") == []


def test_values_stay() -> None:
    assert _left("38.1", "12.4", "20.0", "7.9") == ["38.1", "12.4", "20.0", "7.9"]
    assert _left("2", "4", "6") == ["2", "4", "6"]
    assert _left("5", "5", "5", "5") == ["5", "5", "5", "5"]
    assert _left("0", "1", "Kepler", "2", "3") == ["0", "1", "Kepler", "2", "3"]


def test_a_figure_says_its_words_and_values() -> None:
    inner = _lines("0", "20", "40", "60", "80", "Share of roofs with moss", "north 38.1")
    reading = read(page(1, Block(kind="picture", rect=(70, 90, 400, 300), lines=inner)))
    assert [(own.kind, own.text) for own in reading.passages] == [("figure", "Share of roofs with moss\nnorth 38.1")]
