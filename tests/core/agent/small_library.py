"""A handful of made-up papers with an in-memory library, retriever and memory, for the tests of the agent."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.agent.extractive.reasoner import ExtractiveReasoner
from core.assistant.asking.ask import AskDependencies
from core.config import AgentConfig
from core.domain.model import (
    Answer,
    Channel,
    Citation,
    Evidence,
    Metadata,
    Paper,
    Passage,
    PassageKind,
    Scope,
    Sentence,
    Table,
    Thread,
    Turn,
    Workspace,
)
from core.domain.ports import Filters, Hit
from core.text import index_tokens, query_tokens
from tests.core.search.fake_embedder import FakeEmbedder

WORKSPACE = Workspace(platform="test", id="W")
CHANNEL = Channel(workspace=WORKSPACE, id="C")
THREAD = Thread(channel=CHANNEL, id="T")
SCOPE = Scope(workspace=WORKSPACE, channels=frozenset({"C"}))
ALL = Filters()
NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def paper(key: str, title: str, *, authors: Sequence[str] = (), year: int | None = None, abstract: str = "") -> Paper:
    return Paper(
        id=key,
        file_name=f"{key}.pdf",
        metadata=Metadata(title=title, authors=tuple(authors), year=year, abstract=abstract),
        pages=9,
        kind="born digital",
        added_at=NOON,
    )


def passage(
    paper_id: str,
    ordinal: int,
    page: int,
    text: str,
    *,
    section: str = "Results",
    kind: PassageKind = "text",
    table: Table | None = None,
    label: str | None = None,
) -> Passage:
    return Passage(
        id=f"{paper_id}/{ordinal}",
        paper_id=paper_id,
        ordinal=ordinal,
        page=page,
        section=(section,),
        kind=kind,
        text=text,
        indexed_text=f"{section}\n{text}",
        table=table,
        label=label,
    )


@dataclass
class SmallLibrary:
    """Papers and passages in memory: the reading half of ``Library``, and a retriever that counts shared words."""

    held: tuple[Paper, ...]
    texts: tuple[Passage, ...]
    searches: list[tuple[str, frozenset[str] | None]] = field(default_factory=list)
    version: int = 1

    async def papers(self, scope: Scope, *, filters: Filters = ALL) -> Sequence[Paper]:
        return [one for one in self.held if scope.papers is None or one.id in scope.papers]

    async def numbers(self, scope: Scope, *, filters: Filters = ALL) -> Sequence[int]:
        return [index for index, one in enumerate(self.texts) if scope.papers is None or one.paper_id in scope.papers]

    async def paper_passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        return [one for one in self.texts if one.paper_id == paper_id]

    async def document_frequencies(self, scope: Scope, terms: Sequence[str]) -> Mapping[str, int]:
        held = [frozenset(index_tokens(one.text)) for one in self.texts]
        return {term: sum(term in tokens for tokens in held) for term in terms}

    async def matching(
        self, scope: Scope, terms: Sequence[str], *, limit: int, filters: Filters = ALL
    ) -> Sequence[Hit]:
        wanted = frozenset(terms)
        hits = [
            Hit(number=number, score=1.0)
            for number, one in enumerate(self.texts)
            if (scope.papers is None or one.paper_id in scope.papers)
            and wanted & frozenset(index_tokens(one.indexed_text))
        ]
        return hits[:limit]

    async def search(
        self,
        query: str,
        scope: Scope,
        *,
        k: int | None = None,
        filters: Filters = ALL,
        per_paper: int | None = None,
    ) -> Sequence[Evidence]:
        self.searches.append((query, scope.papers))
        asked = frozenset(query_tokens(query))
        by_id = {one.id: one for one in self.held}
        found = []
        for one in self.texts:
            shared = len(asked & frozenset(index_tokens(f"{by_id[one.paper_id].title} {one.indexed_text}")))
            inside = scope.papers is None or one.paper_id in scope.papers
            fits = not filters.kinds or one.kind in filters.kinds
            if shared and inside and fits:
                found.append(Evidence(passage=one, paper=by_id[one.paper_id], score=shared / len(asked)))
        found.sort(key=lambda hit: (-hit.score, hit.passage.id))
        kept: list[Evidence] = []
        for hit in found:
            if per_paper is None or sum(other.paper.id == hit.paper.id for other in kept) < per_paper:
                kept.append(hit)
        return kept[: k or 10]


@dataclass
class ShortMemory:
    """Turns and answers in lists."""

    turns: list[Turn] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    async def recent(self, thread: Thread, *, limit: int) -> Sequence[Turn]:
        return self.turns[-limit:]

    async def append(self, thread: Thread, *turns: Turn) -> None:
        self.turns.extend(turns)

    async def keep_answer(self, thread: Thread, answer: Answer, *, at: datetime) -> None:
        self.answers.append(answer)


@dataclass
class Heard:
    """A progress sink that remembers."""

    steps: list[str] = field(default_factory=list)
    sentences: list[tuple[Sentence, tuple[Citation, ...]]] = field(default_factory=list)

    async def step(self, name: str, done: int, total: int) -> None:
        self.steps.append(name)

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        self.sentences.append((sentence, tuple(citations)))


class NoReranker:
    identity = ""
    note = ""

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float] | None:
        return None

    async def warm(self) -> None:
        return None


async def nothing() -> AsyncIterator[None]:
    return
    yield


BARLEY = paper(
    "barley",
    "Drought tolerance of barley under field conditions",
    authors=("Ada Lindqvist", "Tomas Ferreira"),
    year=2019,
    abstract="We test how eight barley cultivars cope with drought in the field.",
)
SQUEEZENET = paper(
    "parsing",
    "DOCSPLIT: a corpus of segmented court documents",
    authors=("Mei Tanaka",),
    year=2021,
    abstract="DOCSPLIT holds scanned court documents with page segmentation.",
)
SLEEP = paper(
    "sleep",
    "Sleep quality of night nurses in regional hospitals",
    authors=("Joan Obi", "Piet Bakker"),
    year=2016,
    abstract="A survey among nurses on night shifts.",
)
TABLE = Table(
    header=("Model", "Precision", "F1"),
    rows=(("BiLSTM", "81.2", "79.4"), ("LayoutTagger", "90.3", "88.7")),
)
PASSAGES = (
    passage(
        "barley",
        1,
        2,
        "We grew eight cultivars in sandy soil. Plots received 120 mm of irrigation water.",
        section="Methods",
    ),
    passage(
        "barley",
        2,
        4,
        "The cultivar Halland kept 91 percent of its grain yield under drought. Yield fell "
        "because stomata closed early.",
    ),
    passage("barley", 3, 5, "Participants of the harvest were 24 students.", section="Methods"),
    passage(
        "parsing",
        1,
        2,
        "DOCSPLIT contains 48,300 pages from 912 court cases. Every page was labelled by two annotators.",
    ),
    passage("parsing", 2, 3, "Two senior lawyers decided on the final label. Agreement was 84.6 percent."),
    passage(
        "parsing",
        3,
        5,
        "Table 2: Page segmentation results\nModel Precision F1\nBiLSTM 81.2 79.4\nLayoutTagger 90.3 88.7",
        kind="table",
        table=TABLE,
        label="Table 2",
    ),
    passage(
        "sleep",
        1,
        3,
        "The survey had 310 participants from six hospitals. Nurses slept 5.4 hours after a night shift.",
        section="Methods",
    ),
    passage(
        "sleep",
        2,
        6,
        "A limitation is that sleep was reported by the nurses themselves and not measured.",
        section="Discussion",
    ),
)


def library() -> SmallLibrary:
    return SmallLibrary(held=(BARLEY, SQUEEZENET, SLEEP), texts=PASSAGES)


def dependencies(
    held: SmallLibrary | None = None, memory: ShortMemory | None = None, config: AgentConfig | None = None
) -> AskDependencies:
    held = held or library()
    return AskDependencies(
        library=held,  # type: ignore[arg-type]
        lexical=held,  # type: ignore[arg-type]
        memory=memory or ShortMemory(),  # type: ignore[arg-type]
        retriever=held,
        embedder=FakeEmbedder(),
        reranker=NoReranker(),
        config=config or AgentConfig(),
        reasoner=ExtractiveReasoner(),
    )
