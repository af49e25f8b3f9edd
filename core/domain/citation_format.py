"""How papers and citations read in words on every surface: authors, year, page, section, computation, quoted words."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from core.domain.model import Citation, Paper, Sentence
from core.domain.reply import Footnote


def footnote_text(note: Footnote) -> str:
    """For example: [1] Title, p. 5, § 2.3 Results, Table 2: “quoted words”; or …: paraphrased from “quoted words”."""
    citation = note.citation
    operands = ", ".join(f"[{marker}]" for marker in citation.derivation.operands) if citation.derivation else ""
    computed = f"{computation_text(citation)}, from {operands}" if operands else computation_text(citation)
    quoted = f"paraphrased from {quotes_text(citation)}" if note.paraphrased else quotes_text(citation)
    source = _joined(note.paper.title, locator_text(citation, note.paper.page_labels))
    return f"[{citation.marker}] {source}: {_joined(computed, quoted)}"


def sentence_text(sentence: Sentence) -> str:
    """A sentence with its markers behind it, for example ``Words. [1][2]``."""
    return f"{sentence.text} {''.join(f'[{marker}]' for marker in sentence.markers)}".rstrip()


def locator_text(citation: Citation, page_labels: Sequence[str]) -> str:
    """Where in the paper: ``p. 5, § 2.3 Results, Table 2``; ``page_labels`` are the paper's printed page numbers."""
    pages = pages_label(page_labels, (span.page for span in citation.spans))
    return _joined(pages, section_text(citation.section), citation.label or "")


def section_text(section: tuple[str, ...]) -> str:
    """The innermost heading behind a section sign, or nothing."""
    return f"§ {section[-1]}" if section else ""


def page_label(labels: Sequence[str], page: int) -> str:
    """The number printed on a page (from 1) of a paper with these ``page_labels``, or that of the sheet."""
    return labels[page - 1] if 0 < page <= len(labels) else str(page)


def pages_label(labels: Sequence[str], pages: Iterable[int]) -> str:
    """``p. 5`` or ``pp. 5–6``, with the sheets where their numbers differ: ``p. 484 (sheet 4)``; empty for no page."""
    ends = sorted(set(pages))[:: max(1, len(set(pages)) - 1)]
    if not ends:
        return ""
    printed, sheets = "–".join(page_label(labels, page) for page in ends), "–".join(map(str, ends))
    several = "s" * (len(ends) > 1)
    return f"p{'p' * len(several)}. {printed}" + (f" (sheet{several} {sheets})" if printed != sheets else "")


def quotes_text(citation: Citation) -> str:
    """The quoted words in quotation marks, each span on one line."""
    return " … ".join(f"“{' '.join(span.quote.split())}”" for span in citation.spans)


def computation_text(citation: Citation) -> str:
    """``3 + 4 = 7`` where the citation shows a computation, or nothing."""
    derivation = citation.derivation
    return f"{derivation.expression} = {derivation.result}" if derivation else ""


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


MAX_TITLE_CHARACTERS = 90


def paper_label(paper: Paper) -> str:
    """Short title, first author and year where known: “Heat stress in wheat” (Smith et al., 2020)."""
    title = (
        paper.title
        if len(paper.title) <= MAX_TITLE_CHARACTERS
        else paper.title[: MAX_TITLE_CHARACTERS - 1].rstrip() + "…"
    )
    known = first_author_label(paper)
    if paper.metadata.year:
        known.append(str(paper.metadata.year))
    return f"“{title}” ({', '.join(known)})" if known else f"“{title}”"


def first_author_label(paper: Paper) -> list[str]:
    """The first author's family name, with "et al." where there are more; empty where no author is known."""
    known = family_names(paper.metadata.authors[:1])
    if known and len(paper.metadata.authors) > 1:
        known[0] += " et al."
    return known


def family_names(authors: Sequence[str]) -> list[str]:
    """The last word of each name, or what stands before its comma ("Smith, Ada")."""
    return [name.split(",")[0].split()[-1] for name in authors if name.strip()]


def shorten_names(names: Sequence[str]) -> str:
    """One name, two names, or the first with ``et al.``; empty where there is none."""
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)


def short_authors(paper: Paper) -> str:
    """The authors as printed: one name, two names, or the first with ``et al.``"""
    return shorten_names(paper.metadata.authors)


def byline(paper: Paper) -> str:
    """Authors and year, as far as they are known: "Ada Ferris et al., 2021"."""
    known = [short_authors(paper), str(paper.metadata.year or "")]
    return ", ".join(filter(None, known))


def column_labels(papers: Sequence[Paper]) -> Mapping[str, str]:
    """A short label for each paper by id: family names of its authors, or the beginning of its title.

    Papers of the same label are told apart by a letter, never by a number, which could be taken for a result.
    """
    plain = {paper.id: _column_label(paper) for paper in papers}
    uses = Counter(plain.values())
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return {id_: f"{label} ({next(letters)})" if uses[label] > 1 else label for id_, label in plain.items()}


def _column_label(paper: Paper) -> str:
    authors = shorten_names(family_names(paper.metadata.authors))
    words = paper.title.split()
    shortened = " ".join(words[:5]) + ("…" if len(words) > 5 else "")
    return authors or shortened
