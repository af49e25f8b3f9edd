"""Title, authors, identifiers and references, told from pages made by hand in several templates."""

from collections.abc import Sequence

import pytest

from core.reading.blocks import Block, BlockKind, Line, PageContent, Rect, Span
from core.reading.paper.metadata import extract_metadata
from core.reading.paper.parts import Part, part_from_block
from core.reading.paper.references import extract_references, parse_reference

_BODY = "We follow the cover of lichens over ten years and find that shade speeds their recovery after fire. " * 6


def _span(text: str, x: float, y: float, size: float, *, bold: bool = False, high: bool = False) -> Span:
    width = 0.5 * size * len(text)
    font = "Serif-Bold" if bold else "Serif"
    rect = (x, y - (3 if high else 0), x + width, y + size)
    return Span(text=text, rect=rect, size=size, font=font, bold=bold, superscript=high)


def _line(text: str, y: float, *, x: float = 100, size: float = 10, bold: bool = False) -> Line:
    """A line; what stands between carets is set high."""
    spans, at = [], x
    for number, piece in enumerate(text.split("^")):
        if piece:
            spans.append(_span(piece, at, y, size * (0.7 if number % 2 else 1), bold=bold, high=number % 2 == 1))
            at = spans[-1].rect[2]
    rect: Rect = (x, y, at, y + size)
    return Line(text=text.replace("^", ""), rect=rect, spans=tuple(spans))


def _block(kind: BlockKind, *lines: Line) -> Block:
    rects = [line.rect for line in lines]
    rect = (
        min(r[0] for r in rects),
        min(r[1] for r in rects),
        max(r[2] for r in rects),
        max(r[3] for r in rects),
    )
    return Block(kind=kind, rect=rect, lines=lines)


def _body(y: float) -> Block:
    words = _BODY.split()
    lines = [" ".join(words[n : n + 12]) for n in range(0, len(words), 12)]
    return _block("text", *(_line(text, y + 12 * n, x=80) for n, text in enumerate(lines)))


def _page(*blocks: Block) -> PageContent:
    return PageContent(number=1, width=600, height=800, kind="text", blocks=blocks)


def _read(*blocks: Block, file: dict[str, str] | None = None) -> "tuple[str, tuple[str, ...]]":
    found = extract_metadata([_page(*blocks)], [], file or {})
    return found.title, found.authors


def test_a_large_title_with_marked_names_and_addresses_in_the_same_size() -> None:
    title, authors = _read(
        _block("title", _line("Lichen cover on north-facing slopes af-", 80, size=18), _line("ter fire", 100, size=18)),
        _block("text", _line("Mara Lindqvist^1,∗^, Tomas Oyelaran^2^ and Jan de Vries^1,2^", 130, size=11)),
        _block("text", _line("1Department of Botany, Varde University", 150, size=11)),
        _block("section-header", _line("Abstract", 200, bold=True)),
        _body(220),
    )
    assert title == "Lichen cover on north-facing slopes after fire"
    assert authors == ("Mara Lindqvist", "Tomas Oyelaran", "Jan de Vries")


def test_raised_numbers_that_ocr_reads_as_letters_of_the_name_fall_away() -> None:
    _, authors = _read(
        _block("title", _line("Lichen cover on north-facing slopes", 80, size=18)),
        _block("text", _line("Mara Lindqvist¹, Tomas Oyelaran² ³ and Jan de Vries⁵", 130, size=11)),
        _block("section-header", _line("Abstract", 200, bold=True)),
        _body(220),
    )
    assert authors == ("Mara Lindqvist", "Tomas Oyelaran", "Jan de Vries")


def test_names_side_by_side_are_read_row_by_row() -> None:
    def person(name: str, x: float, y: float) -> Block:
        return _block(
            "text",
            _line(name, y, x=x, size=12),
            _line("Institute of Cold Cells", y + 14, x=x),
            _line(f"{name.split()[0].lower()}@cells.example", y + 26, x=x),
        )

    title, authors = _read(
        _block("title", _line("Sodium cells keep their charge in the cold", 80, size=17, bold=True)),
        person("Ines Haddad", 100, 120),
        person("Peter Okafor", 320, 120),
        person("Caifan Du", 100, 180),
        person("Md Karim", 320, 180),
        _block("section-header", _line("ABSTRACT", 230, bold=True)),
        _body(250),
    )
    assert title == "Sodium cells keep their charge in the cold"
    assert authors == ("Ines Haddad", "Peter Okafor", "Caifan Du", "Md Karim")


def test_a_kicker_and_a_translated_title_are_not_the_title() -> None:
    title, authors = _read(
        _block("section-header", _line("RESEARCH ARTICLE", 60, size=8)),
        _block("text", _line("La cubierta de líquenes tras el fuego", 80, size=17)),
        _block("text", _line("The cover of lichens after the fire", 120, size=17)),
        _block("text", _line("María PACHÓN-DURÁN^1^ 0000-0002-1111-2222", 160)),
        _block("section-header", _line("Resumen", 200, bold=True)),
        _body(220),
    )
    assert title == "La cubierta de líquenes tras el fuego"
    assert authors == ("María Pachón-Durán",)


def test_a_title_no_larger_than_the_text_is_told_by_weight_and_place() -> None:
    title, _ = _read(
        _block("page-header", _line("DRAFT VERSION MAY 1, 2022", 40, size=7)),
        _block("section-header", _line("Three small planets around a young star", 100, bold=True)),
        _block("text", _line("L. G. Boumann and R. Kerr", 120, size=9)),
        _block("section-header", _line("1. Introduction", 160, bold=True)),
        _body(180),
    )
    assert title == "Three small planets around a young star"


def test_the_files_own_fields_count_only_where_the_page_bears_them_out() -> None:
    page = (_block("footnote", _line("Report on the wells of Varde, written by Ada Berg", 700)),)
    claimed = {"title": "Report on the wells of Varde", "author": "Ada Berg; Bo Chen"}
    assert _read(*page, file=claimed) == ("Report on the wells of Varde", ("Ada Berg",))
    assert _read(*page, file={"title": "Microsoft Word - draft7.doc", "author": "admin"}) == ("", ())


def test_identifiers_are_the_papers_own() -> None:
    found = extract_metadata(
        [
            _page(
                _block("page-header", _line("Journal of Lichen Studies 12 (2019) 33-48", 30, size=8)),
                _block("title", _line("Lichen cover on slopes after the fire", 80, size=18)),
                _body(220),
                _block("footnote", _line("Received 3 May 2018; published 7 January 2020", 700, size=8)),
                _block(
                    "footnote",
                    _line("https://doi.org/10.1371/journal.", 715, size=8),
                    _line("pone.0197919", 725, size=8),
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
    page = _page(_block("title", _line("Lichen cover on slopes after the fire", 80, size=18)), _body(220))
    part = part_from_block(page, page.blocks[1])
    under = Part(page=1, block=part.block, role="text", section=("Abstract",))
    assert extract_metadata([page], [under], {}).abstract == " ".join(_BODY.split())


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
    numbered = _block(
        "list-item",
        _line("1. Berg A. Lichens after fire. J Bot. 2019;", 100),
        _line("480. 12 pages.", 112),
        _line("2. Chen B. Mosses after fire. J Bot. 2020.", 124),
    )
    part = Part(page=9, block=numbered, role="reference")
    assert [found.label for found in extract_references([part], "p")] == ["1", "2"]
    hanging = _block(
        "text",
        _line("Berg, A. 2019. Lichens after fire and what", 100, x=100),
        _line("comes then. J. Bot.", 112, x=115),
        _line("Chen, B. 2020. Mosses after fire. J. Bot.", 124, x=100),
    )
    found = extract_references([Part(page=9, block=hanging, role="reference")], "p")
    assert [(one.authors, one.year) for one in found] == [(("Berg, A",), 2019), (("Chen, B",), 2020)]
