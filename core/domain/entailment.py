"""Whether quotes entail a sentence: the port, its question and its verdict.

Three implementations stand behind it: rules, a cross-encoder, and a second reading by a language model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

Verdict: TypeAlias = Literal["yes", "no", "unsure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntailmentPair:
    """A sentence with the quotes it rests on; ``section`` and ``title`` are what a reader sees beside the quotes."""

    sentence: str
    quotes: tuple[str, ...]
    section: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntailmentVerdict:
    """``yes``: the quotes state or directly imply the sentence; ``no`` or ``unsure``: ``reason`` says why."""

    verdict: Verdict
    reason: str = ""

    @property
    def entailed(self) -> bool:
        """Whether the sentence may be shown in its own words."""
        return self.verdict == "yes"


class Entailment(Protocol):
    """Judges whether quotes entail sentences."""

    @property
    def identity(self) -> str:
        """Names the rules or the model, with its version."""

    async def judge(self, pairs: Sequence[EntailmentPair]) -> Sequence[EntailmentVerdict]:
        """One verdict a pair, in order. Raises ``ModelUnavailable`` where a model is needed and away."""
