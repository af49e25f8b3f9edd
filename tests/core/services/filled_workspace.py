"""A real engine over a real library without models: papers are put in as they would have been read."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from core.config import Config
from core.domain.language_models import LanguageModel
from core.domain.model import (
    Answer,
    Box,
    Channel,
    Paper,
    Passage,
    Reading,
    Reference,
    Scope,
    Sentence,
    Share,
    Thread,
    Workspace,
)
from core.domain.progress import Progress
from core.domain.readers import NO_TRANSCRIBER, Transcriber
from core.services.engine import Engine
from core.services.shared_models import SharedModels
from tests.core.library.making import citation, make, passage
from tests.core.search.fake_embedder import FakeEmbedder

HOME = Workspace(platform="local", id="home")
CLUB = Channel(workspace=HOME, id="club")
START = datetime(2026, 3, 2, 8, tzinfo=UTC)
"""A Monday."""


class NoReader:
    """Reads nothing: papers are put in as values."""

    async def read(
        self,
        pdf: Path,
        *,
        paper_id: str,
        progress: Progress,
        transcriber: Transcriber = NO_TRANSCRIBER,
    ) -> Reading:
        raise AssertionError("no test here reads a PDF")

    async def close(self) -> None:
        return None


class Drawn:
    """Says what it was asked to draw."""

    async def render(self, pdf: Path, *, page: int, boxes: Sequence[Box] = (), dpi: int | None = None) -> bytes:
        return f"{pdf.name[:4]} page {page}, {len(boxes)} boxes".encode()


class AsFound:
    """Keeps the order."""

    identity = ""
    note = ""

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float] | None:
        return None

    async def warm(self) -> None:
        return None


@dataclass
class Hand:
    """A clock that is moved by hand."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


@asynccontextmanager
async def opened(folder: Path, hand: Hand, model: LanguageModel | None = None) -> AsyncIterator[Engine]:
    """An engine whose data lie in ``folder``."""
    using = SharedModels(reader=NoReader(), images=Drawn(), embedder=FakeEmbedder(), reranker=AsFound())
    async with Engine(Config(data=folder / "data"), models=using, model=model, now=hand) as engine:
        yield engine


def scope(*channels: str) -> Scope:
    return Scope(workspace=HOME, channels=frozenset(channels or ("club",)))


def thread(name: str = "t1", channel: Channel = CLUB) -> Thread:
    return Thread(channel=channel, id=name)


async def shelve(
    engine: Engine,
    folder: Path,
    title: str,
    texts: Sequence[str],
    *,
    at: datetime,
    user: str = "ann",
    channel: Channel = CLUB,
    section: str = "Abstract",
    references: Sequence[Reference] = (),
    doi: str | None = None,
) -> Paper:
    """Put a paper into a channel as if it had been dropped there at ``at``."""
    made = make(folder, texts, title=title, references=references)
    id_ = made.paper.id
    share = Share(paper_id=id_, channel=channel.id, message=f"m-{title}", user=user, at=at, file_id="f")
    metadata = replace(made.paper.metadata, doi=doi, language="en")
    paper = replace(made.paper, metadata=metadata, shares=(share,), added_at=at)
    pieces = tuple(_piece(id_, place, text, section, title) for place, text in enumerate(texts))
    reading = replace(
        made.reading,
        metadata=metadata,
        passages=pieces,
        references=tuple(replace(item, paper_id=id_) for item in references),
    )
    vectors = await engine.models.embedder.passages([piece.indexed_text for piece in pieces])
    async with engine._workspaces.enter(channel.workspace) as open_workspace:
        identity = engine.models.embedder.identity
        await open_workspace.stores.library.add(paper, reading, vectors, embedder=identity, pdf=made.pdf)
    return paper


def _piece(id_: str, place: int, text: str, section: str, title: str) -> Passage:
    return passage(id_, place, text, section=(section,), title=title, page=place + 1)


async def said(
    engine: Engine,
    question: str,
    paper: Paper | None,
    *,
    at: datetime,
    name: str = "t1",
    trace_id: str = "",
    quote: str = "",
    channel: Channel = CLUB,
) -> str:
    """Put a stored answer into a thread; without a paper nothing was found. Returns its code."""
    code = trace_id or f"trace-{question}-{at:%d%H%M}"
    cited = (citation(paper.id, quote or "words of the paper"),) if paper else ()
    answer = Answer(
        question=question,
        outcome="answered" if paper else "not_found",
        mode="extractive",
        sentences=(Sentence(text=quote or "It says so.", markers=(1,)),) if paper else (),
        citations=cited,
        message="" if paper else "Nothing here says so.",
        trace_id=code,
    )
    async with engine._workspaces.enter(channel.workspace) as open_workspace:
        await open_workspace.stores.memory.keep_answer(thread(name, channel), answer, at=at)
    return code
