"""Scans made on the spot: what is printed is read, in order and the right way up, whatever the file says of it."""

from functools import cache
from pathlib import Path

import pymupdf
import pytest

from core.config import ReadingConfig
from core.domain.model import Reading
from core.reading import worker
from core.reading.page.ocr import detect_orientation
from core.reading.page.text_layer_quality import fold_text
from core.reading.paper.structure import analyse_paper
from tests.core.reading import making

pytestmark = pytest.mark.slow
CONFIG = ReadingConfig()
LEFT = (
    "Moss was counted on every roof of the",
    "valley in the first week of February,",
    "and each roof was seen by two persons",
    "who did not know of one another. The",
    "counts were then compared by hand.",
)
RIGHT = (
    "Where the two counts differed by more",
    "than a tenth, a third person went up",
    "and the mean of all three was taken.",
    "Seven roofs were too steep to climb",
    "and are missing from the tables.",
)


def two_columns(page: pymupdf.Page) -> None:
    page.insert_text((72, 90), "2 Counting moss", fontsize=15)
    for x, lines in ((72, LEFT), (320, RIGHT)):
        for index, line in enumerate(lines):
            page.insert_text((x, 130 + 14 * index), line, fontsize=10.5)


def scan(path: Path, turn: int = 0, rotate: int = 0) -> Path:
    """A page of two columns as a picture, turned by ``turn`` on the page, and by ``rotate`` in how it is shown."""
    source = pymupdf.open()
    original = source.new_page()
    two_columns(original)
    picture = original.get_pixmap(dpi=150)
    document = pymupdf.open()
    width, height = (842, 595) if turn % 180 else (595, 842)
    page = document.new_page(width=width, height=height)
    page.insert_image(page.rect, pixmap=picture, rotate=turn)
    page.set_rotation(rotate)
    document.save(path)
    return path


@cache
def read_scan(folder: Path, turn: int, rotate: int) -> Reading:
    """A scan as it is read; once for all tests that ask for the same."""
    pdf = scan(folder / f"{turn}-{rotate}.pdf", turn, rotate)
    page = worker.read_page(pdf, 1, CONFIG, False)
    return analyse_paper([page], paper_id="ab" * 32, file_metadata={})


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scans")


@pytest.mark.parametrize(("turn", "rotate"), [(0, 0), (90, 0), (180, 0), (0, 270)])
def test_a_scan_is_read_in_order_and_upright_however_it_lies(scans: Path, turn: int, rotate: int) -> None:
    reading = read_scan(scans, turn, rotate)
    text = " ".join(passage.text for passage in reading.passages)
    assert fold_text(" ".join((*LEFT, *RIGHT))) in fold_text(text)
    assert all(passage.from_ocr and not passage.layer for passage in reading.passages)
    assert reading.kind == "scanned"
    assert [heading.text for heading in reading.headings] == ["2 Counting moss"]
    first = reading.passages[0].boxes[0]
    assert first.x0 < 120
    assert first.y1 < 160


def test_a_turned_scan_is_drawn_as_it_was_read(tmp_path: Path) -> None:
    drawn = pymupdf.Pixmap(worker.render_page(scan(tmp_path / "scan.pdf", 180), 1, (), 72))
    assert (drawn.width, drawn.height) == (595, 842)
    dark = [any(min(drawn.pixel(x, y)) < 128 for x in range(72, 300)) for y in (*range(80, 92), *range(750, 762))]
    assert any(dark[:12])
    assert not any(dark[12:])


def test_words_are_parted_as_they_are_printed(scans: Path) -> None:
    reading = read_scan(scans, 0, 0)
    words = set(" ".join(passage.text for passage in reading.passages).split())
    missing = [word for line in (*LEFT, *RIGHT) for word in line.split() if word not in words]
    assert len(missing) <= 2, missing


def test_a_picture_without_words_has_no_way_up() -> None:
    page = pymupdf.open().new_page()
    making.picture_of(page, lambda own: own.draw_circle((300, 400), 120, fill=(0.4, 0.4, 0.4)))
    assert detect_orientation(page) is None
