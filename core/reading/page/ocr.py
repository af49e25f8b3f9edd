"""Reads the printed words of a page from its picture, with RapidOCR's own models and no network.

The engine loads once a process, with the first page that needs it; its boxes come back in page coordinates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeAlias

from core.reading.blocks import Line, Rect, Span

if TYPE_CHECKING:
    import numpy as np
    import pymupdf
    from rapidocr import RapidOCR

    Picture: TypeAlias = np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]

DPI = 200
"""Resolution at which pages are drawn to be read."""
FONT_SIZE_PER_BOX_HEIGHT = 0.75
"""Font size over the height of a detected text box: the detector draws its boxes a third too high."""

DETECTOR_MAX_SIDE = 1_280
"""Longer side, in pixels, of the picture in which lines are looked for; they are read at full size.

Half the detector's time of the engine's 2,000 at the same words found (0.98 on a two-column scan)."""


ORIENTATION_DPI = 75
"""Resolution at which the lines of a picture are looked for to tell how it is turned; they are read at twice that."""
MAX_ORIENTATION_LINES = 5
"""Lines by which it is told how a picture is turned, the longest ones."""
MIN_UPRIGHT_CONFIDENCE = 0.8
"""Confidence of the recogniser from which lines stand upright; upside down it stays below 0.6."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrLine:
    """A recognised line with the engine's own confidence, 0 to 1."""

    line: Line
    confidence: float


class _EngineOutput(Protocol):
    boxes: "np.ndarray[tuple[int, int, int], np.dtype[np.float32]] | None"
    txts: tuple[str, ...] | None
    scores: tuple[float, ...] | None
    word_results: tuple[tuple[tuple[str, float, list[list[float]]], ...], ...] | None


def recognise_page(page: "pymupdf.Page", dpi: int) -> tuple[OcrLine, ...]:
    """The lines of the page as it looks when rendered at ``dpi``, in the detector's order (top to bottom)."""
    found: _EngineOutput = _engine()(_render(page, dpi), use_det=True, use_rec=True, return_word_box=True)
    if found.boxes is None or found.txts is None or found.scores is None:
        return ()
    words = found.word_results or ()
    lines = []
    for index, text in enumerate(found.txts):
        if not text.strip():
            continue
        rect = _rect(found.boxes[index].tolist(), dpi)
        parts = words[index] if len(words) == len(found.txts) else ()
        lines.append(OcrLine(line=_line(text.strip(), rect, parts, dpi), confidence=float(found.scores[index])))
    return tuple(lines)


def recognise_line(page: "pymupdf.Page", rect: Rect, dpi: int) -> tuple[str, float]:
    """The words in one printed line of the page and the confidence in them, given where the line stands.

    The words are empty where nothing is legible. Takes about 0.1 s of processor time for 150 points of width.
    """
    found: _EngineOutput = _engine()(_render(page, dpi, rect), use_det=False, use_rec=True, return_word_box=False)
    return " ".join(found.txts or ()), min(found.scores or (0.0,))


def detect_orientation(page: "pymupdf.Page") -> int | None:
    """Clockwise degrees by which a page without text must be turned for its picture to stand upright.

    The detector tells lines that run up or down the page, the recogniser which way they are to be read; None where
    neither way can be.
    """
    import numpy as np

    found: _EngineOutput = _engine()(_render(page, ORIENTATION_DPI), use_det=True, use_rec=False)
    rects = [] if found.boxes is None else [_rect(corners.tolist(), ORIENTATION_DPI) for corners in found.boxes]
    rects.sort(key=lambda rect: -max(rect[2] - rect[0], rect[3] - rect[1]))
    seen = rects[:MAX_ORIENTATION_LINES]
    upended = 2 * sum(rect[3] - rect[1] > 1.5 * (rect[2] - rect[0]) for rect in seen) > len(seen)
    strips = [_render(page, 2 * ORIENTATION_DPI, rect) for rect in seen]
    for turn in (90, 270) if upended else (0, 180):
        if (
            _mean_confidence([np.ascontiguousarray(np.rot90(strip, -turn // 90)) for strip in strips])
            >= MIN_UPRIGHT_CONFIDENCE
        ):
            return turn
    return None


def _mean_confidence(strips: "Sequence[Picture]") -> float:
    """Mean confidence with which the strips are read."""
    scores: list[float] = []
    for strip in strips:
        found: _EngineOutput = _engine()(strip, use_det=False, use_rec=True, return_word_box=False)
        scores.extend(found.scores or (0.0,))
    return sum(scores) / len(scores) if scores else 0.0


@lru_cache(maxsize=1)
def _engine() -> "RapidOCR":
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,
            "Det.limit_type": "max",
            "Det.limit_side_len": DETECTOR_MAX_SIDE,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _render(page: "pymupdf.Page", dpi: int, clip: Rect | None = None) -> "Picture":
    import numpy as np
    import pymupdf

    pymupdf.TOOLS.set_aa_level(8)  # the layout model turns smoothing off for the whole process
    picture = page.get_pixmap(dpi=dpi, alpha=False, annots=False, colorspace=pymupdf.csRGB, clip=clip)
    dots = np.frombuffer(picture.samples, dtype=np.uint8).reshape(picture.height, picture.width, 3)
    return np.ascontiguousarray(dots[:, :, ::-1])


def _rect(corners: Sequence[Sequence[float]], dpi: int) -> Rect:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    scale = 72 / dpi
    return min(xs) * scale, min(ys) * scale, max(xs) * scale, max(ys) * scale


def _line(text: str, rect: Rect, words: Sequence[tuple[str, float, list[list[float]]]], dpi: int) -> Line:
    size = round((rect[3] - rect[1]) * FONT_SIZE_PER_BOX_HEIGHT * 2) / 2
    tall = rect[3] - rect[1] > 2 * (rect[2] - rect[0]) and len(text) > 2
    spans = tuple(
        Span(text=word, rect=_rect(corners, dpi), size=size, font="")
        for word, corners in _restore_spaces(text, [(word, corners) for word, _, corners in words])
    )
    return Line(text=text, rect=rect, spans=spans or (Span(text=text, rect=rect, size=size, font=""),), vertical=tall)


def _restore_spaces(text: str, words: Sequence[tuple[str, list[list[float]]]]) -> list[tuple[str, list[list[float]]]]:
    """The words with the space that follows each in ``text``; nothing where they do not add up to it."""
    spaced, at = [], 0
    for word, corners in words:
        if not text.startswith(word, at):
            return []
        end = at + len(word)
        while end < len(text) and text[end] == " ":
            end += 1
        spaced.append((text[at:end], corners))
        at = end
    return spaced if at == len(text) else []


def text_probability(page: "pymupdf.Page") -> float:
    """How likely the page shows text that its layer lacks, 0 to 1, by PyMuPDF's own OCR decision model."""
    import pymupdf
    from pymupdf4llm.ocr import analyze_page

    pymupdf.TOOLS.unset_quad_corrections(False)  # that package narrows text boxes for the whole process
    found = analyze_page.analyze_page(page)
    return float(found["probability"] or found["needs_ocr"])
