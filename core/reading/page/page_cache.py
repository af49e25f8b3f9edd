"""A page whose contents are gone through once, however often its text, its picture and its drawings are asked for.

MuPDF interprets a page anew for each of them. Reading asks half a dozen times a page, the layout model once more;
what they share is kept with the page and goes with it.
"""

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pymupdf


def cache_display_list(page: "pymupdf.Page") -> "pymupdf.Page":
    """The same page: it answers from what is made here. To be called when nothing about the page changes any more.

    With annotations in sight, as the layout model looks at a page, only a page that has some is gone through again.
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
