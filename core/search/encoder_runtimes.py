"""The two ways to run a model that is at hand: ONNX Runtime without torch, or sentence-transformers as it is.

Plain blocking objects; whoever owns one keeps it off the event loop.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.search.model_files import ExportedModelConfig
from core.telemetry_optout import disable_telemetry

if TYPE_CHECKING:
    import numpy as np

    from core.domain.ports import Vectors


class TextEncoder(Protocol):
    """Texts to unit vectors, blocking."""

    def unit_vectors(self, texts: Sequence[str], told: Callable[[int], None] = lambda done: None) -> "Vectors":
        """Shape (len(texts), dimension), float32, rows of length 1; ``told`` hears how many are done."""


def batches_by_length(lengths: Sequence[int], batch: int) -> Iterator[list[int]]:
    """Positions in batches of like length, longest first, so that little is padded and memory peaks at once."""
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    for start in range(0, len(order), batch):
        yield order[start : start + batch]


class OnnxModel:
    """A graph with its tokeniser: tokenised texts in, one row of numbers a text out."""

    def __init__(self, folder: Path, *, threads: int, most_tokens: int = 8_192) -> None:
        disable_telemetry()
        import onnxruntime
        from tokenizers import Tokenizer

        self._described = ExportedModelConfig.read(folder)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(min(self._described.window, most_tokens))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Threads that spin while they wait starve the event loop on a busy machine.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )

    def tokens(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
        """Token and type ids of texts, or of pairs of texts."""
        given: list[object] = list(texts)
        if self._described.lower:
            given = [text.lower() if isinstance(text, str) else tuple(part.lower() for part in text) for text in texts]
        if len(given) == 1 and isinstance(given[0], str):
            # A batch goes to threads of the tokeniser's own, which a question on busy cores would wait for.
            codes = [self._tokenizer.encode(given[0])]
        else:
            codes = self._tokenizer.encode_batch(given)
        return [(code.ids, code.type_ids) for code in codes]

    def run(self, tokens: Sequence[tuple[list[int], list[int]]]) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
        """One batch through the graph."""
        import numpy as np

        shape = (len(tokens), max(len(ids) for ids, _ in tokens))
        ids = np.full(shape, self._described.pad_id, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.int64)
        types = np.zeros(shape, dtype=np.int64)
        for row, (token_ids, type_ids) in enumerate(tokens):
            ids[row, : len(token_ids)] = token_ids
            types[row, : len(type_ids)] = type_ids
            mask[row, : len(token_ids)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        out = self._session.run(None, {name: given[name] for name in self._described.inputs})[0]
        return np.asarray(out, dtype=np.float32)


class OnnxTextEncoder:
    """An exported sentence-transformers model.

    Each batch runs on one thread, ``threads`` batches side by side: that costs a fifth less CPU than splitting
    every product over the cores, and a question never waits for a thread that the system has put aside.
    """

    def __init__(self, folder: Path, *, threads: int, batch: int) -> None:
        self._model = OnnxModel(folder, threads=1)
        self._threads = threads
        self._batch = batch

    def unit_vectors(self, texts: Sequence[str], told: Callable[[int], None] = lambda done: None) -> "Vectors":
        """As ``TextEncoder`` says."""
        import numpy as np

        tokens = self._model.tokens(texts)
        batches = list(batches_by_length([len(ids) for ids, _ in tokens], self._batch))
        given = ([tokens[index] for index in indexes] for indexes in batches)
        rows: dict[int, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}
        with _parallel_map(min(self._threads, len(batches))) as run_all:
            for indexes, found in zip(batches, run_all(self._model.run, given), strict=True):
                rows.update(zip(indexes, found, strict=True))
                told(len(rows))
        return normalise_rows(np.stack([rows[index] for index in range(len(texts))]))


@contextmanager
def _parallel_map(
    threads: int,
) -> Iterator[Callable[..., Iterator["np.ndarray[tuple[int, ...], np.dtype[np.float32]]"]]]:
    """``map`` on that many threads; one needs none."""
    if threads <= 1:
        yield map
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="embedding") as pool:
        yield pool.map


class TorchTextEncoder:
    """Plain sentence-transformers, for models that do not export."""

    def __init__(self, folder: Path, *, threads: int, batch: int) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(threads)
        self._model = SentenceTransformer(str(folder), device="cpu")
        self._batch = batch

    def unit_vectors(self, texts: Sequence[str], told: Callable[[int], None] = lambda done: None) -> "Vectors":
        """As ``TextEncoder`` says."""
        import numpy as np

        order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        rows: dict[int, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}
        for start in range(0, len(order), self._batch * 8):
            indexes = order[start : start + self._batch * 8]
            found = self._model.encode(
                [texts[index] for index in indexes], batch_size=self._batch, show_progress_bar=False, prompt=""
            )
            rows.update(zip(indexes, found, strict=True))
            told(len(rows))
        return normalise_rows(np.stack([rows[index] for index in range(len(texts))]))


def normalise_rows(rows: "Vectors") -> "Vectors":
    """Rows scaled to length 1; a row of zeros stays as it is."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.ascontiguousarray(rows / np.maximum(lengths, 1e-12), dtype=np.float32)
