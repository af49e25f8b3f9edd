"""Entailment judged by a cross-encoder for natural language inference, where one is named.

It is asked only what the rules cannot decide, so a wrong number or name is stopped whatever the model says. It lies
here because models are loaded here; the rules are in ``core.grounding``.
"""

import asyncio
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain.entailment import EntailmentPair, EntailmentVerdict
from core.domain.errors import ModelUnavailable
from core.grounding.entailment import check_entailment
from core.search.model_files import locate_model
from core.telemetry_optout import disable_telemetry

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

LEAST_ENTAILED = 0.9
"""Probability of "entailment" from which the model's yes counts; below it a quote stands for the sentence."""
LEAST_CONTRADICTED = 0.9
_MOST_TOKENS = 512
_BATCH = 8


class CrossEncoderEntailment:
    """A sequence-pair classifier with the labels entailment, neutral and contradiction (or not-entailment).

    ``model`` is a folder or a hub name. The order of the labels is read from the model's configuration.
    """

    def __init__(self, model: str) -> None:
        self._model = model
        self._loading = threading.Lock()
        self._loaded: tuple[CrossEncoder, tuple[str, ...]] | None = None

    @property
    def identity(self) -> str:
        """The model's name."""
        return self._model

    async def judge(self, pairs: Sequence[EntailmentPair]) -> Sequence[EntailmentVerdict]:
        """As the port says; the title and section are shown to the rules, not to the model."""
        verdicts = [
            check_entailment(pair.sentence, pair.quotes, known=f"{pair.title} . {pair.section}") for pair in pairs
        ]
        open_questions = [index for index, verdict in enumerate(verdicts) if verdict.verdict == "unsure"]
        if open_questions:
            asked = [(" ".join(pairs[index].quotes), pairs[index].sentence) for index in open_questions]
            answers = await asyncio.to_thread(self._judge, asked)
            for index, answer in zip(open_questions, answers, strict=True):
                verdicts[index] = answer
        return verdicts

    def _judge(self, asked: Sequence[tuple[str, str]]) -> list[EntailmentVerdict]:
        encoder, labels = self._ready()
        rows = encoder.predict(list(asked), batch_size=_BATCH, apply_softmax=True, show_progress_bar=False).tolist()
        return [_verdict(dict(zip(labels, row, strict=True))) for row in rows]

    def _ready(self) -> "tuple[CrossEncoder, tuple[str, ...]]":
        with self._loading:
            if self._loaded is None:
                folder = locate_model(self._model)
                self._loaded = _load(folder, self._model), _labels(folder, self._model)
            return self._loaded


def _load(folder: Path, name: str) -> "CrossEncoder":
    disable_telemetry()
    try:
        from sentence_transformers import CrossEncoder

        return CrossEncoder(str(folder), device="cpu", max_length=_MOST_TOKENS)
    except Exception as cause:
        raise ModelUnavailable(f"The entailment model {name} could not be loaded.") from cause


def _labels(folder: Path, name: str) -> tuple[str, ...]:
    """The model's labels in the order of its outputs, in lower case."""
    named = json.loads((folder / "config.json").read_text("utf-8")).get("id2label") or {}
    labels = tuple(str(named[key]).lower() for key in sorted(named, key=int))
    if "entailment" not in labels:
        raise ModelUnavailable(f"The model {name} does not say which of its outputs means entailment.")
    return labels


def _verdict(shares: dict[str, float]) -> EntailmentVerdict:
    if shares["entailment"] >= LEAST_ENTAILED:
        return EntailmentVerdict(verdict="yes")
    if shares.get("contradiction", 0.0) >= LEAST_CONTRADICTED:
        return EntailmentVerdict(verdict="no", reason="contradicts the quote")
    return EntailmentVerdict(verdict="unsure", reason="does not follow from the quote alone")
