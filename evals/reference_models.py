"""Language models for the evaluation: one that knows the gold, one that agrees to everything, and a recorder.

The first two bound what a model can do to the answers: how much better a good one makes them, and how little harm a
bad one does. The recorder counts time, so that our own share of an answer's time is known.
"""

import hashlib
import json
import re
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.language_models import UNMETERED, LanguageModel, Meter
from core.domain.model import Citation, Sentence, Usage
from core.domain.progress import NoProgress
from evals.datasets import Question
from evals.measured_answers import prompts, split_sentences
from evals.metrics import squeeze


@dataclass
class Oracle:
    """Knows what the question asked right now is answered by, and nothing else."""

    identity: str = "oracle"
    question: Question | None = None

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        """Nothing to add to a question; every sentence is borne out."""
        meter.spent(Usage(calls=1))
        if system == prompts.SECOND_READING:
            count = prompt.count("\nSentence: “")
            return {"verdicts": [f"{number} yes" for number in range(1, count + 1)]}
        return {"question": "", "parts": [], "words": [], "papers": [], "kinds": []}

    async def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, object] | None = None,
        meter: Meter = UNMETERED,
    ) -> AsyncGenerator[str, None]:
        """What it knows, each sentence with itself as its quote."""
        meter.spent(Usage(calls=1))
        claims = [
            {"passages": [], "quotes": [words], "sentence": words, "computation": ""}
            for words in self.sentences(prompt)
        ]
        yield json.dumps({"claims": claims, "missing": [] if claims else ["the answer"]}, ensure_ascii=False)

    def sentences(self, prompt: str) -> list[str]:
        """The gold evidence that the passages hold."""
        text = squeeze(prompt)
        gold = self.question.gold if self.question else ()
        return [" ".join(span.evidence.split()) for span in gold if squeeze(span.evidence) in text]

    async def warm(self) -> None:
        """Nothing to load."""

    async def close(self) -> None:
        """Nothing to close."""


@dataclass
class Agreeable(Oracle):
    """Agrees to everything, and says the first few sentences that it sees, which are true and seldom answer."""

    identity: str = "agreeable"

    def sentences(self, prompt: str) -> list[str]:
        """The first sentences of the passages."""
        return [" ".join(found[0].split()) for body in passages_in(prompt) if (found := split_sentences(body))][:3]


def passages_in(prompt: str) -> list[str]:
    """The words of each passage that a prompt shows, without the line that says where it is from."""
    bodies = re.split(r"^[0-9a-f]{8} \[\d+\] .*$", prompt, flags=re.MULTILINE)[1:]
    return [body.partition("\n\n")[0].strip() for body in bodies]


@dataclass
class Recorder:
    """Hands calls on to ``model`` and writes down when each began and ended, and a hash of what was asked and said."""

    model: LanguageModel
    spans: list[tuple[float, float]] = field(default_factory=list)
    calls: list[tuple[str, str, str]] = field(default_factory=list)
    written: float = 0.0
    """When the model last wrote a piece of an answer."""

    def clear(self) -> None:
        """Begin with the next question."""
        self.spans.clear()
        self.calls.clear()
        self.written = 0.0

    @property
    def identity(self) -> str:
        """The model's own."""
        return self.model.identity

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        """As the model."""
        began, said = time.perf_counter(), ""
        try:
            reply = await self.model.structured(prompt, schema, system=system, meter=meter)
            said = repr(sorted(reply.items()))
            return reply
        finally:
            self._note(began, system, prompt, said)

    async def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, object] | None = None,
        meter: Meter = UNMETERED,
    ) -> AsyncGenerator[str, None]:
        """As the model; the time between two pieces that the taker spends is not the model's."""
        said: list[str] = []
        began = time.perf_counter()
        try:
            async for piece in self.model.stream(prompt, system=system, schema=schema, meter=meter):
                said.append(piece)
                if system == prompts.CLAIMS:
                    self.written = time.perf_counter()
                self.spans.append((began, time.perf_counter()))
                yield piece
                began = time.perf_counter()
        finally:
            self._note(began, system, prompt, "".join(said))

    def seconds(self) -> float:
        """Wall time in which at least one call ran."""
        total, until = 0.0, 0.0
        for began, ended in sorted(self.spans):
            total += max(0.0, ended - max(began, until))
            until = max(until, ended)
        return total

    def _note(self, began: float, system: str, prompt: str, said: str) -> None:
        self.spans.append((began, time.perf_counter()))
        step = next((name for name, text in _STEPS if text == system), "other")
        self.calls.append((step, _hash(prompt), _hash(said)))

    async def warm(self) -> None:
        """As the model."""
        await self.model.warm()

    async def close(self) -> None:
        """As the model."""
        await self.model.close()


class FirstSentence(NoProgress):
    """Keeps when the first sentence of an answer was sent; 0 until then."""

    def __init__(self) -> None:
        self.at = 0.0

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """A sentence was sent."""
        self.at = self.at or time.perf_counter()


_STEPS = (
    ("search words", prompts.SEARCH_WORDS),
    ("claims", prompts.CLAIMS),
    ("second reading", prompts.SECOND_READING),
)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
