"""Two invented papers as real PDFs: one column with a table, and two columns. Their facts are known to the tests."""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

_STYLES = getSampleStyleSheet()
_BODY = ParagraphStyle("body", parent=_STYLES["Normal"], fontName="Times-Roman", fontSize=10, leading=12.5)
_HEAD = ParagraphStyle("head", parent=_BODY, fontName="Times-Bold", fontSize=12, leading=15, spaceBefore=8)
_TITLE = ParagraphStyle("title", parent=_BODY, fontName="Times-Bold", fontSize=17, leading=21, alignment=1)
_NAMES = ParagraphStyle("names", parent=_BODY, fontSize=11, leading=14, alignment=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading, its paragraphs, and a table of rows beneath them; the first row names the columns."""

    heading: str
    paragraphs: tuple[str, ...]
    caption: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A paper to be set."""

    title: str
    authors: str
    sections: tuple[Section, ...]
    columns: int = 1


LICHENS = Draft(
    title="Lichen cover on north-facing slopes after fire",
    authors="Mara Lindqvist and Tomas Oyelaran",
    sections=(
        Section(
            heading="Abstract",
            paragraphs=(
                "We measured lichen cover on 42 slopes of the Varde hills in the ten years after the fire of 2009. "
                "Mean cover on north-facing slopes was 38 percent, against 17 percent on south-facing slopes. "
                "We conclude that shade speeds recovery.",
            ),
        ),
        Section(
            heading="1 Introduction",
            paragraphs=(
                "Lichens are slow to return after fire, and few studies have followed them for a decade. "
                "Earlier work looked at one or two summers only, so the role of shade is still open.",
                "Here we ask whether slopes that face north recover sooner than slopes that face south.",
            ),
        ),
        Section(
            heading="2 Methods",
            paragraphs=(
                "Cover was recorded every August with a frame of 50 by 50 centimetres, laid five times a slope. "
                "All photographs were scored by two observers who did not know the aspect of the slope.",
            ),
        ),
        Section(
            heading="3 Results",
            paragraphs=(
                "Table 1 gives mean cover by aspect and year. The difference was largest in 2019.",
                "Soil moisture was 23 percent higher on north-facing slopes.",
            ),
            caption="Table 1: Mean lichen cover in percent by aspect and year.",
            rows=(
                ("Aspect", "2012", "2015", "2019"),
                ("North", "12", "25", "38"),
                ("South", "9", "13", "17"),
                ("East", "10", "19", "24"),
            ),
        ),
        Section(
            heading="4 Limitations",
            paragraphs=(
                "Our slopes lie within one valley, so the results may not hold for wetter climates. "
                "We did not measure grazing by deer.",
            ),
        ),
    ),
)

BATTERIES = Draft(
    title="Sodium cells with hard carbon anodes keep their charge in the cold",
    authors="Ines Haddad, Peter Okafor and Li Wen",
    columns=2,
    sections=(
        Section(
            heading="Abstract",
            paragraphs=(
                "We built sodium cells with hard carbon anodes and tested them between minus 30 and 25 degrees. "
                "After 500 cycles at minus 20 degrees the cells kept 91.4 percent of their first capacity.",
            ),
        ),
        Section(
            heading="1 Introduction",
            paragraphs=(
                "Lithium cells lose much of their capacity in the cold. "
                "Sodium is cheap and its ions shed their solvent shell more easily.",
            ),
        ),
        Section(
            heading="2 Experimental",
            paragraphs=(
                "Anodes were made of hard carbon from walnut shells, fired at 1300 degrees for two hours under argon.",
                "The electrolyte was one molar sodium hexafluorophosphate in diglyme. "
                "We cycled 36 coin cells at a rate of C/5.",
            ),
        ),
        Section(
            heading="3 Conclusion",
            paragraphs=("Hard carbon from walnut shells makes sodium cells fit for winter use.",),
        ),
    ),
)


def pdf_bytes(draft: Draft, *, pad_pages: int = 0) -> bytes:
    """``draft`` as a PDF; ``pad_pages`` more pages of filler follow, each with words of its own."""
    buffer = BytesIO()
    width, height = A4
    margin, gap = 60, 18
    column = (width - 2 * margin - gap * (draft.columns - 1)) / draft.columns
    head = 90
    frames = [Frame(margin, height - margin - head, width - 2 * margin, head, 0, 0, 0, 0)]
    frames += [
        Frame(margin + n * (column + gap), margin, column, height - 2 * margin - head, 0, 0, 0, 0)
        for n in range(draft.columns)
    ]
    document = BaseDocTemplate(buffer, pagesize=A4, title=draft.title, author=draft.authors, invariant=1)
    document.addPageTemplates(PageTemplate(frames=frames))
    story: list[Flowable] = [Paragraph(draft.title, _TITLE), Paragraph(draft.authors, _NAMES), Spacer(1, head)]
    for section in draft.sections:
        story.append(Paragraph(section.heading, _HEAD))
        story += [Paragraph(text, _BODY) for text in section.paragraphs]
        if section.rows:
            story += [Spacer(1, 8), Paragraph(section.caption, _BODY), _table(section.rows)]
    for number in range(pad_pages):
        story += [PageBreak(), Paragraph(f"Appendix {number + 1}", _HEAD)]
        story += [Paragraph(_filler(number, line), _BODY) for line in range(12)]
    document.build(story)
    return buffer.getvalue()


def write_pdf(draft: Draft, folder: Path, name: str = "", *, pad_pages: int = 0) -> Path:
    """Write ``draft`` into ``folder`` and return its path."""
    path = folder / (name or f"{draft.title.split()[0].lower()}.pdf")
    path.write_bytes(pdf_bytes(draft, pad_pages=pad_pages))
    return path


def _table(rows: tuple[tuple[str, ...], ...]) -> Table:
    table = Table([list(row) for row in rows], colWidths=70)
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("FONT", (0, 0), (-1, 0), "Times-Bold")]))
    return table


def _filler(page: int, line: int) -> str:
    return (
        f"Plot {page * 100 + line} was visited on day {line + 1} of season {page + 1}; its stakes stood where they had "
        f"been left, and the {('oldest', 'tallest', 'driest', 'northern')[line % 4]} corner was photographed first."
    )
