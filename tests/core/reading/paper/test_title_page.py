"""Titles at any spacing, under section names, beside large initials, behind cover sheets."""

from core.reading.blocks import Block, Line, Span
from core.reading.paper.metadata import extract_metadata
from tests.core.reading.paper.fronts import block, body, line, page, read

ABSTRACT = block("section-header", line("Abstract", 230, bold=True))


def test_a_title_goes_on_over_a_gap_as_high_as_its_type() -> None:
    title, authors = read(
        block("title", line("Sleep of harbour porpoises in the months", 60, size=16, bold=True)),
        block("section-header", line("before and after their young are born:", 94, size=16, bold=True)),
        block("section-header", line("a study with tags", 128, size=16, bold=True)),
        block("text", line("Ilse Brandt and Noor Visser", 160, size=11)),
        ABSTRACT,
        body(250),
    )
    assert title == (
        "Sleep of harbour porpoises in the months before and after their young are born: a study with tags"
    )
    assert authors == ("Ilse Brandt", "Noor Visser")


def test_names_in_the_type_of_the_title_do_not_go_on_from_it() -> None:
    title, authors = read(
        block("title", line("Sleep of harbour porpoises in spring", 60, size=14, bold=True)),
        block("section-header", line("Ilse Brandt and Noor Visser", 90, size=14, bold=True)),
        ABSTRACT,
        body(250),
    )
    assert (title, authors) == ("Sleep of harbour porpoises in spring", ("Ilse Brandt", "Noor Visser"))


def test_the_name_of_a_section_far_larger_than_the_title_is_not_the_title() -> None:
    title, authors = read(
        block("section-header", line("ZOOLOGY", 50, size=34, bold=True)),
        block("text", line("Sleep of two porpoises in a quiet northern harbour", 110, size=12, bold=True)),
        block("text", line("Ilse Brandt and Noor Visser", 135, size=11)),
        ABSTRACT,
        body(250),
    )
    assert title == "Sleep of two porpoises in a quiet northern harbour"
    assert authors == ("Ilse Brandt", "Noor Visser")


def test_a_short_title_stays_where_only_names_and_places_stand_beneath_it() -> None:
    title, _ = read(
        block("title", line("Porpoise Sleep", 60, size=18, bold=True)),
        block("section-header", line("Ilse Brandt, Noor Visser and Ole Lund", 100, size=12, bold=True)),
        block("text", line("Department of Marine Biology, University of Varde", 120)),
        ABSTRACT,
        body(250),
    )
    assert title == "Porpoise Sleep"


def test_a_large_initial_makes_no_title_of_its_paragraph() -> None:
    first = line("ORPOISES sleep with one half of the brain at a time, and few have seen it.", 282, x=130)
    initial = Span(text="P", rect=(100, 282, 128, 310), size=30, font="Serif")
    opening = Line(text="P" + first.text, rect=(100, 282, 500, 310), spans=(initial, *first.spans))
    title, _ = read(
        block("section-header", line("Sleep of porpoises in a harbour", 60, size=16, bold=True)),
        block("text", line("Ilse Brandt and Noor Visser", 90, size=11)),
        ABSTRACT,
        Block(kind="text", rect=(100, 282, 500, 330), lines=(opening, line("They sleep at noon.", 312))),
        body(350),
    )
    assert title == "Sleep of porpoises in a harbour"


def test_a_scanned_front_that_is_one_picture_is_read_line_by_line() -> None:
    def scanned(text: str, y: float, size: float) -> Line:
        words, spans, x = text.split(), [], 150.0
        for word in words:
            rect = (x, y, x + 0.5 * size * len(word), y + size)
            spans.append(Span(text=word + " ", rect=rect, size=size, font=""))
            x = rect[2] + 0.8 * size
        return Line(text=text, rect=(150, y, 450, y + size), spans=tuple(spans))

    lines = (
        scanned("ROYAL BOARD OF HARBOURS", 40, 19),
        scanned("NOTE 77", 90, 12),
        scanned("SLEEP OF PORPOISES IN A HARBOUR AND", 140, 14),
        scanned("IN A BASIN OF STONE", 168, 13),
        scanned("SPRING TIDES", 200, 13),
        scanned("By Ilse Brandt and Noor Visser", 230, 12),
        scanned("Outer Bank, Varde", 250, 12),
        scanned("April 1949", 500, 12),
    )
    picture = Block(kind="picture", rect=(150, 40, 450, 512), lines=lines)
    found = extract_metadata([page(picture)], [], {})
    assert found.title == "SLEEP OF PORPOISES IN A HARBOUR AND IN A BASIN OF STONE SPRING TIDES"
    assert (found.authors, found.year) == (("Ilse Brandt", "Noor Visser"), 1949)


def test_a_cover_sheet_gives_way_to_the_front_behind_it() -> None:
    cover = page(
        block("section-header", line("Welcome to the shared store of the university", 40, size=20, bold=True)),
        block("text", line("Sleep of porpoises in a harbour.", 80, size=12)),
        block("text", line("Brandt, I. (2011) Sea Reports, 7 (2). doi: 10.1000/sea.2011.7", 110)),
        block("section-header", line("Readers also chose", 200, size=11, bold=True)),
        block("list-item", line("Eva Kuhn, Per Dahl and Mia Holm", 220, size=9)),
    )
    front = page(
        block("section-header", line("SLEEP OF PORPOISES IN A HARBOUR", 60, size=16, bold=True)),
        block("text", line("Ilse Brandt and Noor Visser", 90, size=11)),
        ABSTRACT,
        body(250),
        number=2,
    )
    found = extract_metadata([cover, front], [], {})
    assert found.authors == ("Ilse Brandt", "Noor Visser")
    assert (found.title, found.year, found.doi) == ("SLEEP OF PORPOISES IN A HARBOUR", 2011, "10.1000/sea.2011.7")


def test_a_second_page_that_repeats_the_title_without_names_makes_no_cover_of_the_first() -> None:
    front = page(
        block("title", line("Sleep of porpoises in a harbour", 60, size=16, bold=True)),
        block("text", line("Ilse Brandt and Noor Visser", 90, size=11)),
    )
    inner = page(
        block("section-header", line("SLEEP OF PORPOISES IN A HARBOUR", 60, size=12, bold=True)), body(120), number=2
    )
    found = extract_metadata([front, inner], [], {})
    assert (found.title, found.authors) == ("Sleep of porpoises in a harbour", ("Ilse Brandt", "Noor Visser"))


def test_a_heading_of_the_second_page_that_the_first_speaks_of_makes_no_cover_of_it() -> None:
    front = page(
        block("title", line("Sleep of porpoises in a harbour", 60, size=16, bold=True)),
        block("text", line("Ilse Brandt and Noor Visser", 90, size=11)),
        ABSTRACT,
        block("text", line("We used passive acoustic monitoring of clicks.", 250)),
    )
    second = page(
        block("section-header", line("Passive acoustic monitoring", 60, size=14, bold=True)),
        block("text", line("Outer Bank, North Harbour", 90)),
        body(300),
        number=2,
    )
    found = extract_metadata([front, second], [], {})
    assert (found.title, found.authors) == ("Sleep of porpoises in a harbour", ("Ilse Brandt", "Noor Visser"))
