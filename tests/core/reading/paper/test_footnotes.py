"""Notes at the foot of a page are passages of their own, and the text goes on past them."""

from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest

from core.domain.model import Reading
from core.reading.blocks import Block, BlockKind, PageContent, union
from core.reading.page.layout import segment_page
from core.reading.page.lines import extract_lines, to_lines
from core.reading.paper.footnotes import separate_footnotes
from tests.core.reading.by_hand import block, line, page, read

RIGHT = 320
LEFT_COLUMN = block(
    "text",
    "Roofs were visited twice a month by two people\nwho judged the cover from photographs of them.\n"
    "Plots were left alone in spring because the\nobservers could not tell how much of the",
    y=640,
)
RIGHT_COLUMN = block(
    "text",
    "moss had grown since winter. All of the roofs\nlie in one valley, so that the findings may\n"
    "not hold for places which are drier than this\none or which lie higher up.",
    x=RIGHT,
    y=60,
)
WHOLE = "because the observers could not tell how much of the moss had grown since winter."


def _texts(reading: Reading) -> list[str]:
    return [own.text for own in reading.passages]


def _kinds(read: PageContent) -> list[str]:
    (apart,) = separate_footnotes([read])
    return [own.kind for own in apart.blocks]


@pytest.mark.parametrize("kind", ["text", "list-item"])
def test_a_sentence_goes_on_in_the_next_column_past_a_note(kind: BlockKind) -> None:
    note = replace(block("text", "2. Roofs could also be swept.", y=700, size=8), kind=kind)
    reading = read(page(1, LEFT_COLUMN, note, RIGHT_COLUMN))
    text, own = _texts(reading)
    assert WHOLE in text
    assert own == "2. Roofs could also be swept."


def test_the_rest_of_an_earlier_note_is_a_note() -> None:
    first = page(
        1,
        block("text", "The roofs were counted twice.", y=640),
        block("text", "3. Slates that lie in the shade of a tree or of a", y=700, size=8),
    )
    rest = block("text", "taller house were left out.", y=700, size=8)
    reading = read(first, page(2, LEFT_COLUMN, rest, RIGHT_COLUMN))
    assert _texts(reading)[-2:] == ["3. Slates that lie in the shade of a tree or of a", "taller house were left out."]
    assert WHOLE in _texts(reading)[1]
    begun, ended = reading.passages[-2:]
    assert begun.next_id == ended.id


def test_text_never_goes_on_in_a_note() -> None:
    reading = read(page(1, LEFT_COLUMN, block("text", "* Deceased.", y=700, size=8)))
    assert [own.next_id for own in reading.passages] == [None, None]


def test_a_note_in_the_box_of_the_paragraph_above_is_cut_off() -> None:
    note = line("1 Measured in May.", y=700, size=8)
    lines = (*LEFT_COLUMN.lines, note)
    both = Block(kind="text", rect=union(own.rect for own in lines), lines=lines)
    assert _texts(read(page(1, both, RIGHT_COLUMN)))[1:] == ["1 Measured in May."]


@pytest.mark.parametrize(
    "small",
    [
        block("text", "2.3.1 Slope of the roofs", y=700, size=8),
        block("text", "Slope of the roofs", y=700, size=8, bold=True),
        block("text", "Figure 2: Slope of the roofs.", y=700, size=8),
    ],
)
def test_a_small_heading_or_caption_at_the_foot_is_no_note(small: Block) -> None:
    assert _kinds(page(1, LEFT_COLUMN, small, RIGHT_COLUMN)) == ["text"] * 3


def test_small_print_under_its_own_heading_is_no_note() -> None:
    small = block("text", "1. Roofs were chosen by lot.", y=740, size=8)
    heading = block("section-header", "Methods", y=715, bold=True)
    assert _kinds(page(1, LEFT_COLUMN, heading, small, RIGHT_COLUMN)) == ["text", "section-header", "text", "text"]


def test_small_print_with_text_below_it_is_no_note() -> None:
    quoted = block("text", "A roof without moss is a roof without a history.", y=600, size=8)
    assert _kinds(page(1, block("text", "As he says:", y=580), quoted, LEFT_COLUMN, RIGHT_COLUMN)) == ["text"] * 4


def test_a_column_that_is_small_throughout_is_left_alone() -> None:
    entries = block("text", "12. Moss A. Roofs. 2001.\n13. Stone B. Walls. 2002.", x=RIGHT, y=60, size=8)
    assert _kinds(page(1, LEFT_COLUMN, entries)) == ["text", "text"]


def test_what_ocr_read_is_left_alone() -> None:
    read_by_ocr = replace(page(1, LEFT_COLUMN, block("text", "2. A note.", y=700, size=8)), from_ocr=True)
    assert _kinds(read_by_ocr) == ["text", "text"]


def test_a_printed_page_with_a_note_in_its_left_column(tmp_path: Path) -> None:
    document = pymupdf.open()
    sheet = document.new_page(width=612, height=792)
    prose = "Moss grows on shaded roofs and holds the rain for days. Its cover was judged from photographs by two. "
    sheet.insert_textbox((60, 60, 295, 655), prose * 14, fontsize=10, fontname="tiro", align=3)
    sheet.insert_textbox((60, 655, 295, 685), "Slates were not weighed because the", fontsize=10, fontname="tiro")
    sheet.draw_line((60, 688), (140, 688))
    note = "which was the case for the header roof, then the next roof is marked as well."
    sheet.insert_textbox((75, 692, 295, 730), note, fontsize=8, fontname="tiro")
    sheet.insert_textbox((315, 60, 550, 730), "scale broke in winter. " + prose * 14, fontsize=10, fontname="tiro")
    document.save(tmp_path / "paper.pdf")
    printed = pymupdf.open(tmp_path / "paper.pdf").load_page(0)
    blocks = segment_page(printed, to_lines(extract_lines(printed)))
    texts = _texts(read(PageContent(number=1, width=612, height=792, kind="text", blocks=blocks)))
    assert sum("Slates were not weighed because the scale broke in winter." in text for text in texts) == 1
    assert texts[-1] == note
