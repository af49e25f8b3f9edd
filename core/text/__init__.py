"""Text as every room sees it: normal form, matching key, sentences, tokens, language. Pure and deterministic."""

from core.text.cards import asks_for_people, is_called, is_card, is_card_unasked, is_names, is_ticks
from core.text.language import CJK, STOP_WORDS, language
from core.text.marks import mark_of, word_hash, word_hashes, word_marks
from core.text.normal import join_hyphenated, normalise, squeeze, squeeze_with_offsets
from core.text.sentences import sentence_spans, sentences
from core.text.sought import Sought
from core.text.tokens import index_tokens, query_tokens

__all__ = [
    "CJK",
    "STOP_WORDS",
    "Sought",
    "asks_for_people",
    "index_tokens",
    "is_called",
    "is_card",
    "is_card_unasked",
    "is_names",
    "is_ticks",
    "join_hyphenated",
    "language",
    "mark_of",
    "normalise",
    "query_tokens",
    "sentence_spans",
    "sentences",
    "squeeze",
    "squeeze_with_offsets",
    "word_hash",
    "word_hashes",
    "word_marks",
]
