"""Sample papers (for now made on the spot)."""

from collections.abc import Sequence

from adapters.web.talking import SamplePaper
from bot.sample_pdf import sample


def sample_papers() -> Sequence[SamplePaper]:
    """The papers that the page offers on a first visit."""
    paper = sample()
    return (
        SamplePaper(
            name=paper.name, title="Do margins slow readers down?", about="", questions=paper.questions, pdf=paper.pdf
        ),
    )
