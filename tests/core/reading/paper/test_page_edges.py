from core.reading.blocks import Block, Line
from core.reading.page.boxes import (
    LayoutBox,
    assign_lines_to_boxes,
    build_line,
    find_column_gutter,
    merge_printed_lines,
)
from core.reading.page.layout import build_blocks
from core.reading.paper.page_edges import find_margin_line_numbers
from tests.core.reading.by_hand import block, line, page, read, span

PROSE = "Plain words of a paragraph that goes on for a while\nand then comes to its end, as paragraphs do."


def test_running_heads_and_page_numbers_are_no_text() -> None:
    pages = [
        page(
            n,
            block("text", f"Journal of Things, volume {n}", y=30),
            block("text", PROSE, y=100),
            block("text", str(n), x=300, y=780),
        )
        for n in range(1, 5)
    ]
    assert [own.text for own in read(*pages).passages] == [PROSE.replace("\n", " ")] * 4


def test_a_panel_beside_the_text_of_each_page_is_no_text() -> None:
    pages = [
        page(
            n,
            block("text", f"On sheet {n} the weir stood open.\n{PROSE}", y=100 + 9 * n),
            block("section-header", "Abstract\nFull screen", x=500, y=300, size=8, bold=True),
        )
        for n in range(1, 5)
    ]
    reading = read(*pages)
    assert reading.headings == ()
    assert not any("screen" in own.text for own in reading.passages)
    assert all("stood open" in own.text for own in reading.passages)


def test_the_same_words_on_few_pages_or_elsewhere_stay() -> None:
    pages = [page(n, block("text", f"{PROSE}\nThe weir stood open.", y=100 + 20 * n)) for n in range(1, 5)]
    assert all("stood open" in own.text for own in read(*pages).passages)


def test_line_numbers_read_as_the_first_words_of_their_lines_are_taken_out() -> None:
    def numbered(text: str, number: int, y: float) -> Line:
        return build_line((span(str(number), 50, y, size=6), span(text, 72, y)))

    rows = [line(f"row {n} of a paragraph about weirs in ditches", 72, 100 + 12 * n) for n in range(16)]
    rows[4:15:5] = [numbered(rows[n].text, n + 1, 100 + 12 * n) for n in (4, 9, 14)]
    own = Block(kind="list-item", rect=(50, 100, 500, 292), lines=tuple(rows))
    (passage,) = read(page(1, own)).passages
    assert passage.kind == "text"
    assert passage.text == " ".join(f"row {n} of a paragraph about weirs in ditches" for n in range(16))


def test_a_heading_that_is_the_running_head_too_stays() -> None:
    pages = [
        page(1, block("section-header", "1 Introduction", y=80, size=14, bold=True), block("text", PROSE, y=110)),
        *(page(n, block("text", "1 INTRODUCTION", y=30, size=8), block("text", PROSE, y=100)) for n in range(2, 6)),
    ]
    assert [own.text for own in read(*pages).headings] == ["1 Introduction"]


def test_a_foot_that_says_something_once_is_kept() -> None:
    foot = "This article is distributed under a Creative Commons licence."
    reading = read(page(1, block("text", PROSE, y=100), block("page-footer", foot, y=760)))
    assert [own.text for own in reading.passages][-1] == foot


def test_line_numbers_in_the_margin_are_set_apart() -> None:
    text = [line(f"words of line {n} that are part of the text", 90, 50 + 12 * n) for n in range(12)]
    numbers = [line(str(365 + n), 60, 52 + 12 * n, size=5) for n in range(12)]
    mixed = [own for pair in zip(text, numbers, strict=True) for own in pair]
    assert find_margin_line_numbers(mixed) == frozenset(range(1, 24, 2))
    boxes = [LayoutBox(kind="text", rect=(58, 50, 500, 200))]
    blocks = build_blocks(boxes, mixed)
    assert [own.text for own in blocks[0].lines] == [own.text for own in text]


def test_a_column_of_numbers_in_a_table_is_no_margin() -> None:
    cells = [line(str(n), 200, 50 + 12 * n) for n in range(12)]
    names = [line(f"name of thing {n}", 90, 50 + 12 * n) for n in range(12)]
    assert find_margin_line_numbers([*names, *cells]) == frozenset()


def test_no_line_is_lost() -> None:
    lines = [line(f"line number {n} of the page", 72, 50 + 12 * n) for n in range(10)]
    boxes = [LayoutBox(kind="text", rect=(70, 48, 400, 110), pieces=tuple(own.rect for own in lines[:5]))]
    blocks = assign_lines_to_boxes(boxes, lines)
    assert [own.text for own_block in blocks for own in own_block.lines] == [own.text for own in lines]
    assert len(blocks) == 2


def test_pieces_of_one_baseline_are_one_printed_line() -> None:
    pieces = [line("Introduction", 100, 100), line("1", 72, 101), line("next line", 72, 114)]
    assert [own.text for own in merge_printed_lines(pieces)] == ["1 Introduction", "next line"]


def test_a_box_over_both_columns_is_taken_apart() -> None:
    left = [line("words in the left column of it", 60, 100 + 12 * n) for n in range(10)]
    right = [line("words in the right column too", 320, 100 + 12 * n) for n in range(10)]
    assert find_column_gutter([*left, *right]) is not None
    blocks = assign_lines_to_boxes([LayoutBox(kind="text", rect=(60, 100, 500, 230))], [*left, *right])
    assert [len(own.lines) for own in blocks] == [10, 10]
