"""Which rows of a table are quoted, and how its lines are told apart."""

from core.agent.extractive import table_rows
from core.domain.model import Passage, Table
from core.understanding.query_terms import terms

HEAD = "Task group one two\nModel Precision Recall"
FILLER = [f"Baseline{n} {n}.10 {90 - n}.20" for n in range(1, 30)]


def _passage(lines: list[str], table: Table | None) -> Passage:
    text = "\n".join(lines)
    return Passage(
        id="p/1",
        paper_id="p",
        ordinal=1,
        page=1,
        section=(),
        kind="table",
        text=text,
        indexed_text=text,
        table=table,
    )


def _table(head: list[str], body: list[str], columns: tuple[str, ...]) -> Passage:
    cells = tuple((*row.split(), *[""] * (len(columns) - len(row.split())))[: len(columns)] for row in body)
    return _passage([*head, *body], Table(header=columns, rows=cells))


def test_every_line_of_the_head_is_quoted_with_the_row() -> None:
    body = [*FILLER, "Marmot 77.00 61.50"]
    passage = _table(HEAD.splitlines(), body, ("Model", "Precision", "Recall"))
    found = table_rows.quoted(passage, "What recall did Marmot reach?", terms("What recall did Marmot reach?"))
    assert found == (HEAD, "Marmot 77.00 61.50")


def test_the_part_of_a_table_that_goes_on_has_no_head() -> None:
    body = [*FILLER, "Marmot 77.00 61.50"]
    passage = _table([], body, ("Model", "Precision", "Recall"))
    assert table_rows.layout(passage).head == ()
    assert table_rows.quoted(passage, "Marmot?", terms("Marmot?")) == ("Marmot 77.00 61.50",)


def test_the_extreme_is_looked_for_in_the_column_that_is_named() -> None:
    body = [*FILLER, "Marmot 99.00 61.50"]
    passage = _table(HEAD.splitlines(), body, ("Model", "Precision", "Recall"))
    best = table_rows.quoted(passage, "Which has the highest recall?", terms("Which has the highest recall?"))
    assert best == (f"{HEAD}\nBaseline1 1.10 89.20",)
    best = table_rows.quoted(passage, "Which has the highest precision?", terms("Which has the highest precision?"))
    assert best == (HEAD, "Marmot 99.00 61.50")


def test_a_heading_inside_the_table_brings_the_rows_under_it() -> None:
    body = [*FILLER, "Otters", "Length 90 2", "Weight 8 1", "Badgers", "Length 70 3", "Weight 11 2"]
    passage = _table(["Measure Mean Error"], body, ("Measure", "Mean", "Error"))
    found = table_rows.quoted(passage, "How heavy are badgers?", terms("How heavy are badgers?"))
    assert found == ("Measure Mean Error", "Badgers\nLength 70 3\nWeight 11 2")


def test_a_row_is_quoted_with_the_headings_over_it() -> None:
    body = ["Otters", "Size:", "Length 90 2", "Diet:", "Fish 80 4", "Badgers", "Size:", "Length 70 3", *FILLER]
    passage = _table(["Measure Mean Error"], body, ("Measure", "Mean", "Error"))
    found = table_rows.quoted(passage, "Fish?", terms("Fish?"))
    assert found == ("Measure Mean Error\nOtters", "Diet:\nFish 80 4")
    table = table_rows.layout(passage)
    assert [table.body[place] for place in table.above[table.body.index("Length 70 3")]] == ["Badgers", "Size:"]


def test_words_of_a_row_come_with_those_of_its_head() -> None:
    passage = _table(HEAD.splitlines(), ["Marmot 77.00 61.50", "Otter 10.00 12.00"], ("Model", "Precision", "Recall"))
    marmot, otter = table_rows.line_tokens(passage)
    assert {"marmot", "recal", "61.50"} <= marmot
    assert "marmot" not in otter


def test_a_table_without_cells_keeps_its_first_line_as_head() -> None:
    passage = _passage(["Model Score", *FILLER, "Marmot 77.00 61.50"], None)
    assert table_rows.quoted(passage, "Marmot?", terms("Marmot?")) == ("Model Score", "Marmot 77.00 61.50")
