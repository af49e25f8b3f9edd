"""What studies of whole papers share: their dependencies, a paper opened for study, and how studies are stored."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeVar

from core.agent.generative.prompt_injection import instructions_in, repeats_instruction
from core.agent.reasoner import Ledger
from core.assistant.aspects.definitions import Aspect
from core.assistant.aspects.statement_ranking import Cosines, RankedStatement, rank_statements
from core.assistant.aspects.statements import Statement, collect_evidence, extract_statements
from core.config import LlmConfig
from core.domain.errors import ModelUnavailable, NotInScope
from core.domain.language_models import LanguageModel
from core.domain.model import AnswerMode, Paper, Passage, Scope
from core.domain.ports import Embedder, Library, Retriever
from core.domain.progress import NoProgress, Progress, Stop
from core.domain.studies import Provenance
from core.llm import prompts

if TYPE_CHECKING:
    from core.domain.ports import Vectors

Study = TypeVar("Study")

METHOD_VERSION = "14"
"""Version of how studies are composed; a new one makes stored studies anew."""
LEAST_FOREIGN_COSINE = 0.25
"""About the cosine of an English query with an English sentence that answers it. A sentence in another language is
given at least this, for the cosine of an embedder that knows no other language says nothing.
"""


class StudyStore(Protocol):
    """Where finished studies are stored."""

    async def kept(self, kind: type[Study], key: str) -> Study | None:
        """The study stored under ``key``, or None."""

    async def keep(self, study: object, key: str, *, papers: Collection[str], at: datetime) -> None:
        """Store a study; ``papers`` are all whose words it may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDependencies:
    """Everything that one study needs; made anew for each, so that ``ledger`` counts this one alone."""

    scope: Scope
    library: Library
    retriever: Retriever
    embedder: Embedder
    model: LanguageModel
    llm: LlmConfig
    study_store: StudyStore
    now: Callable[[], datetime]
    progress: Progress = field(default_factory=NoProgress)
    stop: Stop = field(default_factory=Stop)
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def writes(self) -> bool:
        """Whether there is a model that can still be asked."""
        return bool(self.model.identity) and not self.ledger.down

    def making(self, mode: AnswerMode) -> Provenance:
        """How the study came about, as it stands now."""
        asked = bool(self.model.identity)
        return Provenance(
            mode=mode,
            model=self.model.identity,
            prompts=prompts.VERSION if asked else "",
            notes=tuple(self.ledger.notes),
            usage=self.ledger.usage,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StudiedPaper:
    """A paper with its passages and statements; ``vectors`` has one row a statement, or is None without embedder."""

    paper: Paper
    passages: tuple[Passage, ...]
    statements: tuple[Statement, ...]
    vectors: "Vectors | None" = None
    central: "Vectors | None" = None

    @property
    def version(self) -> str:
        """Changes when the paper is read otherwise or known under another name."""
        digest = hashlib.sha256(f"{self.paper.id}\0{self.paper.title}".encode())
        for passage in self.passages:
            digest.update(f"\0{passage.id}\0{passage.page}\0{passage.text}".encode())
        return digest.hexdigest()

    async def ranked(self, aspect: Aspect, dependencies: StudyDependencies) -> tuple[RankedStatement, ...]:
        """Its statements for an aspect, best first."""
        if self.vectors is None or self.central is None:
            return await asyncio.to_thread(rank_statements, aspect, self.statements)
        asked = await dependencies.embedder.query(aspect.query)
        meaning, central = self.vectors @ asked, self.vectors @ self.central[0]
        least = -1.0 if self.paper.metadata.language in ("", "en") else LEAST_FOREIGN_COSINE
        near = Cosines(meaning=self._by_place(meaning, least), central=self._by_place(central, -1.0))
        return await asyncio.to_thread(rank_statements, aspect, self.statements, near)

    def _by_place(self, cosines: "Vectors", least: float) -> dict[int, float]:
        """Cosines, one a statement, by the statement's place, none lower than ``least``."""
        values = zip(self.statements, cosines, strict=True)
        return {statement.place: max(least, float(value)) for statement, value in values}


async def find_papers(paper_ids: Sequence[str], dependencies: StudyDependencies) -> tuple[Paper, ...]:
    """The papers in the order asked. Raises ``NotInScope`` where one of them is not here."""
    scope = dependencies.scope.within(frozenset(paper_ids))
    papers = {paper.id: paper for paper in await dependencies.library.papers(scope)}
    if not set(paper_ids) <= set(papers):
        raise NotInScope("This paper is not here.")
    return tuple(papers[id_] for id_ in dict.fromkeys(paper_ids))


async def load_statements(paper: Paper, dependencies: StudyDependencies) -> StudiedPaper:
    """A paper with its statements, nothing embedded yet: enough to know whether its study is stored."""
    passages = tuple(await dependencies.library.paper_passages(dependencies.scope, paper.id))
    statements = await asyncio.to_thread(_statements, passages, paper)
    return StudiedPaper(paper=paper, passages=passages, statements=statements)


def _statements(passages: Sequence[Passage], paper: Paper) -> tuple[Statement, ...]:
    """What the paper states; an order to a program that somebody planted in it is no statement."""
    statements = extract_statements(passages, paper.metadata)
    injected = instructions_in(collect_evidence(statements, paper))
    return tuple(statement for statement in statements if not repeats_instruction(statement.text, injected))


async def embed_statements(paper: StudiedPaper, dependencies: StudyDependencies) -> StudiedPaper:
    """The same with vectors; without them where the embedder cannot be used, which is noted."""
    if not paper.statements:
        return paper
    await dependencies.progress.step("embedding", 0, 0)
    texts = [statement.text for statement in paper.statements]
    about = paper.paper.metadata.abstract or " ".join(texts[:6])
    try:
        vectors = await dependencies.embedder.passages(texts)
        central = await dependencies.embedder.passages([f"{paper.paper.title}. {about}"])
    except ModelUnavailable as failure:
        dependencies.ledger.note(failure.words)
        return paper
    return replace(paper, vectors=vectors, central=central)


def study_key(kind: str, parts: Sequence[str], dependencies: StudyDependencies) -> str:
    """Names a study by all that it depends on: papers as read, what was wanted, method, texts and model."""
    model = dependencies.model.identity
    whole = [kind, METHOD_VERSION, model, prompts.VERSION if model else "", *parts]
    return hashlib.sha256("\0".join(whole).encode()).hexdigest()


async def load_or_make(
    kind: type[Study],
    key: str,
    papers: Collection[str],
    make: Callable[[], Awaitable[Study]],
    dependencies: StudyDependencies,
) -> Study:
    """The stored study, or a new one, which is stored unless it was stopped or the model was away."""
    stored = await dependencies.study_store.kept(kind, key)
    if stored is not None:
        return stored
    study = await make()
    impaired = dependencies.ledger.down or bool(dependencies.ledger.notes)
    if not dependencies.stop.asked and not impaired:
        await dependencies.study_store.keep(study, key, papers=papers, at=dependencies.now())
    return study
