"""Makes the three sample papers that the local page offers: one column, two columns with a table and a figure, a scan.

Run it where their words or their look are to change: ``python -m evals.sample_papers bot/samples``. The papers are
made up from the first word to the last, so that everything they say is known and may be passed on.
"""

import io
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.sample_texts import ENDNOTES, MARGINS, SCREEN, Part, Text

_MM = 72 / 25.4


def one_column(text: Text) -> bytes:
    """A working paper: a wide column of Times, numbered pages, a table."""
    from reportlab.platypus import PageTemplate

    frame = _frame(25 * _MM, 22 * _MM, 160 * _MM, 250 * _MM)
    return _built(text, [PageTemplate(id="all", frames=[frame], onPage=_numbered(text.running))], size=10.5)


def two_columns(text: Text) -> bytes:
    """A proceedings paper: title over two narrow columns, a running head, a figure and a table."""
    from reportlab.platypus import PageTemplate

    width, gap, left = 82 * _MM, 8 * _MM, 19 * _MM
    columns = [_frame(left + n * (width + gap), 20 * _MM, width, 250 * _MM) for n in (0, 1)]
    over = _frame(left, 240 * _MM, 2 * width + gap, 34 * _MM)
    under = [_frame(left + n * (width + gap), 20 * _MM, width, 216 * _MM) for n in (0, 1)]
    templates = [
        PageTemplate(id="first", frames=[over, *under], onPage=_numbered(text.running), autoNextPageTemplate="all"),
        PageTemplate(id="all", frames=columns, onPage=_numbered(text.running)),
    ]
    return _built(text, templates, size=9.2, breaks_after_front=True)


def scanned(text: Text) -> bytes:
    """A typed report as a scanner leaves it: grey pictures, a little askew, no text layer."""
    import pymupdf
    from PIL import Image, ImageFilter
    from reportlab.platypus import PageTemplate

    frame = _frame(28 * _MM, 25 * _MM, 155 * _MM, 245 * _MM)
    typed = _built(text, [PageTemplate(id="all", frames=[frame])], size=10.5, font="Courier")
    chance = random.Random(1987)
    pages = []
    for page in pymupdf.open(stream=typed):
        picture = page.get_pixmap(dpi=150, colorspace=pymupdf.csGRAY)
        image = Image.frombytes("L", (picture.width, picture.height), picture.samples)
        image = image.rotate(chance.uniform(-0.5, 0.5), expand=False, fillcolor=246, resample=Image.Resampling.BICUBIC)
        dust = Image.effect_noise(image.size, 14).point(lambda dot: 255 - max(0, abs(dot - 128) - 24))
        image = Image.blend(image, dust, 0.12).filter(ImageFilter.GaussianBlur(0.45))
        pages.append(image.convert("L"))
    out = io.BytesIO()
    pages[0].save(out, "PDF", resolution=150, save_all=True, append_images=pages[1:], quality=62)
    return out.getvalue()


def _frame(x: float, y: float, width: float, height: float) -> object:
    from reportlab.platypus import Frame

    return Frame(x, y, width, height, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)


def _numbered(running: str) -> object:
    def draw(canvas: object, document: object) -> None:
        canvas.saveState()  # type: ignore[attr-defined]
        canvas.setFont("Times-Italic", 8.5)  # type: ignore[attr-defined]
        canvas.drawString(25 * _MM, 283 * _MM, running)  # type: ignore[attr-defined]
        canvas.setFont("Times-Roman", 9)  # type: ignore[attr-defined]
        canvas.drawCentredString(105 * _MM, 12 * _MM, str(document.page))  # type: ignore[attr-defined]
        canvas.restoreState()  # type: ignore[attr-defined]

    return draw


def _built(
    text: Text, templates: Sequence[object], *, size: float, font: str = "Times", breaks_after_front: bool = False
) -> bytes:
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import BaseDocTemplate, FrameBreak

    out = io.BytesIO()
    document = BaseDocTemplate(out, pagesize=A4, title=text.title, author=text.authors, invariant=1)
    document.addPageTemplates(list(templates))
    styles = _styles(font, size)
    story: list[object] = [
        _paragraph(text.title, styles["title"]),
        _paragraph(text.authors, styles["authors"]),
        _paragraph(text.place, styles["place"]),
    ]
    if breaks_after_front:
        story.append(FrameBreak())
    for part in text.parts:
        story += _drawn(part, styles)
    document.build(story)
    return out.getvalue()


def _styles(font: str, size: float) -> dict[str, object]:
    from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
    from reportlab.lib.styles import ParagraphStyle

    roman, bold, italic = {
        "Times": ("Times-Roman", "Times-Bold", "Times-Italic"),
        "Courier": ("Courier", "Courier-Bold", "Courier-Oblique"),
    }[font]
    typed = font == "Courier"
    lead = 1.5 if typed else 1.28
    middle = TA_LEFT if typed else TA_CENTER
    text = ParagraphStyle(
        "text",
        fontName=roman,
        fontSize=size,
        leading=size * lead,
        alignment=TA_LEFT if typed else TA_JUSTIFY,
        spaceAfter=size * 0.7,
    )

    def like(name: str, **changes: object) -> object:
        return ParagraphStyle(name, parent=text, **changes)

    return {
        "text": text,
        "title": like(
            "title", fontName=bold, fontSize=size * 1.75, leading=size * 2.15, alignment=middle, spaceAfter=size
        ),
        "authors": like("authors", fontSize=size * 1.1, alignment=middle, spaceAfter=2),
        "place": like("place", fontName=italic, alignment=middle, spaceAfter=size * 1.6),
        "heading": like(
            "heading", fontName=bold, fontSize=size * 1.2, alignment=TA_LEFT, spaceBefore=size, keepWithNext=1
        ),
        "caption": like("caption", fontSize=size * 0.92, leading=size * 1.15, alignment=TA_LEFT, spaceAfter=size),
        "entry": like("entry", fontSize=size * 0.95, leftIndent=14, firstLineIndent=-14, spaceAfter=size * 0.35),
    }


def _paragraph(words: str, style: object) -> object:
    from reportlab.platypus import Paragraph

    return Paragraph(words, style)


def _drawn(part: Part, styles: dict[str, object]) -> list[object]:
    from reportlab.platypus import KeepTogether

    match part.kind:
        case "table":
            return [KeepTogether([_paragraph(part.words, styles["caption"]), _table(part.rows, styles)])]
        case "bars":
            return [KeepTogether([_bars(part.rows), _paragraph(part.words, styles["caption"])])]
        case kind:
            return [_paragraph(part.words, styles[kind])]


def _table(rows: Sequence[Sequence[str]], styles: dict[str, object]) -> object:
    from reportlab.lib import colors
    from reportlab.platypus import Table

    size = styles["text"].fontSize * 0.95  # type: ignore[attr-defined]
    table = Table(rows, hAlign="LEFT", spaceAfter=size * 1.6, spaceBefore=0)
    table.setStyle(
        [
            ("FONT", (0, 0), (-1, 0), "Times-Bold", size),
            ("FONT", (0, 1), (-1, -1), "Times-Roman", size),
            ("LINEABOVE", (0, 0), (-1, 0), 0.8, colors.black),
            ("LINEBELOW", (0, 0), (-1, 0), 0.4, colors.black),
            ("LINEBELOW", (0, -1), (-1, -1), 0.8, colors.black),
            ("TOPPADDING", (0, 0), (-1, -1), 2.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
        ]
    )
    return table


def _bars(rows: Sequence[Sequence[str]]) -> object:
    from reportlab.graphics.shapes import Drawing, Line, Rect, String
    from reportlab.lib import colors

    drawing = Drawing(225, 22 * len(rows) + 16)
    longest = max(float(value) for _, value in rows)
    drawing.add(Line(78, 4, 78, 22 * len(rows) + 8, strokeWidth=0.6))
    for place, (name, value) in enumerate(rows):
        y = 22 * (len(rows) - place - 1) + 9
        width = 112 * float(value) / longest
        drawing.add(Rect(78, y, width, 13, fillColor=colors.Color(0.48, 0.18, 0.16), strokeWidth=0))
        drawing.add(String(73, y + 3.5, name, fontName="Helvetica", fontSize=8, textAnchor="end"))
        drawing.add(String(82 + width, y + 3.5, f"{value} s", fontName="Helvetica", fontSize=8))
    return drawing


def main() -> None:
    """Write the three into a folder."""
    folder = Path(sys.argv[1])
    for name, pdf in (
        ("margins-and-notes.pdf", one_column(MARGINS)),
        ("notes-on-a-screen.pdf", two_columns(SCREEN)),
        ("endnotes-in-the-reading-room.pdf", scanned(ENDNOTES)),
    ):
        (folder / name).write_bytes(pdf)
        sys.stdout.write(f"{name}: {len(pdf) / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
