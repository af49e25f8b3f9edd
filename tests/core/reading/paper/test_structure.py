from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from core.reading.blocks import Block, BlockKind, PageContent
from core.reading.paper.structure import build_parts
from core.text import alphanumeric_key
from tests.core.reading.by_hand import block, page, read, run_in, table

WORDS = [
    "Table",
    "1",
    "Figure",
    "2:",
    "References",
    "the",
    "seg-",
    "A",
    "(3)",
    "2019",
    "3.1",
    "结果",
    "αβ",
    "[4]",
    "x=y",
]
KINDS: list[BlockKind] = ["title", "section-header", "text", "list-item", "picture", "caption", "formula"]
ASIDE: list[BlockKind] = ["footnote", "page-header", "page-footer"]
kinds: st.SearchStrategy[BlockKind] = st.sampled_from([*KINDS, *ASIDE])
texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=4)


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    kind = draw(kinds)
    x, y = draw(st.integers(0, 500)), draw(st.integers(0, 780))
    size = draw(st.sampled_from([6, 10, 14]))
    return block(kind, "\n".join(draw(texts)), x, y, size=size, bold=draw(st.booleans()), italic=draw(st.booleans()))


@st.composite
def papers(draw: st.DrawFn) -> list[PageContent]:
    pages = draw(st.lists(st.lists(blocks(), max_size=8), min_size=1, max_size=4))
    return [page(number, *own) for number, own in enumerate(pages, start=1)]


@given(papers())
def test_no_arrangement_of_blocks_loses_a_letter(pages: list[PageContent]) -> None:
    letters = Counter(alphanumeric_key("".join(line.text for own in pages for b in own.blocks for line in b.lines)))
    parts = [part for part in build_parts(pages) if part.run_in is None]
    assert Counter(alphanumeric_key("".join(part.text for part in parts))) == letters


@given(papers())
def test_passages_are_sound_whatever_the_pages_hold(pages: list[PageContent]) -> None:
    reading = read(*pages)
    ids = [passage.id for passage in reading.passages]
    assert len(set(ids)) == len(ids)
    assert [passage.ordinal for passage in reading.passages] == sorted(passage.ordinal for passage in reading.passages)
    for passage in reading.passages:
        assert passage.text.strip()
        assert 1 <= passage.page <= len(pages)
        assert passage.next_id is None or passage.next_id in ids
        assert {box.page for box in passage.boxes} == {passage.page}


def test_an_empty_paper_is_an_empty_reading() -> None:
    reading = read()
    assert (reading.passages, reading.headings, reading.pages) == ((), (), 0)


def test_notes_of_pages_become_warnings_once() -> None:
    pages = [
        PageContent(number=n, width=600, height=800, kind="text", notes=("Hidden text was left out.",)) for n in (1, 2)
    ]
    assert read(*pages).warnings == ("Hidden text was left out.",)


def test_roman_numbers_and_letters_of_a_conference_paper() -> None:
    prose = "Plain words of a paragraph that goes on for long enough to count\nas running text of the paper."
    reading = read(
        page(
            1,
            block("section-header", "I. INTRODUCTION", y=60),
            block("text", prose, y=80),
            block("section-header", "II. METHODS", y=130),
            block("section-header", "A. Dataset Description", y=150, italic=True),
            block("text", prose, y=170),
            block("section-header", "B. Training", y=220, italic=True),
            run_in("1) Selection.", prose, y=240, bold=False),
            block("section-header", "REFERENCES", y=300),
            block("list-item", "[1] A. Somebody, “A paper,” 2019.", y=320),
        )
    )
    assert [(own.level, own.text) for own in reading.headings] == [
        (1, "I. INTRODUCTION"),
        (1, "II. METHODS"),
        (2, "A. Dataset Description"),
        (2, "B. Training"),
        (1, "REFERENCES"),
    ]


def test_a_paper_that_fell_apart_into_words_is_not_read_without_a_warning() -> None:
    made = read(page(1, *(table([[word]], y=100 + 30 * n) for n, word in enumerate("moss roof rain wind".split()))))
    assert [passage.kind for passage in made.passages] == ["table"] * 4
    assert made.warnings == ("The words of this PDF could not be put together to lines; little of it can be found.",)


def test_pages_with_signs_that_could_not_be_read_are_told() -> None:
    pages = [page(n, block("text", "The change was \ufffd12 grams in all beds of the yard.")) for n in (1, 2, 3)]
    warning = "Signs on pages 1, 2 and 3 could not be read; sentences that hold them are not quoted."
    assert read(*pages).warnings == (warning,)
