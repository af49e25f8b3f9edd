"""Whatever turn a page has, its lines come out level, in order and where the page image shows them."""

from pathlib import Path

import pymupdf
import pytest

from core.config import ReadingConfig
from core.reading.page.inspection import extract_page_text
from core.reading.page.rotation import load_upright_page
from tests.core.reading import making


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_page_turned_by_its_rotate_entry_reads_the_same(tmp_path: Path, turn: int) -> None:
    def draw(page: pymupdf.Page) -> None:
        making.prose(page)
        page.set_rotation(turn)

    document = pymupdf.open(making.write(tmp_path / "a.pdf", draw))
    seen = extract_page_text(load_upright_page(document, 1), 1, ReadingConfig(ocr=False), ligatures=False)
    assert tuple(line.text for line in seen.lines[1:]) == making.PROSE
    tops = [line.rect[1] for line in seen.lines]
    assert tops == sorted(tops)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_text_drawn_sideways_is_turned_level(tmp_path: Path, turn: int) -> None:
    """As in a landscape table that was set on a portrait page."""

    def draw(page: pymupdf.Page) -> None:
        starts = {90: (200, 700), 180: (500, 400), 270: (200, 100)}
        for index, line in enumerate(making.PROSE):
            x, y = starts[turn]
            shift = 16 * index
            at = {90: (x + shift, y), 180: (x, y - shift), 270: (x - shift, y)}[turn]
            page.insert_text(at, line, fontsize=11, rotate=turn)

    document = pymupdf.open(making.write(tmp_path / "a.pdf", draw))
    turned = load_upright_page(document, 1)
    seen = extract_page_text(turned, 1, ReadingConfig(ocr=False), ligatures=False)
    assert tuple(line.text for line in seen.lines) == making.PROSE
    assert not any(line.vertical for line in seen.lines)
    assert (turned.page.rect.width > turned.page.rect.height) == (turn != 180)


def test_a_single_sideways_line_stays_sideways(tmp_path: Path) -> None:
    """As the arXiv stamp in the margin of a page."""

    def draw(page: pymupdf.Page) -> None:
        making.prose(page)
        page.insert_text((30, 500), "arXiv:2101.00001v1", fontsize=18, rotate=90)

    document = pymupdf.open(making.write(tmp_path / "a.pdf", draw))
    seen = extract_page_text(load_upright_page(document, 1), 1, ReadingConfig(ocr=False), ligatures=False)
    assert [line.vertical for line in seen.lines if line.text.startswith("arXiv")] == [True]
    assert making.PROSE[0] in [line.text for line in seen.lines]
