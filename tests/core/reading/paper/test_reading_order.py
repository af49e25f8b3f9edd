from core.reading.blocks import Block
from core.reading.paper.reading_order import sort_reading_order
from tests.core.reading.by_hand import block, line

LEFT = "words that fill the left column\nof a page set in two columns\nand go on for some lines\nuntil it ends"
RIGHT = "words that fill the right column\nof a page set in two columns\nand go on for some lines\nuntil it ends"


def _order(*blocks: Block) -> list[str]:
    return [own.lines[0].text.split(":")[0] for own in sort_reading_order(blocks, 600, 800)]


def test_two_columns_are_read_left_then_right() -> None:
    blocks = [
        block("text", "4: " + RIGHT, x=320, y=300),
        block("text", "1: " + LEFT, x=60, y=100),
        block("text", "3: " + RIGHT, x=320, y=100),
        block("text", "2: " + LEFT, x=60, y=300),
    ]
    assert _order(*blocks) == ["1", "2", "3", "4"]


def test_what_spans_both_columns_parts_them() -> None:
    wide = "0: a title that runs over the whole width of the page, over both of its columns of text"
    blocks = [
        block("text", "1: " + LEFT, x=60, y=150),
        block("text", "2: " + RIGHT, x=320, y=150),
        block("title", wide, x=60, y=60, size=11),
    ]
    assert _order(*blocks) == ["0", "1", "2"]


def test_a_gap_at_the_same_height_in_both_columns_does_not_cut_them() -> None:
    blocks = [
        block("text", "1: " + LEFT, x=60, y=100),
        block("text", "3: " + RIGHT, x=320, y=100),
        block("text", "2: " + LEFT, x=60, y=200),
        block("text", "4: " + RIGHT, x=320, y=200),
        block("text", "0: " + "a paragraph over the whole width of the page in large letters, set above both", y=50),
    ]
    assert _order(*blocks) == ["0", "1", "2", "3", "4"]


def test_one_column_is_read_from_the_top() -> None:
    long = "a line that takes the whole width of a page that has only one column of text in it"
    blocks = [block("text", f"{n}: {long}\n{long}", y=100 * n) for n in (3, 1, 2)]
    assert _order(*blocks) == ["1", "2", "3"]


def test_a_page_set_sideways_is_read_along_its_text() -> None:
    def sideways(text: str, x: float) -> Block:
        own = line(text)
        turned = type(own)(text=text, rect=(x, 100, x + 10, 600), spans=own.spans, vertical=True)
        return Block(kind="text", rect=turned.rect, lines=(turned,))

    blocks = [sideways("2: the second line", 200), sideways("3: the third line", 300), sideways("1: the first", 100)]
    assert _order(*blocks) == ["1", "2", "3"]
