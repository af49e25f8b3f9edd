"""Search: embedder, dense index, reranker and the retriever that puts them together."""

from core.search.dense import FlatIndex, SyncedIndex
from core.search.embedder import open_embedder
from core.search.entailment_model import CrossEncoderEntailment
from core.search.fusion import SignalWeights
from core.search.model_files import download_into
from core.search.reranker import NullReranker, open_reranker
from core.search.retriever import HybridRetriever

__all__ = [
    "CrossEncoderEntailment",
    "FlatIndex",
    "HybridRetriever",
    "NullReranker",
    "SignalWeights",
    "SyncedIndex",
    "download_into",
    "open_embedder",
    "open_reranker",
]
