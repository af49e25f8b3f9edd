"""Text as every room sees it: normal form, matching key, sentences, tokens, language. Pure and deterministic."""

from core.text.front_matter import asks_for_people, is_called, is_card, is_card_unasked, is_names, is_ticks
from core.text.language import CJK, STOP_WORDS, language
from core.text.normalisation import join_hyphenated, normalise, squeeze, squeeze_with_offsets
from core.text.sentences import sentence_spans, sentences
from core.text.term_matcher import TermMatcher
from core.text.tokens import index_tokens, query_tokens
from core.text.word_hashes import mark_of, word_hash, word_hashes, word_marks

__all__ = [
    "CJK",
    "STOP_WORDS",
    "TermMatcher",
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
