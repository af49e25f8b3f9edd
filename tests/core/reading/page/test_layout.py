from pathlib import Path

import pymupdf
import pytest

from core.reading.blocks import Line, PageContent
from core.reading.page.layout import segment_page
from core.reading.page.lines import extract_lines, to_lines
from tests.core.reading.by_hand import PAPER, read

SENTENCES = (
    "The seasonal growth of moss was measured on sixty roofs over three winters. Each roof was visited twice a "
    "month and the cover was estimated from photographs that two people judged independently. Where they did "
    "not agree, a third person decided. The results were compared with the weather of the nearest station. "
)


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One page set in two columns, with a title, two headings, a table and a picture with its caption."""
    path = tmp_path_factory.mktemp("layout") / "paper.pdf"
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 50, 535, 90), "Moss on Roofs: A Study of Three Winters", fontsize=18, fontname="hebo")
    page.insert_text((60, 120), "1 Introduction", fontsize=12, fontname="hebo")
    page.insert_textbox((60, 130, 285, 420), SENTENCES * 2, fontsize=10, fontname="tiro", align=3)
    page.insert_text((60, 440), "2 Methods", fontsize=12, fontname="hebo")
    page.insert_textbox((60, 450, 285, 780), SENTENCES * 2, fontsize=10, fontname="tiro", align=3)
    page.insert_textbox((310, 112, 535, 300), SENTENCES, fontsize=10, fontname="tiro", align=3)
    for n, (name, value) in enumerate([("Roof", "Cover"), ("north", "38.1"), ("south", "12.4"), ("east", "20.0")]):
        page.insert_text((330, 340 + 16 * n), name, fontsize=10)
        page.insert_text((450, 340 + 16 * n), value, fontsize=10)
        page.draw_line((320, 345 + 16 * n), (520, 345 + 16 * n))
    page.draw_line((320, 328), (520, 328))
    page.insert_text((320, 415), "Table 1: Mean cover by side of the roof.", fontsize=9)
    page.draw_rect((320, 470, 520, 640), fill=(0.2, 0.4, 0.8))
    page.draw_circle((420, 555), 50, fill=(0.9, 0.3, 0.1))
    page.insert_text((320, 660), "Figure 1: A roof seen from above.", fontsize=9)
    document.save(path)
    return path


def _read_page(path: Path) -> tuple[PageContent, tuple[Line, ...]]:
    page = pymupdf.open(path).load_page(0)
    lines = to_lines(extract_lines(page))
    blocks = segment_page(page, lines)
    return PageContent(number=1, width=page.rect.width, height=page.rect.height, kind="text", blocks=blocks), lines


def test_a_page_in_two_columns_is_understood(paper: Path) -> None:
    page, _ = _read_page(paper)
    reading = read(page)
    assert reading.metadata.title == "Moss on Roofs: A Study of Three Winters"
    assert [heading.text for heading in reading.headings] == ["1 Introduction", "2 Methods"]
    table = next(passage for passage in reading.passages if passage.kind == "table")
    assert "north 38.1" in table.text
    assert table.label == "Table 1"
    assert "Roof = south; Cover = 12.4" in table.indexed_text
    (figure,) = reading.figures
    assert figure.label == "Figure 1"
    assert figure.image.startswith(b"\x89PNG")
    assert all(passage.paper_id == PAPER for passage in reading.passages)


def test_every_line_is_in_one_block(paper: Path) -> None:
    page, lines = _read_page(paper)
    inside = sorted("".join(line.text for block in page.blocks for line in block.lines).replace(" ", ""))
    assert inside == sorted("".join(line.text for line in lines).replace(" ", ""))


def test_lines_that_ocr_read_are_shown_to_the_model(paper: Path) -> None:
    picture = pymupdf.open(paper).load_page(0).get_pixmap(dpi=150)
    scan = pymupdf.open().new_page(width=595, height=842)
    scan.insert_image(scan.rect, pixmap=picture)
    _, lines = _read_page(paper)
    spans = [
        [type(span)(text=span.text, rect=span.rect, size=span.size, font="") for span in own.spans] for own in lines
    ]
    read_by_ocr = [Line(text=own.text, rect=own.rect, spans=tuple(s)) for own, s in zip(lines, spans, strict=True)]
    kinds = [block.kind for block in segment_page(scan, read_by_ocr)]
    assert "table" in kinds
    assert kinds.count("text") >= 3
