"""The words that a model names as the answer: looked for in the passages it was shown, and weighed without it.

It stands alone because this is all of a model's verdict that can be checked: that the words are printed, that they
are of the kind asked for, and that they or their passage speak of what the question speaks of.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.extractive.expected_values import fits_kind
from core.domain.model import Evidence
from core.grounding.quotes import find_quote, widen_to_units
from core.grounding.verify import DraftSentence
from core.text import index_tokens
from core.understanding.query_terms import coverage, terms
from core.understanding.route import Part

SPOKEN_OF, ALIKE = 0.5, 0.3
"""Share of the question's words that the passage must hold, or cosine of question and named words, where any words
may answer; one of the two is enough."""
SPOKEN_OF_VALUE, ALIKE_VALUE = 0.25, 0.2
"""The same where the named words hold a value of the very kind that was asked for."""
TESTED = frozenset({"number", "when", "why", "limitation"})
"""Kinds of answer that can be told by their words."""
LONGEST = 700
"""Characters of named words; who names a whole passage has named nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Whole sentences (or a table row) of a passage that a model pointed at."""

    evidence: Evidence
    words: str

    @property
    def draft(self) -> DraftSentence:
        """The words as a sentence that wants to be said."""
        return DraftSentence(text=" ".join(self.words.split()), sources=((self.evidence.passage.id, self.words),))


def named(quote: str, shown: Sequence[Evidence]) -> Named | None:
    """Where ``quote`` is printed, widened to whole sentences, or None."""
    for one in shown if quote.strip() and len(quote) <= LONGEST else ():
        found = find_quote(quote, one.passage.text)
        if found:
            start, end = widen_to_units(one.passage, *found)
            return Named(evidence=one, words=one.passage.text[start:end])
    return None


def answers(part: Part, given: Named, likeness: float) -> bool:
    """Whether the named words can answer: of the kind asked for, and about what is asked.

    ``likeness`` is the cosine of question and named words.
    """
    if not fits_kind(part.kind, given.words, f"{part.context} {part.question}"):
        return False
    words, alike = (SPOKEN_OF_VALUE, ALIKE_VALUE) if part.kind in TESTED else (SPOKEN_OF, ALIKE)
    passage = given.evidence.passage
    around = " ".join([*passage.section, passage.label or "", given.evidence.paper.title, passage.text])
    held = coverage(terms(part.question) or terms(part.context), frozenset(index_tokens(around)))
    return held >= words or likeness >= alike
