"""Tables that leave the chat as CSV: read back by the reader of the standard library, every value and page is there."""

import csv
import io
from collections.abc import Sequence

from core.assistant.records.exports import comparison_csv, extraction_csv
from core.domain.model import Citation, Span
from core.domain.reply import Attachment
from core.domain.studies import Cell, Comparison, Extraction, Provenance, Row
from tests.core.assistant.studies.study_context import BARLEY, WHEAT, dependencies

HELD = {BARLEY.id: BARLEY, WHEAT.id: WHEAT}
PLAIN = Provenance(mode="extractive")
ODD = (
    'A value with "quotes", commas; semicolons',
    "two\nlines and \u201ccurly\u201d quotes, 36 °C, 中文",
    "=HYPERLINK(1)",
    "-3.5%",
)


def cell(field: str, text: str, *pages: int) -> Cell:
    spans = tuple(Span(passage_id="p", page=page, quote=text) for page in pages)
    return Cell(
        field=field,
        text=text,
        citations=(Citation(marker=1, paper_id=BARLEY.id, section=(), spans=spans),) if text else (),
    )


def read(file: Attachment) -> Sequence[dict[str, str]]:
    assert file.mime.startswith("text/csv")
    return list(csv.DictReader(io.StringIO(file.data.decode("utf-8-sig"), newline="")))


def test_a_row_a_paper_with_every_value_and_its_pages() -> None:
    first = Extraction(
        paper_id=BARLEY.id, cells=(cell("Organism", ODD[0], 3), cell("Assay", ODD[1], 4, 5)), making=PLAIN
    )
    second = Extraction(paper_id=WHEAT.id, cells=(cell("Organism", ""), cell("Assay", ODD[3], 2)), making=PLAIN)
    assert read(extraction_csv([first, second], HELD)) == [
        {
            "paper": BARLEY.title,
            "authors": "; ".join(BARLEY.metadata.authors),
            "year": "2020",
            "Organism": ODD[0],
            "Organism (page)": "3",
            "Assay": ODD[1],
            "Assay (page)": "4; 5",
        },
        {
            "paper": WHEAT.title,
            "authors": "Dee Fox",
            "year": "2021",
            "Organism": "Not found",
            "Organism (page)": "",
            "Assay": ODD[3],
            "Assay (page)": "2",
        },
    ]


def test_a_comparison_has_a_row_a_field_and_no_cell_that_a_spreadsheet_would_run() -> None:
    rows = (Row(field="Size", cells=(cell("Size", ODD[2], 7), cell("Size", ""))),)
    made = Comparison(papers=(BARLEY.id, WHEAT.id), rows=rows, not_compared=(), synthesis=(), making=PLAIN)
    assert read(comparison_csv(made, HELD)) == [
        {
            "field": "Size",
            BARLEY.title: f"'{ODD[2]}",
            f"{BARLEY.title} (page)": "7",
            WHEAT.title: "Not found",
            f"{WHEAT.title} (page)": "",
        }
    ]


async def test_what_is_extracted_comes_back_out_of_the_file() -> None:
    from core.assistant.studies.extract import extract
    from core.domain.studies import STANDARD

    made = await extract([BARLEY.id, WHEAT.id], STANDARD, dependencies())
    rows = read(extraction_csv(made, HELD))
    told = [{one.field: one.text or "Not found" for one in each.cells} for each in made]
    assert [{name: row[name] for name in STANDARD.names} for row in rows] == told
    assert all(bool(row[f"{name} (page)"]) == (row[name] != "Not found") for row in rows for name in STANDARD.names)
