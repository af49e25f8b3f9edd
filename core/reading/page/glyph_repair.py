"""Gives letters their value where the text layer lacks it, from the names that the page's fonts have for them.

A ligature without a value of its own is read as its first letter ("Te" for "The"), a symbol as a control or
private character. The font still names the glyph ("T_h", "lessequal"), after the Adobe Glyph List Specification.
A letter is only ever completed or valued, never replaced by another one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from core.reading.page.lines import (
    CharacterLine,
    GlyphOrigin,
    RawCharacter,
    RawLine,
    extract_character_lines,
    extract_glyph_codes,
    extract_lines,
    origin_key,
)
from core.reading.page.text_layer_quality import has_no_value, is_unreadable_character

if TYPE_CHECKING:
    import pymupdf

MAX_GLYPHS = 4_096
"""Glyphs of a font that are looked at; fonts with more are whole scripts whose layer has its values."""
MIN_CODE_LETTERS = 5
"""Different letters from which a font without any values is one of letters and not of signs."""
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼" + "\ufffd" * 33 + "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵"
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\ufffd〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)
"""Adobe's Symbol encoding from code 32 on; Word keeps its codes at U+F000 and up."""
_TEX_SYMBOLS = "−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻"
"""TeX's symbol encoding (OMS), codes 0 to 31, which old conversions leave as control characters."""
_TEX_EXTENSION = (
    "()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⏐⎝⎠⎜⎟"
    "⟨⟩⨆⨆∮∮⨀⨀⨁⨁⨂⨂∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐^^^~~~[]⌊⌋⌈⌉{}√√√√√√⏐⌜‖↑↓⟨⟩⟨⟩⇑⇓"
)
"""TeX's extension encoding (OMX): brackets, sums and integrals in several sizes."""
_ADOBE_PIECES = dict(enumerate("®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭", 0xF8E8))
"""Pieces of brackets in Adobe's private area (its mapping of the Symbol font to Unicode)."""
_SYMBOL_CODES = {0xF020 + code: value for code, value in enumerate(_SYMBOL) if value != "\ufffd"}
_TEX_CODES = {**dict(enumerate(_TEX_SYMBOLS)), 0x37: "↦"}
_TEX_EXTENSION_CODES = dict(enumerate(_TEX_EXTENSION))
_GLYPH_NUMBER = re.compile(r"[a-zA-Z]?\d+")
"""What a glyph without a name is called; MuPDF takes the number for a character's."""
_SYMBOL_FONT = re.compile(r"symbol", re.IGNORECASE)
_TEX_FONT = re.compile(r"cmsy|cm_?maths?_?symbols|mtsy|txsy|pxsy", re.IGNORECASE)
_TEX_EXTENSION_FONT = re.compile(r"cmex|mtex|txex|pxex|euex|math_?ex", re.IGNORECASE)
_ENCODINGS: tuple[tuple[re.Pattern[str], Mapping[int, str]], ...] = (
    (_TEX_FONT, _TEX_CODES),
    (_TEX_EXTENSION_FONT, _TEX_EXTENSION_CODES),
    (_SYMBOL_FONT, _SYMBOL_CODES | _ADOBE_PIECES),
)


@lru_cache(maxsize=256)
def symbol_codes(font: str) -> Mapping[int, str]:
    """The published encoding of a symbol font; empty for others."""
    named = (codes for pattern, codes in _ENCODINGS if pattern.search(font))
    return next(named, _ADOBE_PIECES)


def has_unvalued_characters(lines: Iterable[RawLine | CharacterLine]) -> bool:
    """Whether any glyph of the lines has no value."""
    characters = {c for line in lines for span in line["spans"] for c in span["text"]}
    return any(map(has_no_value, characters))


def unvalued_share(lines: Iterable[RawLine | CharacterLine]) -> float:
    """Which share of the characters has no value, 0 to 1."""
    text = "".join(span["text"] for line in lines for span in line["spans"])
    return sum(map(has_no_value, text)) / max(1, len(text))


def has_named_ligatures(document: "pymupdf.Document", fonts: Iterable[int]) -> bool:
    """Whether one of the fonts (by xref) names a glyph after several letters that MuPDF reads as the first.

    Where a font has a ToUnicode map, producers spell the ligatures of f right in it; the rest is often cut short.
    """
    return any(_may_truncate_ligatures(document, xref) for xref in fonts)


def has_truncated_ligatures(page: "pymupdf.Page") -> bool:
    """Whether a ligature of this page is read as its first letter alone; fonts hold many that no page uses."""
    before, spelled = extract_lines(page), extract_character_lines(page)
    repair_glyphs(page, spelled)
    return any(_length(line) < _length(other) for line, other in zip(before, spelled, strict=False))


def _length(line: RawLine | CharacterLine) -> int:
    return sum(len(span["text"]) for span in line["spans"])


def _may_truncate_ligatures(document: "pymupdf.Document", xref: int) -> bool:
    font = _Font(document, xref)
    names = [name for glyph in range(font.glyphs) if "_" in (name := font.name(glyph)).strip("_")]
    mapped = document.xref_get_key(xref, "ToUnicode")[0] != "null"
    return any(len(_glyph_text(name)) > 1 and not (mapped and name.startswith("f_")) for name in names)


def repair_glyphs(page: "pymupdf.Page", spelled: Sequence[CharacterLine]) -> None:
    """Give the characters of the page's lines, in place, what a glyph's name or its font's encoding says of them."""
    values = _values_by_origin(page)
    codes = extract_glyph_codes(page) if has_unvalued_characters(spelled) else {}
    letter_fonts = _fonts_of_bare_codes(spelled, codes)
    for span in (span for line in spelled for span in line["spans"]):
        for character in span["chars"]:
            origin = origin_key(character["origin"])
            value = values.get(origin, "")
            if _completes(character["c"], value):
                character["layer"], character["c"] = character["c"], value
            elif has_no_value(character["c"]):
                code = codes.get(origin, character["c"])
                decoded = code if span["font"] in letter_fonts else code.translate(symbol_codes(span["font"]))
                is_decoded = span["font"] in letter_fonts or decoded != code
                character["c"] = value or (decoded if is_decoded else character["c"])
        _drop_doubled_letters(span["chars"])
        span["text"] = "".join(character["c"] for character in span["chars"])


def _fonts_of_bare_codes(lines: Sequence[CharacterLine], codes: Mapping[GlyphOrigin, str]) -> set[str]:
    """Fonts that value none of their glyphs and whose codes are letters: those of old bitmap fonts are ASCII's."""
    letters: dict[str, set[str]] = {}
    valued: set[str] = set()
    for span in (span for line in lines for span in line["spans"]):
        bare = {codes.get(origin_key(char["origin"]), "") for char in span["chars"] if has_no_value(char["c"])}
        letters.setdefault(span["font"], set()).update(filter(str.isalnum, bare))
        if any(char["c"].isalnum() for char in span["chars"]):
            valued.add(span["font"])
    return {font for font, own in letters.items() if len(own) >= MIN_CODE_LETTERS and font not in valued}


def _completes(letter: str, value: str) -> bool:
    """Whether a ligature was read as its first letter."""
    return len(value) > 1 and value.startswith(letter)


def _drop_doubled_letters(characters: Sequence[RawCharacter]) -> None:
    """A ligature's further letters may stand beside it already; they are not said twice."""
    for index, character in enumerate(characters):
        rest = character["c"][1:]
        behind = characters[index + 1 : index + 1 + len(rest)]
        if rest and "".join(other["c"] for other in behind) == rest:
            for other in behind:
                other["layer"], other["c"] = other["c"], ""


def _values_by_origin(page: "pymupdf.Page") -> dict[GlyphOrigin, str]:
    """Where on the page a glyph stands whose name says more than its character."""
    glyphs = _Glyphs(page)
    values: dict[GlyphOrigin, str] = {}
    for span in page.get_texttrace():
        font = _plain_font_name(span["font"])
        for code, glyph, origin, _ in span["chars"]:
            value = glyphs.value(font, glyph)
            if len(value) > 1 or (value and is_unreadable_character(chr(code))):
                values[origin_key(origin)] = value
    return values


class _Glyphs:
    """What the names of a page's glyphs stand for; a font is opened when the first of its glyphs is met."""

    def __init__(self, page: "pymupdf.Page") -> None:
        self._document = page.parent
        self._xrefs: dict[str, list[int]] = {}
        for xref, _, _, base, *_ in page.get_fonts(full=True):
            if xref:  # 0: a font that is no object of its own
                self._xrefs.setdefault(_plain_font_name(base), []).append(xref)
        self._fonts: dict[int, _Font] = {}
        self._values: dict[tuple[str, int], str] = {}

    def value(self, font: str, glyph: int) -> str:
        """The text of a glyph; nothing where two subsets of one font disagree on it."""
        if (font, glyph) not in self._values:
            fonts = map(self._font, self._xrefs.get(font, ()))
            texts = {_glyph_text(subset.name(glyph)) for subset in fonts if glyph < subset.glyphs}
            self._values[font, glyph] = texts.pop() if len(texts) == 1 else ""
        return self._values[font, glyph]

    def _font(self, xref: int) -> "_Font":
        if xref not in self._fonts:
            self._fonts[xref] = _Font(self._document, xref)
        return self._fonts[xref]


class _Font:
    """An embedded font as far as it names its ``glyphs``: none where it has no names or cannot be read."""

    def __init__(self, document: "pymupdf.Document", xref: int) -> None:
        import pymupdf

        self.glyphs = 0
        try:
            data = document.extract_font(xref)[3]
            if data:
                self._font = pymupdf.Font(fontbuffer=data)
                self.glyphs = min(self._font.glyph_count, MAX_GLYPHS)
        except MemoryError:
            raise
        except Exception:  # a broken font costs its repair and nothing else
            return

    def name(self, glyph: int) -> str:
        """What the font calls a glyph (below ``glyphs``)."""
        from pymupdf import mupdf

        try:
            return str(mupdf.fz_get_glyph_name2(self._font.this, glyph))
        except MemoryError:
            raise
        except Exception:  # as above
            return ""


def _glyph_text(name: str) -> str:
    """The text that a glyph's name stands for (AGL Specification, section 2), or nothing."""
    from pymupdf import mupdf

    letters = []
    for part in name.split(".", 1)[0].split("_"):
        is_number = _GLYPH_NUMBER.fullmatch(part) is not None
        code = mupdf.fz_unicode_from_glyph_name(part) if part and not is_number else 0
        if code in (0, 0xFFFD):
            return ""
        letters.append(chr(code))
    value = "".join(letters)
    return "" if any(is_unreadable_character(c) for c in value) else value


def _plain_font_name(font: str) -> str:
    """A font's name without its subset's tag and the spaces and hyphens that not every program keeps."""
    return re.sub(r"[\W_]", "", font.split("+", 1)[-1])
