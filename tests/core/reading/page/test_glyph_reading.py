"""A glyph without a value is read from the picture, or left out of what can be quoted; nothing is lost unsaid."""

from pathlib import Path

import pytest

from core.config import ReadingConfig
from core.reading import worker
from core.reading.blocks import PageContent
from core.reading.page.glyph_reading import align_reading
from core.reading.page.glyph_repair import symbol_codes
from core.reading.paper.structure import analyse_paper
from tests.core.reading import making

FILLER = (
    "Moss beds were weighed at dawn and at dusk on each of the forty days.",
    "Two observers read the scales without knowing which bed was shaded.",
    "The beds stood on slate, with a gutter on either side of every row.",
)


def passages(pdf: Path, *, ocr: bool = True) -> str:
    config = ReadingConfig(ocr=ocr)
    return "\n".join(p.text for p in analyse_paper([page(pdf, config)], paper_id="ab" * 32, file_metadata={}).passages)


def page(pdf: Path, config: ReadingConfig) -> PageContent:
    return worker.read_page(pdf, 1, config, False)


@pytest.mark.parametrize("value", ["\x03", "\ue001", "\ufffd"])
@pytest.mark.parametrize(
    ("printed", "sign"),
    [
        ("The mean change of the beds was −31.5 grams in the shade.", "−"),
        ("The beds weighed 310 ± 24 grams before the first frost came.", "±"),
        ("Grains below 85 µm were left out of all of the samples.", "µ"),
    ],
)
def test_a_sign_without_a_value_is_read_from_the_picture(tmp_path: Path, printed: str, sign: str, value: str) -> None:
    pdf = making.printed_as(tmp_path / "a.pdf", (*FILLER, printed), {sign: value}, font="F1")
    text = passages(pdf).replace("\u03bc", "µ")
    assert printed in text


def test_a_ligature_without_a_value_is_read_letter_by_letter(tmp_path: Path) -> None:
    printed = "The \ufb01rst of the \ufb01elds was \ufb01lled and \ufb01nally \ufb01xed."
    pdf = making.printed_as(tmp_path / "a.pdf", (*FILLER, printed), {"\ufb01": "\x00"})
    assert "The first of the fields was filled and finally fixed." in passages(pdf)


def test_a_minus_that_its_font_calls_a_digit_is_read_from_the_picture(tmp_path: Path) -> None:
    printed = "The mean change of the beds was −31.5 grams in the shade."
    pdf = making.printed_as(tmp_path / "a.pdf", (*FILLER, printed), {"−": "7"}, font="F1")
    text = passages(pdf)
    assert "was −31.5 grams" in text
    assert "731.5" not in text


def test_a_digit_of_another_font_stays_where_the_picture_shows_it(tmp_path: Path) -> None:
    printed = "The mean weight of the beds was 731.5 grams in the shade."
    pdf = making.printed_as(tmp_path / "a.pdf", (*FILLER, printed), {"7": "7"}, font="F1")
    assert "was 731.5 grams" in passages(pdf)


def test_what_cannot_be_read_is_marked_and_told(tmp_path: Path) -> None:
    printed = "The mean change of the beds was −31.5 grams in the shade."
    pdf = making.printed_as(tmp_path / "a.pdf", (*FILLER, printed), {"−": "\x03"}, font="F1")
    reading = analyse_paper([page(pdf, ReadingConfig(ocr=False))], paper_id="ab" * 32, file_metadata={})
    assert "was \ufffd31.5 grams" in "\n".join(passage.text for passage in reading.passages)
    assert reading.warnings == ("Signs on page 1 could not be read; sentences that hold them are not quoted.",)


@pytest.mark.parametrize(
    ("font", "codes", "printed"),
    [
        ("SymbolMT", "5 \uf0b1 2 \uf06dm", "5 ± 2 μm"),
        ("TeX_CM_Maths_Symbols", "p \x14 0.05 \x03", "p ≤ 0.05 ∗"),
        ("CMEX10", "\x12\x13X", "()∑"),
        ("XYMathEx", "\x14\x15p", "[]√"),
        ("MinionPro", "\uf8eb", "⎛"),
        ("Wingdings", "\uf0b1", "\uf0b1"),
    ],
)
def test_a_code_has_the_meaning_of_its_fonts_published_encoding(font: str, codes: str, printed: str) -> None:
    assert codes.translate(symbol_codes(font)) == printed


@pytest.mark.parametrize(
    ("layer", "recognised", "reading"),
    [
        (["w", "a", "s", " ", "\x03", "5", " ", "g"], "was —5 g", "—"),
        (["w", "a", "s", " ", "\x03", "5", " ", "g"], "was 5 g", ""),
        (["w", "a", "s", " ", "\x03", "5", " ", "g"], "and more on top", ""),
        (["o", "\x03", "e", "r", "e", "d"], "offered", "ff"),
    ],
)
def test_a_reading_counts_where_its_neighbours_agree(layer: list[str], recognised: str, reading: str) -> None:
    assert align_reading(layer, layer.index("\x03"), recognised) == reading
