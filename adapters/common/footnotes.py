"""A footnote in words, the same on every platform. Pure."""

from core.domain.model import Citation
from core.domain.reply import Footnote


def footnote_text(note: Footnote) -> str:
    """For example: [1] Title, p. 5, § 2.3 Results, Table 2: “quoted words”."""
    citation = note.citation
    head = f"[{citation.marker}] {_place(note)}"
    quotes = " … ".join(f"“{' '.join(span.quote.split())}”" for span in citation.spans)
    if citation.derivation is not None:
        operands = ", ".join(f"[{marker}]" for marker in citation.derivation.operands)
        computed = f"{citation.derivation.expression} = {citation.derivation.result}, from {operands}"
        return f"{head}: {computed}" + (f", {quotes}" if quotes else "")
    return f"{head}: {quotes}"


def section_text(section: tuple[str, ...]) -> str:
    """The innermost heading with its sign, or nothing."""
    return f"§ {section[-1]}" if section else ""


def pages_text(citation: Citation) -> str:
    """``p. 5`` or ``pp. 5–6``, or nothing for a computation without a span."""
    pages = sorted({span.page for span in citation.spans})
    if not pages:
        return ""
    return f"p. {pages[0]}" if len(pages) == 1 else f"pp. {pages[0]}–{pages[-1]}"


def _place(note: Footnote) -> str:
    citation = note.citation
    parts = (note.paper.title, pages_text(citation), section_text(citation.section), citation.label or "")
    return ", ".join(part for part in parts if part)
