"""Names of authors in every shape, and lines that hold names and none of the paper's authors."""

import pytest

from core.reading.blocks import Block, Line, Span
from core.reading.paper.author_names import extract_authors
from tests.core.reading.paper.fronts import block, body, line, read


@pytest.mark.parametrize(
    ("printed", "names"),
    [
        ("May Holm, August Stein", ("May Holm", "August Stein")),
        ("Eva Marchant and Julia Weekes", ("Eva Marchant", "Julia Weekes")),
        ("Otto Academia, Eva Holm", ("Otto Academia", "Eva Holm")),
        ("Ben Street, Una Lane, Jo Box", ("Ben Street", "Una Lane", "Jo Box")),
        ("Max Schoolcraft, Lea Hospes", ("Max Schoolcraft", "Lea Hospes")),
        ("Eva Holm (Varde), Per Dahl (Ribe)", ("Eva Holm", "Per Dahl")),
        ("Eva Holm, Per Dahl for the Tern Watch Group (TWG)", ("Eva Holm", "Per Dahl", "Tern Watch Group")),
        ("Eva Holm, and the Fjord Study Team", ("Eva Holm", "Fjord Study Team")),
        ("The NORTERN Consortium, Eva Holm", ("The NORTERN Consortium", "Eva Holm")),
        ("EVA HOLM, LI DAHL", ("Eva Holm", "Li Dahl")),
        ("COLM McGRATH, PIET VAN DEN BROEK", ("Colm McGrath", "Piet van den Broek")),
        ("Eva HOLM, CHEN Bo", ("Eva Holm", "Chen Bo")),
        ("Per Dahl, Jr., Max Kuhn IV", ("Per Dahl Jr.", "Max Kuhn IV")),
        ("Anne-Marie d’Orsay, Íñigo O’Farrell", ("Anne-Marie d’Orsay", "Íñigo O’Farrell")),
        ("Ana Silva e Rui Costa", ("Ana Silva", "Rui Costa")),
        ("Tessa E Moor, Ulf Y Grahn", ("Tessa E Moor", "Ulf Y Grahn")),
        ("鈴木春香\u3000田中一郎太", ("鈴木春香", "田中一郎太")),
        ("Author(s): Eva Holm and Per Dahl", ("Eva Holm", "Per Dahl")),
    ],
)
def test_names_are_read_as_they_are_printed(printed: str, names: tuple[str, ...]) -> None:
    assert extract_authors([block("text", line(printed, 100))]) == names


@pytest.mark.parametrize(
    "printed",
    [
        "Department of Geology, Varde University",
        "Holm Institute, 4 Mill Street, Varde, Denmark",
        "Centre for Birds, Eva Holm, Denmark",
        "12 May 2011, Eva Holm",
        "Received April 2, accepted May 9",
        "Tese de Mestrado e Exame Final",
        "Edited by: Eva Holm and Per Dahl",
        "Supervisors: Eva Holm, Per Dahl",
    ],
)
def test_lines_that_tell_something_else_hold_no_authors(printed: str) -> None:
    assert extract_authors([block("text", line(printed, 100))]) == ()


def test_a_word_that_is_a_place_and_a_name_is_a_place_beneath_other_names() -> None:
    names = block("text", line("Eva Holm and Per Dahl", 100))
    address = block("text", line("Otto Foundation, New Varde", 120))
    assert extract_authors([names, address]) == ("Eva Holm", "Per Dahl")


def test_the_author_of_a_thesis_is_who_presents_it_and_not_its_jury() -> None:
    title, authors = read(
        block("text", line("submitted for the degree of doctor by", 60, size=11)),
        block("text", line("Eva HOLM", 80, size=12)),
        block("title", line("Terns and the tides of the outer bank", 120, size=18, bold=True)),
        block("section-header", line("EXAMINATION COMMITTEE", 180, size=11, bold=True)),
        block("text", line("Per Dahl, Max Kuhn, Lea Stein", 210, size=12)),
    )
    assert (title, authors) == ("Terns and the tides of the outer bank", ("Eva Holm",))


def test_a_badge_in_small_capitals_is_no_part_of_a_name_and_small_capitals_are() -> None:
    def run(text: str, x: float, size: float) -> Span:
        return Span(text=text, rect=(x, 100, x + 5 * len(text), 110), size=size, font="Serif")

    badge = (run("Eva Holm", 100, 9), run("ID", 140, 7.5), run(", Per D", 150, 9), run("AHL", 185, 7.2))
    text = "".join(span.text for span in badge)
    printed = Line(text=text, rect=(100, 100, 200, 110), spans=badge)
    assert extract_authors([Block(kind="text", rect=printed.rect, lines=(printed,))]) == ("Eva Holm", "Per Dahl")


def test_a_line_that_ends_early_ends_a_name() -> None:
    wide = line("Eva Holm, Per Dahl, Max Kuhn, Lea Stein, Una Lind,", 100)
    short = line("Ole Brandt, Ida Voss", 112)
    last = line("Noor Visser", 124)
    assert extract_authors([block("text", wide, short, last)])[-3:] == ("Ole Brandt", "Ida Voss", "Noor Visser")


def test_lines_behind_a_label_of_the_imprint_hold_no_names() -> None:
    printed = block(
        "text", line("Authors: Eva Holm and Per Dahl", 100), line("Published by: Tern Press and Max Kuhn", 112)
    )
    _, authors = read(block("title", line("Terns of the outer bank in winter", 60, size=18)), printed, body(250))
    assert authors == ("Eva Holm", "Per Dahl")


def test_a_paragraph_that_ends_a_line_with_by_introduces_nobody() -> None:
    text = block(
        "text",
        line("The terns were counted in the nests that were found and later written by", 300),
        *(
            line(words, 312 + 12 * n)
            for n, words in enumerate(("Otto Lang, Max Kuhn and others in the field.", *["in a wood " * 4] * 6))
        ),
    )
    note = block("footnote", line("Corresponding author:", 700), line("Ida Voss", 712))
    _, authors = read(
        block("title", line("Terns of the outer bank in winter", 60, size=18)),
        block("text", line("Eva Holm and Per Dahl", 100, size=11)),
        block("section-header", line("Abstract", 200, bold=True)),
        text,
        note,
    )
    assert authors == ("Eva Holm", "Per Dahl")
