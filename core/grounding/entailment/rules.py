"""Decides whether quotes support a sentence: everything that can turn a claim around has to agree.

Support is defined, not felt: names, numbers with units, negation, direction, comparison, quantity, certainty and
conditions of the sentence agree with its quotes, and no part of it is made of words the quotes do not have.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.grounding import numbers
from core.grounding.entailment.agreement import added_words, attribution, conditions, direction, names, negation
from core.grounding.entailment.alignment import exchanged, replaced
from core.grounding.entailment.certainty import certainty, strength
from core.grounding.entailment.claims import Claim, claim, home
from core.grounding.entailment.lexicon import quantifiers, words_of
from core.grounding.entailment.number_binding import binding, companions
from core.grounding.entailment.passive_voice import voice
from core.grounding.entailment.predicates import answers_opposite, replaced_words, roles
from core.grounding.entailment.quantifiers import bounds, parts, quantity, ranges
from core.grounding.quotes import same_words
from core.text import sentences

LEAST_COVERAGE = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a sentence is supported, why not, and the share (0 to 1) of its content words that the quotes hold."""

    supported: bool
    reasons: tuple[str, ...] = ()
    coverage: float = 1.0


Check = Callable[[Claim, Claim], str]
_CHECKS: tuple[Check, ...] = (
    negation,
    direction,
    roles,
    voice,
    binding,
    exchanged,
    companions,
    quantity,
    parts,
    bounds,
    ranges,
    certainty,
    strength,
    attribution,
    conditions,
)
_LEXICAL: tuple[Check, ...] = (added_words, replaced_words, replaced)
"""These may also draw on what the reader sees beside the quote."""


def check(sentence: str, quotes: Sequence[str], *, known: str = "") -> Verdict:
    """Whether ``quotes``, taken together, support ``sentence``.

    ``known`` is what else the reader sees of the source, its title and section: names in it may be used, but
    nothing else is taken from it. A sentence that is itself one of the quotes is supported.
    """
    if not quotes or not sentence.strip():
        return Verdict(supported=False, reasons=("nothing is quoted",), coverage=0.0)
    if any(same_words(sentence, quote) for quote in quotes):
        return Verdict(supported=True)
    said = claim(sentence)
    near = home(said, [part for quote in quotes for part in sentences(quote)])
    if not near:
        return Verdict(supported=False, reasons=("none of its words are in the quote",), coverage=0.0)
    quoted = claim(" \n\n".join(near))
    wider = claim(" \n\n".join((*near, known)))
    reasons = [f"number not in the quote: {number.text}" for number in numbers.missing(sentence, near)]
    reasons += [one(said, quoted) for one in _CHECKS]
    reasons += [one(said, wider) for one in _LEXICAL]
    reasons.append(names(said, claim(" \n\n".join((*quotes, known)))))
    share = coverage(said, wider)
    if share < LEAST_COVERAGE:
        reasons.append(f"only {share:.0%} of its words are in the quote")
    found = tuple(reason for reason in reasons if reason)
    return Verdict(supported=not found, reasons=found, coverage=share)


def coverage(said: Claim, quoted: Claim) -> float:
    """Share of the content words of one text, its numbers left aside, that another holds; 1 where it has none."""
    wanted = [word for word in said.content if not word.number and word.text not in words_of("reporting")]
    wanted = [word for word in wanted if word.text not in quantifiers()]  # these have a check of their own
    return (
        sum(quoted.holds(word) or answers_opposite(word, said, quoted) for word in wanted) / len(wanted)
        if wanted
        else 1.0
    )
