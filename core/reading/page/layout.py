"""Divides a page into typed blocks with PyMuPDF's layout model.

Runs in a reader process. The model runs once a page; a page without text of its own gets the lines that OCR read as
invisible text first.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.reading.blocks import Block, BlockKind, Line, Rect, union
from core.reading.page.boxes import LayoutBox, assign_lines_to_boxes
from core.reading.paper.captions import parse_caption_label
from core.reading.paper.figures import merge_subfigures
from core.reading.paper.page_edges import find_margin_line_numbers
from core.text import CJK

if TYPE_CHECKING:
    import pymupdf

IMAGE_DPI = 150
_KINDS: dict[str, BlockKind] = {
    "title": "title",
    "section-header": "section-header",
    "text": "text",
    "list-item": "list-item",
    "table": "table",
    "picture": "picture",
    "caption": "caption",
    "formula": "formula",
    "footnote": "footnote",
    "page-header": "page-header",
    "page-footer": "page-footer",
}


def segment_page(page: "pymupdf.Page", lines: Sequence[Line]) -> tuple[Block, ...]:
    """Typed blocks of ``page`` with the visible ``lines`` in them; every line is in exactly one block.

    The page is upright (rotation 0) and ``lines`` are in its coordinates.
    """
    columns = [line for line in lines if is_downwards(line)]
    boxes = (_column_box(columns),) if 2 * len(columns) > len(lines) else detect_layout_boxes(page, lines)
    blocks = build_blocks(boxes, lines)
    merged = merge_subfigures(blocks, page.rect.width, page.rect.height, _drawing_rects(page, blocks))
    with_images = (_attach_image(page, block) for block in merged)
    return tuple(block for block in with_images if block is not None)


def is_downwards(line: Line) -> bool:
    """Whether the line is Japanese or Chinese set from top to bottom."""
    return line.vertical and CJK.match(line.text) is not None


def _column_box(columns: Sequence[Line]) -> LayoutBox:
    """One box for columns that are read from right to left, which the layout model takes for a table."""
    rects = tuple(line.rect for line in columns)
    return LayoutBox(kind="text", rect=union(rects), pieces=rects)


def build_blocks(boxes: Sequence[LayoutBox], lines: Sequence[Line]) -> tuple[Block, ...]:
    """The lines in their boxes, line numbers of a manuscript set apart as one block in the margin."""
    numbers = find_margin_line_numbers(lines)
    if not numbers:
        return assign_lines_to_boxes(boxes, lines)
    aside = tuple(lines[index] for index in sorted(numbers))
    text = [line for index, line in enumerate(lines) if index not in numbers]
    margin = Block(kind="page-footer", rect=union(line.rect for line in aside), lines=aside)
    return (*assign_lines_to_boxes(boxes, text), margin)


def detect_layout_boxes(page: "pymupdf.Page", lines: Sequence[Line]) -> tuple[LayoutBox, ...]:
    """What the layout model sees on the page, in its own order."""
    import pymupdf.layout  # noqa: F401  (gives pages their get_layout)

    if not _is_mostly_ocr(lines):
        return _run_layout_model(page)
    document, overlaid = _render_overlay(page, lines)
    try:
        return _run_layout_model(overlaid)
    finally:
        document.close()


def _run_layout_model(page: "pymupdf.Page") -> tuple[LayoutBox, ...]:
    page.get_layout(return_raw=True)
    seen = page.layout_information or []
    boxes = [_to_layout_box(raw) for raw in seen]
    return tuple(box for box in boxes if box.rect[2] - box.rect[0] > 2 and box.rect[3] - box.rect[1] > 2)


def _to_layout_box(raw: dict[str, object]) -> LayoutBox:
    rect = _rect(raw["group_bbox"])
    grid = raw.get("table_grid")
    return LayoutBox(
        kind=_KINDS.get(str(raw["class_name"]), "text"),
        rect=rect,
        pieces=tuple(_rect(piece) for piece in raw.get("bboxes") or ()),  # type: ignore[attr-defined]
        row_edges=tuple(rect[1] + float(edge) for edge in getattr(grid, "h_lines", ())),
        column_edges=tuple(rect[0] + float(edge) for edge in getattr(grid, "v_lines", ())),
    )


def _rect(values: object) -> Rect:
    x0, y0, x1, y1 = (float(value) for value in values)  # type: ignore[attr-defined]
    return (x0, y0, x1, y1)


def _is_mostly_ocr(lines: Sequence[Line]) -> bool:
    """Whether OCR read most of the lines: it knows no typeface."""
    spans = [span for line in lines for span in line.spans]
    unknown = sum(len(span.text) for span in spans if not span.font)
    return 2 * unknown > sum(len(span.text) for span in spans)


def _render_overlay(page: "pymupdf.Page", lines: Sequence[Line]) -> "tuple[pymupdf.Document, pymupdf.Page]":
    """A copy that shows the page as a picture under the given lines as text."""
    import pymupdf

    pymupdf.TOOLS.set_aa_level(8)  # the model turns smoothing off for the whole process
    document = pymupdf.open()
    copy = document.new_page(width=page.rect.width, height=page.rect.height)
    copy.insert_image(copy.rect, pixmap=page.get_pixmap(dpi=100))
    for line in lines:
        x0, y0, x1, y1 = line.rect
        size = max(4.0, 0.8 * (y1 - y0))
        width = pymupdf.get_text_length(line.text, fontsize=size) or 1.0
        size *= min(1.3, (x1 - x0) / width)
        copy.insert_text((x0, y1 - 0.22 * (y1 - y0)), line.text, fontsize=size, render_mode=3)
    return document, document.reload_page(copy)


def _drawing_rects(page: "pymupdf.Page", blocks: Sequence[Block]) -> list[Rect]:
    """Where lines, fills and images are drawn, on a page that shows a figure."""
    if not any(block.kind in ("picture", "caption") or parse_caption_label(block.lines[0].text) for block in blocks):
        return []
    return [_rect(rect) for kind, rect in page.get_bboxlog() if "text" not in kind]


def _attach_image(page: "pymupdf.Page", block: Block) -> Block | None:
    """The block, a picture with its crop; None for a picture where nothing is drawn."""
    if block.kind != "picture":
        return block
    import pymupdf

    clip = pymupdf.Rect(block.rect) & page.rect
    empty = block if block.lines else None
    if clip.is_empty or clip.width < 4 or clip.height < 4:
        return empty
    pymupdf.TOOLS.set_aa_level(8)  # the model turns smoothing off for the whole process
    picture = page.get_pixmap(clip=clip, dpi=IMAGE_DPI, alpha=False)
    if picture.is_unicolor and empty is None:
        return None
    return Block(kind="picture", rect=block.rect, lines=block.lines, image=picture.tobytes("png"))
