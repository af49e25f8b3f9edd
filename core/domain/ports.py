"""The seams of core round the library and its search: what one room needs of another, each a narrow protocol.

Readers of PDFs (``readers``) and models behind an endpoint (``endpoints``) have files of their own.

Vectors are numpy arrays; numpy is named for the type checker only, so that this package still loads with
nothing but the standard library.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from core.domain.model import (
    Answer,
    Evidence,
    Figure,
    Forgotten,
    Metadata,
    Paper,
    Passage,
    PassageKind,
    Reading,
    Reference,
    Relation,
    Scope,
    Share,
    Thread,
    Turn,
    Workspace,
)
from core.domain.progress import Progress

if TYPE_CHECKING:
    import numpy as np

    Vectors: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]
    Vector: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float32]]
    Numbers: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int64]]


class Embedder(Protocol):
    """Turns text into unit vectors."""

    @property
    def identity(self) -> str:
        """Names model and revision; two embedders with one identity give the same vectors."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> "Vectors":
        """Shape (len(texts), dimension), float32, rows of length 1. Raises ``ModelUnavailable``."""

    async def query(self, text: str) -> "Vector":
        """Shape (dimension,), float32, of length 1, with the model's question prefix where it wants one."""

    async def warm(self) -> None:
        """Load what is at hand, so that the first use need not wait. Never raises: what fails says so when used."""


class Reranker(Protocol):
    """Scores passages against a question; higher is better."""

    @property
    def identity(self) -> str:
        """Names the model; empty for the null object, which keeps the order it is given."""

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float] | None:
        """One score a text, or None where the order shall stand (null object, too slow, not loadable)."""

    @property
    def note(self) -> str:
        """What the footer must say (could not be loaded, took too long), or empty."""

    async def warm(self) -> None:
        """As the embedder's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a question may be limited to, beside its scope. Empty means all.

    ``section`` is matched as words within the section path; years are inclusive.
    """

    kinds: frozenset[PassageKind] = frozenset()
    section: str = ""
    since: int | None = None
    until: int | None = None
    author: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A passage by its number in the library, with the score of the index that found it."""

    number: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What of a passage decides whether it is found; the passage itself is read only where it is shown."""

    paper_id: str
    ordinal: int
    kind: PassageKind
    section: tuple[str, ...]
    text: str
    indexed_text: str
    label: str | None = None

    @classmethod
    def of(cls, passage: Passage) -> "Searched":
        """The same of a passage that is at hand."""
        return cls(**{name: getattr(passage, name) for name in cls.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True)
class InContext:
    """A passage with its neighbours in reading order, itself not among them."""

    passage: Passage
    context: tuple[Passage, ...]


class Library(Protocol):
    """The truth of one workspace. Every read takes a scope; a scope of another workspace raises ``NotInScope``."""

    @property
    def workspace(self) -> Workspace:
        """Whose library this is."""

    @property
    def version(self) -> int:
        """Grows with every change of papers, passages, shares or corrections; part of every cache key."""

    async def add(self, paper: Paper, reading: Reading, vectors: "Vectors", *, embedder: str, pdf: Path) -> None:
        """Store a paper with its first share, passages, vectors, lexical rows and PDF, all or nothing.

        Raises ``EmbedderMismatch`` where the collection was made by another embedder.
        """

    async def replace_vectors(self, embedder: str, vectors: Mapping[int, "Vector"]) -> None:
        """Store new vectors for all passages in one transaction (``footnote reindex``)."""

    async def share(self, share: Share) -> None:
        """Add a place to a known paper; the same place twice is harmless."""

    async def unshare(self, *, channel: str, message: str, file_id: str = "") -> Forgotten:
        """Take one place away; papers that lose their last place are forgotten whole."""

    async def remove(self, paper_ids: Sequence[str]) -> Forgotten:
        """Forget papers: rows, vectors, lexical rows, files, figures, answers and turns that quote them."""

    async def relate(self, paper_id: str, relation: Relation) -> None:
        """Note how another paper relates to this one."""

    async def correct(self, paper_id: str, metadata: Metadata, *, user: str) -> None:
        """A user's correction of what identifies a paper; indexes follow."""

    async def known(self, paper_id: str) -> Paper | None:
        """Whether these bytes are in the workspace at all. For the ingest use case only: tells nobody where."""

    async def papers(self, scope: Scope, *, filters: Filters = Filters()) -> Sequence[Paper]:
        """Papers in scope, oldest first."""

    async def numbers(self, scope: Scope, *, filters: Filters = Filters()) -> "Numbers":
        """Sorted numbers of all passages in scope."""

    async def passages(self, scope: Scope, numbers: Sequence[int]) -> Sequence[Passage]:
        """Passages by number, in the order given; numbers out of scope are left out."""

    async def paper_passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        """All passages of a paper in reading order. Raises ``NotInScope``."""

    async def searched(self, scope: Scope, numbers: Sequence[int]) -> Mapping[int, Searched]:
        """What is scored of passages, by number; numbers out of scope are left out."""

    async def in_context(self, scope: Scope, numbers: Sequence[int], *, reach: int) -> Mapping[int, InContext]:
        """Passages with those of their paper and section up to ``reach`` places away; out of scope is left out."""

    async def references(self, scope: Scope, paper_id: str) -> Sequence[Reference]:
        """Reference list of a paper. Raises ``NotInScope``."""

    async def figures(self, scope: Scope, paper_id: str) -> Sequence[Figure]:
        """Figures of a paper with their pictures. Raises ``NotInScope``."""

    async def pdf(self, scope: Scope, paper_id: str) -> Path:
        """Where the original lies. Raises ``NotInScope``."""

    def vectors(self, *, after: int = 0) -> AsyncIterator[tuple["Numbers", "Vectors"]]:
        """All vectors with a number beyond ``after``, in blocks of growing numbers, for building the dense index.

        Numbers are never used again, not even after their passage was forgotten.
        """

    async def vector_numbers(self) -> "Numbers":
        """Sorted numbers of all vectors of the workspace, for checking the dense index against the library."""

    async def embedder(self) -> str:
        """Identity of the embedder that made the vectors, or empty while there are none."""

    async def close(self) -> None:
        """Close the file."""


class ForgetsPapers(Protocol):
    """Whoever keeps words of papers outside the library's file: the job store, caches."""

    async def forget_papers(
        self,
        workspace: Workspace,
        papers: frozenset[str],
        words: frozenset[str],
        *,
        channels: frozenset[str] | None = None,
    ) -> Mapping[str, int]:
        """Let go of everything that quotes ``papers`` or holds one of ``words``; returns counts by kind.

        ``words`` are marks (``core.text.word_marks``) of words that only these papers held. With ``channels`` only
        what was said there goes: the papers live on elsewhere. Doing it twice is harmless.
        """


class LexicalIndex(Protocol):
    """BM25 over the tokens of ``core.text``, in the library's own file and transactions."""

    async def matching(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        filters: Filters = Filters(),
    ) -> Sequence[Hit]:
        """Best passages in scope for any of ``terms``, best first; scores are positive.

        In a large index very common terms need not bring in passages of their own; they count in every score.
        """

    async def document_frequencies(self, scope: Scope, terms: Sequence[str]) -> Mapping[str, int]:
        """In how many passages of the workspace's index each term occurs (for rarity weights)."""

    async def scores(self, scope: Scope, terms: Sequence[str], numbers: Sequence[int]) -> Mapping[int, float]:
        """What ``matching`` gives these passages, those left out that hold no term or lie out of scope."""


class DenseIndex(Protocol):
    """Inner product over unit vectors, exact under any filter; lives in memory, built from the library."""

    def upsert(self, numbers: "Numbers", vectors: "Vectors") -> None:
        """Add vectors, replacing those that have the same number."""

    def remove(self, numbers: "Numbers") -> int:
        """Remove vectors; returns how many were there."""

    def nearest(self, vector: "Vector", *, allowed: "Numbers", limit: int) -> Sequence[Hit]:
        """Best of ``allowed`` (sorted numbers), best first."""

    def __len__(self) -> int:
        """How many vectors it holds."""


class Retriever(Protocol):
    """Finds evidence for a query within a scope."""

    async def search(
        self,
        query: str,
        scope: Scope,
        *,
        k: int | None = None,
        filters: Filters = Filters(),
        per_paper: int | None = None,
    ) -> Sequence[Evidence]:
        """At most ``k`` passages, best first; ``per_paper`` caps how many come from one paper."""


class Memory(Protocol):
    """Threads as the bot remembers them, in the library's file."""

    async def recent(self, thread: Thread, *, limit: int) -> Sequence[Turn]:
        """The last turns, oldest first."""

    async def append(self, thread: Thread, *turns: Turn) -> None:
        """Add turns."""

    async def forget(self, thread: Thread) -> int:
        """Forget a thread; returns how many turns went."""

    async def keep_answer(self, thread: Thread, answer: Answer, *, at: datetime) -> None:
        """Store an answer with citations and timings under its trace id."""

    async def answer(self, thread: Thread, trace_id: str) -> Answer | None:
        """A stored answer of this thread."""

    async def keep_feedback(
        self, thread: Thread, trace_id: str, *, user: str, verdict: str, words: str, at: datetime
    ) -> None:
        """What a reader thought of an answer."""
