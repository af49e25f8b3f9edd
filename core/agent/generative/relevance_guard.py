"""Whether what a model wrote is about what was asked: each sentence a little, the answer as much as the quotes.

A weak model copies true sentences that answer nothing. They are borne out, so the verifier lets them through; here
they are measured against the quotes that would have been given without the model.
"""

from collections.abc import Sequence

from core.agent.reasoner import Ledger
from core.agent.state import Finding
from core.domain.model import Evidence
from core.grounding.verify import DraftSentence
from core.text import alphanumeric_key, detect_language
from core.understanding.query_terms import terms


def asked_words(findings: Sequence[Finding], evidence: Sequence[Evidence]) -> frozenset[str]:
    """Index tokens of which one must stand in each sentence or its quote; none where languages differ."""
    spoken = {detect_language(one.passage.text) for one in evidence} - {""}
    asked = {finding.part.language for finding in findings} - {""}
    if not spoken <= asked:
        return frozenset()
    found = [terms(f"{one.part.context} {one.part.question} {one.part.asked}") for one in findings]
    return frozenset(token for term in (term for one in found for term in one) for token in term.tokens)


def missing_quotes(findings: Sequence[Finding], ledger: Ledger) -> list[DraftSentence]:
    """The best quote of each part that would be answered without the model, where nothing that is said rests on it.

    A model that named what answers has its own quote there, so nothing is added to it. One that copied true
    sentences from elsewhere has the quote put behind them: then the answer holds at least what it would without it.
    """
    shown = " ".join(" ".join(span.quote for span in one.spans) for one in ledger.citations)
    held = " ".join([*(one.text for one in ledger.said), shown])
    return [one.drafts[0] for one in findings if one.drafts and _missing(one, held)]


def _missing(finding: Finding, held: str) -> bool:
    if finding.unassisted.judgement.support != "clear":
        return False
    return alphanumeric_key(finding.drafts[0].text) not in alphanumeric_key(held)
