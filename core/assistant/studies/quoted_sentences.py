"""Sentences in a paper's own words with their footnotes, numbered in the order in which they are said. Pure.

For what answers no question: digests, briefs, related papers. Every sentence is the quote, or was verified elsewhere.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.assistant.aspects.statements import Statement, statements_of
from core.domain.model import Citation, Paper, Passage, Reference, Sentence, Span
from core.grounding.quotes import PassageSpan, build_quote_spans, find_quote

_SHORTEST, _LONGEST = 40, 360
"""Characters of a sentence that says something and can still be taken in beside others."""
_ENDS = re.compile(r"[.!?。！？][\"'”’»)\]\d,–-]*$")


class Quotes:
    """Gives each quoted sentence its marker; the same words are one footnote however often they are said."""

    def __init__(self) -> None:
        self._citations: list[Citation] = []

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All footnotes so far, by marker."""
        return tuple(self._citations)

    def say(self, statement: Statement) -> Sentence | None:
        """The statement with its footnote; None where its words do not stand in one stretch of its passage."""
        place = find_quote(statement.text, statement.passage.text)
        if place is None:
            return None
        stretch = PassageSpan(passage=statement.passage, start=place[0], end=place[1])
        spans = build_quote_spans([stretch])
        return self._said(statement.passage, statement.text, spans) if spans else None

    def take(self, sentence: Sentence, citations: Sequence[Citation]) -> Sentence:
        """A sentence that was verified elsewhere, its footnotes numbered among these."""
        by_marker = {one.marker: one for one in citations}
        markers = [
            self._noted(replace(by_marker[marker], marker=len(self._citations) + 1), "").markers[0]
            for marker in sentence.markers
        ]
        return replace(sentence, markers=tuple(dict.fromkeys(markers)))

    def entry(self, reference: Reference) -> Sentence | None:
        """An entry of a reference list with its footnote; None where it is not known on which page it stands."""
        if reference.page < 1:
            return None
        spans = (Span(passage_id="", page=reference.page, quote=reference.raw),)
        citation = Citation(
            marker=len(self._citations) + 1, paper_id=reference.paper_id, section=("References",), spans=spans
        )
        return self._noted(citation, reference.raw)

    def _said(self, passage: Passage, text: str, spans: tuple[Span, ...]) -> Sentence:
        citation = Citation(
            marker=len(self._citations) + 1,
            paper_id=passage.paper_id,
            section=passage.section,
            spans=spans,
            label=passage.label,
        )
        return self._noted(citation, text)

    def _noted(self, citation: Citation, text: str) -> Sentence:
        for known in self._citations:
            if (known.paper_id, known.spans) == (citation.paper_id, citation.spans):
                return Sentence(text=text, markers=(known.marker,))
        self._citations.append(citation)
        return Sentence(text=text, markers=(citation.marker,))


def borne_out_by(statements: Sequence[Statement], citations: Sequence[Citation]) -> bool:
    """Whether one of these footnotes quotes one of these statements, or a part of it."""
    quotes = [span.quote for one in citations for span in one.spans]
    return any(find_quote(one.text, quote) or find_quote(quote, one.text) for one in statements for quote in quotes)


def sayable(paper: Paper, passages: Sequence[Passage]) -> tuple[Statement, ...]:
    """A paper's statements that can be said by themselves: whole, in one passage, neither scraps nor paragraphs."""
    return tuple(_fitting(statements_of(passages, paper.metadata)))


def _fitting(statements: Sequence[Statement]) -> Iterator[Statement]:
    for one in statements:
        whole = one.following is None and _ENDS.search(one.text)
        if whole and one.passage.kind != "caption" and _SHORTEST <= len(one.text) <= _LONGEST:
            yield one
