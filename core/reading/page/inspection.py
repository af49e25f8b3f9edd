"""Looks at one page: which lines a reader sees there, and whether to take them from the text layer or by OCR.

Text is taken fast where it is good. The rendered page is read only where the layer is missing, invisible,
painted over or full of noise; then the two readings are compared and the better one stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.config import ReadingConfig
from core.reading.blocks import Line, PageKind, Rect
from core.reading.page import agreement, bidi, glyph_repair, hidden_text, ocr, text_layer_quality
from core.reading.page.lines import RawLine, as_line, as_lines, text_of
from core.reading.page.rotation import Upright

if TYPE_CHECKING:
    import pymupdf

LAYER = 200
"""Characters of doubtful text from which it is a layer over the whole page and not a single line."""
STRIPS = 20
"""Doubtful lines that are checked one by one; more of them are a layer."""
DRAWN_TEXT = 0.5
"""Likelihood from which a page without a letter, drawn in lines, is read by OCR; plots stay below 0.4."""
SCANNED = 0.93
"""Likelihood from which a page with some text under a large picture is read by OCR; the model's own threshold."""
WORTH_TELLING = 20
"""Letters of a layer that its picture denies; fewer are misread signs and not hidden text."""
LAYER_REACH = 0.7
"""Share of the picture's letters that a layer must hold to stand for the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is to be read on a page."""

    lines: tuple[Line, ...]
    kind: PageKind
    from_ocr: bool = False
    notes: tuple[str, ...] = ()
    sureness: float = 1.0

    @classmethod
    def of_picture(cls, found: Sequence[ocr.OcrLine], kind: PageKind, notes: tuple[str, ...]) -> "Look":
        """What OCR read."""
        lines = tuple(f.line for f in found)
        return cls(lines=lines, kind=kind, from_ocr=True, notes=notes, sureness=_sureness(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A page as found: its lines by visibility, signals of the visible ones, and what else is drawn."""

    number: int
    sight: hidden_text.Visibility
    signals: text_layer_quality.Signals
    cover: float
    drawn: bool

    @property
    def layer(self) -> bool:
        return hidden_text.letters(self.sight.doubtful) >= LAYER or len(self.sight.doubtful) > STRIPS


def look(turned: Upright, number: int, config: ReadingConfig, *, ligatures: bool) -> Look:
    """The lines of an upright page. Never raises for what is on the page; says in notes what was left out.

    ``ligatures`` says that the PDF's fonts name ligatures (``mend``).
    """
    page = turned.page
    seen = _see(page, _legible(turned, ligatures=ligatures), number)
    if not _needs_picture(page, seen):
        return _from_text(page, seen, config)
    if not config.ocr:
        return _without_ocr(seen)
    found = ocr.read_picture(page, ocr.DPI)
    if seen.layer:
        return _over_scan(seen, found)
    if seen.signals.doubtful:
        return _replaced(seen, found)
    if not found:
        return _nothing_legible(seen)
    notes = hidden_text.hidden_note(number, seen.sight.hidden)
    return Look.of_picture(found, "scanned", notes)


def _legible(turned: Upright, *, ligatures: bool) -> Sequence[RawLine]:
    """The layer's lines in reading order and with the values that its fonts can give to its characters."""
    if bidi.has_right_to_left(turned.lines):
        return bidi.in_reading_order(turned.page)
    if not glyph_repair.needs_mending(turned.lines, ligatures=ligatures):
        return turned.lines
    lines = glyph_repair.with_symbols(turned.lines)
    if not glyph_repair.needs_mending(lines, ligatures=ligatures):
        return lines
    return glyph_repair.with_symbols(glyph_repair.mended(turned.page, turned.lines))


def _see(page: "pymupdf.Page", lines: Sequence[RawLine], number: int) -> _Seen:
    rect: Rect = tuple(page.rect)
    pairs, pictures = hidden_text.painted_over(page)
    ink = hidden_text.render_ink(page)
    sight = hidden_text.sort_by_sight(lines, ink=ink, pictures_above=pairs, page=rect)
    return _Seen(
        number=number,
        sight=sight,
        signals=text_layer_quality.signals([text_of(line) for line in sight.shown]),
        cover=text_layer_quality.picture_cover(pictures, rect),
        drawn=hidden_text.anything_drawn(ink),
    )


def _needs_picture(page: "pymupdf.Page", seen: _Seen) -> bool:
    if seen.layer or seen.signals.doubtful:
        return True
    if not seen.signals.letters:
        return seen.drawn and (seen.cover >= text_layer_quality.COVER or ocr.text_likely(page) >= DRAWN_TEXT)
    if seen.cover >= text_layer_quality.COVER and seen.signals.letters < text_layer_quality.FEW:
        return ocr.text_likely(page) >= SCANNED
    return False


def _from_text(page: "pymupdf.Page", seen: _Seen, config: ReadingConfig) -> Look:
    lines, hidden = list(seen.sight.shown), seen.sight.hidden
    for line in seen.sight.doubtful:
        if config.ocr and agreement.agree(text_of(line), ocr.read_strip(page, line["bbox"], ocr.DPI)):
            lines.append(line)
        else:
            hidden += hidden_text.letters([line])
    if not lines and seen.drawn:
        return _nothing_legible(seen)
    notes = hidden_text.hidden_note(seen.number, hidden)
    return Look(lines=as_lines(lines), kind="text" if lines else "blank", notes=notes)


def _over_scan(seen: _Seen, found: Sequence[ocr.OcrLine]) -> Look:
    """An invisible layer: the lines that the picture bears out, or the picture's own where it reads better."""
    picture = [f.line for f in found]
    if not picture:
        return _nothing_legible(seen)
    borne_out, denied = _checked(seen.sight.doubtful, picture)
    own = [*as_lines(seen.sight.shown), *borne_out]
    is_layer = _letters(borne_out) >= 0.5 * max(1, _letters(borne_out) + _letters(denied))
    left_out = _letters(denied) if is_layer and _letters(denied) >= WORTH_TELLING else 0
    notes = hidden_text.hidden_note(seen.number, seen.sight.hidden + left_out)
    if not is_layer:
        notes += (f"The text layer of page {seen.number:,} does not match what is printed and was replaced by OCR.",)
    too_little = _letters(own) < LAYER_REACH * _letters(picture)
    if too_little or _better(own, found):
        kind: PageKind = "text over scan" if is_layer else "scanned"
        return Look.of_picture(found, kind, notes)
    return Look(lines=tuple(own), kind="text over scan", notes=notes)


def _checked(layer: Sequence[RawLine], picture: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    borne_out: list[Line] = []
    denied: list[Line] = []
    for raw in layer:
        line = as_line(raw)
        if line is not None:
            agreed = agreement.agree(line.text, agreement.seen_at(line.rect, picture))
            (borne_out if agreed else denied).append(line)
    return borne_out, denied


def _replaced(seen: _Seen, found: Sequence[ocr.OcrLine]) -> Look:
    """Visible text whose characters make no sense: the picture's reading where it is better."""
    own = as_lines(seen.sight.shown)
    notes = hidden_text.hidden_note(seen.number, seen.sight.hidden)
    if found and _better(own, found):
        notes += (f"The text layer of page {seen.number:,} is unreadable; the page was read by OCR instead.",)
        return Look.of_picture(found, "text", notes)
    if seen.signals.noise > text_layer_quality.NOISE:
        return _nothing_legible(seen)
    return Look(lines=own, kind="text", notes=notes)


def _without_ocr(seen: _Seen) -> Look:
    legible = not seen.signals.doubtful or seen.signals.noise <= text_layer_quality.NOISE
    if legible and seen.signals.letters and not seen.layer:
        notes = hidden_text.hidden_note(seen.number, seen.sight.hidden)
        return Look(lines=as_lines(seen.sight.shown), kind="text", notes=notes)
    why = f"Page {seen.number:,} can only be read by OCR, which is switched off."
    return Look(lines=(), kind="unreadable", notes=(why,))


def _nothing_legible(seen: _Seen) -> Look:
    notes = (f"Page {seen.number:,} holds nothing that could be read.",)
    return Look(lines=(), kind="unreadable", notes=notes + hidden_text.hidden_note(seen.number, seen.sight.hidden))


def _better(own: Sequence[Line], found: Sequence[ocr.OcrLine]) -> bool:
    return agreement.picture_reads_better(
        [line.text for line in own], [f.line.text for f in found], confidence=_sureness(found)
    )


def _sureness(found: Sequence[ocr.OcrLine]) -> float:
    weight = sum(len(f.line.text) for f in found)
    return sum(f.confidence * len(f.line.text) for f in found) / max(weight, 1)


def _letters(lines: Sequence[Line]) -> int:
    return sum(len(agreement.folded(line.text)) for line in lines)
