import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import sentence_spans, split_sentences

ONE = [
    "We follow Smith et al. (2019) and the U.S. data (see Fig. 3. and Tab. 2), e.g. in No. 5 of vol. 2.",
    "J. R. Smith found p < .05, i.e. 0.3 vs. 0.5 in approx. 3.5 cases.",
    "See https://a.example.org/b.html?x=1. and more.",
    "3.1. Data and splits were fixed beforehand.",
    "1. First we cleaned the leaves.",
    "Dr. Brown and Prof. Green agreed (cf. Eq. 4).",
    "It held ... until it did not.",
    "Vgl. Abb. 3, z. B. am 3. Mai, d. h. ca. 5 Tage später.",
    "El Sr. García y la Dra. Ruiz (p. ej. en EE. UU.) lo vieron.",
    "M. Dupont, p. ex. dans la fig. 2, le montre.",
    "The growth of E. coli and S. aureus slowed.",
    "Contents . . . . . . . . . 12",
    "See https://doi. org/10.1057/abc for more.",
    "As reported by Jones et al. Nature, it holds.",
]


@pytest.mark.parametrize("text", ONE)
def test_stops_that_end_nothing(text: str) -> None:
    assert split_sentences(text) == [text]


@pytest.mark.parametrize(
    "parts",
    [
        ["It ended [3].", "Another began."],
        ["It ended.[3,4]", "Another began."],
        ["It was shown before.12", "The rest is new."],
        ['He said "it works."', "She left."],
        ["(This is a remark.)", "This is none."],
        ["It rose in 2019.", "Then it fell."],
        ["It was by Smith et al.", "The rest agreed."],
        ["We took vitamin C.", "The mice did not."],
        ["Levels fell.", "mRNA rose."],
        ["Is it so?", "It is!", "Good."],
        ["We used leaves, roots, etc.", "The rest was discarded."],
        ["It was 0.05.", "3 of 5 agreed."],
        ["¿Es así?", "Sí, lo es.", "¡Bien!"],
    ],
)
def test_stops_that_end_a_sentence(parts: list[str]) -> None:
    assert split_sentences(" ".join(parts)) == parts


def test_lists_paragraphs_and_lost_spaces() -> None:
    assert split_sentences("• one thing\n• another thing") == ["• one thing", "• another thing"]
    assert split_sentences("1. First item\n2. Second item") == ["1. First item", "2. Second item"]
    assert split_sentences("A heading\n\nA paragraph\nof two lines.") == ["A heading", "A paragraph\nof two lines."]
    assert split_sentences("It was done.The results hold.") == ["It was done.", "The results hold."]


def test_chinese_and_japanese_stops() -> None:
    assert split_sentences("这是第一句。这是第二句！第三句？") == ["这是第一句。", "这是第二句！", "第三句？"]
    assert split_sentences("これは文です。「次の文。」終わり。") == ["これは文です。", "「次の文。」", "終わり。"]


@given(st.text() | st.lists(st.sampled_from([*"abA.!?() \n[3]。”,1"])).map("".join))
def test_no_character_is_lost(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join("".join(text[start:end] for start, end in spans).split()) == "".join(text.split())
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
