"""Gives letters their value where the text layer lacks it, from the names that the page's fonts have for them.

A ligature without a value of its own is read as its first letter ("Te" for "The"), a symbol as a control or
private character. The font still names the glyph ("T_h", "lessequal"), after the Adobe Glyph List Specification.
A letter is only ever completed or valued, never replaced by another one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from core.reading.kinds import is_noise
from core.reading.lines import RawLine, RawSpan, SpelledLine, raw_lines, spelled_lines

if TYPE_CHECKING:
    import pymupdf

Place: TypeAlias = tuple[float, float]
GLYPHS = 4_096
"""Glyphs of a font that are looked at; fonts with more are whole scripts whose layer has its values."""
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼" + "\ufffd" * 33 + "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵"
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\ufffd〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)
"""Adobe's Symbol encoding from code 32 on; Word keeps its codes at U+F000 and up."""
_TEX_SYMBOLS = "−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻"
"""TeX's symbol encoding (OMS), codes 0 to 31, which old conversions leave as control characters."""
_SYMBOL_CODES = {0xF020 + code: value for code, value in enumerate(_SYMBOL) if value != "\ufffd"}
_TEX_CODES = dict(enumerate(_TEX_SYMBOLS))
_SYMBOL_FONT = re.compile(r"symbol", re.IGNORECASE)
_TEX_FONT = re.compile(r"cmsy|cm_?maths?_?symbols|mtsy|txsy|pxsy", re.IGNORECASE)


def with_symbols(lines: Sequence[RawLine]) -> list[RawLine]:
    """The lines with the symbols valued whose font has a published encoding."""
    return [
        RawLine(spans=[_with_symbols(s) for s in line["spans"]], bbox=line["bbox"], dir=line["dir"]) for line in lines
    ]


def _with_symbols(span: RawSpan) -> RawSpan:
    codes = _TEX_CODES if _TEX_FONT.search(span["font"]) else _SYMBOL_CODES if _SYMBOL_FONT.search(span["font"]) else {}
    if not codes or not any(ord(c) in codes for c in span["text"]):
        return span
    return RawSpan(**{**span, "text": span["text"].translate(codes)})


def needs_mending(lines: Iterable[RawLine], *, ligatures: bool) -> bool:
    """Whether characters lack a value, or the PDF's fonts hold ligatures that may be read as one letter."""
    return ligatures or has_noise(lines)


def has_noise(lines: Iterable[RawLine]) -> bool:
    """Whether any character has no value that a person could read."""
    characters = {c for line in lines for span in line["spans"] for c in span["text"]}
    return any(map(is_noise, characters))


def has_named_ligatures(document: "pymupdf.Document", fonts: Iterable[int]) -> bool:
    """Whether one of the fonts (by xref) names a glyph after several letters that MuPDF reads as the first.

    Where a font has a ToUnicode map, producers spell the ligatures of f right in it; the rest is often cut short.
    """
    return any(_may_be_cut(document, xref) for xref in fonts)


def completes_letters(page: "pymupdf.Page") -> bool:
    """Whether a ligature of this page is read as its first letter alone; fonts hold many that no page uses."""
    before, after = raw_lines(page), mended(page)
    return any(_length(one) < _length(other) for one, other in zip(before, after, strict=False))


def _length(line: RawLine) -> int:
    return sum(len(span["text"]) for span in line["spans"])


def _may_be_cut(document: "pymupdf.Document", xref: int) -> bool:
    names = [name for name in _glyph_names(document, xref).values() if "_" in name.strip("_")]
    mapped = document.xref_get_key(xref, "ToUnicode")[0] != "null"
    return any(len(_value(name)) > 1 and not (mapped and name.startswith("f_")) for name in names)


def mended(page: "pymupdf.Page") -> list[RawLine]:
    """The page's lines with every letter that a glyph's name could complete or value."""
    lines = spelled_lines(page)
    values = _values_by_place(page)
    for line in lines:
        if values:
            _mend(line, values)
    return [RawLine(spans=list(line["spans"]), bbox=line["bbox"], dir=line["dir"]) for line in lines]


def _mend(line: SpelledLine, values: Mapping[Place, str]) -> None:
    for span in line["spans"]:
        letters = []
        for character in span["chars"]:
            value = values.get(_place(character["origin"]), "")
            completes = len(value) > 1 and value.startswith(character["c"])
            character["c"] = value if value and (completes or is_noise(character["c"])) else character["c"]
            letters.append(character["c"])
        span["text"] = _without_doubles(letters)


def _without_doubles(letters: Sequence[str]) -> str:
    """A ligature's further letters may stand beside it already; they are not said twice."""
    out: list[str] = []
    skip = 0
    for index, letter in enumerate(letters):
        if skip:
            skip -= 1
            continue
        out.append(letter)
        rest = letter[1:]
        if rest and "".join(letters[index + 1 : index + len(letter)]) == rest:
            skip = len(rest)
    return "".join(out)


def _values_by_place(page: "pymupdf.Page") -> dict[Place, str]:
    """Where on the page a glyph stands whose name says more than its character."""
    names = _names_by_font(page)
    values: dict[Place, str] = {}
    for span in page.get_texttrace():
        glyphs = names.get(_plain(span["font"]))
        if not glyphs:
            continue
        for _, glyph, origin, _ in span["chars"]:
            value = glyphs.get(glyph)
            if value:
                values[_place(origin)] = value
    return values


def _names_by_font(page: "pymupdf.Page") -> dict[str, dict[int, str]]:
    """Font name -> glyph -> text; glyphs on which two subsets of one font disagree are left out."""
    fonts: dict[str, dict[int, str]] = {}
    for xref, _, _, base, *_ in page.get_fonts(full=True):
        values = {glyph: _value(name) for glyph, name in _glyph_names(page.parent, xref).items()}
        known = fonts.setdefault(_plain(base), {})
        for glyph, value in values.items():
            known[glyph] = value if known.get(glyph, value) == value else ""
    return fonts


def _glyph_names(document: "pymupdf.Document", xref: int) -> dict[int, str]:
    """The names of an embedded font's glyphs; empty where it has none or cannot be read."""
    import pymupdf
    from pymupdf import mupdf

    try:
        data = document.extract_font(xref)[3]
        if not data:
            return {}
        font = pymupdf.Font(fontbuffer=data)
        count = min(font.glyph_count, GLYPHS)
        return {glyph: mupdf.fz_get_glyph_name2(font.this, glyph) for glyph in range(count)}
    except MemoryError:
        raise
    except Exception:  # a broken font costs its repair and nothing else
        return {}


def _value(name: str) -> str:
    """The text that a glyph's name stands for (AGL Specification, section 2), or nothing."""
    from pymupdf import mupdf

    letters = []
    for part in name.split(".", 1)[0].split("_"):
        code = mupdf.fz_unicode_from_glyph_name(part) if part else 0
        if code in (0, 0xFFFD):
            return ""
        letters.append(chr(code))
    value = "".join(letters)
    return "" if any(is_noise(c) for c in value) else value


def _plain(font: str) -> str:
    """A font's name without its subset's tag and the spaces and hyphens that not every program keeps."""
    return re.sub(r"[\W_]", "", font.split("+", 1)[-1])


def _place(origin: tuple[float, float]) -> Place:
    return round(origin[0], 1), round(origin[1], 1)
