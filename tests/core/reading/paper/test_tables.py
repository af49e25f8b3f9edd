from dataclasses import replace

from core.domain.model import Table
from core.reading.blocks import Block, Grid, Line
from core.reading.page.boxes import LayoutBox, build_grid
from core.reading.paper.tables import build_table, count_header_rows, extract_rows, linearise_table
from tests.core.reading.by_hand import block, line, page, read, table


def test_rows_read_as_on_the_page_and_in_words() -> None:
    reading = read(
        page(
            1,
            block("caption", "Table 2: Scores.", y=80),
            table([["Method", "F1"], ["A", "91.2"], ["X", "98.7"]], y=100),
        )
    )
    (passage,) = [own for own in reading.passages if own.kind == "table"]
    assert passage.text == "Method F1\nA 91.2\nX 98.7"
    assert passage.table == Table(header=("Method", "F1"), rows=(("A", "91.2"), ("X", "98.7")))
    assert "Row 2: Method = X; F1 = 98.7" in passage.indexed_text
    assert "Table 2: Scores." in passage.indexed_text
    assert passage.label == "Table 2"
    assert len(passage.boxes) == 3


def test_two_header_rows_where_names_span_columns() -> None:
    rows = extract_rows(table([["", "MedNLI", ""], ["Model", "Acc.", "F1"], ["A", "0.8", "0.7"]]))
    assert count_header_rows(rows) == 2
    made = build_table(rows[:2], rows[2:])
    assert made is not None
    assert made.header == ("Model", "MedNLI Acc.", "F1")


def test_a_full_row_of_words_is_the_only_header() -> None:
    assert count_header_rows(extract_rows(table([["Samples", "Zone"], ["Extract", "—"], ["Silver", "10"]]))) == 1


def test_a_groups_name_is_said_with_each_of_its_rows() -> None:
    made = Table(header=("Size", "Model"), rows=(("3B", "A"), ("", "B"), ("11B", "C")))
    assert linearise_table(made).split("\n") == [
        "Row 1: Size = 3B; Model = A",
        "Row 2: Size = 3B; Model = B",
        "Row 3: Size = 11B; Model = C",
    ]


def test_a_row_carries_the_group_that_stands_above_it() -> None:
    rows = (("Upper weir", "", ""), ("Eels", "14", "9"), ("Lower weir", "", ""), ("Eels", "8", "5"))
    made = Table(header=("Fish", "Spring", "Autumn"), rows=rows)
    assert linearise_table(made).split("\n") == [
        "Row 2: Upper weir · Fish = Eels; Spring = 14; Autumn = 9",
        "Row 4: Lower weir · Fish = Eels; Spring = 8; Autumn = 5",
    ]


def test_a_group_reaches_over_the_passages_of_a_long_table() -> None:
    rows = [["Fish", "Spring"], ["Upper weir", ""], *([f"kind of eel {n}", str(n)] for n in range(100))]
    passages = [own for own in read(page(1, table(rows, y=10)), characters=300).passages if own.kind == "table"]
    assert len(passages) > 3
    assert all(
        line.split(": ")[1].startswith("Upper weir · ")
        for own in passages
        for line in own.indexed_text.split("\n")
        if line.startswith("Row ")
    )


def test_notes_between_a_table_and_the_caption_below_it_part_them_not() -> None:
    note = "Values are counts of eels at each weir, by season; nets were drawn at dusk in still water."
    reading = read(
        page(
            1,
            table([["Fish", "Spring"], ["Eels", "14"], ["Pike", "3"]], y=100),
            block("text", note, y=150, size=6),
            block("caption", "Table 1: Eels and pike.", y=170, size=8),
            table([["Fish", "Autumn"], ["Eels", "11"], ["Pike", "2"]], y=300),
            block("caption", "Table 2: Eels and pike later.", y=345, size=8),
        )
    )
    assert [own.label for own in reading.passages if own.kind == "table"] == ["Table 1", "Table 2"]


def test_a_caption_in_the_box_of_the_notes_above_it_is_taken_out() -> None:
    notes = block("text", "Values are counts of eels.\nNets were drawn at dusk.", y=150, size=6)
    caption = block("text", "Table 3: Eels and pike.", y=172, size=7, bold=True)
    both = Block(kind="text", rect=(72, 150, 300, 180), lines=(*notes.lines, *caption.lines))
    reading = read(page(1, table([["Fish", "Spring"], ["Eels", "14"]], y=100), both))
    assert [(own.kind, own.label) for own in reading.passages if own.label] == [
        ("table", "Table 3"),
        ("caption", "Table 3"),
    ]


def test_long_tables_are_split_by_rows_and_keep_their_header() -> None:
    rows = [["Name", "Value"], *([f"quantity number {n}", str(n)] for n in range(100))]
    passages = [own for own in read(page(1, table(rows, y=10)), characters=300).passages if own.kind == "table"]
    assert len(passages) > 3
    assert all("Name = quantity number" in passage.indexed_text for passage in passages)
    assert "\n".join(passage.text for passage in passages) == "\n".join(" ".join(row) for row in rows)
    assert "Row 100: Name = quantity number 99; Value = 99" in passages[-1].indexed_text


def test_a_table_that_goes_on_over_the_page_keeps_label_and_header() -> None:
    reading = read(
        page(1, block("caption", "Table 1: Long.", y=600), table([["Name", "Value"], ["a", "1"], ["b", "2"]], y=620)),
        page(2, table([["c", "3"], ["d", "4"]], y=60)),
    )
    second = [own for own in reading.passages if own.kind == "table" and own.page == 2]
    assert [own.label for own in second] == ["Table 1"]
    assert "Name = d; Value = 4" in second[0].indexed_text
    assert second[0].text == "c 3\nd 4"


def test_words_go_to_the_cell_that_holds_them() -> None:
    box = LayoutBox(kind="table", rect=(70, 98, 230, 124), row_edges=(111,), column_edges=(150,))
    lines = [
        line("Total papers", 72, 100),
        line("81.1M", 160, 100),
        line("Parsed", 72, 112),
        line("8.1M (10%)", 160, 112),
    ]
    grid = build_grid(box, lines)
    assert grid is not None
    assert grid.cells == (("Total papers", "81.1M"), ("Parsed", "8.1M (10%)"))


def test_a_row_that_ocr_read_is_told_cell_by_cell() -> None:
    def seen(text: str, x: float, y: float) -> Line:
        own = line(text, x, y)
        return replace(own, spans=tuple(replace(span, font="") for span in own.spans))

    lines = (
        seen("Group two", 72, 100),
        seen("Trust in the", 200, 100),
        seen("Fewer forms", 330, 100),
        seen("treatment plan", 200, 112),
        seen("for nurses", 330, 112),
        seen("More beds", 200, 130),
    )
    place = (72, 98, 420, 142)
    grid = Grid(cells=(("Group two", "Trust in the plan", "Fewer forms for nurses"),), row_rects=(place,))
    (row,) = extract_rows(Block(kind="table", rect=place, lines=lines, grid=grid))
    assert row.text == "Group two Trust in the treatment plan Fewer forms for nurses More beds"
