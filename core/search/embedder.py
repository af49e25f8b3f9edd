"""The embedder: one object that is cheap to make, loads its model when first needed, once, off the event loop.

The default runs without torch: the model is exported to ONNX once, by another process, and kept in the
cache folder. Models that do not export run in sentence-transformers as they are.
"""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.config import EmbedderConfig
from core.domain.errors import ModelUnavailable
from core.domain.ports import Embedder
from core.domain.progress import Progress
from core.search.encoder_runtimes import OnnxTextEncoder, TextEncoder, TorchTextEncoder
from core.search.lru_cache import LruCache
from core.search.model_files import (
    Prefixes,
    content_hash,
    embedding_dimension,
    find_cached_model,
    locate_model,
    model_prefixes,
)
from core.search.onnx_export import ModelHead

if TYPE_CHECKING:
    from core.domain.ports import Vector, Vectors

_log = logging.getLogger(__name__)
_EXPORT_SECONDS = 900.0
_MOST_THREADS = 8
_QUESTIONS = 256
_BATCH = 16
"""Passages that are embedded together."""
EXPORT_VERSION = 3
"""Grows when exporting changes, so that models exported before are exported anew."""


def open_embedder(config: EmbedderConfig) -> Embedder:
    """The embedder that ``config`` names. Nothing is read or loaded yet; what fails does so when first used."""
    return LocalEmbedder(config)


def thread_count() -> int:
    """The cores that this process may use, at most eight."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, _MOST_THREADS))


def ensure_exported(folder: Path, cache: Path, *, digest: str, head: ModelHead, int8: bool) -> Path:
    """The folder of the exported model, made now by another process where it is not there yet.

    Raises ``ModelUnavailable`` where the model does not export; blocking, up to minutes the first time.
    """
    target, precision = _export_target(cache, digest=digest, head=head, int8=int8)
    if (target / "exported.json").is_file():
        return target
    root = str(Path(__file__).resolve().parents[2])
    code = f"import sys; sys.path.insert(0, {root!r}); from core.search.onnx_export import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, str(folder), str(target), head, precision]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_EXPORT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as cause:
        raise ModelUnavailable("The model could not be exported to ONNX in time.") from cause
    if done.returncode != 0 or not (target / "exported.json").is_file():
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise ModelUnavailable(f"The model does not export to ONNX ({reason[:200]}).")
    return target


def exported_before(model: str, cache: Path, *, head: ModelHead, int8: bool) -> bool:
    """Whether loading ``model`` takes a moment, and neither an export nor a download. Never raises."""
    with contextlib.suppress(ModelUnavailable, OSError):
        folder = find_cached_model(model)
        if folder is not None:
            target, _ = _export_target(cache, digest=content_hash(folder, memory=cache), head=head, int8=int8)
            return (target / "exported.json").is_file()
    return False


def _export_target(cache: Path, *, digest: str, head: ModelHead, int8: bool) -> tuple[Path, str]:
    precision = "int8" if int8 else "fp32"
    kind = "embedder" if head == "embedding" else "reranker"
    return cache / f"{kind}-{digest}-{precision}-{EXPORT_VERSION}", precision


class LocalEmbedder:
    """A sentence-transformers model on this machine; as the ``Embedder`` port says."""

    def __init__(self, config: EmbedderConfig) -> None:
        self._config = config
        self._loading = threading.Lock()
        self._naming = threading.Lock()
        self._encoder: TextEncoder | None = None
        self._prefixes = Prefixes()
        self._folder: Path | None = None
        self._identity = ""
        self._dimension = 0
        self._asked: LruCache[str, Vector] = LruCache(_QUESTIONS)

    @property
    def identity(self) -> str:
        """Model name, hash of its files, precision and prefixes. First use reads the files: a tenth of a second."""
        self._name()
        return self._identity

    @property
    def dimension(self) -> int:
        """Length of a vector, from the model's configuration files."""
        self._name()
        return self._dimension

    @property
    def ready(self) -> bool:
        """Whether the model is loaded."""
        return self._encoder is not None

    async def load(self) -> None:
        """Load now, so that the first question does not wait; harmless when loaded."""
        await asyncio.to_thread(self._ready)

    async def warm(self) -> None:
        """As the port says; a model that was never exported here waits for its first use."""

        def work() -> None:
            int8 = self._config.int8
            if self._config.onnx and exported_before(self._config.model, self._cache(), head="embedding", int8=int8):
                self._ready()

        with contextlib.suppress(ModelUnavailable):
            await asyncio.to_thread(work)

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> "Vectors":
        """As the port says; progress is told after each batch, as step ``embedding``."""
        import numpy as np

        if not texts:
            await asyncio.to_thread(self._name)
            return np.zeros((0, self._dimension), dtype=np.float32)
        loop = asyncio.get_running_loop()

        def told(done: int) -> None:
            if progress is not None:
                asyncio.run_coroutine_threadsafe(progress.step("embedding", done, len(texts)), loop)

        def work() -> "Vectors":
            encoder = self._ready()
            return encoder.unit_vectors([self._prefixes.passage + text for text in texts], told)

        return await asyncio.to_thread(work)

    async def query(self, text: str) -> "Vector":
        """As the port says; one question is often searched in several scopes, and embedded once."""

        def work() -> "Vector":
            encoder = self._ready()
            return encoder.unit_vectors([self._prefixes.query + text]).reshape(-1)

        found = self._asked.get(text)
        if found is None:
            found = await asyncio.to_thread(work)
            found.flags.writeable = False
            self._asked.keep(text, found)
        return found

    def _name(self) -> None:
        with self._naming:
            if self._identity:
                return
            folder = locate_model(self._config.model)
            try:
                digest = content_hash(folder, memory=self._cache())
                self._dimension = embedding_dimension(folder)
                self._prefixes = model_prefixes(folder, self._config)
            except (OSError, ValueError, KeyError) as cause:
                raise ModelUnavailable(f"The model {self._config.model} cannot be read: {cause}.") from cause
            self._folder = folder
            words = f"|{self._prefixes.query}|{self._prefixes.passage}" if self._prefixes != Prefixes() else ""
            precision = "int8" if self._config.int8 and self._config.onnx else "fp32"
            self._identity = f"{Path(self._config.model).name}@{digest}/{precision}{words}"

    def _cache(self) -> Path:
        return self._config.cache or Path(tempfile.gettempdir()) / "footnote-models"

    def _ready(self) -> TextEncoder:
        with self._loading:
            if self._encoder is None:
                self._name()
                self._encoder = self._load()
            return self._encoder

    def _load(self) -> TextEncoder:
        assert self._folder is not None
        threads = thread_count()
        if self._config.onnx:
            try:
                exported = ensure_exported(
                    self._folder, self._cache(), digest=self._digest(), head="embedding", int8=self._config.int8
                )
                return OnnxTextEncoder(exported, threads=threads, batch=_BATCH)
            except ModelUnavailable as cause:
                if self._config.int8:
                    raise
                _log.warning(
                    "embedder not exported", extra={"fields": {"model": self._config.model, "reason": cause.words}}
                )
        try:
            return TorchTextEncoder(self._folder, threads=threads, batch=_BATCH)
        except Exception as cause:
            raise ModelUnavailable(
                f"The model {self._config.model} could not be loaded; choose another or the packaged default."
            ) from cause

    def _digest(self) -> str:
        return self._identity.partition("@")[2].partition("/")[0]
