"""A value that is no answer of the kind asked for is none: a year no count, a reference mark no number."""

import pytest

from core.agent.extractive.expected_values import fits_kind
from core.understanding.answer_types import Kind


@pytest.mark.parametrize(
    ("kind", "words", "question", "fits"),
    [
        ("number", "The dens were counted in 2011.", "How many dens were there?", False),
        ("number", "In 2011 there were 41 dens.", "How many dens were there?", True),
        ("number", "Otters like quiet rivers,4 as others wrote.", "How many otters were seen?", False),
        ("number", "Dens were seen before [12].", "How many dens were seen?", False),
        ("number", "There were 41 pups.", "What share of the otters were pups?", False),
        ("number", "Pups were 12% of them.", "What share of the otters were pups?", True),
        ("number", "One in 8 was a pup.", "What proportion were pups?", True),
        ("when", "They were counted by boat.", "When were they counted?", False),
        ("who", "They were counted by boat.", "Who counted them?", True),
    ],
)
def test_words_hold_a_value_of_the_kind(kind: Kind, words: str, question: str, fits: bool) -> None:
    assert fits_kind(kind, words, question) is fits
