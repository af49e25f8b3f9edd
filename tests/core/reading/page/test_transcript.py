"""A page as a vision model copied it: what stands, what is thrown out, and what becomes of its structure."""

from core.domain.model import Reading
from core.reading.blocks import Block, Line, PageContent
from core.reading.page.transcript import apply_transcript, pages_to_transcribe
from core.reading.paper.structure import analyse_paper

PROSE = (
    "The lichens of the northern slopes were counted in forty plots.",
    "Their cover rose from 12 to 38 percent within nine years of rest.",
    "No plot lost a species, and three plots gained a rare one.",
)
MISREAD = (
    "Tne lichens ot the northem slopes were counied in forty plots.",
    "Their c0ver rose frorn 12 to 38 perceni within nine years ot rest.",
    "No plol lost a species, and thrce plots gained a rare 0ne.",
)


def page(*lines: str, number: int = 2, confidence: float = 0.6) -> PageContent:
    """A scanned page as OCR read it; one without lines could not be read."""
    read = tuple(Line(text=text, rect=(72, 90 + 14 * n, 520, 100 + 14 * n), spans=()) for n, text in enumerate(lines))
    return PageContent(
        number=number,
        width=595,
        height=842,
        kind="scanned" if lines else "unreadable",
        blocks=(Block(kind="text", rect=(72, 90, 520, 140), lines=read),) if lines else (),
        from_ocr=bool(lines),
        notes=() if lines else (f"Page {number} holds nothing that could be read.",),
        confidence=confidence if lines else 1.0,
    )


def understood(*pages: PageContent) -> Reading:
    return analyse_paper(pages, paper_id="p" * 64, file_metadata={})


def test_only_pages_that_were_seen_and_hardly_read_are_wanting() -> None:
    lost = PageContent(number=4, width=0, height=0, kind="unreadable")
    blank = PageContent(number=5, width=595, height=842, kind="blank")
    assert pages_to_transcribe(
        [page(*PROSE, number=1, confidence=0.97), page(*MISREAD), page(number=3), lost, blank]
    ) == [2, 3]


def test_a_copy_that_poor_ocr_bears_out_stands_in_its_place() -> None:
    found = apply_transcript(page(*MISREAD), "\n".join(PROSE), "eyes-7b")
    assert found is not None
    assert [line.text for block in found.blocks for line in block.lines] == list(PROSE)
    assert (found.read_by, found.kind, found.from_ocr) == ("eyes-7b", "scanned", True)
    assert found.notes == ("Page 2 was read by the vision model eyes-7b, which may misread words or add some.",)


def test_words_about_something_else_are_not_taken() -> None:
    said = "I am sorry, but I cannot help with this picture of a document. Please give me another one, and ask again."
    assert apply_transcript(page(*MISREAD), said, "eyes") is None
    assert apply_transcript(page(*MISREAD), "", "eyes") is None


def test_a_paragraph_that_was_made_up_is_left_out() -> None:
    made_up = "In conclusion, our method outperforms every baseline by a wide margin on all benchmarks."
    found = apply_transcript(page(*MISREAD), "\n".join(PROSE) + "\n\n" + made_up, "eyes")
    assert found is not None
    text = " ".join(line.text for block in found.blocks for line in block.lines)
    assert PROSE[2] in text and "baseline" not in text


def test_a_part_of_the_page_is_no_copy_of_it() -> None:
    assert apply_transcript(page(*MISREAD), PROSE[0], "eyes") is None


def test_where_ocr_saw_nothing_the_words_are_marked_as_the_models_and_stand_nowhere() -> None:
    copied = "```\n# 2 Results\n\n**" + "\n".join(PROSE) + "**\n```"
    found = apply_transcript(page(number=2), copied, "eyes")
    assert found is not None
    reading = understood(page("1 Methods", *PROSE[:1], number=1, confidence=0.99), found)
    (results,) = [one for one in reading.passages if one.page == 2]
    assert results.text == " ".join(PROSE)
    assert (results.read_by, results.boxes, results.from_ocr) == ("eyes", (), True)
    assert results.section[-1:] == ("2 Results",)
    assert not any(one.read_by for one in reading.passages if one.page == 1)
    assert (reading.unread, reading.warnings) == ((), found.notes)


def test_a_table_keeps_its_rows_and_columns() -> None:
    copied = "\n".join(PROSE) + "\n\n| Plot | Cover |\n|---|---|\n| North | 38 |\n| South | 12 |\n"
    found = apply_transcript(page(), copied, "eyes")
    assert found is not None
    (table,) = [one for one in understood(found).passages if one.kind == "table"]
    assert table.text == "Plot Cover\nNorth 38\nSouth 12"
    assert table.table is not None
    assert (table.table.header, table.table.rows) == (("Plot", "Cover"), (("North", "38"), ("South", "12")))
