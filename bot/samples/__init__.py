"""Three short papers of our own, so that a first visit has something to ask: one column, two columns, a scan.

Everything that they say is made up and known, so they also show whether reading works.
"""

from collections.abc import Sequence
from pathlib import Path

from adapters.web.upload_routes import SamplePaper

_FOLDER = Path(__file__).parent


def sample_papers() -> Sequence[SamplePaper]:
    """The papers with questions that they answer. Reads their files."""
    return (
        SamplePaper(
            name="margins-and-notes.pdf",
            title="Do margins slow readers down? A small study of notes on paper",
            about="A working paper of two pages, with a table.",
            questions=(
                "How long did readers need to find a footnote?",
                "What are the limitations of the study?",
            ),
            pdf=_pdf("margins-and-notes.pdf"),
        ),
        SamplePaper(
            name="notes-on-a-screen.pdf",
            title="Notes on a screen: where readers look for sources",
            about="A conference paper in two columns, with a figure and a table.",
            questions=(
                "How many readers asked for help?",
                "What are the limitations of the experiment?",
            ),
            pdf=_pdf("notes-on-a-screen.pdf"),
        ),
        SamplePaper(
            name="endnotes-in-the-reading-room.pdf",
            title="Endnotes in the reading room: a count of questions",
            about="A typed report of 1987, scanned: a picture without any text, read by OCR.",
            questions=("How many strips of paper did the desk give out?", "How many questions were about endnotes?"),
            pdf=_pdf("endnotes-in-the-reading-room.pdf"),
        ),
    )


def _pdf(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()
