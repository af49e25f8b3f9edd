"""The thinking that the graph needs, as a protocol: with or without a language model, the graph is the same.

``Study`` is what one run has at hand. It lives here because both sides of the protocol speak of it.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.agent.langsmith import Tracing, Untraced
from core.agent.state import Finding, Part, Understanding
from core.config import AgentConfig
from core.domain.language_models import LanguageModel, Meter
from core.domain.model import AnswerMode, Citation, Evidence, Figure, Paper, Passage, Scope, Sentence, Turn, Usage
from core.domain.ports import Embedder, Retriever
from core.domain.progress import NoProgress, Progress
from core.grounding.verify import DraftSentence, RejectedSentence
from core.llm import NullLanguageModel

MOST_PARTS = 4
"""Parts that a question is taken apart into; each is a search of its own."""
MOST_SENTENCES = 4
"""Sentences of an answer, or of each part of one."""


class Reasoner(Protocol):
    """Understands a question, judges evidence and writes; never searches by itself."""

    @property
    def mode(self) -> AnswerMode:
        """Whether answers are quoted (``extractive``) or written by a model."""

    async def understand(self, question: str, turns: Sequence[Turn], study: "RunContext") -> Understanding:
        """The stand-alone parts of a question, or why it must be asked back or declined."""

    async def judge(self, part: Part, evidence: Sequence[Evidence], study: "RunContext") -> Finding:
        """Whether ``evidence`` answers ``part``, with the sentences that would be said."""

    async def refine(self, finding: Finding, study: "RunContext") -> Part | None:
        """Another way to search for the same part, or None where trying again promises nothing."""

    def write(self, findings: Sequence[Finding], study: "RunContext") -> AsyncGenerator[DraftSentence, None]:
        """The sentences of the answer in order, parts in the order asked.

        Each is verified before the next is asked for; ``study.ledger`` then has what was said and what dropped.
        """


@dataclass(slots=True)
class Ledger:
    """What happened in one run, written down as it happens; the only value of a run that changes.

    ``mode`` is how the sentences came about, where that is not how the reasoner usually works. ``down`` says
    that the language model could not be reached, so that no other step of the run waits for it.
    """

    said: list[Sentence] = field(default_factory=list)
    citations: tuple[Citation, ...] = ()
    dropped: list[RejectedSentence] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    mode: AnswerMode | None = None
    model: str = ""
    prompts: str = ""
    down: bool = False

    def spent(self, usage: Usage) -> None:
        """Add what a call to a model took."""
        self.usage += usage

    def note(self, words: str) -> None:
        """Something for the footer, once."""
        if words not in self.notes:
            self.notes.append(words)


class Frequencies(Protocol):
    """In how many passages of the scope each term occurs."""

    async def __call__(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Counts by term; a term that occurs nowhere counts 0 or is left out."""


async def unknown_frequencies(terms: Sequence[str]) -> Mapping[str, int]:
    """The null object: nothing was counted."""
    return {}


class Saying(Protocol):
    """Which of some terms a paper of the scope says anywhere."""

    async def __call__(self, paper_id: str, terms: Sequence[str]) -> frozenset[str]:
        """Those of ``terms`` that stand in a passage of the paper."""


async def anything(paper_id: str, terms: Sequence[str]) -> frozenset[str]:
    """The null object: nobody looks, so nothing is known to be missing."""
    return frozenset(terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Captioned:
    """A figure with the passage that is its caption."""

    figure: Figure
    caption: Passage


class Figures(Protocol):
    """The figures of the scope's papers, and a model that looks at them."""

    @property
    def seen_by(self) -> str:
        """The name of the model that looks; empty where nobody does."""

    async def of(self, paper_id: str) -> Sequence[Captioned]:
        """A paper's figures that have a caption to be cited by."""

    async def described(self, figure: Figure, *, meter: Meter) -> str:
        """What the figure shows; asked once, then known. Raises ``ModelUnavailable``."""


class NoFigures:
    """The null object: nobody looks."""

    seen_by = ""

    async def of(self, paper_id: str) -> Sequence[Captioned]:
        """None."""
        return ()

    async def described(self, figure: Figure, *, meter: Meter) -> str:
        """No words."""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What one run may use: scoped papers, search, reasoner, and where signs of life go.

    ``recollection`` is the running summary of what the thread held before the turns that are read whole. ``k`` is
    how many passages a search brings; ``None`` leaves it at what is configured.
    """

    scope: Scope
    papers: tuple[Paper, ...]
    retriever: Retriever
    embedder: Embedder
    reasoner: Reasoner
    config: AgentConfig = field(default_factory=AgentConfig)
    progress: Progress = field(default_factory=NoProgress)
    passages: int = 0
    frequencies: Frequencies = unknown_frequencies
    saying: Saying = anything
    ledger: Ledger = field(default_factory=Ledger)
    recollection: str = ""
    figures: Figures = field(default_factory=NoFigures)
    model: LanguageModel = field(default_factory=NullLanguageModel)
    tracing: Tracing = field(default_factory=Untraced)
    k: int | None = None
