"""How a citation reads in words, on every surface: page, section, label, computation and quoted words."""

from collections.abc import Sequence

from core.domain.model import Citation
from core.domain.paper_labels import pages_label
from core.domain.reply import Footnote


def footnote_text(note: Footnote) -> str:
    """For example: [1] Title, p. 5, § 2.3 Results, Table 2: “quoted words”; or …: paraphrased from “quoted words”."""
    citation = note.citation
    operands = ", ".join(f"[{marker}]" for marker in citation.derivation.operands) if citation.derivation else ""
    computed = f"{computation_text(citation)}, from {operands}" if operands else computation_text(citation)
    quoted = f"paraphrased from {quotes_text(citation)}" if note.paraphrased else quotes_text(citation)
    source = _joined(note.paper.title, locator_text(citation, note.paper.page_labels))
    return f"[{citation.marker}] {source}: {_joined(computed, quoted)}"


def locator_text(citation: Citation, page_labels: Sequence[str]) -> str:
    """Where in the paper: ``p. 5, § 2.3 Results, Table 2``; ``page_labels`` are the paper's printed page numbers."""
    pages = pages_label(page_labels, (span.page for span in citation.spans))
    return _joined(pages, section_text(citation.section), citation.label or "")


def section_text(section: tuple[str, ...]) -> str:
    """The innermost heading behind a section sign, or nothing."""
    return f"§ {section[-1]}" if section else ""


def quotes_text(citation: Citation) -> str:
    """The quoted words in quotation marks, each span on one line."""
    return " … ".join(f"“{' '.join(span.quote.split())}”" for span in citation.spans)


def computation_text(citation: Citation) -> str:
    """``3 + 4 = 7`` where the citation shows a computation, or nothing."""
    derivation = citation.derivation
    return f"{derivation.expression} = {derivation.result}" if derivation else ""


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))
