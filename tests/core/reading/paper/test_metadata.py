"""Title, authors, identifiers and references, told from pages made by hand in several templates."""

from collections.abc import Sequence

import pytest

from core.reading.blocks import Block
from core.reading.paper.metadata import extract_metadata
from core.reading.paper.parts import Part, part_from_block
from core.reading.paper.references import extract_references, parse_reference
from tests.core.reading.paper.fronts import BODY, block, body, line, page, read


def test_a_large_title_with_marked_names_and_addresses_in_the_same_size() -> None:
    title, authors = read(
        block("title", line("Lichen cover on north-facing slopes af-", 80, size=18), line("ter fire", 100, size=18)),
        block("text", line("Mara Lindqvist^1,∗^, Tomas Oyelaran^2^ and Jan de Vries^1,2^", 130, size=11)),
        block("text", line("1Department of Botany, Varde University", 150, size=11)),
        block("section-header", line("Abstract", 200, bold=True)),
        body(220),
    )
    assert title == "Lichen cover on north-facing slopes after fire"
    assert authors == ("Mara Lindqvist", "Tomas Oyelaran", "Jan de Vries")


def test_raised_numbers_that_ocr_reads_as_letters_of_the_name_fall_away() -> None:
    _, authors = read(
        block("title", line("Lichen cover on north-facing slopes", 80, size=18)),
        block("text", line("Mara Lindqvist¹, Tomas Oyelaran² ³ and Jan de Vries⁵", 130, size=11)),
        block("section-header", line("Abstract", 200, bold=True)),
        body(220),
    )
    assert authors == ("Mara Lindqvist", "Tomas Oyelaran", "Jan de Vries")


def test_names_side_by_side_are_read_row_by_row() -> None:
    def person(name: str, x: float, y: float) -> Block:
        return block(
            "text",
            line(name, y, x=x, size=12),
            line("Institute of Cold Cells", y + 14, x=x),
            line(f"{name.split()[0].lower()}@cells.example", y + 26, x=x),
        )

    title, authors = read(
        block("title", line("Sodium cells keep their charge in the cold", 80, size=17, bold=True)),
        person("Ines Haddad", 100, 120),
        person("Peter Okafor", 320, 120),
        person("Caifan Du", 100, 180),
        person("Md Karim", 320, 180),
        block("section-header", line("ABSTRACT", 230, bold=True)),
        body(250),
    )
    assert title == "Sodium cells keep their charge in the cold"
    assert authors == ("Ines Haddad", "Peter Okafor", "Caifan Du", "Md Karim")


def test_a_kicker_and_a_translated_title_are_not_the_title() -> None:
    title, authors = read(
        block("section-header", line("RESEARCH ARTICLE", 60, size=8)),
        block("text", line("La cubierta de líquenes tras el fuego", 80, size=17)),
        block("text", line("The cover of lichens after the fire", 120, size=17)),
        block("text", line("María PACHÓN-DURÁN^1^ 0000-0002-1111-2222", 160)),
        block("section-header", line("Resumen", 200, bold=True)),
        body(220),
    )
    assert title == "La cubierta de líquenes tras el fuego"
    assert authors == ("María Pachón-Durán",)


def test_a_title_no_larger_than_the_text_is_told_by_weight_and_place() -> None:
    title, _ = read(
        block("page-header", line("DRAFT VERSION MAY 1, 2022", 40, size=7)),
        block("section-header", line("Three small planets around a young star", 100, bold=True)),
        block("text", line("L. G. Boumann and R. Kerr", 120, size=9)),
        block("section-header", line("1. Introduction", 160, bold=True)),
        body(180),
    )
    assert title == "Three small planets around a young star"


def test_the_files_own_fields_count_only_where_the_page_bears_them_out() -> None:
    page = (block("footnote", line("Report on the wells of Varde, written by Ada Berg", 700)),)
    claimed = {"title": "Report on the wells of Varde", "author": "Ada Berg; Bo Chen"}
    assert read(*page, file=claimed) == ("Report on the wells of Varde", ("Ada Berg",))
    assert read(*page, file={"title": "Microsoft Word - draft7.doc", "author": "admin"}) == ("", ())


def test_identifiers_are_the_papers_own() -> None:
    found = extract_metadata(
        [
            page(
                block("page-header", line("Journal of Lichen Studies 12 (2019) 33-48", 30, size=8)),
                block("title", line("Lichen cover on slopes after the fire", 80, size=18)),
                body(220),
                block("footnote", line("Received 3 May 2018; published 7 January 2020", 700, size=8)),
                block(
                    "footnote",
                    line("https://doi.org/10.1371/journal.", 715, size=8),
                    line("pone.0197919", 725, size=8),
                ),
            )
        ],
        [],
        {},
    )
    assert found.doi == "10.1371/journal.pone.0197919"
    assert found.year == 2020
    assert found.venue == "Journal of Lichen Studies"


def test_the_abstract_is_what_stands_under_its_heading() -> None:
    front = page(block("title", line("Lichen cover on slopes after the fire", 80, size=18)), body(220))
    part = part_from_block(front, front.blocks[1])
    under = Part(page=1, block=part.block, role="text", section=("Abstract",))
    assert extract_metadata([front], [under], {}).abstract == " ".join(BODY.split())


@pytest.mark.parametrize(
    ("raw", "label", "authors", "title", "year"),
    [
        (
            "[12] A. Berg and B. Chen. Lichens after fire: a survey. J. Bot., 12:33–48, 2019.",
            "12",
            ("A. Berg", "B. Chen"),
            "Lichens after fire: a survey",
            2019,
        ),
        (
            "Berg, A., & Chen, B. (2019). Lichens after fire. Journal of Botany, 12, 33–48.",
            "",
            ("Berg, A", "Chen, B"),
            "Lichens after fire",
            2019,
        ),
        (
            "3. Fischer R, Byerlee D. Trends of wheat in warm areas. Nat Clim. 2015; 5: 143–147.",
            "3",
            ("Fischer R, Byerlee D",),
            "Trends of wheat in warm areas",
            2015,
        ),
        (
            "7. N. Blades. “Estimating the number of essential genes.” Tech. rep., 2002.",
            "7",
            ("N. Blades",),
            "Estimating the number of essential genes",
            2002,
        ),
    ],
)
def test_an_entry_is_parsed_enough_to_be_shown(
    raw: str, label: str, authors: Sequence[str], title: str, year: int
) -> None:
    found = parse_reference(raw, paper_id="p", ordinal=0)
    assert (found.label, found.authors, found.title, found.year) == (label, tuple(authors), title, year)
    assert found.raw == raw


def test_entries_are_told_apart_by_label_in_sequence_or_by_hanging_indent() -> None:
    numbered = block(
        "list-item",
        line("1. Berg A. Lichens after fire. J Bot. 2019;", 100),
        line("480. 12 pages.", 112),
        line("2. Chen B. Mosses after fire. J Bot. 2020.", 124),
    )
    part = Part(page=9, block=numbered, role="reference")
    assert [found.label for found in extract_references([part], "p")] == ["1", "2"]
    hanging = block(
        "text",
        line("Berg, A. 2019. Lichens after fire and what", 100, x=100),
        line("comes then. J. Bot.", 112, x=115),
        line("Chen, B. 2020. Mosses after fire. J. Bot.", 124, x=100),
    )
    found = extract_references([Part(page=9, block=hanging, role="reference")], "p")
    assert [(one.authors, one.year) for one in found] == [(("Berg, A",), 2019), (("Chen, B",), 2020)]
