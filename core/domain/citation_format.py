"""How a citation reads in words, on every surface: page, section, label, computation and quoted words."""

from core.domain.model import Citation
from core.domain.reply import Footnote


def footnote_text(note: Footnote) -> str:
    """For example: [1] Title, p. 5, § 2.3 Results, Table 2: “quoted words”; or …: paraphrased from “quoted words”."""
    citation = note.citation
    operands = ", ".join(f"[{marker}]" for marker in citation.derivation.operands) if citation.derivation else ""
    computed = f"{computation_text(citation)}, from {operands}" if operands else computation_text(citation)
    quoted = f"paraphrased from {quotes_text(citation)}" if note.paraphrased else quotes_text(citation)
    source = _joined(note.paper.title, locator_text(citation))
    return f"[{citation.marker}] {source}: {_joined(computed, quoted)}"


def locator_text(citation: Citation) -> str:
    """Where in the paper: ``p. 5, § 2.3 Results, Table 2``."""
    return _joined(pages_text(citation), section_text(citation.section), citation.label or "")


def section_text(section: tuple[str, ...]) -> str:
    """The innermost heading behind a section sign, or nothing."""
    return f"§ {section[-1]}" if section else ""


def pages_text(citation: Citation) -> str:
    """``p. 5`` or ``pp. 5–6``, or nothing for a computation without a span."""
    pages = sorted({span.page for span in citation.spans})
    if not pages:
        return ""
    return f"p. {pages[0]}" if len(pages) == 1 else f"pp. {pages[0]}–{pages[-1]}"


def quotes_text(citation: Citation) -> str:
    """The quoted words in quotation marks, each span on one line."""
    return " … ".join(f"“{' '.join(span.quote.split())}”" for span in citation.spans)


def computation_text(citation: Citation) -> str:
    """``3 + 4 = 7`` where the citation shows a computation, or nothing."""
    derivation = citation.derivation
    return f"{derivation.expression} = {derivation.result}" if derivation else ""


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))
