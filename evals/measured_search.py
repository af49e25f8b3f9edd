"""What the evaluation takes of search and of the library that is searched, beside the services.

Search is measured in parts (with one signal, another index, other tokens); only this module names those parts.
"""

from core.library import OpenLibrary, open_library
from core.search import (
    CrossEncoderEntailment,
    FlatIndex,
    HybridRetriever,
    NullReranker,
    SignalWeights,
    SyncedIndex,
    open_embedder,
)
from core.search.fusion import rank_by_score, reciprocal_rank_fusion
from core.search.retriever import DEPTH
from core.text import index_tokens, query_tokens

__all__ = [
    "DEPTH",
    "CrossEncoderEntailment",
    "FlatIndex",
    "HybridRetriever",
    "NullReranker",
    "OpenLibrary",
    "SignalWeights",
    "SyncedIndex",
    "index_tokens",
    "open_embedder",
    "open_library",
    "query_tokens",
    "rank_by_score",
    "reciprocal_rank_fusion",
]
