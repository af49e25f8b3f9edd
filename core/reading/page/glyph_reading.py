"""Reads glyphs without a value from the picture of the page, a few letters around each of them at a time.

A font whose glyphs have neither values nor names prints a minus, a ligature or a Greek letter that the text layer
lacks. OCR sees it between characters that the layer does have. Every place where a glyph stands must be read alike,
and a reading that could be of a similar character (a Latin letter that stands alone for a Greek one) is not taken.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, TypeAlias

from core.reading.blocks import union
from core.reading.page import ocr
from core.reading.page.lines import CharacterLine, GlyphOrigin, RawCharacter, RawLine, RawSpan, origin_key
from core.reading.page.text_layer_quality import has_no_value

if TYPE_CHECKING:
    import pymupdf

Glyph: TypeAlias = tuple[str, int | str]
"""A font's name, and the glyph's number in it or, where that is not known, its character."""
Place: TypeAlias = tuple[list[RawCharacter], int]
"""The characters of a line, and which of them it is about."""
MAX_GLYPHS = 12
"""Different glyphs of a page that are read; a page with more is a page of formulas."""
MAX_SAMPLES = 3
"""Places at which one glyph is read."""
CONTEXT = 12
"""Characters on either side that are read with it."""
MIN_CONTEXT_SIMILARITY = 0.8
"""Share of the context that OCR must read as the layer has it."""
UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_DASHES = frozenset("-–—−‒―一")
MIN_CONTEXT = 4
"""Characters with a value that stand around a glyph; a bracket of a formula has fewer and is not looked at."""
_SIGN_CATEGORIES = ("Sm", "Sc", "So", "Ps", "Pe")
_OTHER_SIGNS = frozenset("%‰•·§†‡")
"""Not the stops and commas that OCR sees in a bullet as well: before a number they would make another one of it."""
_SAME_SIZE = 0.1
"""Share by which the sizes of a sign and of the number behind it may differ."""
_MAX_SIGN_GAP = 0.2
"""Of the size, between a sign and its number."""


def read_glyphs(page: "pymupdf.Page", lines: Sequence[CharacterLine]) -> None:
    """Give glyphs without a value, and signs before numbers that another font prints, the value that is seen."""
    places: dict[Glyph, list[Place]] = {}
    glyphs = _glyphs_by_origin(page)
    for characters, index, font in _doubtful_characters(lines):
        glyph = font, glyphs.get(origin_key(characters[index]["origin"]), characters[index]["c"])
        places.setdefault(glyph, []).append((characters, index))
    for glyph in list(places)[:MAX_GLYPHS]:
        value = _read_glyph(page, places[glyph])
        for characters, index in places[glyph] if value else ():
            characters[index]["c"] = value
    for line in lines:
        for span in line["spans"]:
            span["text"] = "".join(character["c"] for character in span["chars"])


def has_doubtful_signs(lines: Sequence[RawLine]) -> bool:
    """Whether a letter or digit of another font stands directly before a number: it may be a sign."""
    return any(_is_doubtful_sign(span, after) for line in lines for span, after in _neighbours(line))


def _neighbours(line: RawLine | CharacterLine) -> Iterator[tuple[RawSpan, RawSpan]]:
    yield from zip(line["spans"], line["spans"][1:], strict=False)


def _is_doubtful_sign(span: RawSpan, after: RawSpan) -> bool:
    is_alone = len(span["text"].strip()) == 1 and span["text"].strip().isalnum()
    is_number = after["text"][:1].isdigit() and span["font"] != after["font"]
    if not (is_alone and is_number):
        return False
    is_same_size = abs(span["size"] - after["size"]) <= _SAME_SIZE * after["size"]
    return is_same_size and after["bbox"][0] - span["bbox"][2] <= _MAX_SIGN_GAP * after["size"]


def _doubtful_characters(lines: Sequence[CharacterLine]) -> Iterator[tuple[list[RawCharacter], int, str]]:
    for line in lines:
        characters = [character for span in line["spans"] for character in span["chars"]]
        signs = {id(span) for span, after in _neighbours(line) if _is_doubtful_sign(span, after)}
        index = 0
        for span in line["spans"]:
            for character in span["chars"]:
                if _is_unknown(character["c"]) or (id(span) in signs and not character["c"].isspace()):
                    yield characters, index, span["font"]
                index += 1


def _glyphs_by_origin(page: "pymupdf.Page") -> Mapping[GlyphOrigin, int]:
    """The number, in its font, of the glyph that stands at a point of the page."""
    return {origin_key(origin): glyph for span in page.get_texttrace() for _, glyph, origin, _ in span["chars"]}


def _read_glyph(page: "pymupdf.Page", places: Sequence[Place]) -> str:
    """What a glyph is seen as wherever it is looked at; nothing where the readings differ or cannot be relied on."""
    readable = [place for place in places if _has_context(*place)]
    if not readable:
        return ""
    readings = Counter(_read_place(page, *place) for place in readable[:MAX_SAMPLES])
    value, times = readings.most_common(1)[0]
    return value if 2 * times > readings.total() else ""


def _has_context(characters: Sequence[RawCharacter], index: int) -> bool:
    around = "".join(character["c"] for character in _around(characters, index))
    return sum(not char.isspace() and not has_no_value(char) for char in around) >= MIN_CONTEXT


def _around(characters: Sequence[RawCharacter], index: int) -> Sequence[RawCharacter]:
    return characters[max(0, index - CONTEXT) : index + CONTEXT + 1]


def _is_sign(char: str) -> bool:
    return char in _OTHER_SIGNS or unicodedata.category(char) in _SIGN_CATEGORIES


def _read_place(page: "pymupdf.Page", characters: Sequence[RawCharacter], index: int) -> str:
    start, around = max(0, index - CONTEXT), _around(characters, index)
    x0, y0, x1, y1 = union(character["bbox"] for character in around)
    recognised, confidence = ocr.recognise_line(page, (x0 - 1, y0, x1 + 1, y1), ocr.DPI)
    if confidence < ocr.MIN_UPRIGHT_CONFIDENCE:
        return ""
    reading = align_reading([character["c"] for character in around], index - start, recognised)
    if reading == characters[index]["c"]:
        return reading
    before = characters[index - 1]["c"] if index else " "
    after = characters[index + 1]["c"] if index + 1 < len(characters) else " "
    return _accept_reading(reading, before, after)


def align_reading(characters: Sequence[str], index: int, recognised: str) -> str:
    """What OCR ``recognised`` where the layer has character ``index``; nothing where its neighbours differ."""
    known = ["".join(map(_known, character.split())) for character in characters]
    known[index] = UNKNOWN
    text, at = "".join(known), len("".join(known[:index]))
    seen = re.sub(r"\s", "", recognised)
    matcher = SequenceMatcher(None, text, seen, autojunk=False)
    agreeing = sum(block.size for block in matcher.get_matching_blocks())
    if agreeing < MIN_CONTEXT_SIMILARITY * (len(text) - text.count(UNKNOWN)):
        return ""
    readings = [
        seen[first:last] for _, start, end, first, last in matcher.get_opcodes() if (start, end) == (at, at + 1)
    ]
    return readings[0] if readings else ""


def _known(character: str) -> str:
    return UNKNOWN if _is_unknown(character) else character


def _is_unknown(value: str) -> bool:
    """Whether a glyph's value says nothing; a ligature has several letters, one that stands twice none."""
    return len(value) == 1 and has_no_value(value)


def _accept_reading(reading: str, before: str, after: str) -> str:
    """The reading if it can only be what is printed, else ``UNKNOWN``: a dash before a number is a minus."""
    if not reading:
        return ""
    if reading in _DASHES:
        return "−" if after.isdigit() else "–"
    if not reading.isalnum():
        return reading if all(map(_is_sign, reading)) else UNKNOWN
    if not reading.isascii():
        return reading
    is_ligature = reading.isalpha() and len(reading) > 1 and (before.isalpha() or after.isalpha())
    is_within_word = reading.isalpha() and before.isalpha() and after.isalpha()
    return reading if is_ligature or is_within_word else UNKNOWN
