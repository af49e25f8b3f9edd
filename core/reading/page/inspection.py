"""Extracts the text of one page: the lines that are visible, from the text layer or by OCR, whichever is better.

Text is taken fast where it is good. The rendered page is read only where the layer is missing, invisible,
painted over or full of noise; then the two readings are compared and the better one stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.config import ReadingConfig
from core.reading.blocks import Line, PageKind, Rect
from core.reading.page import (
    bidi,
    character_repair,
    glyph_reading,
    glyph_repair,
    hidden_text,
    layer_check,
    line_pieces,
    ocr,
    text_layer_quality,
    watermarks,
)
from core.reading.page.lines import RawLine, extract_character_lines, layer_text, line_text, to_line, to_lines
from core.reading.page.rotation import UprightPage, show_lines

if TYPE_CHECKING:
    import pymupdf

MIN_LAYER_CHARACTERS = 200
"""Characters of doubtful text from which it is a layer over the whole page and not a single line."""
MAX_CHECKED_LINES = 20
"""Doubtful lines that are checked one by one; more of them are a layer."""
MIN_DRAWN_TEXT_PROBABILITY = 0.5
"""Likelihood from which a page without a letter, drawn in lines, is read by OCR; plots stay below 0.4."""
MIN_SCANNED_TEXT_PROBABILITY = 0.93
"""Likelihood from which a page with some text under a large picture is read by OCR; the model's own threshold."""
MIN_REPORTED_LETTERS = 20
"""Letters of a layer that its picture denies; fewer are misread signs and not hidden text."""
MIN_LAYER_COVERAGE = 0.7
"""Share of the picture's letters that a layer must hold to stand for the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What is to be read on a page; ``layer`` is what its text layer has for it, empty where OCR read the page."""

    lines: tuple[Line, ...]
    kind: PageKind
    layer: str = ""
    from_ocr: bool = False
    notes: tuple[str, ...] = ()
    confidence: float = 1.0

    @classmethod
    def of_picture(cls, found: Sequence[ocr.OcrLine], kind: PageKind, notes: tuple[str, ...]) -> "PageText":
        """What OCR read."""
        lines = tuple(f.line for f in found)
        return cls(lines=lines, kind=kind, from_ocr=True, notes=notes, confidence=_mean_confidence(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageInspection:
    """A page as found: its lines by visibility, signals of the visible ones, and what else is drawn."""

    number: int
    visibility: hidden_text.Visibility
    signals: text_layer_quality.TextLayerQuality
    cover: float
    drawn: bool

    @property
    def layer(self) -> bool:
        return (
            hidden_text.count_letters(self.visibility.doubtful) >= MIN_LAYER_CHARACTERS
            or len(self.visibility.doubtful) > MAX_CHECKED_LINES
        )


def extract_page_text(turned: UprightPage, number: int, config: ReadingConfig, *, ligatures: bool) -> PageText:
    """The lines of an upright page. Never raises for what is on the page; says in notes what was left out.

    ``ligatures`` is whether the PDF's fonts name ligatures that the layer may cut short (``glyph_repair``).
    """
    page = turned.page
    lines = _whole_lines(page, _repair_text_layer(turned, config, ligatures=ligatures))
    seen = _inspect_page(page, lines, number)
    if not _needs_ocr(page, seen):
        return _text_from_layer(page, seen, lines, config)
    if not config.ocr:
        return _without_ocr(seen)
    found = ocr.recognise_page(page, ocr.DPI)
    if seen.layer:
        return _text_over_scan(seen, found)
    if seen.signals.doubtful:
        return _text_from_ocr(seen, found)
    if not found:
        return _unreadable_text(seen)
    notes = hidden_text.hidden_text_note(number, seen.visibility.hidden)
    return PageText.of_picture(found, "scanned", notes)


def _repair_text_layer(turned: UprightPage, config: ReadingConfig, *, ligatures: bool) -> Sequence[RawLine]:
    """The layer's lines in reading order and with the values that fonts or OCR can give to its characters."""
    if bidi.has_right_to_left(turned.lines):
        return bidi.lines_in_logical_order(turned.page)
    lines = turned.lines
    is_unvalued = glyph_repair.has_unvalued_characters(lines) or glyph_reading.has_doubtful_signs(lines)
    if not (ligatures or is_unvalued or character_repair.needs_character_repair(lines)):
        return lines
    spelled = extract_character_lines(turned.page)
    glyph_repair.repair_glyphs(turned.page, spelled)
    if is_unvalued and config.ocr and glyph_repair.unvalued_share(spelled) <= text_layer_quality.MAX_NOISE_SHARE:
        glyph_reading.read_glyphs(turned.page, spelled)
    character_repair.repair_characters(spelled)
    return [RawLine(spans=list(line["spans"]), bbox=line["bbox"], dir=line["dir"]) for line in spelled]


def _whole_lines(page: "pymupdf.Page", lines: Sequence[RawLine]) -> Sequence[RawLine]:
    """The lines, pieces joined and marks across the text left out, as the layout model is to see them too."""
    whole = line_pieces.join_pieces(watermarks.remove_watermarks(lines))
    if whole is not lines:
        show_lines(page, whole)
    return whole


def _inspect_page(page: "pymupdf.Page", lines: Sequence[RawLine], number: int) -> _PageInspection:
    rect: Rect = tuple(page.rect)
    pairs, pictures = hidden_text.find_overpainted_text(page)
    ink = hidden_text.render_greyscale(page)
    annotated = hidden_text.render_with_annotations(page) if page.first_annot else ink
    visibility = hidden_text.split_by_visibility(lines, ink=ink, annotated=annotated, pictures_above=pairs, page=rect)
    return _PageInspection(
        number=number,
        visibility=visibility,
        signals=text_layer_quality.measure_quality([line_text(line) for line in visibility.shown]),
        cover=text_layer_quality.image_coverage(pictures, rect),
        drawn=hidden_text.has_visible_content(ink),
    )


def _needs_ocr(page: "pymupdf.Page", seen: _PageInspection) -> bool:
    if seen.layer or seen.signals.doubtful:
        return True
    is_under_picture = seen.cover >= text_layer_quality.MIN_SCAN_COVERAGE
    if not seen.signals.letters:
        return seen.drawn and (is_under_picture or ocr.text_probability(page) >= MIN_DRAWN_TEXT_PROBABILITY)
    if is_under_picture and seen.signals.letters < text_layer_quality.MAX_STAMP_LETTERS:
        return ocr.text_probability(page) >= MIN_SCANNED_TEXT_PROBABILITY
    return False


def _text_from_layer(
    page: "pymupdf.Page", seen: _PageInspection, everything: Sequence[RawLine], config: ReadingConfig
) -> PageText:
    """The visible lines. The layer has hidden letters too, so that quotes are parted where these stand.

    Of a page with lines that the picture corrected it has the corrected ones alone: nothing forged is ever quoted.
    """
    checked = layer_check.check_lines(page, seen.visibility.shown) if config.ocr else None
    if checked is not None and checked.false > layer_check.MAX_CORRECTED:
        return _replace_by_ocr(page, seen)
    confirmed = [line for line in seen.visibility.doubtful if config.ocr and _is_confirmed_by_ocr(page, line)]
    denied = [line for line in seen.visibility.doubtful if line not in confirmed]
    lines = [*(checked.lines if checked else seen.visibility.shown), *confirmed]
    if not lines and seen.drawn:
        return _unreadable_text(seen)
    notes = hidden_text.hidden_text_note(seen.number, seen.visibility.hidden + hidden_text.count_letters(denied))
    is_corrected = checked is not None and checked.false > 0
    if is_corrected:
        notes += (f"Text of page {seen.number:,} is printed otherwise than its text layer says; OCR read it instead.",)
    layer = _layer(lines if is_corrected else everything)
    return PageText(lines=to_lines(lines), kind="text" if lines else "blank", layer=layer, notes=notes)


def _replace_by_ocr(page: "pymupdf.Page", seen: _PageInspection) -> PageText:
    """What the picture shows of a page whose text layer says something else."""
    found = ocr.recognise_page(page, ocr.DPI)
    if not found:
        return _unreadable_text(seen)
    note = f"The text layer of page {seen.number:,} does not match what is printed and was replaced by OCR."
    return PageText.of_picture(
        found, "text", (*hidden_text.hidden_text_note(seen.number, seen.visibility.hidden), note)
    )


def _layer(lines: Sequence[RawLine]) -> str:
    return "\n".join(map(layer_text, lines))


def _is_confirmed_by_ocr(page: "pymupdf.Page", line: RawLine) -> bool:
    recognised, _ = ocr.recognise_line(page, line["bbox"], ocr.DPI)
    return text_layer_quality.is_same_reading(line_text(line), recognised)


def _text_over_scan(seen: _PageInspection, found: Sequence[ocr.OcrLine]) -> PageText:
    """An invisible layer: the lines that the picture confirms, or the picture's own where it reads better."""
    picture = [result.line for result in found]
    if not picture:
        return _unreadable_text(seen)
    confirmed, denied = _verify_layer(seen.visibility.doubtful, picture)
    own = [*to_lines(seen.visibility.shown), *confirmed]
    agreeing, denied_letters = _count_letters(confirmed), _count_letters(denied)
    is_layer = agreeing >= 0.5 * max(1, agreeing + denied_letters)
    left_out = denied_letters if is_layer and denied_letters >= MIN_REPORTED_LETTERS else 0
    notes = hidden_text.hidden_text_note(seen.number, seen.visibility.hidden + left_out)
    if not is_layer:
        notes += (f"The text layer of page {seen.number:,} does not match what is printed and was replaced by OCR.",)
    is_incomplete = _count_letters(own) < MIN_LAYER_COVERAGE * _count_letters(picture)
    if is_incomplete or _is_ocr_better(own, found):
        return PageText.of_picture(found, "text over scan" if is_layer else "scanned", notes)
    layer = "\n".join(line.text for line in own)
    return PageText(lines=tuple(own), kind="text over scan", layer=layer, notes=notes)


def _verify_layer(layer: Sequence[RawLine], picture: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    borne_out: list[Line] = []
    denied: list[Line] = []
    for raw in layer:
        line = to_line(raw)
        if line is not None:
            agreed = text_layer_quality.is_same_reading(line.text, text_layer_quality.ocr_words_in(line.rect, picture))
            (borne_out if agreed else denied).append(line)
    return borne_out, denied


def _text_from_ocr(seen: _PageInspection, found: Sequence[ocr.OcrLine]) -> PageText:
    """Visible text whose characters make no sense: the picture's reading where it is better."""
    own = to_lines(seen.visibility.shown)
    notes = hidden_text.hidden_text_note(seen.number, seen.visibility.hidden)
    if found and _is_ocr_better(own, found):
        notes += (f"The text layer of page {seen.number:,} is unreadable; the page was read by OCR instead.",)
        return PageText.of_picture(found, "text", notes)
    if seen.signals.noise > text_layer_quality.MAX_NOISE_SHARE:
        return _unreadable_text(seen)
    return PageText(lines=own, kind="text", layer=_layer(seen.visibility.shown), notes=notes)


def _without_ocr(seen: _PageInspection) -> PageText:
    legible = not seen.signals.doubtful or seen.signals.noise <= text_layer_quality.MAX_NOISE_SHARE
    if legible and seen.signals.letters and not seen.layer:
        notes = hidden_text.hidden_text_note(seen.number, seen.visibility.hidden)
        shown = seen.visibility.shown
        return PageText(lines=to_lines(shown), kind="text", layer=_layer(shown), notes=notes)
    why = f"Page {seen.number:,} can only be read by OCR, which is switched off."
    return PageText(lines=(), kind="unreadable", notes=(why,))


def _unreadable_text(seen: _PageInspection) -> PageText:
    notes = (f"Page {seen.number:,} holds nothing that could be read.",)
    return PageText(
        lines=(), kind="unreadable", notes=notes + hidden_text.hidden_text_note(seen.number, seen.visibility.hidden)
    )


def _is_ocr_better(own: Sequence[Line], found: Sequence[ocr.OcrLine]) -> bool:
    return text_layer_quality.is_ocr_better(
        [line.text for line in own], [f.line.text for f in found], confidence=_mean_confidence(found)
    )


def _mean_confidence(found: Sequence[ocr.OcrLine]) -> float:
    weight = sum(len(f.line.text) for f in found)
    return sum(f.confidence * len(f.line.text) for f in found) / max(weight, 1)


def _count_letters(lines: Sequence[Line]) -> int:
    return sum(len(text_layer_quality.fold_text(line.text)) for line in lines)
