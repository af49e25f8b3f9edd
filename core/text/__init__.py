"""Text as every room sees it: normal form, matching key, sentences, tokens, language. Pure and deterministic."""

from core.text.front_matter import (
    asks_for_people,
    is_axis_ticks,
    is_name_list,
    is_only_names,
    is_publication_notice,
    is_unrequested_notice,
)
from core.text.language import CJK, STOP_WORDS, language
from core.text.normalisation import alphanumeric_key, alphanumeric_key_with_offsets, join_hyphenated, normalise
from core.text.sentences import sentence_spans, sentences
from core.text.tokens import index_tokens, query_tokens
from core.text.word_hashes import hash_as_text, hash_word, hash_words_as_text, word_hashes

__all__ = [
    "CJK",
    "STOP_WORDS",
    "alphanumeric_key",
    "alphanumeric_key_with_offsets",
    "asks_for_people",
    "hash_as_text",
    "hash_word",
    "hash_words_as_text",
    "index_tokens",
    "is_axis_ticks",
    "is_name_list",
    "is_only_names",
    "is_publication_notice",
    "is_unrequested_notice",
    "join_hyphenated",
    "language",
    "normalise",
    "query_tokens",
    "sentence_spans",
    "sentences",
    "word_hashes",
]
