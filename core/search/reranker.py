"""Rerankers: a cross-encoder by setting, loaded once, batched and time-boxed, or none, which keeps the order.

What cannot be loaded or takes too long costs an answer nothing but a note: the fused order stands.
"""

import asyncio
import logging
import tempfile
import threading
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from core.config import SearchConfig
from core.domain.errors import ModelUnavailable
from core.domain.ports import Reranker
from core.search.embedder import ensure_exported, exported_before, thread_count
from core.search.encoder_runtimes import OnnxModel, batches_by_length
from core.search.model_files import content_hash, locate_model

_log = logging.getLogger(__name__)
_BATCH = 8
_MOST_TOKENS = 256


def open_reranker(config: SearchConfig, *, cache: Path | None = None) -> Reranker:
    """The reranker that ``config`` names, or the null object; cheap, the model loads when first needed."""
    if not config.reranker:
        return NullReranker()
    return CrossEncoderReranker(config.reranker, seconds=config.rerank_seconds, cache=cache)


class NullReranker:
    """The null object: the fused order stands."""

    @property
    def identity(self) -> str:
        """Empty: nothing reranks."""
        return ""

    @property
    def note(self) -> str:
        """Empty: nothing is amiss."""
        return ""

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float] | None:
        """None, always."""
        return None

    async def warm(self) -> None:
        """There is nothing to load."""


class _PairScorer(Protocol):
    def scores(self, query: str, texts: Sequence[str], *, until: float) -> list[float] | None: ...


class CrossEncoderReranker:
    """sentence-transformers' CrossEncoder: ONNX where it exports, plain otherwise."""

    def __init__(self, model: str, *, seconds: float, cache: Path | None = None) -> None:
        self._model = model
        self._seconds = seconds
        self._cache = cache or Path(tempfile.gettempdir()) / "footnote-models"
        self._loading = threading.Lock()
        self._pairs: _PairScorer | None = None
        self._failed = ""
        self._note = ""

    @property
    def identity(self) -> str:
        """The model's name."""
        return self._model

    @property
    def note(self) -> str:
        """Why the last call kept the fused order, or empty."""
        return self._note

    async def load(self) -> None:
        """Load now; what fails is told by ``note``."""
        await asyncio.to_thread(self._ready)
        self._note = self._failed

    async def warm(self) -> None:
        """As the port says; a model that was never exported here waits for its first use."""
        found = partial(exported_before, self._model, self._cache, head="pair score", int8=False)
        if await asyncio.to_thread(found):
            await self.load()

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float] | None:
        """As the port says. A model that is still loading counts as too slow; it goes on loading."""
        if not texts:
            return []
        until = time.monotonic() + self._seconds
        work = asyncio.create_task(asyncio.to_thread(self._work, query, list(texts), until))
        try:
            found = await asyncio.wait_for(asyncio.shield(work), self._seconds)
        except TimeoutError:
            work.add_done_callback(_discard_late_result)
            found = None
        if found is None:
            self._note = self._failed or f"The reranker took longer than {self._seconds:g} s; the order is unreranked."
            return None
        self._note = ""
        return found

    def _work(self, query: str, texts: list[str], until: float) -> list[float] | None:
        pairs = self._ready()
        return None if pairs is None else pairs.scores(query, texts, until=until)

    def _ready(self) -> _PairScorer | None:
        with self._loading:
            if self._pairs is None and not self._failed:
                try:
                    self._pairs = self._load()
                except ModelUnavailable as cause:
                    self._failed = f"The reranker is off: {cause.words}"
                    _log.warning(
                        "reranker unavailable", extra={"fields": {"model": self._model, "reason": cause.words}}
                    )
            return self._pairs

    def _load(self) -> _PairScorer:
        folder = locate_model(self._model)
        try:
            digest = content_hash(folder, memory=self._cache)
            return _OnnxPairScorer(ensure_exported(folder, self._cache, digest=digest, head="pair score", int8=False))
        except ModelUnavailable as cause:
            _log.warning("reranker not exported", extra={"fields": {"model": self._model, "reason": cause.words}})
        try:
            return _TorchPairScorer(folder)
        except Exception as cause:
            raise ModelUnavailable(f"The cross-encoder {self._model} could not be loaded.") from cause


def _discard_late_result(work: "asyncio.Task[list[float] | None]") -> None:
    """A call that came too late has ended; what became of it was told when the time was up."""
    if not work.cancelled() and work.exception() is not None:
        _log.warning("reranker failed", extra={"fields": {"reason": type(work.exception()).__name__}})


class _OnnxPairScorer:
    def __init__(self, folder: Path) -> None:
        self._model = OnnxModel(folder, threads=thread_count(), most_tokens=_MOST_TOKENS)

    def scores(self, query: str, texts: Sequence[str], *, until: float) -> list[float] | None:
        """None where the time is up before the last batch."""
        tokens = self._model.tokens([(query, text) for text in texts])
        found: dict[int, float] = {}
        for indexes in batches_by_length([len(ids) for ids, _ in tokens], _BATCH):
            if time.monotonic() > until:
                return None
            found.update(zip(indexes, map(float, self._model.run([tokens[index] for index in indexes])), strict=True))
        return [found[index] for index in range(len(texts))]


class _TorchPairScorer:
    def __init__(self, folder: Path) -> None:
        from sentence_transformers import CrossEncoder

        self._model = CrossEncoder(str(folder), device="cpu", max_length=_MOST_TOKENS)

    def scores(self, query: str, texts: Sequence[str], *, until: float) -> list[float] | None:
        """None where the time is up before the last batch."""
        found: list[float] = []
        for start in range(0, len(texts), _BATCH):
            if time.monotonic() > until:
                return None
            pairs = [(query, text) for text in texts[start : start + _BATCH]]
            found.extend(float(score) for score in self._model.predict(pairs, show_progress_bar=False))
        return found
