"""Whether what a model wrote is about what was asked: each sentence a little, the answer as much as the quotes.

A weak model copies true sentences that answer nothing. They are borne out, so the verifier lets them through; here
they are measured against the quotes that would have been given without the model.
"""

from collections.abc import Sequence

from core.agent.reasoner import Ledger
from core.agent.state import Finding
from core.agent.terms import coverage, terms
from core.agent.values import fits_kind
from core.domain.model import Evidence
from core.grounding.verify import Draft
from core.text import index_tokens, language

FAR_BEHIND = 0.5
"""Share of the quote's words of the question that the model's answer must hold."""


def asked_words(findings: Sequence[Finding], evidence: Sequence[Evidence]) -> frozenset[str]:
    """Index tokens of which one must stand in each sentence or its quote; none where languages differ."""
    spoken = {language(one.passage.text) for one in evidence} - {""}
    asked = {finding.part.language for finding in findings} - {""}
    if not spoken <= asked:
        return frozenset()
    found = [terms(f"{one.part.context} {one.part.question} {one.part.asked}") for one in findings]
    return frozenset(token for term in (term for one in found for term in one) for token in term.tokens)


def left_out(findings: Sequence[Finding], ledger: Ledger) -> list[Draft]:
    """The best quote of each part that was answered without the model and that the model's sentences fall behind."""
    quotes = {one.marker: " ".join(span.quote for span in one.spans) for one in ledger.citations}
    said = " ".join(one.text for one in ledger.said)
    shown = " ".join([said, *(quotes.get(marker, "") for one in ledger.said for marker in one.markers)])
    return [one.drafts[0] for one in findings if one.drafts and _falls_behind(one, said, shown)]


def _falls_behind(finding: Finding, said: str, shown: str) -> bool:
    if finding.unassisted.judgement.support != "clear":
        return False
    part, quote = finding.part, finding.drafts[0].text
    if " ".join(quote.split()) in " ".join(shown.split()):
        return False
    question = f"{part.context} {part.question}"
    if fits_kind(part.kind, quote, question) and not fits_kind(part.kind, said, question):
        return True
    asked = terms(part.question) or terms(part.context)
    held = coverage(asked, frozenset(index_tokens(quote)))
    return coverage(asked, frozenset(index_tokens(shown))) < FAR_BEHIND * held
