"""Normal form, matching key, sentences, tokens and language of text. Pure and deterministic."""

from core.text.front_matter import (
    asks_for_people,
    is_axis_ticks,
    is_name_list,
    is_only_names,
    is_publication_notice,
    is_unrequested_notice,
)
from core.text.language import CJK, STOP_WORDS, detect_language
from core.text.normalisation import alphanumeric_key, alphanumeric_key_with_offsets, join_hyphenated, normalise
from core.text.sentences import sentence_spans, split_sentences
from core.text.tokens import hash_as_text, hash_word, hash_words, hash_words_as_text, index_tokens, query_tokens

__all__ = [
    "CJK",
    "STOP_WORDS",
    "alphanumeric_key",
    "alphanumeric_key_with_offsets",
    "asks_for_people",
    "detect_language",
    "hash_as_text",
    "hash_word",
    "hash_words",
    "hash_words_as_text",
    "index_tokens",
    "is_axis_ticks",
    "is_name_list",
    "is_only_names",
    "is_publication_notice",
    "is_unrequested_notice",
    "join_hyphenated",
    "normalise",
    "query_tokens",
    "sentence_spans",
    "split_sentences",
]
