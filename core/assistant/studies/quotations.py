"""Sentences in a paper's own words with their footnotes, numbered in the order in which they are quoted. Pure.

For what answers no question: digests, briefs, related papers. Every sentence is the quote, or was verified elsewhere.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.assistant.aspects.statements import Statement, extract_statements
from core.domain.model import Citation, Paper, Passage, Reference, Sentence, Span
from core.grounding.citations import CitationNumbering, by_marker, citation_key
from core.grounding.quotes import PassageSpan, build_quote_spans, find_quote

_SHORTEST, _LONGEST = 40, 360
"""Characters of a sentence that says something and can still be taken in beside others."""
_ENDS = re.compile(r"[.!?。！？][\"'”’»)\]\d,–-]*$")


class Quotations:
    """Gives each quoted sentence its marker; the same words are one footnote however often they are quoted."""

    def __init__(self) -> None:
        self._numbering = CitationNumbering()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All footnotes so far, by marker."""
        return self._numbering.all()

    def say(self, statement: Statement) -> Sentence | None:
        """The statement with its footnote; None where its words do not stand in one stretch of its passage."""
        passage = statement.passage
        stretch = find_quote(statement.text, passage.text)
        if stretch is None:
            return None
        spans = build_quote_spans([PassageSpan(passage=passage, start=stretch[0], end=stretch[1])])
        if not spans:
            return None
        citation = Citation(
            marker=0, paper_id=passage.paper_id, section=passage.section, spans=spans, label=passage.label
        )
        return Sentence(text=statement.text, markers=(self._number(citation),))

    def take(self, sentence: Sentence, citations: Sequence[Citation]) -> Sentence:
        """A sentence that was verified elsewhere, its footnotes numbered among these."""
        cited = by_marker(citations)
        markers = dict.fromkeys(self._number(cited[marker]) for marker in sentence.markers)
        return replace(sentence, markers=tuple(markers))

    def entry(self, reference: Reference) -> Sentence | None:
        """An entry of a reference list with its footnote; None where it is not known on which page it stands."""
        if reference.page < 1:
            return None
        spans = (Span(passage_id="", page=reference.page, quote=reference.raw),)
        citation = Citation(marker=0, paper_id=reference.paper_id, section=("References",), spans=spans)
        return Sentence(text=reference.raw, markers=(self._number(citation),))

    def _number(self, citation: Citation) -> int:
        return self._numbering.add(citation, citation_key(citation)).marker


def quotable_statements(paper: Paper, passages: Sequence[Passage]) -> tuple[Statement, ...]:
    """A paper's statements that can be quoted by themselves: whole, in one passage, neither scraps nor paragraphs."""
    return tuple(filter(_quotable, extract_statements(passages, paper.metadata)))


def _quotable(statement: Statement) -> bool:
    whole = statement.following is None and bool(_ENDS.search(statement.text))
    right_length = _SHORTEST <= len(statement.text) <= _LONGEST
    return whole and right_length and statement.passage.kind != "caption"
