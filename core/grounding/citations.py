"""Numbers footnotes in the order in which sentences use them, and takes out the markers that a model makes up."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

from core.domain.model import Citation, Derivation, Passage, Sentence, Span
from core.text import alphanumeric_key

_LIST = r"\d{1,4}(?:\s?[,;\u2013-]\s?\d{1,4})*"
_MARKER = re.compile(
    rf"\s?(?:\[\^?{_LIST}\]|【[^】]{{1,20}}】|\[(?:source|passage|quote|doc)s?\s?{_LIST}\])", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]*[\"”»]")
_LEADING = re.compile(rf"^\s*\[{_LIST}\]\s*(?:[:.)-]\s*)?(?=\S)")
_EMPTY = re.compile(r"\s?\(\s*[,;]*\s*\)")


def strip_markers(text: str) -> str:
    """``text`` without reference marks such as [7], [1, 9], [1-9] or [100]; those inside quotation marks belong to
    the paper that is quoted, and stay.
    """
    kept = [match.span() for match in _QUOTED.finditer(text)]

    def gone(match: re.Match[str]) -> str:
        return match.group() if any(start < match.start() < end for start, end in kept) else ""

    bare = _EMPTY.sub("", _MARKER.sub(gone, _LEADING.sub("", text)))
    return re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"[^\S\n]{2,}", " ", bare)).strip()


class CitationNumbering:
    """Collects citations: the same paper, page and words get one marker, numbered from 1 in order of use."""

    def __init__(self) -> None:
        self._citations: dict[Hashable, Citation] = {}

    def add(self, citation: Citation, key: Hashable) -> Citation:
        """``citation`` under its number here; citations of the same ``key`` are one, the one added first."""
        return self._citations.setdefault(key, replace(citation, marker=len(self._citations) + 1))

    def cite(self, passage: Passage, spans: Sequence[Span], *, seen_by: str = "") -> int:
        """The marker of these words; ``passage`` is where they begin.

        ``seen_by`` names the model that described the figure of which these words are the caption.
        """
        key = (passage.paper_id, seen_by, *(f"{span.page}:{alphanumeric_key(span.quote)}" for span in spans))
        citation = Citation(
            marker=0,
            paper_id=passage.paper_id,
            section=passage.section,
            spans=tuple(spans),
            label=_label(passage, seen_by),
            seen_by=seen_by,
        )
        return self.add(citation, key).marker

    def derive(self, paper_id: str, expression: str, result: str, operands: Sequence[int]) -> int:
        """The marker of a computation over numbers that ``operands`` cite."""
        derivation = Derivation(expression=expression, result=result, operands=tuple(operands))
        citation = Citation(marker=0, paper_id=paper_id, section=(), spans=(), derivation=derivation)
        return self.add(citation, ("=", expression, result)).marker

    def all(self) -> tuple[Citation, ...]:
        """Every citation so far, by marker."""
        return tuple(self._citations.values())


def citation_key(citation: Citation) -> Hashable:
    """Equal for citations of the same words at the same place, or of the same computation, whatever their markers."""
    return citation.paper_id, citation.spans, citation.derivation


def by_marker(citations: Iterable[Citation]) -> Mapping[int, Citation]:
    """Citations by their number."""
    return {citation.marker: citation for citation in citations}


def citations_of(sentence: Sentence, citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """Those of ``citations`` that a sentence's markers name, in the order of its markers."""
    numbered = by_marker(citations)
    return tuple(numbered[marker] for marker in sentence.markers if marker in numbered)


def _label(passage: Passage, seen_by: str) -> str | None:
    if seen_by:
        return f"{passage.label}, as {seen_by} describes it"
    if passage.read_by:
        return ", ".join(part for part in (passage.label, f"as {passage.read_by} read the page") if part)
    return passage.label
