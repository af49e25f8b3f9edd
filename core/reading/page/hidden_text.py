"""Keeps text that a reader cannot see out of the lines, and says how much of it there was.

A page that hides instructions from people shows them to every program that takes its text layer at its word.
Here each run of characters has to be seen: on the page, large enough, in a colour that stands out from what is
rendered around it, and not painted over. Runs that are invisible by design (an OCR layer) or lie under a picture
are doubtful: they count only if a reading of the rendered page agrees.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from core.reading.blocks import Rect, union
from core.reading.page.lines import FILLED, STROKED, RawLine, RawSpan

if TYPE_CHECKING:
    import numpy as np
    import pymupdf

    Ink: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.uint8]]

MAX_UNREADABLE_SIZE = 2.0
"""Points; print that small cannot be read."""
MIN_VISIBLE_ALPHA = 25
"""Of 255; less opaque than this is as good as transparent."""
MIN_CONTRAST = 28
"""Grey levels of 255 between a letter and its ground: grey 0.89 on white, a contrast of 1.3 to 1."""
MIN_LEFT_SHARE = 0.5
"""Share of a run's drawn pixels that an annotation must leave as they are for the run to be seen."""
MAX_FLAT_VARIATION = 10
"""Grey levels of 255; a box in which nothing varies by more holds no letter."""
MIN_COVERED_SHARE = 0.7
"""Share of a run's box under a later picture from which on the run counts as covered."""
MIN_REPORTED_CHARACTERS = 10
"""Hidden characters of a page that could be a message, two words or so; fewer are left out without alarm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """Lines sorted by whether a reader sees them; ``hidden`` counts the characters that are left out."""

    shown: tuple[RawLine, ...]
    doubtful: tuple[RawLine, ...]
    hidden: int


def split_by_visibility(
    lines: Iterable[RawLine],
    *,
    ink: "Ink",
    annotated: "Ink",
    pictures_above: "Sequence[tuple[Rect, Rect]]",
    page: Rect,
) -> Visibility:
    """Sort the runs of ``lines``. ``ink`` is the page rendered in grey at 72 dpi, ``annotated`` with its annotations.

    ``pictures_above`` pairs the box of a text operation with that of a picture painted over it later.
    """
    shown: list[RawLine] = []
    doubtful: list[RawLine] = []
    hidden = 0
    for line in lines:
        parts: dict[str, list[RawSpan]] = {"shown": [], "doubtful": [], "hidden": []}
        last = "shown"
        for span in line["spans"]:
            if span["text"].strip():
                last = _classify_visibility(span, ink, pictures_above, page)
                if last == "shown" and annotated is not ink and _is_covered_by_annotation(span, ink, annotated):
                    last = "hidden"
            parts[last].append(span)
        shown.extend(_sub_line(line, parts["shown"]))
        doubtful.extend(_sub_line(line, parts["doubtful"]))
        hidden += count_letters(_sub_line(line, parts["hidden"]))
    return Visibility(shown=tuple(shown), doubtful=tuple(doubtful), hidden=hidden)


def count_letters(lines: Iterable[RawLine]) -> int:
    """Characters of ``lines`` that are not space."""
    return sum(len("".join(span["text"].split())) for line in lines for span in line["spans"])


def hidden_text_note(number: int, characters: int) -> tuple[str, ...]:
    """What the paper's warnings say of hidden text that could be a message: how much, never what."""
    if characters < MIN_REPORTED_CHARACTERS:
        return ()
    return (f"Hidden text left out on page {number:,} ({characters:,} characters).",)


def _sub_line(line: RawLine, spans: list[RawSpan]) -> list[RawLine]:
    if not any(span["text"].strip() for span in spans):
        return []
    if len(spans) == len(line["spans"]):
        return [line]
    return [RawLine(spans=spans, bbox=union([span["bbox"] for span in spans]), dir=line["dir"])]


def _classify_visibility(span: RawSpan, ink: "Ink", pictures_above: "Sequence[tuple[Rect, Rect]]", page: Rect) -> str:
    if not _is_on_page(span["bbox"], page) or _is_tiny(span):
        return "hidden"
    is_painted = span["char_flags"] & (FILLED | STROKED) and span["alpha"] != 0
    if not is_painted:
        return "doubtful"
    if span["alpha"] < MIN_VISIBLE_ALPHA or not _has_contrast(span, ink):
        return "hidden"
    is_covered = any(_covers(above, span["bbox"]) and _intersects(text, span["bbox"]) for text, above in pictures_above)
    return "doubtful" if is_covered else "shown"


def _is_on_page(box: Rect, page: Rect) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return page[0] <= x <= page[2] and page[1] <= y <= page[3]


def _is_tiny(span: RawSpan) -> bool:
    x0, y0, x1, y1 = span["bbox"]
    return span["size"] < MAX_UNREADABLE_SIZE and min(x1 - x0, y1 - y0) < MAX_UNREADABLE_SIZE * 1.3


def _has_contrast(span: RawSpan, ink: "Ink") -> bool:
    """Whether something is drawn in the run's box, and the run's colour differs from the box's ground."""
    import numpy as np

    left, top, right, bottom = _pixels(span["bbox"], ink)
    box = ink[top:bottom, left:right]
    if not box.size:
        return False
    if int(box.max()) - int(box.min()) <= MAX_FLAT_VARIATION:
        return False
    grey = _grey_level(span["color"])
    ground = _ground(box)
    if abs(grey - ground) > MIN_CONTRAST:
        return True
    # Bold or dense print can be the commonest colour of its own box: then its ground is what surrounds it.
    around = ink[max(0, top - 2) : bottom + 2, max(0, left - 2) : right + 2]
    edge = np.concatenate([around[0], around[-1], around[:, 0], around[:, -1]])
    return abs(grey - int(np.median(edge))) > MIN_CONTRAST


def _is_covered_by_annotation(span: RawSpan, ink: "Ink", annotated: "Ink") -> bool:
    """Whether an annotation leaves nothing to be seen of a run; a highlight leaves the letters as they are."""
    import numpy as np

    left, top, right, bottom = _pixels(span["bbox"], ink)
    before = ink[top:bottom, left:right].astype(np.int16)
    after = annotated[top:bottom, left:right].astype(np.int16)
    drawn = np.abs(before - _ground(ink[top:bottom, left:right])) > MIN_CONTRAST
    left_alone = np.abs(after - before)[drawn] <= MIN_CONTRAST
    return not _has_contrast(span, annotated) or (left_alone.size > 0 and left_alone.mean() < MIN_LEFT_SHARE)


def _pixels(box: Rect, ink: "Ink") -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a box in pixels."""
    height, width = ink.shape
    x0, y0, x1, y1 = box
    return max(0, int(x0)), max(0, int(y0)), min(width, int(x1) + 1), min(height, int(y1) + 1)


def _ground(box: "Ink") -> int:
    """The commonest grey level of a box, to four levels."""
    import numpy as np

    return int(np.bincount(box.ravel() >> 2, minlength=64).argmax()) * 4 + 2


def _grey_level(colour: int) -> int:
    red, green, blue = colour >> 16 & 255, colour >> 8 & 255, colour & 255
    return (299 * red + 587 * green + 114 * blue) // 1000


def _covers(above: Rect, box: Rect) -> bool:
    width = min(above[2], box[2]) - max(above[0], box[0])
    height = min(above[3], box[3]) - max(above[1], box[1])
    area = (box[2] - box[0]) * (box[3] - box[1])
    return width > 0 and height > 0 and width * height >= MIN_COVERED_SHARE * area


def _intersects(rect: Rect, other: Rect) -> bool:
    return rect[0] < other[2] and other[0] < rect[2] and rect[1] < other[3] and other[1] < rect[3]


def find_overpainted_text(page: "pymupdf.Page") -> tuple[tuple[tuple[Rect, Rect], ...], tuple[Rect, ...]]:
    """Pairs of a text operation's box and a later picture's box over it; and the boxes of all pictures."""
    texts: list[Rect] = []
    pictures: list[Rect] = []
    pairs: list[tuple[Rect, Rect]] = []
    for kind, rect in page.get_bboxlog():
        if kind in ("fill-text", "stroke-text"):
            texts.append(rect)
        elif kind in ("fill-image", "fill-imgmask"):  # a shade knows no box: it fills whatever it is clipped to
            pictures.append(rect)
            pairs.extend((text, rect) for text in texts if _intersects(text, rect))
    return tuple(pairs), tuple(pictures)


def render_greyscale(page: "pymupdf.Page") -> "Ink":
    """The page in grey at 72 dpi, so that a pixel is a point; without annotations."""
    return _to_grey(page, annots=False)


def render_with_annotations(page: "pymupdf.Page") -> "Ink":
    """The page as ``render_greyscale`` draws it, with what its annotations put over it."""
    return _to_grey(page, annots=True)


def _to_grey(page: "pymupdf.Page", *, annots: bool) -> "Ink":
    import numpy as np
    import pymupdf

    pymupdf.TOOLS.set_aa_level(8)  # the layout model turns smoothing off for the whole process
    picture = pymupdf.Pixmap(pymupdf.csGRAY, page.get_pixmap(alpha=False, annots=annots))
    return np.frombuffer(picture.samples, dtype=np.uint8).reshape(picture.height, picture.stride)[:, : picture.width]


def has_visible_content(ink: "Ink") -> bool:
    """Whether the page shows anything but one even colour."""
    return int(ink.max()) - int(ink.min()) > MAX_FLAT_VARIATION if ink.size else False
