"""What a text layer says otherwise than the page shows is never read; the picture decides, and the reader is told."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from core.config import ReadingConfig
from core.reading import worker
from core.reading.blocks import PageContent
from tests.core.reading import making

LINES = (
    "Herring gulls on nine piers were counted at dawn for two summers.",
    "The gulls that nest on the roofs of the town were not among them.",
    "Half of all nests were lost in the week of the great storm.",
)
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
NOTE = "Text of page 1 is printed otherwise than its text layer says; OCR read it instead."


def shifted(steps: int) -> dict[str, str]:
    """A cipher of the small letters."""
    return {char: ALPHABET[(index + steps) % 26] for index, char in enumerate(ALPHABET)}


def read(pdf: Path) -> PageContent:
    return worker.read_page(pdf, 1, ReadingConfig(), False)


def text(page: PageContent) -> str:
    return "\n".join(line.text for block in page.blocks for line in block.lines)


@pytest.mark.parametrize("steps", [1, 13])
def test_a_layer_that_is_a_cipher_of_the_print_is_not_read(tmp_path: Path, steps: int) -> None:
    page = read(making.printed_as(tmp_path / "a.pdf", LINES, shifted(steps)))
    assert all(line in text(page) for line in LINES)
    assert page.notes == (NOTE,)
    assert all(line in page.layer for line in LINES)


def test_a_page_of_such_lines_is_read_from_its_picture_as_a_whole(tmp_path: Path) -> None:
    page = read(making.printed_as(tmp_path / "a.pdf", LINES * 9, shifted(1)))
    assert page.from_ocr
    assert LINES[0] in text(page)
    assert page.notes == ("The text layer of page 1 does not match what is printed and was replaced by OCR.",)


@pytest.mark.parametrize(
    ("values", "forged"),
    [
        ({"~": " not "}, "did not help"),
        ({"~": " 99 "}, "did 99 help"),
    ],
)
def test_a_space_that_stands_for_a_word_is_a_space(tmp_path: Path, values: Mapping[str, str], forged: str) -> None:
    line = "The fence by the harbour wall did~help the gulls in the storm."
    page = read(making.printed_as(tmp_path / "a.pdf", (*LINES, line), values))
    assert forged not in text(page)
    assert forged not in page.layer
    assert page.notes == (NOTE,)


def test_glyphs_that_stand_for_other_letters_than_elsewhere_are_not_read(tmp_path: Path) -> None:
    printed = "We thank the keepers of the pier for many warm cups of tea."
    forged = "We found the gulls in the town to be the best of all."
    pdf = making.forged_line(tmp_path / "a.pdf", LINES, printed, forged)
    page = read(pdf)
    assert "best of all" not in text(page)
    assert "best of all" not in page.layer
    assert printed in text(page)
    assert page.notes == (NOTE,)


def test_an_honest_page_in_a_language_that_is_not_known_stays(tmp_path: Path) -> None:
    lines = ("Lokit laskettiin aamulla satamassa.", "Pesien kato oli suurin myrskyn aikana.")
    page = read(making.printed_as(tmp_path / "a.pdf", lines, {}))
    assert text(page).split("\n") == list(lines)
    assert page.notes == ()
