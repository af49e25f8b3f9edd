"""Accents that are printed over a letter belong to it, and a soft hyphen that is printed within a line is a hyphen."""

from pathlib import Path

import pymupdf
import pytest

from core.config import ReadingConfig
from core.reading import worker
from core.reading.page.character_repair import repair_characters
from core.reading.page.lines import CharacterLine, CharacterSpan, RawCharacter, line_text
from tests.core.reading import making


def line(*characters: tuple[str, float, float]) -> CharacterLine:
    """A line of characters, each with its left and right edge."""
    chars = [RawCharacter(c=char, bbox=(left, 0, right, 10), origin=(left, 8)) for char, left, right in characters]
    box = (characters[0][1], 0.0, characters[-1][2], 10.0)
    text = "".join(char["c"] for char in chars)
    span = CharacterSpan(
        text=text, bbox=box, size=10, font="F", flags=4, char_flags=16, color=0, alpha=255, chars=chars
    )
    return CharacterLine(spans=[span], bbox=box, dir=(1.0, 0.0))


def repaired(*characters: tuple[str, float, float]) -> str:
    made = line(*characters)
    repair_characters([made])
    return line_text(made)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("characters", "text"),
    [
        ([("n", 0, 5), ("o", 5, 10), ("´", 6, 9), ("n", 10, 15)], "nón"),
        ([("n", 0, 5), ("´", 6, 9), ("o", 5, 10), ("n", 10, 15)], "nón"),
        ([("r", 0, 4), ("´", 4, 8), ("ı", 4.5, 7), ("o", 7, 12)], "río"),
        ([("u", 5, 10), (" ", 10, 11), ("¨", 6, 9), ("n", 11, 16)], "ün"),
        ([("c", 0, 5), ("¸", 1, 4), ("a", 5, 10)], "ça"),
        ([("x", 0, 5), (" ", 5, 8), ("~", 8, 12), (" ", 12, 14), ("5", 14, 19)], "x ~ 5"),
        ([("a", 0, 5), ("^", 5, 10), ("b", 10, 15)], "a^b"),
    ],
)
def test_an_accent_is_composed_with_the_letter_that_it_stands_over(
    characters: list[tuple[str, float, float]], text: str
) -> None:
    assert repaired(*characters) == text


def test_a_soft_hyphen_is_a_hyphen_where_it_is_drawn_within_the_line() -> None:
    assert repaired(("a", 0, 5), ("\u00ad", 5, 8), ("b", 8, 13)) == "a-b"
    assert repaired(("a", 0, 5), ("\u00ad", 5, 5), ("b", 5, 10)) == "ab"
    assert repaired(("a", 0, 5), ("\u00ad", 5, 8), ("b", 8, 13), ("\u00ad", 13, 16)) == "a-b\u00ad"


def test_an_accented_name_is_read_with_its_accent_and_quoted_as_the_layer_has_it(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        making.prose(page)
        start, middle = (72 + pymupdf.get_text_length(text, fontsize=11) for text in ("The bay of Mo", "The bay of M"))
        page.insert_text((72, 300), "The bay of Mo", fontsize=11)
        page.insert_text((middle + 1.2, 300), "´", fontsize=11)
        page.insert_text((start, 300), "ra lies north of here.", fontsize=11)

    page = worker.read_page(making.write(tmp_path / "a.pdf", draw), 1, ReadingConfig(ocr=False), False)
    assert any("Móra" in line.text for block in page.blocks for line in block.lines)
    assert "Mo´ra" in page.layer
