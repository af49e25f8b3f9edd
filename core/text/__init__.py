"""Normal form, matching key, sentences, tokens and language of text. Pure and deterministic."""

from core.text.front_matter import (
    asks_for_people,
    is_axis_ticks,
    is_name_list,
    is_only_names,
    is_publication_notice,
    is_unrequested_notice,
)
from core.text.identifiers import (
    arxiv_version,
    bare_arxiv_number,
    find_arxiv_number,
    find_doi,
    find_dois,
    parse_arxiv_number,
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
    "arxiv_version",
    "asks_for_people",
    "bare_arxiv_number",
    "detect_language",
    "find_arxiv_number",
    "find_doi",
    "find_dois",
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
    "parse_arxiv_number",
    "query_tokens",
    "sentence_spans",
    "split_sentences",
]
