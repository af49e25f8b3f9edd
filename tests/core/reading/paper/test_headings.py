from dataclasses import replace

import pytest

from core.reading.blocks import Block
from core.reading.paper.heading_text import (
    is_common_heading,
    is_opening_heading,
    is_possible_heading,
    is_references_heading,
    parse_heading_number,
)
from tests.core.reading.by_hand import block, page, read, run_in

PROSE = (
    "Plain words of a paragraph that goes on for long enough to count\n"
    "as running text, so that its style is the style of the body, and\n"
    "then it goes on for another line or two before it comes to its end."
)


def _headings(*blocks: Block) -> list[tuple[int, str]]:
    return [(own.level, own.text) for own in read(page(1, *blocks)).headings]


def test_numbers_give_the_levels() -> None:
    assert _headings(
        block("section-header", "1 Introduction", y=80, bold=True),
        block("text", PROSE, y=100),
        block("section-header", "1.1 Aims", y=160, bold=True),
        block("text", PROSE, y=180),
        block("section-header", "1.1.1 Details", y=240, bold=True),
        block("text", PROSE, y=260),
        block("section-header", "2 Methods", y=320, bold=True),
        block("text", PROSE, y=340),
    ) == [(1, "1 Introduction"), (2, "1.1 Aims"), (3, "1.1.1 Details"), (1, "2 Methods")]


def test_title_and_authors_are_no_headings() -> None:
    assert _headings(
        block("section-header", "A study of things", y=60, size=18, bold=True),
        block("section-header", "Ada Lovelace and Charles Babbage", y=90, size=12, bold=True),
        block("section-header", "RESEARCH ARTICLE", y=120, bold=True),
        block("section-header", "Abstract", y=150, size=12, bold=True),
        block("text", PROSE, y=180),
    ) == [(1, "Abstract")]


def test_unnumbered_headings_are_levelled_by_the_way_they_are_set() -> None:
    assert _headings(
        block("section-header", "Introduction", y=80, size=14, bold=True),
        block("text", PROSE, y=100),
        block("section-header", "Plants and growth", y=160, size=11, bold=True),
        block("text", PROSE, y=180),
        block("section-header", "Leaves and colours", y=240, size=11, bold=True),
        block("text", PROSE, y=260),
        block("section-header", "Results", y=320, size=14, bold=True),
        block("text", PROSE, y=340),
    ) == [(1, "Introduction"), (2, "Plants and growth"), (2, "Leaves and colours"), (1, "Results")]


def test_an_unnumbered_heading_in_a_smaller_or_the_same_type_is_told_by_white() -> None:
    assert _headings(
        block("section-header", "Methods", y=80, size=12, bold=True),
        block("section-header", "Ponds and weirs", y=110),
        block("text", PROSE, y=135),
        block("section-header", "Counting of eels", y=200, size=9, italic=True),
        block("text", PROSE, y=212),
        block("section-header", "in the type of the text and close to it", y=250),
        block("text", PROSE, y=262),
    ) == [(1, "Methods"), (2, "Ponds and weirs"), (3, "Counting of eels")]


def test_a_new_style_is_one_level_below_the_heading_it_is_first_seen_under() -> None:
    assert [
        level
        for level, _ in _headings(
            block("section-header", "Methods", y=80, size=12, bold=True),
            block("section-header", "Weirs", y=110, size=11, bold=True),
            block("text", PROSE, y=135),
            block("section-header", "Measures", y=200, size=11, bold=True),
            block("section-header", "Length", y=220, size=11, italic=True),
            block("text", PROSE, y=240),
            block("section-header", "Weight", y=300, size=11, italic=True),
            block("text", PROSE, y=320),
            block("section-header", "Gauges", y=400, size=11, bold=True),
        )
    ] == [1, 2, 2, 3, 3, 2]


def test_two_numbered_headings_in_a_box_are_two() -> None:
    assert _headings(
        block("section-header", "1 Introduction\n1.1 Eels in ditches", y=80, bold=True),
        block("text", PROSE, y=120),
    ) == [(1, "1 Introduction"), (2, "1.1 Eels in ditches")]


def test_an_appendixs_number_is_joined_to_its_title() -> None:
    assert _headings(
        block("section-header", "1 Introduction", y=60, bold=True),
        block("text", PROSE, y=80),
        block("section-header", "Appendix A", y=140, bold=True),
        block("section-header", "Properties of moist clay", y=160, bold=True),
        block("text", PROSE, y=180),
    ) == [(1, "1 Introduction"), (1, "Appendix A Properties of moist clay")]


def test_the_label_of_a_listing_is_no_heading() -> None:
    listing = block("text", "pump(weir)\nweir.open()", y=160)
    spans = [replace(own, spans=(replace(own.spans[0], font="Courier"),)) for own in listing.lines]
    assert _headings(
        block("section-header", "1 Introduction", y=60, bold=True),
        block("text", PROSE, y=80),
        block("section-header", "Pump script", y=140, bold=True),
        replace(listing, lines=tuple(spans)),
    ) == [(1, "1 Introduction")]


def test_a_translated_title_under_a_second_abstracts_heading_is_none() -> None:
    assert _headings(
        block("section-header", "Abstract", y=60, bold=True),
        block("text", PROSE, y=80),
        block("section-header", "Resumen", y=140, bold=True),
        block("section-header", "Anguilas en zanjas", y=155, bold=True, italic=True),
        block("text", PROSE, y=175),
        block("section-header", "Introduction", y=230, size=12, bold=True),
        block("text", PROSE, y=250),
    ) == [(1, "Abstract"), (1, "Resumen"), (1, "Introduction")]


def test_a_heading_inside_a_paragraphs_box_is_found_by_its_style() -> None:
    first = block("text", PROSE, y=100)
    heading = block("text", "2 Methods", y=136, bold=True)
    merged = Block(kind="text", rect=(72, 100, 500, 150), lines=(*first.lines, *heading.lines))
    assert _headings(
        block("section-header", "1 Introduction", y=80, bold=True), merged, block("text", PROSE, y=160)
    ) == [(1, "1 Introduction"), (1, "2 Methods")]


def test_run_in_headings_open_their_paragraphs_and_stay_in_them() -> None:
    reading = read(
        page(
            1,
            block("section-header", "Results", y=80, size=12, bold=True),
            run_in("Growth of leaves.", PROSE, y=100),
            run_in("Colour of leaves.", PROSE, y=200),
        )
    )
    assert [(own.level, own.text) for own in reading.headings] == [
        (1, "Results"),
        (2, "Growth of leaves."),
        (2, "Colour of leaves."),
    ]
    assert [passage.section[-1] for passage in reading.passages] == ["Growth of leaves.", "Colour of leaves."]
    assert reading.passages[0].text.startswith("Growth of leaves. Plain words")


def test_deep_run_in_headings_name_the_section_but_are_not_listed() -> None:
    reading = read(
        page(
            1,
            block("section-header", "4 Models", y=80, bold=True),
            block("section-header", "4.1 Training", y=100, bold=True),
            run_in("4.1.1 Sampling.", PROSE, y=120, bold=False),
        )
    )
    assert [own.text for own in reading.headings] == ["4 Models", "4.1 Training"]
    assert reading.passages[0].section == ("4 Models", "4.1 Training", "4.1.1 Sampling.")


def test_a_theorem_is_no_heading() -> None:
    reading = read(
        page(
            1,
            block("section-header", "1 Introduction", y=80, bold=True),
            run_in("Theorem 1.", PROSE, y=100),
            run_in("Lemma 2.", PROSE, y=200),
        )
    )
    assert [own.text for own in reading.headings] == ["1 Introduction"]


def test_appendices_behind_the_references_are_kept_as_evidence() -> None:
    reading = read(
        page(
            1,
            block("section-header", "1 Introduction", y=60, bold=True),
            block("text", PROSE, y=80),
            block("section-header", "References", y=140, bold=True),
            block("list-item", "[1] Somebody. 2019. A paper about things. Journal.", y=160),
            block("list-item", "[2] Another. 2020. A paper about more things.", y=180),
            block("section-header", "A Proofs", y=220, bold=True),
            block("text", PROSE, y=240),
            block("section-header", "B Data", y=300, bold=True),
            block("text", PROSE, y=320),
        )
    )
    assert [own.text for own in reading.headings] == ["1 Introduction", "References", "A Proofs", "B Data"]
    assert [own.raw for own in reading.references] == [
        "[1] Somebody. 2019. A paper about things. Journal.",
        "[2] Another. 2020. A paper about more things.",
    ]
    assert {passage.section for passage in reading.passages} == {("1 Introduction",), ("A Proofs",), ("B Data",)}


@pytest.mark.parametrize(
    "text",
    [
        "III. METHODOLOGY",
        "5.1 C-130",
        "B.2. Q × R weirs",
        "3.1 Dataset",
        "A. Dataset Description",
        "4.3.1. Lithium",
        "3.2. KOI-7368",
        "结果",
        "Results",
    ],
)
def test_may_be_heading(text: str) -> None:
    assert is_possible_heading(text)


@pytest.mark.parametrize(
    "text",
    [
        "0.78. While its precision is good, the recall is not,",
        "389",
        "summary(fm_zinb)",
        "R> plot(table(dt$ofp))",
        "or",
        "https://example.org/data",
        "someone@example.org",
        "y = ax + b",
        "and the rest of a sentence",
        "Affiliation:",
    ],
)
def test_may_not_be_heading(text: str) -> None:
    assert not is_possible_heading(text)


def test_numbers_of_headings() -> None:
    cases = {"4.3.1 Undersampling": ("4", "3", "1"), "A.2. Tokens": ("A", "2"), "II. RELATED WORK": ("II",)}
    for text, parts in cases.items():
        number = parse_heading_number(text)
        assert number is not None
        assert number.parts == parts
    appendix = parse_heading_number("Appendix B. Detailed training")
    assert appendix is not None
    assert (appendix.parts, appendix.worded, appendix.rest) == (("B",), True, "Detailed training")
    assert parse_heading_number("Results and discussion") is None


def test_usual_names_in_several_languages() -> None:
    assert is_opening_heading("ABSTRACT")
    assert is_opening_heading("1. Introducción")
    assert is_references_heading("8. References")
    assert is_references_heading("Literaturverzeichnis")
    assert is_common_heading("Considerações finais")
    assert not is_common_heading("Shifting growth drivers")
