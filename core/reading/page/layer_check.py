"""Finds lines whose text layer says something else than the page shows, and has OCR read them instead.

A font may map its glyphs to other letters, by mistake or to be quoted with what nobody sees. Reading every line from
the picture costs ten times as much as the layer does, so only what looks odd is compared: fonts in whose words there
is no small word of any known language, glyphs that stand for different letters, and glyphs that expand to more than
a ligature can. The picture decides.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

from core.reading.blocks import Rect
from core.reading.page import ocr
from core.reading.page.lines import RawLine, RawSpan, line_text
from core.reading.page.text_layer_quality import MIN_OCR_CONFIDENCE, fold_text, is_same_reading
from core.text.language import STOP_WORDS_OF

if TYPE_CHECKING:
    import pymupdf

Point: TypeAlias = tuple[float, float]
MAX_CORRECTED = 20
"""Lines that are read one by one; a whole page costs as much as 30 lines."""
MIN_WORDS = 6
"""Words of a font by which it is told whether they are a language's."""
MIN_SMALL_WORDS = 0.04
"""Share of small words below which a font is compared; running text has 0.3 and more, headings 0.1."""
MAX_SAMPLES = 2
"""Runs of a doubtful font that are compared, the longest ones."""
MAX_SAMPLE_WIDTH = 160.0
"""Points of a run that are read; the cost grows with the width."""
MIN_CONFLICTS = 3
"""Glyphs of a line with another value than elsewhere from which it is compared."""
MIN_AGREEMENT = 0.9
"""Similarity of two readings of a clean line; other words stay below."""
ENOUGH = 2
"""Compared lines that agree from which the rest is believed."""
MAX_LIGATURE = 4
"""Letters of the longest ligature."""
_WORD = re.compile(r"[a-z]{2,}")
_SMALL_WORDS = frozenset[str]().union(*STOP_WORDS_OF.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedLines:
    """The lines as the page shows them; ``false`` counts those that the layer has otherwise.

    Where these are more than ``MAX_CORRECTED`` nothing is corrected: the whole page is to be read from its picture.
    """

    lines: tuple[RawLine, ...]
    false: int = 0


def check_lines(page: "pymupdf.Page", lines: Sequence[RawLine]) -> CheckedLines:
    """The lines, those that the picture denies with what OCR reads there."""
    fonts = _false_fonts(page, lines)
    trace = page.get_texttrace()
    readings = {
        **_compare(page, _lines_at(_conflicts(trace), lines, MIN_CONFLICTS), ()),
        **_compare(page, _lines_at(_expansions(trace).keys(), lines, 1), set(_expansions(trace).values())),
    }
    false = {id(line) for line in lines if any(span["font"] in fonts for span in line["spans"])} | readings.keys()
    if len(false) > MAX_CORRECTED:
        return CheckedLines(lines=tuple(lines), false=len(false))
    corrected = (
        _with_reading(line, readings.get(id(line)) or _read(page, line["bbox"])[0]) if id(line) in false else line
        for line in lines
    )
    return CheckedLines(lines=tuple(line for line in corrected if line_text(line).strip()), false=len(false))


def _false_fonts(page: "pymupdf.Page", lines: Sequence[RawLine]) -> set[str]:
    """Fonts whose words are no language's and are not those of the picture."""
    runs: dict[str, list[RawSpan]] = {}
    for span in (span for line in lines for span in line["spans"]):
        runs.setdefault(span["font"], []).append(span)
    believed = _believed_fonts(page.parent.name or "")
    doubtful = {font for font, own in runs.items() if font not in believed and _is_doubtful(own)}
    false = {font for font in doubtful if _is_denied(page, runs[font])}
    believed |= doubtful - false if page.parent.name else set()
    return false


@lru_cache(maxsize=1)
def _believed_fonts(document: str) -> set[str]:
    """The fonts of the document being read whose words OCR confirmed on an earlier page."""
    return set()


def _is_doubtful(spans: Iterable[RawSpan]) -> bool:
    words = [word for span in spans for word in _WORD.findall(span["text"].lower())]
    return len(words) >= MIN_WORDS and sum(word in _SMALL_WORDS for word in words) < MIN_SMALL_WORDS * len(words)


def _is_denied(page: "pymupdf.Page", spans: Sequence[RawSpan]) -> bool:
    """Whether OCR surely reads other words in all of the font's longest runs."""
    longest = sorted(spans, key=lambda span: -len(fold_text(span["text"])))[:MAX_SAMPLES]
    return all(_is_other_text(page, span) for span in longest)


def _is_other_text(page: "pymupdf.Page", span: RawSpan) -> bool:
    x0, y0, x1, y1 = span["bbox"]
    share = min(1.0, MAX_SAMPLE_WIDTH / max(x1 - x0, 1.0))
    recognised, confidence = _read(page, (x0, y0, x0 + share * (x1 - x0), y1))
    is_sure = confidence >= MIN_OCR_CONFIDENCE and bool(fold_text(recognised))
    return is_sure and not is_same_reading(span["text"][: round(share * len(span["text"]))], recognised)


def _read(page: "pymupdf.Page", rect: Rect) -> tuple[str, float]:
    return ocr.recognise_line(page, (rect[0] - 1, rect[1], rect[2] + 1, rect[3]), ocr.DPI)


def _conflicts(trace: Iterable[Mapping[str, object]]) -> list[Point]:
    """Where glyphs stand whose value is not the one that they mostly have on the page."""
    values: dict[tuple[str, int], Counter[str]] = {}
    points: dict[tuple[str, int], list[tuple[str, Point]]] = {}
    for font, glyph, char, point in _glyphs(trace):
        if glyph >= 0:
            values.setdefault((font, glyph), Counter())[char.casefold()] += 1
            points.setdefault((font, glyph), []).append((char.casefold(), point))
    usual = {glyph: own.most_common(1)[0][0] for glyph, own in values.items() if len(own) > 1}
    return [
        point
        for glyph, common in usual.items()
        for char, point in points[glyph]
        if char != common and (char.isalnum() or common.isalnum())
    ]


def _expansions(trace: Iterable[Mapping[str, object]]) -> dict[Point, str]:
    """Where glyphs stand for more than a ligature's letters, and for what."""
    found: dict[Point, str] = {}
    base, start = "", (0.0, 0.0)
    for _, glyph, char, point in _glyphs(trace):
        base, start = (base + char, start) if glyph < 0 else (char, point)
        is_ligature = base.isalpha() and len(base) <= MAX_LIGATURE
        if len(base) > 1 and any(map(str.isalnum, base)) and not is_ligature:
            found[start] = base
    return found


def _glyphs(trace: Iterable[Mapping[str, object]]) -> Iterator[tuple[str, int, str, Point]]:
    """Font, number in it (negative for the further letters of a glyph), character and middle of each glyph."""
    for span in trace:
        for code, glyph, _, (x0, y0, x1, y1) in span["chars"]:  # type: ignore[attr-defined]
            yield str(span["font"]), glyph, chr(code), ((x0 + x1) / 2, (y0 + y1) / 2)


def _lines_at(points: Iterable[Point], lines: Sequence[RawLine], fewest: int) -> list[RawLine]:
    """The lines in which at least ``fewest`` of the points lie."""
    times = Counter(index for point in points for index, line in enumerate(lines) if _is_in(point, line["bbox"]))
    return [lines[index] for index in sorted(times) if times[index] >= fewest]


def _is_in(point: Point, rect: Rect) -> bool:
    return rect[0] <= point[0] <= rect[2] and rect[1] <= point[1] <= rect[3]


def _compare(page: "pymupdf.Page", lines: Iterable[RawLine], expansions: Iterable[str]) -> dict[int, str]:
    """What OCR reads in the lines that it denies; after ``ENOUGH`` that it confirms no further line is read."""
    denied: dict[int, str] = {}
    confirmed = 0
    for line in lines:
        recognised, confidence = _read(page, line["bbox"])
        if confidence >= MIN_OCR_CONFIDENCE and _is_denied_by(recognised, line_text(line), expansions):
            denied[id(line)] = recognised
            continue
        confirmed += 1
        if confirmed == ENOUGH and not denied:
            break
    return denied


def _is_denied_by(recognised: str, text: str, expansions: Iterable[str]) -> bool:
    """Whether the line reads otherwise, or more like it without the letters that some glyphs expand to."""
    plain = text
    for expansion in expansions:
        plain = plain.replace(expansion, expansion[0])
    agreement = _similarity(recognised, text)
    return agreement < MIN_AGREEMENT or _similarity(recognised, plain) > agreement


def _similarity(text: str, other: str) -> float:
    return SequenceMatcher(None, fold_text(text), fold_text(other), autojunk=False).ratio()


def _with_reading(line: RawLine, text: str) -> RawLine:
    """The line with what OCR read, in the type of its longest run."""
    longest = max(line["spans"], key=lambda span: len(span["text"]))
    span = RawSpan(**{**_without_characters(longest), "text": text, "bbox": line["bbox"]})
    return RawLine(spans=[span], bbox=line["bbox"], dir=line["dir"])


def _without_characters(span: RawSpan) -> RawSpan:
    return cast("RawSpan", {key: value for key, value in span.items() if key != "chars"})
