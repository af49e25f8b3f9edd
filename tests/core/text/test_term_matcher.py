"""What is sought in a text is what the tokeniser finds in it, however its words are written."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import TermMatcher, index_tokens

_WORDS = (
    "dying lies tied skies being uses using hoping goes news well-known (particles) α-particles l'analyse don't "
    "alzheimer's 10,000 .5 3,5 h2o 2nd pH mRNA 小麦热胁迫 naïve Ãngström under_score e.g. yields yielded yielding cry "
    "cries crying say 5% x² ﬁne co-\noperate re­duce"
).split(" ")
_texts = st.lists(
    st.one_of(st.sampled_from(_WORDS), st.text(alphabet=string.ascii_letters + "-'.,;é", max_size=9)), max_size=30
).map(" ".join)


@given(_texts, st.lists(st.sampled_from(_WORDS), max_size=5).map(" ".join))
def test_it_finds_what_the_tokeniser_finds(text: str, asked: str) -> None:
    tokens = [*index_tokens(asked), *index_tokens(text)[::3]]
    sought = TermMatcher(tokens)
    assert sought.held(text) == frozenset(tokens) & frozenset(index_tokens(text))
    assert sought.held(text) == frozenset(tokens) & frozenset(index_tokens(text)), "the same when seen before"


@pytest.mark.parametrize(
    ("text", "token"), [("They were dying.", "die"), ("lying there", "lie"), ("Tying knots", "tie")]
)
def test_stems_that_begin_otherwise_are_found(text: str, token: str) -> None:
    assert TermMatcher([token]).held(text) == {token}


def test_nothing_sought_is_nothing_found() -> None:
    assert TermMatcher([]).held("wheat under heat") == frozenset()
