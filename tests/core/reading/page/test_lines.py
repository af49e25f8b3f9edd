"""Lines come out of the text layer once each, however the page prints them, and a page is gone through only once."""

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from core.reading.page.lines import extract_lines, line_text
from core.reading.page.rotation import cache_display_list
from tests.core.reading import making

Draw = Callable[[pymupdf.Page], None]


def read(folder: Path, draw: Draw) -> list[str]:
    document = pymupdf.open(making.write(folder / "a.pdf", draw))
    return [line_text(line).strip() for line in extract_lines(document[0])]


def a_little_apart(page: pymupdf.Page) -> None:
    """As word processors print what shall look bold in a typeface that has no bold letters."""
    for index, line in enumerate(making.PROSE):
        page.insert_text((72, 130 + 16 * index), line, fontsize=11)
        page.insert_text((72.3, 130 + 16 * index), line, fontsize=11)


def letter_by_letter(page: pymupdf.Page) -> None:
    for index, line in enumerate(making.PROSE):
        x = 72.0
        for letter in line:
            page.insert_text((x, 130 + 16 * index), letter, fontsize=11)
            page.insert_text((x + 0.3, 130 + 16 * index), letter, fontsize=11)
            x += pymupdf.get_text_length(letter, fontsize=11)


def filled_and_drawn(page: pymupdf.Page) -> None:
    for index, line in enumerate(making.PROSE):
        for mode in (0, 1):
            page.insert_text((72, 130 + 16 * index), line, fontsize=11, render_mode=mode)


@pytest.mark.parametrize("draw", [a_little_apart, letter_by_letter, filled_and_drawn])
def test_a_line_that_is_printed_twice_is_read_once(tmp_path: Path, draw: Draw) -> None:
    assert read(tmp_path, draw) == list(making.PROSE)


def test_like_runs_in_one_column_are_all_read(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        for row in range(20):
            for column in range(6):
                page.insert_text((72 + 60 * column, 100 + 12 * row), "0.5", fontsize=9)

    assert read(tmp_path, draw).count("0.5") == 120


def plain(page: pymupdf.Page) -> None:
    making.prose(page)
    page.draw_rect((300, 300, 400, 400), fill=(0.2, 0.4, 0.9))


def with_a_note(page: pymupdf.Page) -> None:
    plain(page)
    page.add_rect_annot((60, 120, 400, 200)).update(fill_color=(1, 1, 0.5))


@pytest.mark.parametrize("draw", [plain, with_a_note])
@pytest.mark.parametrize("how", [{}, {"annots": False}, {"dpi": 150, "clip": (60, 60, 400, 300)}, {"alpha": True}])
def test_a_page_interpreted_once_looks_as_ever(tmp_path: Path, draw: Draw, how: dict[str, object]) -> None:
    document = pymupdf.open(making.write(tmp_path / "a.pdf", draw))
    ordinary = document.load_page(0).get_pixmap(**how)
    once = cache_display_list(document.load_page(0))
    for _ in range(2):
        drawn = once.get_pixmap(**how)
        assert (drawn.width, drawn.height, drawn.n) == (ordinary.width, ordinary.height, ordinary.n)
        assert drawn.samples == ordinary.samples


def test_a_page_interpreted_once_says_what_it_ever_said(tmp_path: Path) -> None:
    document = pymupdf.open(making.write(tmp_path / "a.pdf", with_a_note))
    ordinary, once = document.load_page(0), cache_display_list(document.load_page(0))
    assert once.get_bboxlog() == ordinary.get_bboxlog()
    assert extract_lines(once) == extract_lines(ordinary)
    assert once.get_text() == ordinary.get_text()
