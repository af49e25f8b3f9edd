"""Names, addresses, key words, licences and reference lists make no passages; the text around them does."""

import pytest

from core.domain.model import Reading
from core.reading.blocks import Block
from tests.core.reading.by_hand import block, page, read

PROSE = (
    "Eels were counted at twelve weirs in the spring of every year, and the\n"
    "counts were compared with the height of the water and its warmth, which\n"
    "the wardens of the weirs had written down each morning in their books."
)
ADDRESSES = (
    "Department of Ditches, Northmere College, Weirham; Institute for Standing\nWater, Southmere University, Pondbury"
)
ENTRIES = (
    "Holt, S., & Falk, A. (1998). Eels in ditches. Bog Studies, 12, 45-52.",
    "Krog A, Leer M. Weirs and their wardens. Water Notes 2003;7:1-9.",
    "[3] R. Lund and W. Schor, “Nets drawn at dusk,” Fenland Letters, 2011.",
    "Ada Moor, B. K. Reed. Standing water. Marsh Press, 2015.",
    "[4] Wardens' handbook. https://weirs.example/handbook",
    "T. Ilves. Morning books of the weirs. In Proc. of Ditches, pages 3-8, 2017.",
)


def _texts(*blocks: Block) -> list[str]:
    return [own.text for own in read(page(1, *blocks)).passages]


@pytest.mark.parametrize(
    "aside",
    [
        block("text", ADDRESSES, y=700, size=7),
        block("footnote", ADDRESSES, y=700, size=7),
        block("text", "Correspondence to the first author at the weir, s.holt@weirs.example", y=700, size=7),
        block("footnote", "© 2019 the authors. All may be passed on under CC BY 4.0.", y=700, size=7),
        block("text", "Keywords: eels, weirs, morning books", y=400),
        block("text", "Palabras clave anguilas, presas", y=400),
    ],
)
def test_what_stands_beside_the_text_of_the_first_page_is_no_passage(aside: Block) -> None:
    text = [block("section-header", "Abstract", y=60, bold=True), block("text", PROSE, y=80)]
    assert _texts(*text, aside) == [PROSE.replace("\n", " ")]


def test_title_and_names_are_no_passages_and_an_abstract_without_heading_is() -> None:
    own = _texts(
        block("section-header", "Eels and the warmth of weirs", y=40, size=16, bold=True),
        block("text", "Signe Holt, Arne Falk", y=70),
        block("text", ADDRESSES, y=90),
        block("text", PROSE, y=130),
        block("section-header", "1 Introduction", y=200, bold=True),
        block("text", PROSE, y=220),
    )
    assert own == [PROSE.replace("\n", " ")] * 2


def test_a_licence_in_small_print_at_the_end_is_no_passage() -> None:
    licence = "This article is open to all under the terms of a Creative Commons licence, if its authors are named."
    front = [block("section-header", "1 Introduction", y=50, bold=True), block("text", PROSE, y=80)]
    for size, count in ((8, 0), (10, 1)):
        last = page(6, block("text", licence, y=60, size=size))
        pages = [page(1, *front), *(page(n, block("text", PROSE, y=60 + 9 * n)) for n in range(2, 6)), last]
        assert sum("Creative Commons" in own.text for own in read(*pages).passages) == count


def test_a_small_paragraph_of_plain_words_stays() -> None:
    quote = block("text", PROSE, y=300, size=8)
    assert len(_texts(block("section-header", "Abstract", y=60, bold=True), block("text", PROSE, y=80), quote)) == 2


def _paper_with_entries(count: int) -> Reading:
    prose = [block("text", PROSE, y=80 + 60 * n) for n in range(6)]
    entries = [block("text", text, y=450 + 20 * n) for n, text in enumerate(ENTRIES[:count])]
    return read(page(1, block("section-header", "1 Introduction", y=50, bold=True), *prose, *entries))


def test_a_reference_list_without_a_heading_is_told_by_its_entries() -> None:
    reading = _paper_with_entries(6)
    assert [own.raw for own in reading.references] == list(ENTRIES)
    assert not any("Weirs and their wardens" in own.text for own in reading.passages)


def test_few_entries_are_text() -> None:
    reading = _paper_with_entries(2)
    assert reading.references == ()
    assert any("Weirs and their wardens" in own.text for own in reading.passages)


def test_a_long_paper_with_one_section_doubts_its_reading() -> None:
    heading = block("section-header", "1 Introduction", y=50, bold=True)
    long = read(
        page(1, heading, block("text", PROSE, y=80)), *(page(n, block("text", PROSE, y=60)) for n in range(2, 12))
    )
    assert long.warnings == ("Only one section was found in 11 pages: this paper may not have been read well.",)
    assert read(page(1, heading, block("text", PROSE, y=80))).warnings == ()
