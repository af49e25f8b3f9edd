from hypothesis import given
from hypothesis import strategies as st

from core.reading.blocks import Block
from core.reading.paper.word_joining import Vocabulary, join_lines
from core.text import alphanumeric_key
from tests.core.reading.by_hand import block, page, read, table


def test_a_word_broken_at_a_line_end_is_made_whole() -> None:
    words = Vocabulary(["segmentation is hard", "well-known methods"])
    assert join_lines(["the seg-", "mentation of"], words) == "the segmentation of"
    assert join_lines(["a well-", "known thing"], words) == "a well-known thing"
    assert join_lines(["the Mc-", "Known case"], words) == "the Mc-Known case"
    assert join_lines(["one line", "and another"], words) == "one line and another"
    assert join_lines(["第一行", "第二行"], words) == "第一行第二行"


def test_passages_never_cross_a_page_or_a_section() -> None:
    reading = read(
        page(
            1,
            block("section-header", "1 Introduction", y=60, bold=True),
            block("text", "This begins on the first page and it goes", y=80),
        ),
        page(
            2,
            block("text", "on here on the second one.", y=60),
            block("section-header", "2 Methods", y=100, bold=True),
            block("text", "Something else is said here.", y=120),
        ),
    )
    assert [(own.page, own.section[-1], own.text) for own in reading.passages] == [
        (1, "1 Introduction", "This begins on the first page and it goes"),
        (2, "1 Introduction", "on here on the second one."),
        (2, "2 Methods", "Something else is said here."),
    ]
    first, second, third = reading.passages
    assert (first.next_id, second.next_id, third.next_id) == (second.id, None, None)


def test_a_sentence_goes_on_around_a_float() -> None:
    reading = read(
        page(
            1,
            block("text", "The paragraph is cut by a table and goes", y=80),
            table([["Name", "Value"], ["a", "1"]], y=100),
            block("text", "on behind it.", y=150),
        )
    )
    assert [(own.kind, own.text) for own in reading.passages] == [
        ("text", "The paragraph is cut by a table and goes on behind it."),
        ("table", "Name Value\na 1"),
    ]


def test_passages_end_at_sentences_and_know_their_lines() -> None:
    lines = "\n".join(f"Sentence number {n} says a few plain words." for n in range(40))
    reading = read(page(1, block("text", lines, y=200)), characters=300)
    assert len(reading.passages) > 3
    assert all(own.text.endswith(".") for own in reading.passages)
    assert all(300 <= len(own.text) < 400 for own in reading.passages[:-1])
    assert sum(len(own.boxes) for own in reading.passages) == 40
    assert all(len(own.ends) == len(own.boxes) and own.ends[-1] == len(own.text) for own in reading.passages)


def test_a_numbered_formula_stays_in_its_sentence_and_stands_alone() -> None:
    reading = read(
        page(
            1,
            block("text", "The cost of a run is", y=80),
            block("formula", "C = 6PT (4)", y=100),
            block("text", "where P is the number of parameters.", y=120),
        )
    )
    text, formula = reading.passages
    assert text.text == "The cost of a run is C = 6PT (4) where P is the number of parameters."
    assert (formula.kind, formula.label, formula.text) == ("formula", "Eq. (4)", "C = 6PT (4)")
    assert "The cost of a run is" in formula.indexed_text


def test_searched_and_quoted_text_are_kept_apart() -> None:
    reading = read(
        page(
            1,
            block("title", "A study of things", y=40, size=16),
            block("section-header", "1 Introduction", y=80, bold=True),
            block("text", "Something is said here.", y=100),
        )
    )
    passage = reading.passages[-1]
    assert passage.text == "Something is said here."
    assert passage.indexed_text == "A study of things\n1 Introduction\nSomething is said here."


word = st.text(alphabet="abcdefghij", min_size=1, max_size=9)
lines_of_words = st.lists(st.lists(word, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=40)


@given(lines_of_words, st.integers(min_value=200, max_value=900))
def test_letters_and_digits_are_those_of_the_page(lines: list[str], characters: int) -> None:
    printed = block("text", "\n".join(lines), y=200)
    reading = read(page(1, printed), characters=characters)
    assert alphanumeric_key("".join(own.text for own in reading.passages)) == alphanumeric_key("".join(lines))


def test_lettering_of_a_figure_is_found_only_where_there_are_words() -> None:
    def picture(text: str) -> Block:
        inner = block("text", text, y=100)
        return Block(kind="picture", rect=(70, 90, 400, 300), lines=inner.lines)

    steps = "The weir is opened at dusk\nEels are drawn into the net\nWardens count them by lamp light"
    assert [own.kind for own in read(page(1, picture(steps))).passages] == ["figure"]
    assert [own.kind for own in read(page(1, picture("Eels in spring\n14.2 Pike\n3.1"))).passages] == ["figure"]
    assert read(page(1, picture("Height of water (cm)\nEels per weir\n0\n20\n40\n60"))).passages == ()
    assert read(page(1, picture("0\n20\n40"))).passages == ()
