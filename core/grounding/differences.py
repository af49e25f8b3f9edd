"""Hard differences between a sentence and its quotes: numbers with their units, and names."""

from collections.abc import Sequence

from core.grounding.entailment.agreement import check_names
from core.grounding.entailment.claims import parse_text
from core.grounding.numbers import find_missing_numbers


def find_differences(sentence: str, quotes: Sequence[str], *, known: str = "") -> tuple[str, ...]:
    """What the sentence has and the quotes do not; ``known`` vouches for names alone."""
    missing = [f"number not in the quote: {number.text}" for number in find_missing_numbers(sentence, quotes)]
    foreign = check_names(parse_text(sentence), parse_text(" \n\n".join((*quotes, known))))
    return tuple(reason for reason in (*missing, foreign) if reason)
