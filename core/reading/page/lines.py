"""The printed lines of one page from its text layer, as values without a PDF behind them; superscripts kept apart.

Text is taken from MuPDF's structured text as it is, for a quote must match what any reader extracts from the same
file; what MuPDF cannot know (letters without Unicode value, visual order) is repaired elsewhere. Where 10 to the power
of 8 is printed, a text layer runs the two together to "108": raised digits get a separator before them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, NotRequired, TypeAlias, TypedDict, cast

from core.reading.blocks import Line, Rect, Span
from core.reading.page.text_layer_quality import has_no_value

if TYPE_CHECKING:
    import pymupdf

GlyphOrigin: TypeAlias = tuple[float, float]
FILLED = 16
STROKED = 32
MAX_DUPLICATE_OFFSET = 0.2
"""Share of its size by which the second print of a letter may lie beside the first."""
DUPLICATE_SEARCH_RADIUS = 4.0
"""Points within which the second print of a run is looked for."""
MIN_CROWDED_LETTERS = 8
MIN_LETTER_WIDTH = 0.3
"""Widths of a letter over its size; a run of ``MIN_CROWDED_LETTERS`` or more that is narrower has some twice."""
SUPERSCRIPT = 1
ITALIC = 2
BOLD = 16
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
"""Ligature characters said letter by letter, so that words can be searched; compatibility folding does the same."""


_BULLET = re.compile("^\ufffd(?=\\s+[^\\W\\d_])")
"""A sign without a value before the first word of a line marks the items of a list."""


class RawSpan(TypedDict):
    """A span of MuPDF's structured text, as far as it is used here."""

    text: str
    bbox: Rect
    size: float
    font: str
    flags: int
    char_flags: int
    color: int
    alpha: int


class RawLine(TypedDict):
    """A line of MuPDF's structured text; ``dir`` is the unit vector of its writing direction.

    ``wmode`` is 1 where its font writes from top to bottom.
    """

    spans: list[RawSpan]
    bbox: Rect
    dir: tuple[float, float]
    wmode: NotRequired[int]


def extract_lines(page: "pymupdf.Page") -> list[RawLine]:
    """All lines of the text layer in the order of the file, visible or not; annotations are no part of it.

    What ``page.get_text()`` gives, without ActualText: that is text which no reader sees.
    """
    lines: list[RawLine] = _extract_raw(page, "extractDICT", _plain_flags())
    return _extract_raw(page, "extractDICT", _merged_flags()) if has_duplicate_letters(lines) else lines


def _plain_flags() -> int:
    """A glyph without a value is U+FFFD and not the character of its code, which may be any letter or digit."""
    import pymupdf

    wanted = pymupdf.TEXTFLAGS_TEXT | pymupdf.TEXT_IGNORE_ACTUALTEXT
    return int(wanted & ~pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE)


def _merged_flags() -> int:
    """With its option for styles MuPDF takes letters that stand twice in one place for one.

    It compares every letter with all others for it: half of all that reading costs beside the layout model.
    """
    import pymupdf

    return _plain_flags() | int(pymupdf.TEXT_COLLECT_STYLES)


def _extract_raw(page: "pymupdf.Page", extract: str, flags: int) -> list[Any]:
    import pymupdf

    shown = page.get_displaylist(annots=False)
    blocks = getattr(pymupdf.TextPage(shown.get_textpage(flags=flags)), extract)()["blocks"]
    return [line for block in blocks if block["type"] == 0 for line in block["lines"]]


def has_duplicate_letters(lines: Iterable[RawLine]) -> bool:
    """Whether letters may stand twice in one place: filled and drawn, or a little apart to look bold."""
    spans = [span for line in lines for span in line["spans"] if span["text"].strip()]
    if len({span["char_flags"] & (FILLED | STROKED) for span in spans} - {0}) > 1:
        return True
    return any(map(_is_crowded, spans)) or _has_repeated_span(spans)


def _is_crowded(span: RawSpan) -> bool:
    """Whether a run holds more letters than have room side by side."""
    x0, y0, x1, y1 = span["bbox"]
    letters = len(span["text"])
    return letters >= MIN_CROWDED_LETTERS and max(x1 - x0, y1 - y0) < MIN_LETTER_WIDTH * letters * span["size"]


def _has_repeated_span(spans: Iterable[RawSpan]) -> bool:
    """Whether a run is printed twice within ``MAX_DUPLICATE_OFFSET`` of its size."""
    cells: dict[tuple[str, int, int], list[RawSpan]] = {}
    for span in spans:
        x, y = int(span["bbox"][0] / DUPLICATE_SEARCH_RADIUS), int(span["bbox"][1] / DUPLICATE_SEARCH_RADIUS)
        near = MAX_DUPLICATE_OFFSET * span["size"]
        for cell in product((span["text"],), (x - 1, x, x + 1), (y - 1, y, y + 1)):
            for other in cells.get(cell, ()):
                if all(
                    abs(edge - other_edge) <= near for edge, other_edge in zip(span["bbox"], other["bbox"], strict=True)
                ):
                    return True
        cells.setdefault((span["text"], x, y), []).append(span)
    return False


class RawCharacter(TypedDict):
    """One character with its box and the point on the base line where it starts.

    ``layer`` is what the file itself says, where a glyph's name completed it.
    """

    c: str
    bbox: Rect
    origin: tuple[float, float]
    layer: NotRequired[str]


class CharacterSpan(RawSpan):
    """A span with its characters one by one."""

    chars: list[RawCharacter]


class CharacterLine(TypedDict):
    """A line with its characters one by one."""

    spans: list[CharacterSpan]
    bbox: Rect
    dir: tuple[float, float]


def extract_character_lines(page: "pymupdf.Page") -> list[CharacterLine]:
    """The lines that ``extract_lines`` gives, with the box of every character; several times slower."""
    has_duplicates = has_duplicate_letters(_extract_raw(page, "extractDICT", _plain_flags()))
    lines: list[CharacterLine] = _extract_raw(
        page, "extractRAWDICT", _merged_flags() if has_duplicates else _plain_flags()
    )
    for line in lines:
        for span in line["spans"]:
            span["text"] = "".join(character["c"] for character in span["chars"])
    return lines


def extract_glyph_codes(page: "pymupdf.Page") -> dict[GlyphOrigin, str]:
    """By where each glyph stands, its value or, where it has none, the character of its code in its font."""
    import pymupdf

    lines = _extract_raw(page, "extractRAWDICT", _plain_flags() | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE)
    characters = (character for line in lines for span in line["spans"] for character in span["chars"])
    return {origin_key(character["origin"]): character["c"] for character in characters}


def origin_key(origin: tuple[float, float]) -> GlyphOrigin:
    """The point from which a glyph is drawn, as it can be compared between two extractions of a page."""
    return round(origin[0], 1), round(origin[1], 1)


def to_line(raw: RawLine) -> Line | None:
    """The line as a value, or None where it holds nothing but space."""
    if not line_text(raw).strip():
        return None
    spans = mark_superscripts([to_span(span) for span in raw["spans"] if span["text"]])
    text = _BULLET.sub("•", "".join(span.text for span in spans).strip())
    return Line(text=text, rect=raw["bbox"], spans=spans, vertical=is_vertical(raw))


def to_span(raw: RawSpan) -> Span:
    """The run of characters as a value."""
    font, flags = raw["font"], raw["flags"]
    return Span(
        text=_printable(raw["text"]).translate(_LIGATURES),
        rect=raw["bbox"],
        size=round(raw["size"], 2),
        font=font,
        bold=bool(flags & BOLD),
        italic=bool(flags & ITALIC),
        superscript=bool(flags & SUPERSCRIPT),
    )


def _printable(text: str) -> str:
    """The text with U+FFFD for what has no value: no control character is ever quoted."""
    if text.isprintable():
        return text
    return "".join("\N{REPLACEMENT CHARACTER}" if has_no_value(char) else char for char in text)


def line_text(raw: RawLine) -> str:
    """The characters of the line as the layer has them."""
    return "".join(span["text"] for span in raw["spans"])


def layer_text(raw: RawLine | CharacterLine) -> str:
    """The characters of the line as they are quoted: letters that its font's names completed as the file has them."""
    return "".join(_layer_of_span(span) for span in raw["spans"])


def _layer_of_span(span: RawSpan) -> str:
    characters = cast("CharacterSpan", span).get("chars")
    return span["text"] if characters is None else "".join(char.get("layer", char["c"]) for char in characters)


def is_vertical(raw: RawLine) -> bool:
    """Whether the line runs up or down the page rather than across."""
    x, y = raw["dir"]
    return abs(y) > abs(x)


def to_lines(raws: Sequence[RawLine]) -> tuple[Line, ...]:
    """The lines as values, empty ones left out."""
    return tuple(line for line in map(to_line, raws) if line is not None)


_NUMBER_BEFORE = re.compile(r"(?:^|[^\d.,])(?P<digits>\d(?:[\d.,]*\d)?)(?P<stop>[.,]?)$")
_RAISED = re.compile(r"(?P<plus>\+\s?)?(?:[-\u2212\u2013]\s?)?\d")
_BASES = ("2", "10")
"""Numbers whose powers are written; what is raised behind another one is a note's number ("in 2019 3") or how far it
may be off ("46 +9").
"""
_MAX_RAISED_SIZE = 0.85
"""Of the size before it, below which a run that stands higher is raised though the layer does not say so."""
_MIN_RAISED_HEIGHT = 0.15
"""Of that size, by which it then stands higher."""
_MAX_RAISED_GAP = 0.3
"""Of that size; what stands further off is a word of its own."""


def mark_superscripts(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans of a line, "^" before a power behind its base, a space before what else is raised behind a number.

    Behind a full stop or comma it is "^" as well: a space there would end the sentence before the note's number.
    """
    done: list[Span] = []
    text, low = "", True
    for number, span in enumerate(spans):
        raised = number > 0 and _is_raised(span, spans[number - 1] if low else done[-1])
        if raised and low:
            following = "".join(other.text for other in spans[number : number + 3])
            span = replace(span, text=_separator(text, following) + span.text)
        done.append(span)
        text, low = text + span.text, not raised
    return tuple(done)


def _is_raised(span: Span, before: Span) -> bool:
    """Whether ``span`` stands directly behind the run ``before`` it, and is raised."""
    if span.rect[0] - before.rect[2] > _MAX_RAISED_GAP * before.size:
        return False
    higher = before.rect[3] - span.rect[3] > _MIN_RAISED_HEIGHT * before.size
    return span.superscript or (span.size < _MAX_RAISED_SIZE * before.size and higher)


def _separator(before: str, raised: str) -> str:
    number, power = _NUMBER_BEFORE.search(before), _RAISED.match(raised)
    if number is None or power is None:
        return ""
    if number["stop"]:
        return "^"
    return "^" if number["digits"] in _BASES and not power["plus"] else " "
