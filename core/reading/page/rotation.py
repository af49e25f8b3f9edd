"""A page turned so that its text is upright, with its display list cached.

/Rotate, pages whose text was drawn at 90 degrees, and both together end in one coordinate system, in which text is
read, boxes are given and page images are drawn.
"""

import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from core.reading.page.lines import RawLine, extract_lines, line_text
from core.reading.page.text_layer_quality import MIN_SCAN_COVERAGE, image_coverage

if TYPE_CHECKING:
    import pymupdf

OrientationDetector: TypeAlias = "Callable[[pymupdf.Page], int | None]"
_TURNS = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}
"""Writing direction before turning -> clockwise degrees that make it run left to right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UprightPage:
    """A turned page with the lines of its text layer, in the order of the file."""

    page: "pymupdf.Page"
    lines: Sequence[RawLine]


def keep_orientation(page: "pymupdf.Page") -> int | None:
    """Orientation detector that leaves the page as it is: always None."""
    return None


def load_upright_page(
    document: "pymupdf.Document", number: int, of_picture: OrientationDetector = keep_orientation
) -> UprightPage:
    """Page ``number`` (from 1), turned so that most of its letters stand upright.

    ``of_picture`` gives the degrees by which a scan without letters is to be turned, or None to leave it as it is.
    The returned page always has rotation 0; where it had to be turned it belongs to a new document that holds
    nothing else.
    """
    page = document.load_page(number - 1)
    if page.first_widget is not None:
        document.bake(annots=False)  # what is filled in belongs to the page; notes on it do not
        page = document.load_page(number - 1)
    shown = int(page.rotation) % 360
    if shown:
        page.set_rotation(0)
    page = cache_display_list(page)
    lines = extract_lines(page)
    turn = _text_orientation(lines) if lines else _scan_orientation(page, shown, of_picture)
    if not turn:
        return UprightPage(page=page, lines=lines)
    turned = cache_display_list(_rotate_page(document, number - 1, page.rect, turn))
    return UprightPage(page=turned, lines=extract_lines(turned))


def _scan_orientation(page: "pymupdf.Page", shown: int, of_picture: OrientationDetector) -> int:
    pictures = [tuple(rect) for kind, rect in page.get_bboxlog() if kind == "fill-image"]
    turn = of_picture(page) if image_coverage(pictures, tuple(page.rect)) >= MIN_SCAN_COVERAGE else None
    return shown if turn is None else turn


def _text_orientation(lines: list[RawLine]) -> int:
    letters: Counter[int] = Counter()
    for line in lines:
        x, y = (1, 0) if line.get("wmode") else line["dir"]  # vertical writing stands upright
        heading = (round(x), round(y))
        letters[_TURNS.get(heading, 0)] += sum(len(span["text"].strip()) for span in line["spans"])
    return letters.most_common(1)[0][0]


def _rotate_page(document: "pymupdf.Document", index: int, rect: "pymupdf.Rect", turn: int) -> "pymupdf.Page":
    import pymupdf

    sideways = turn in (90, 270)
    width, height = (rect.height, rect.width) if sideways else (rect.width, rect.height)
    target = pymupdf.open()
    page = target.new_page(width=width, height=height)
    page.show_pdf_page(page.rect, document, index, rotate=-turn)
    return page


def cache_display_list(page: "pymupdf.Page") -> "pymupdf.Page":
    """Cache what the page draws: its display list, the boxes of its drawing operations and its plain pixmap; in place.

    To be called after the last change to the page. MuPDF interprets a page anew for each of these, and reading asks
    for them half a dozen times a page.

    With annotations, as the layout model renders a page, only a page that has some is interpreted again.
    """
    contents = page.get_displaylist(annots=False)
    annotated = page.first_annot is not None or page.first_widget is not None
    whole = page.get_displaylist(annots=True) if annotated else contents
    places = page.get_bboxlog()
    drawn: list[pymupdf.Pixmap] = []
    # Closures over the values alone: one over the page would keep its document alive.
    this = weakref.proxy(page)
    ordinary = type(page).get_pixmap

    def get_pixmap(*, annots: bool = True, **how: object) -> "pymupdf.Pixmap":
        special = any(value is not None and value is not False for value in how.values())
        if special or (annots and annotated):
            return ordinary(this, annots=annots, **how)
        if not drawn:
            drawn.append(_render_pixmap(contents))
        return drawn[0]

    page.get_displaylist = lambda annots=1: whole if annots else contents
    page.get_bboxlog = lambda layers=None: places
    page.get_pixmap = get_pixmap
    return page


def _render_pixmap(contents: "pymupdf.DisplayList") -> "pymupdf.Pixmap":
    """In colour, one pixel a point."""
    import pymupdf

    pymupdf.TOOLS.set_aa_level(8)  # what others turned off stays off for the whole process
    return contents.get_pixmap(matrix=pymupdf.Identity, colorspace=pymupdf.csRGB, alpha=0)


def show_lines(page: "pymupdf.Page", lines: Sequence[RawLine]) -> None:
    """Have the layout model see ``lines`` instead of those that MuPDF makes of the page; in place."""
    this = weakref.proxy(page)
    ordinary = type(page).get_text
    shown = {"type": 0, "lines": [{"bbox": line["bbox"], "spans": [{"text": line_text(line)}]} for line in lines]}

    def get_text(option: str = "text", **how: object) -> object:
        return {"blocks": [shown]} if option == "dict" else ordinary(this, option, **how)

    page.get_text = get_text
