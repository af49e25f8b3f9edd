import pytest

from core.reading.blocks import Block
from core.reading.paper.caption_links import CaptionStyle, link_captions
from core.reading.paper.captions import find_caption_label, merge_captions, parse_caption_label
from core.reading.paper.figures import mentions_label, merge_subfigures
from tests.core.reading.by_hand import block, page, read, table

ROWS = [["Method", "F1"], ["ours", "98.7"], ["theirs", "91.2"]]
PROSE = "Plain words of a paragraph that stands between two things and is long enough to part them,\nas it does here."


@pytest.mark.parametrize(
    ("text", "kind", "label"),
    [
        ("Table 2: Results", "table", "Table 2"),
        ("Fig. 3. A plot", "figure", "Fig. 3"),
        ("FIGURE 4 | A plot", "figure", "FIGURE 4"),
        ("Tabla 1 – Índices", "table", "Tabla 1"),
        ("Supplementary Figure 2. More", "figure", "Supplementary Figure 2"),
        ("Table A1. Appendix", "table", "Table A1"),
        ("TABLE IV", "table", "TABLE IV"),
        ("S3 Fig. Counts of eels by weir.", "figure", "S3 Fig"),
        ("S1 Table. Names of the weirs.", "table", "S1 Table"),
    ],
)
def test_labels(text: str, kind: str, label: str) -> None:
    found = parse_caption_label(text)
    assert found is not None
    assert (found.kind, found.text) == (kind, label)


@pytest.mark.parametrize("text", ["Tables are useful", "figure 3 shows", "Graphing 3 things", "Tab key"])
def test_no_labels(text: str) -> None:
    assert parse_caption_label(text) is None


def test_prose_that_opens_with_a_label_is_no_caption() -> None:
    assert find_caption_label(block("text", "Table 2 presents an overview of the annotations.")) is None
    assert find_caption_label(block("text", "Table 2: An overview of the annotations.")) is not None


def test_captions_under_their_tables_are_told_from_captions_over_them() -> None:
    under = page(
        1,
        table(ROWS, y=100),
        block("caption", "Table 1: The first.", y=140),
        table(ROWS, y=160),
        block("caption", "Table 2: The second.", y=200),
    )
    over = page(
        1,
        block("caption", "Table 1: The first.", y=90),
        table(ROWS, y=105),
        block("caption", "Table 2: The second.", y=150),
        table(ROWS, y=165),
    )
    for own in (under, over):
        tables = [passage for passage in read(own).passages if passage.kind == "table"]
        assert [passage.label for passage in tables] == ["Table 1", "Table 2"]


def test_a_label_on_a_line_of_its_own_is_joined_to_its_words() -> None:
    blocks = (block("caption", "Graph 3", y=100), block("caption", "Investment in real estate (% GDP)", y=113))
    (whole,) = merge_captions(blocks)
    assert [line.text for line in whole.lines] == ["Graph 3", "Investment in real estate (% GDP)"]


def test_words_that_come_before_their_label_are_not_told_twice() -> None:
    words, label = block("text", "Roofs by slope", y=112), block("section-header", "Table 1", y=100)
    (whole,) = merge_captions((words, label))
    assert [line.text for line in whole.lines] == ["Table 1", "Roofs by slope"]


def test_a_caption_is_taken_out_of_its_pictures_box() -> None:
    inner = block("text", "Graph 1\nGDP growth rate (1978-2023)\n16\n14\n12", y=100)
    picture = Block(kind="picture", rect=(72, 95, 400, 300), lines=inner.lines)
    caption, rest = merge_captions((picture,))
    assert [line.text for line in caption.lines] == ["Graph 1", "GDP growth rate (1978-2023)"]
    assert [line.text for line in rest.lines] == ["16", "14", "12"]


def test_panels_over_one_caption_become_one_picture() -> None:
    left = Block(kind="picture", rect=(60, 100, 280, 300))
    right = Block(kind="picture", rect=(300, 100, 520, 300))
    caption = block("caption", "Figure 1: Two panels that belong together, left and right of each other.", x=60, y=310)
    pictures = [own for own in merge_subfigures((left, right, caption), 600, 800) if own.kind == "picture"]
    assert [picture.rect for picture in pictures] == [(60, 100, 520, 300)]


def test_figures_side_by_side_keep_their_own_captions() -> None:
    blocks = (
        Block(kind="picture", rect=(60, 100, 280, 300)),
        Block(kind="picture", rect=(300, 100, 520, 300)),
        block("caption", "Figure 1: The left one.", x=60, y=310),
        block("caption", "Figure 2: The right one.", x=320, y=310),
    )
    assert link_captions(blocks, CaptionStyle()) == {2: (0,), 3: (1,)}


def test_a_figure_that_the_model_did_not_see_is_the_space_over_its_caption() -> None:
    blocks = (block("text", PROSE, y=100), block("caption", "Figure 1: Nothing was seen here.", y=400))
    (picture,) = [own for own in merge_subfigures(blocks, 600, 800) if own.kind == "picture"]
    assert picture.rect[1] > blocks[0].rect[3]
    assert picture.rect[3] < 400


def test_a_figure_that_was_not_seen_may_be_wider_than_its_caption() -> None:
    blocks = (block("text", PROSE, y=100), block("caption", "Figure 1. A weir.", y=400))
    drawn = [(60.0, 200.0, 500.0, 390.0), (60.0, 90.0, 500.0, 91.0)]
    (picture,) = [own for own in merge_subfigures(blocks, 600, 800, drawn) if own.kind == "picture"]
    assert picture.rect == drawn[0]


def test_prose_between_parts_a_caption_from_a_picture() -> None:
    blocks = (
        Block(kind="picture", rect=(60, 100, 500, 200)),
        block("text", PROSE, x=60, y=220),
        block("caption", "Figure 1: Elsewhere.", x=60, y=260),
    )
    assert link_captions(blocks, CaptionStyle()) == {}


def test_figures_know_their_caption_and_the_text_that_mentions_them() -> None:
    reading = read(
        page(
            1,
            block("section-header", "1 Introduction", y=60, bold=True),
            block("text", "As Figure 1 shows, there is a trend.\nIt goes up.", y=80),
            Block(kind="picture", rect=(72, 120, 500, 300), image=b"png"),
            block("caption", "Figure 1: The trend.", y=310),
        )
    )
    (figure,) = reading.figures
    assert (figure.label, figure.caption, figure.image) == ("Figure 1", "Figure 1: The trend.", b"png")
    assert figure.nearby == "As Figure 1 shows, there is a trend. It goes up."


@pytest.mark.parametrize("text", ["see Fig. 3a", "Figures 2 and 3", "(Fig 3)", "figure 3."])
def test_mentions(text: str) -> None:
    assert mentions_label("Figure 3", text)


@pytest.mark.parametrize("text", ["Figure 31", "Table 3", "Figure 3.2", "a figure of 3"])
def test_no_mentions(text: str) -> None:
    assert not mentions_label("Figure 3", text)


def test_a_float_belongs_to_the_section_that_points_to_it() -> None:
    reading = read(
        page(
            1,
            block("section-header", "1 Data", y=60, bold=True),
            block("text", "Our data are described in Table 1, which stands\non the next page.", y=80),
            block("section-header", "2 Methods", y=120, bold=True),
            block("text", "Here is something else.\nNothing points anywhere.", y=140),
        ),
        page(2, block("caption", "Table 1: Data.", y=90), table(ROWS, y=105)),
    )
    assert {passage.section for passage in reading.passages if passage.page == 2} == {("1 Data",)}


def test_a_paragraph_in_a_frame_is_text() -> None:
    inner = block("text", "\n".join(["a line of words that is long enough to be one of a paragraph"] * 4), y=100)
    framed = Block(kind="picture", rect=(70, 95, 500, 160), lines=inner.lines)
    assert [own.kind for own in merge_subfigures((framed,), 600, 800)] == ["text"]


def test_a_picture_takes_in_what_is_drawn_in_touch_with_it_up_to_the_text() -> None:
    blocks = (
        block("text", PROSE, y=60),
        Block(kind="picture", rect=(200, 200, 300, 210)),
        block("caption", "Figure 1: A circle.", y=330),
    )
    arcs = [(150.0, 150.0, 200.0, 220.0), (150.0, 215.0, 340.0, 320.0), (72.0, 50.0, 160.0, 152.0)]
    (picture,) = [own for own in merge_subfigures(blocks, 600, 800, arcs) if own.kind == "picture"]
    assert picture.rect == (150, 150, 340, 320)


def test_no_figure_is_made_up_where_nothing_is_drawn() -> None:
    blocks = (block("text", PROSE, y=100), block("caption", "Figure 1: Lost.", y=400))
    rule = (72.0, 600.0, 300.0, 601.0)
    assert [own.kind for own in merge_subfigures(blocks, 600, 800, [rule])] == ["text", "caption"]
