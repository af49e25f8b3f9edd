"""The reasoning that needs no language model, as a protocol, and what one run of the graph may use.

They stand together because both sides of the protocol speak of the run.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.agent.langsmith import Tracing, Untraced
from core.agent.state import Finding, Understanding
from core.config import AgentConfig, LlmConfig
from core.domain.entailment import Entailment
from core.domain.language_models import Capability, LanguageModel, Meter
from core.domain.model import AnswerMode, Citation, Evidence, Figure, Paper, Passage, Scope, Sentence, Usage
from core.domain.ports import Embedder, LexicalIndex, Library, Reranker, Retriever
from core.domain.request_context import RequestContext
from core.grounding.verify import DraftSentence, RejectedSentence
from core.llm import NullLanguageModel
from core.understanding.route import Part, Question

MOST_SENTENCES = 4
"""Sentences of an answer, or of each part of one."""


class Reasoner(Protocol):
    """Understands a question, judges evidence and quotes; never searches by itself."""

    async def understand(self, question: Question, run: "RunContext") -> Understanding:
        """The stand-alone parts of a question, or whom to ask back about."""

    async def judge(self, part: Part, evidence: Sequence[Evidence], run: "RunContext") -> Finding:
        """Whether ``evidence`` answers ``part``, with the sentences that would be said."""

    async def judge_passages(self, part: Part, evidence: Sequence[Evidence], run: "RunContext") -> Finding:
        """The same of ``evidence`` alone, without looking anywhere else."""

    async def refine(self, finding: Finding, run: "RunContext") -> Part | None:
        """Another way to search for the same part, or None where trying again promises nothing."""

    def write(self, findings: Sequence[Finding], run: "RunContext") -> AsyncGenerator[DraftSentence, None]:
        """The sentences of the answer in order, parts in the order asked.

        Each is verified before the next is asked for; ``run.ledger`` then has what was said and what dropped.
        """


@dataclass(slots=True)
class Ledger:
    """What happened in one run, written down as it happens; the only value of a run that changes.

    ``mode`` is how the sentences came about. ``down`` says that the language model could not be reached, so that no
    other step of the run waits for it.
    """

    said: list[Sentence] = field(default_factory=list)
    citations: tuple[Citation, ...] = ()
    dropped: list[RejectedSentence] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    mode: AnswerMode = "extractive"
    model: str = ""
    prompts: str = ""
    down: bool = False

    def spent(self, usage: Usage) -> None:
        """Add what a call to a model took."""
        self.usage += usage

    def note(self, words: str) -> None:
        """Something for the footer, once; no words are nothing."""
        if words and words not in self.notes:
            self.notes.append(words)


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


def no_figures(scope: Scope) -> Figures:
    """Nobody looks at the figures of any scope."""
    return NoFigures()


class ModelCapability(Protocol):
    """Knows what the language model can be trusted with."""

    async def capability(self) -> Capability:
        """Write claims, give search words alone, or nothing. Raises ``ModelUnavailable``."""


class AssumedCapability:
    """Trusts a model to write claims; for models that nobody put to the test."""

    async def capability(self) -> Capability:
        """Claims."""
        return "claims"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDependencies:
    """What the graph works with in one workspace. ``figures`` are those of the papers in a scope.

    ``reader`` judges claims that the rules cannot prove; ``None`` leaves it to ``model`` itself.
    """

    library: Library
    lexical: LexicalIndex
    retriever: Retriever
    embedder: Embedder
    reranker: Reranker
    reasoner: Reasoner
    model: LanguageModel = field(default_factory=NullLanguageModel)
    llm: LlmConfig = field(default_factory=LlmConfig)
    capability: ModelCapability = field(default_factory=AssumedCapability)
    reader: Entailment | None = None
    figures: Callable[[Scope], Figures] = no_figures
    tracing: Tracing = field(default_factory=Untraced)
    config: AgentConfig = field(default_factory=AgentConfig)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """One run: the request with its scope, the papers in it, and what the run may use.

    ``passages`` is how many there are in scope. ``recollection`` is the running summary of what the thread held before
    the turns that are read whole. ``k`` is how many passages a search brings; ``None`` leaves it at what is configured.
    """

    request: RequestContext
    dependencies: AgentDependencies
    papers: tuple[Paper, ...]
    passages: int = 0
    recollection: str = ""
    figures: Figures = field(default_factory=NoFigures)
    ledger: Ledger = field(default_factory=Ledger)
    k: int | None = None

    async def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        """In how many passages of the scope each term occurs; one that occurs nowhere counts 0 or is left out."""
        return await self.dependencies.lexical.document_frequencies(self.request.scope, terms)

    async def terms_in_paper(self, paper_id: str, terms: Sequence[str]) -> frozenset[str]:
        """Those of ``terms`` that stand in any passage of the paper."""
        within = self.request.scope.within(frozenset({paper_id}))
        lexical = self.dependencies.lexical
        return frozenset([term for term in terms if await lexical.matching(within, [term], limit=1)])
