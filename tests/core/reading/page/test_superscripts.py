"""A raised number is never read as more digits of the number before it."""

from pathlib import Path

import pymupdf
import pytest

from core.reading.blocks import Line
from core.reading.page.boxes import LayoutBox, build_grid, build_line
from core.reading.page.lines import extract_lines, mark_superscripts, to_lines
from core.text import alphanumeric_key
from tests.core.reading.by_hand import span


def _printed(tmp_path: Path, *pieces: str) -> Line:
    """A line of ``pieces`` from a real text layer, every second one raised and smaller."""
    document = pymupdf.open()
    page, x = document.new_page(), 72.0
    for number, piece in enumerate(pieces):
        size, y = (7, 116) if number % 2 else (10, 120)
        page.insert_text((x, y), piece, fontsize=size)
        x += pymupdf.get_text_length(piece, fontsize=size)
    document.save(tmp_path / "a.pdf")
    lines = to_lines(extract_lines(pymupdf.open(tmp_path / "a.pdf").load_page(0)))
    return lines[0] if len(lines) == 1 else build_line([own for line in lines for own in line.spans])


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (("planets younger than 10", "8", " years"), "planets younger than 10^8 years"),
        (("probabilities of 6 x 10", "-9", ", at most"), "probabilities of 6 x 10^-9, at most"),
        (("a group of 2", "10", " stars"), "a group of 2^10 stars"),
        (("as it stood in 2019", "3", " and later"), "as it stood in 2019 3 and later"),
        (("it began in 2013,", "7", " and ended"), "it began in 2013,^7 and ended"),
        (("released in 2022.", "3", " It was"), "released in 2022.^3 It was"),
        (("an age of 46", "+9", " Myr"), "an age of 46 +9 Myr"),
        (("the downstream task", "2", " is"), "the downstream task2 is"),
        (("at 100", "o", " north"), "at 100o north"),
    ],
)
def test_what_is_raised_behind_a_number_is_kept_apart(tmp_path: Path, pieces: tuple[str, ...], text: str) -> None:
    line = _printed(tmp_path, *pieces)
    assert line.text == text
    assert alphanumeric_key(line.text) == alphanumeric_key("".join(pieces))


def test_a_line_is_kept_apart_once() -> None:
    spans = [span("10", 72, 100), span("8", 82, 98, size=6), span(" years", 85, 100)]
    once = mark_superscripts(spans)
    assert mark_superscripts(once) == once
    assert "".join(own.text for own in once) == "10^8 years"


def test_lowered_digits_are_no_power() -> None:
    spans = [span("10", 72, 100), span("8", 82, 105, size=6)]
    assert "".join(own.text for own in mark_superscripts(spans)) == "108"


def test_a_note_in_a_cell_is_no_digit_of_its_number() -> None:
    number, note = span("0.45", 80, 105), span("1", 100, 104, size=6)
    top = build_line([span("F1", 80, 80)])
    box = LayoutBox(kind="table", rect=(70, 70, 200, 130), row_edges=(100,))
    grid = build_grid(box, [top, build_line([number, note])])
    assert grid is not None
    assert grid.cells[1][0] == "0.45 1"
