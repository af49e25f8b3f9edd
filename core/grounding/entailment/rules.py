"""Decides whether quotes support a sentence: everything that can turn a claim around has to agree.

Support is defined, not felt: names, numbers with units, negation, direction, comparison, quantity, certainty and
conditions of the sentence agree with its quotes, and no part of it is made of words the quotes do not have.
"""

from collections.abc import Callable, Sequence

from core.domain.entailment import EntailmentVerdict
from core.grounding import numbers
from core.grounding.entailment.agreement import (
    check_added_words,
    check_attribution,
    check_conditions,
    check_direction,
    check_names,
    check_negation,
)
from core.grounding.entailment.alignment import check_displaced_words, check_exchanged_words
from core.grounding.entailment.certainty import check_certainty, check_strength
from core.grounding.entailment.claims import ParsedText, parse_text, select_source_sentences
from core.grounding.entailment.lexicon import quantifier_kinds, word_list
from core.grounding.entailment.number_binding import check_number_binding, check_number_pairs
from core.grounding.entailment.passive_voice import check_voice
from core.grounding.entailment.predicates import check_replaced_words, check_roles, is_reversed_antonym
from core.grounding.entailment.quantifiers import check_bounds, check_partitives, check_quantity, check_ranges
from core.grounding.quotes import is_same_quote
from core.text import split_sentences

MIN_COVERAGE = 0.7


AgreementCheck = Callable[[ParsedText, ParsedText], str]
_CHECKS: tuple[AgreementCheck, ...] = (
    check_negation,
    check_direction,
    check_roles,
    check_voice,
    check_number_binding,
    check_exchanged_words,
    check_number_pairs,
    check_quantity,
    check_partitives,
    check_bounds,
    check_ranges,
    check_certainty,
    check_strength,
    check_attribution,
    check_conditions,
)
_LEXICAL: tuple[AgreementCheck, ...] = (check_added_words, check_replaced_words, check_displaced_words)
"""These may also draw on what the reader sees beside the quote."""


def check_entailment(sentence: str, quotes: Sequence[str], *, known: str = "") -> EntailmentVerdict:
    """Whether ``quotes``, taken together, support ``sentence``.

    ``known`` is what else the reader sees of the source, its title and section: names in it may be used, but
    nothing else is taken from it. A sentence that is itself one of the quotes is supported.
    """
    if not quotes or not sentence.strip():
        return EntailmentVerdict(verdict="no", reason="nothing is quoted")
    if any(is_same_quote(sentence, quote) for quote in quotes):
        return EntailmentVerdict(verdict="yes")
    said = parse_text(sentence)
    near = select_source_sentences(said, [part for quote in quotes for part in split_sentences(quote)])
    if not near:
        return EntailmentVerdict(verdict="unsure", reason="none of its words are in the quote")
    quoted = parse_text(" \n\n".join(near))
    wider = parse_text(" \n\n".join((*near, known)))
    reasons = [f"number not in the quote: {number.text}" for number in numbers.find_missing_numbers(sentence, near)]
    reasons += [one(said, quoted) for one in _CHECKS]
    reasons += [one(said, wider) for one in _LEXICAL]
    reasons.append(check_names(said, parse_text(" \n\n".join((*quotes, known)))))
    share = coverage(said, wider)
    if share < MIN_COVERAGE:
        reasons.append(f"only {share:.0%} of its words are in the quote")
    found = "; ".join(reason for reason in reasons if reason)
    return EntailmentVerdict(verdict="unsure" if found else "yes", reason=found)


def coverage(said: ParsedText, quoted: ParsedText) -> float:
    """Share of the content words of one text, its numbers left aside, that another holds; 1 where it has none."""
    wanted = [word for word in said.content if not word.number and word.text not in word_list("reporting")]
    wanted = [word for word in wanted if word.text not in quantifier_kinds()]  # these have a check of their own
    return (
        sum(quoted.holds(word) or is_reversed_antonym(word, said, quoted) for word in wanted) / len(wanted)
        if wanted
        else 1.0
    )
