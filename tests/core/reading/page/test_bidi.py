"""Right-to-left print in visual order comes back in the order in which it is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.reading.page import bidi
from core.reading.page.lines import CharacterLine, CharacterSpan, RawCharacter


@pytest.mark.parametrize(
    ("read", "drawn"),
    [
        ("ערך הקבוע הוא 54.2 יחידות", "תודיחי 54.2 אוה עובקה ךרע"),
        ("שלום (עולם)", "(םלוע) םולש"),
        ("המודל BERT base נבחן", "ןחבנ BERT base לדומה"),
        ("The word שלום is Hebrew", "The word םולש is Hebrew"),
        ("plain 12.5 text", "plain 12.5 text"),
    ],
)
def test_known_lines(read: str, drawn: str) -> None:
    assert bidi.visual_to_logical(list(drawn)) == read


def test_arabic_presentation_forms_become_letters() -> None:
    drawn = "".join(reversed("\ufe97\ufea0\ufeae\ufe91\ufe94"))
    assert bidi.visual_to_logical(list(drawn)) == "تجربة"


@given(st.text(alphabet="אבגדהוזחטיכלמנסעפצקרשת ", min_size=1))
def test_a_line_of_one_script_is_simply_turned_round(text: str) -> None:
    assert bidi.visual_to_logical(list(reversed(text))) == text or not text.strip()


@given(st.lists(st.sampled_from(["א", "ב", "12", "3.4", " ", "x"]), max_size=12))
def test_no_character_is_lost_or_invented(parts: list[str]) -> None:
    drawn = "".join(parts)
    assert sorted(bidi.visual_to_logical(list(drawn))) == sorted(drawn)


def test_characters_are_taken_by_their_place_and_not_by_their_turn_in_the_file() -> None:
    """MuPDF turns single words round already but leaves the words as drawn."""
    word = [RawCharacter(c=c, bbox=(50 - 10 * i, 0, 60 - 10 * i, 12), origin=(0, 0)) for i, c in enumerate("שלום")]
    number = [RawCharacter(c=c, bbox=(10 * i, 0, 10 + 10 * i, 12), origin=(0, 0)) for i, c in enumerate("42")]
    span = CharacterSpan(
        text="42שלום",
        bbox=(0, 0, 60, 12),
        size=11,
        font="F",
        flags=0,
        char_flags=16,
        color=0,
        alpha=255,
        chars=number + word,
    )
    line = CharacterLine(spans=[span], bbox=(0, 0, 60, 12), dir=(1, 0))
    assert bidi.line_in_logical_order(line)["spans"][0]["text"] == "שלום42"
