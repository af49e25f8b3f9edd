"""Decides whether quotes support a sentence: everything that can turn a claim around has to agree.

Support is defined, not felt: names, numbers with units, negation, direction, comparison, quantity, certainty and
conditions of the sentence agree with its quotes, and no part of it is made of words the quotes do not have.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.grounding import numbers
from core.grounding.agreement import (
    added_words,
    binding,
    certainty,
    conditions,
    direction,
    names,
    negation,
    quantity,
    replaced_words,
    roles,
)
from core.grounding.claims import Claim, claim
from core.grounding.quotes import same_words
from core.text import sentences

LEAST_COVERAGE = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a sentence is supported, why not, and the share (0 to 1) of its content words that the quotes hold."""

    supported: bool
    reasons: tuple[str, ...] = ()
    coverage: float = 1.0


Check = Callable[[Claim, Claim], str]
_CHECKS: tuple[Check, ...] = (
    names,
    negation,
    direction,
    roles,
    binding,
    quantity,
    certainty,
    conditions,
    added_words,
    replaced_words,
)

_LEXICAL = (names, added_words, replaced_words)


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
    relevant = _relevant(said, quotes)
    quoted = claim(" \n".join(relevant))
    reasons = [f"number not in the quote: {number.text}" for number in numbers.missing(sentence, relevant)]
    wider = _with_names(quoted, claim(known))
    for one in _CHECKS:
        reason = one(said, wider if one in _LEXICAL else quoted)
        if reason:
            reasons.append(reason)
    share = coverage(said, wider)
    if share < LEAST_COVERAGE:
        reasons.append(f"only {share:.0%} of its words are in the quote")
    return Verdict(supported=not reasons, reasons=tuple(reasons), coverage=share)


def coverage(said: Claim, quoted: Claim) -> float:
    """Share of the content words of one claim that another holds; 1 where there are none."""
    wanted = [word.stem for word in said.words if not word.small]
    if not wanted:
        return 1.0
    return sum(stem in quoted.stems for stem in wanted) / len(wanted)


def _relevant(said: Claim, quotes: Sequence[str]) -> list[str]:
    """The sentences of the quotes that share a content word with the claim; all of them where none does."""
    every = [sentence for quote in quotes for sentence in sentences(quote)]
    words = {stem for stem in said.stems if not stem[0].isdigit()} or said.stems
    return [sentence for sentence in every if claim(sentence).stems & words] or every


def _with_names(quoted: Claim, background: Claim) -> Claim:
    return Claim(text=f"{quoted.text} {background.text}", words=quoted.words, stems=quoted.stems | background.stems)
