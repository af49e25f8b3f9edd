"""Tables in words: columns line up whatever the script, and a wide table becomes records that name every cell."""

from hypothesis import given
from hypothesis import strategies as st

from adapters.common.markdown import Grid, parse, table
from adapters.common.tables import align, as_records, fits, width_of, wrap


def grid(header: list[str], *rows: list[str]) -> Grid:
    (block,) = parse(table(header, rows))
    assert isinstance(block, Grid)
    return block


def test_columns_line_up_and_numbers_stand_at_the_right() -> None:
    assert align(grid(["Method", "F1"], ["CRF", "9.5"], ["BiLSTM", "91.25"])) == (
        "Method     F1\n──────  ─────\nCRF       9.5\nBiLSTM  91.25"
    )


def test_wide_signs_take_two_columns_and_combining_ones_none() -> None:
    assert width_of("方法") == 4 and width_of("e\u0301") == 1
    lines = align(grid(["Name", "N"], ["方法", "1"], ["abcdef", "2"])).split("\n")
    assert len({width_of(line) for line in lines}) == 1


def test_what_fits_is_measured_over_all_rows() -> None:
    narrow = grid(["a", "b"], ["1", "2"])
    assert fits(narrow, 4) and not fits(narrow, 3)
    assert not fits(grid(["a", "b"], ["x" * 80, "2"]), 60)


def test_a_record_is_named_by_its_first_column_or_the_first_two_where_that_is_a_number() -> None:
    wide = grid(["#", "Title", "Year", "Note"], ["1", "On *Footnotes*", "2021", ""], ["2", "Endnotes", "", "x | y"])
    assert as_records(wide) == ("**1 · On \\*Footnotes\\***\n- Year: 2021\n\n**2 · Endnotes**\n- Note: x \\| y")
    assert as_records(grid(["Method", "F1"], ["BiLSTM", "91"])) == "**BiLSTM**\n- F1: 91"


def test_short_cells_of_a_record_stand_on_one_line_and_long_ones_on_their_own() -> None:
    short = grid(["Method", "F1", "Data"], ["BiLSTM", "91", "CoNLL"])
    assert as_records(short) == "**BiLSTM**\n- F1: 91 · Data: CoNLL"
    assert (
        as_records(grid(["Method", "F1", "Data"], ["BiLSTM", "91", "x" * 90]))
        == f"**BiLSTM**\n- F1: 91\n- Data: {'x' * 90}"
    )


def test_no_cell_of_any_row_is_missing() -> None:
    made = grid(["A", "B", "C"], *[[f"a{n}", f"b{n}", f"c{n}"] for n in range(20)])
    for shown in (align(made), as_records(made)):
        assert all(f"{column}{n}" in shown for column in "abc" for n in range(20))


def test_long_cells_are_broken_between_words_and_rows_stand_apart() -> None:
    made = grid(["Paper", "N"], ["A slow comet over Lowmere", "11"], ["Sourdough", "60"])
    assert wrap(made, 18) == (
        "Paper            N\n──────────────  ──\nA slow comet    11\nover Lowmere\n\nSourdough       60"
    )


def test_a_cell_that_says_too_much_or_a_word_too_wide_is_not_wrapped() -> None:
    assert wrap(grid(["A", "B"], ["word " * 30, "x"]), 30) == ""
    assert wrap(grid(["A", "B"], ["x" * 40, "y"]), 30) == ""
    assert wrap(grid(["A", "B"], *[["some words here", "y"]] * 60), 12) == ""


WORD = st.text(alphabet="abc方é", min_size=1, max_size=6)
CELL = st.lists(WORD, max_size=6).map(" ".join)


@given(rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=6))
def test_what_is_wrapped_keeps_within_the_width_and_says_every_word(rows: list[tuple[str, str, str]]) -> None:
    shown = wrap(grid(["First", "Second", "Third"], *map(list, rows)), 44)
    assert all(width_of(line) <= 44 for line in shown.split("\n"))
    words = sorted(word for row in rows for cell in row for word in cell.split())
    if shown:
        assert sorted("\n".join(shown.split("\n")[2:]).split()) == words


def test_an_empty_table_is_its_header() -> None:
    assert align(grid(["A", "B"])) == "A  B\n─  ─"
    assert as_records(grid(["A", "B"])) == ""
