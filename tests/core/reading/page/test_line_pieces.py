"""Lines that a file holds in pieces become whole again; marks across the text are none of its lines."""

from pathlib import Path

import pymupdf

from core.config import ReadingConfig
from core.reading import worker
from core.reading.blocks import PageContent
from core.reading.page.line_pieces import join_pieces
from core.reading.page.lines import RawLine, RawSpan, line_text
from core.reading.page.watermarks import remove_watermarks
from tests.core.reading import making


def piece(text: str, x: float, y: float, *, width: float | None = None, size: float = 10) -> RawLine:
    right = x + (0.5 * size * len(text) if width is None else width)
    box = (x, y, right, y + size)
    span = RawSpan(text=text, bbox=box, size=size, font="Serif", flags=4, char_flags=16, color=0, alpha=255)
    return RawLine(spans=[span], bbox=box, dir=(1.0, 0.0))


def words(text: str, y: float, gap: float = 3.0) -> list[RawLine]:
    """A line a word, ``gap`` apart."""
    pieces: list[RawLine] = []
    for word in text.split():
        pieces.append(piece(word, pieces[-1]["bbox"][2] + gap if pieces else 72, y))
    return pieces


def texts(lines: object) -> list[str]:
    return [line_text(line) for line in lines]  # type: ignore[attr-defined]


def test_words_on_one_base_line_are_one_line() -> None:
    rows = ["Terns breed on gravel roofs in the old port", "and fish in the canal behind the mill"]
    lines = [*words(rows[0], 100), *words(rows[1], 112)]
    assert texts(join_pieces(lines)) == rows


def test_spaces_that_are_runs_of_their_own_are_kept_with_the_word_before_them() -> None:
    first, second, *rest = words("Terns breed on gravel roofs in the old port", 100, gap=2.5)
    blank = piece(" ", first["bbox"][2], 100, width=2.5, size=0.01)
    second["spans"].insert(0, blank["spans"][0])
    joined = join_pieces([first, second, *rest])
    assert texts(joined) == ["Terns breed on gravel roofs in the old port"]
    assert all(span["text"].strip() for span in joined[0]["spans"])


def test_the_cells_of_a_table_stay_apart() -> None:
    lines = [piece(f"cell{row}{column}", 72 + 80 * column, 100 + 12 * row) for row in range(5) for column in range(4)]
    assert join_pieces(lines) is lines


def test_a_page_of_whole_lines_stays_as_it_is() -> None:
    lines = [piece("Terns breed on gravel roofs in the old port.", 72, 100 + 12 * row) for row in range(9)]
    assert join_pieces([*lines, *words("and one more", 300)]) == [*lines, *words("and one more", 300)]


def test_ideographs_below_each_other_are_read_in_columns_from_right_to_left() -> None:
    columns = ("海の鳥は春に港へ来る", "屋根の上で卵を抱く", "夏の終わりに去る。")
    heading = piece("港の鳥", 200, 40, size=20)
    places = [(char, 400 - 20 * n, 100 + 12 * m) for n, text in enumerate(columns) for m, char in enumerate(text)]
    marks = [piece(char, x, y, width=10) for char, x, y in places]
    assert texts(join_pieces([heading, *marks])) == ["港の鳥", *columns]


def test_a_mark_across_the_text_is_left_out_and_a_large_title_is_not() -> None:
    title = piece("Terns of the port", 72, 40, size=24)
    lines = [piece("Terns breed on gravel roofs in the old port.", 72, 100 + 12 * row) for row in range(9)]
    mark = piece("NOT FOR CIRCULATION", 90, 110, size=60)
    assert remove_watermarks([title, *lines, mark]) == [title, *lines]


def stamped(page: pymupdf.Page) -> None:
    making.prose(page)
    for row, line in enumerate(making.PROSE * 4):
        page.insert_text((72, 220 + 16 * row), line, fontsize=11)
    turn = (pymupdf.Point(150, 420), pymupdf.Matrix(45))
    page.insert_text((150, 420), "EMBARGOED", fontsize=90, color=(0.8, 0.8, 0.8), morph=turn)


def read(pdf: Path) -> PageContent:
    return worker.read_page(pdf, 1, ReadingConfig(ocr=False), False)


def test_a_turned_mark_is_in_no_block_of_the_page(tmp_path: Path) -> None:
    page = read(making.write(tmp_path / "a.pdf", stamped))
    lines = [line.text for block in page.blocks for line in block.lines]
    assert lines.count(making.PROSE[0]) == 5
    assert not any("EMBARGOED" in line for line in lines)
