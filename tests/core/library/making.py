"""Papers, conversations and open libraries for the tests of the library and its ports."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import numpy as np

from core.domain.model import (
    Answer,
    Box,
    Channel,
    Citation,
    Figure,
    Heading,
    Metadata,
    Paper,
    Passage,
    PassageKind,
    Reading,
    Reference,
    Scope,
    Sentence,
    Share,
    Span,
    Table,
    Thread,
    Turn,
    Workspace,
)
from core.domain.ports import LexicalIndex, Library, Memory

Float32: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]

HERE = Workspace(platform="local", id="group")
THERE = Workspace(platform="local", id="other")
GENERAL = Channel(workspace=HERE, id="general")
SECRET = Channel(workspace=HERE, id="secret", visibility="restricted")
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
EMBEDDER = "test embedder"


@dataclass(frozen=True, slots=True)
class Made:
    """A paper as the ingest use case hands it to the library."""

    paper: Paper
    reading: Reading
    vectors: Float32
    pdf: Path


@dataclass(frozen=True, slots=True)
class Ports:
    """One implementation of the three ports, over one store."""

    library: Library
    lexical: LexicalIndex
    memory: Memory

    async def add(self, made: Made, embedder: str = EMBEDDER) -> None:
        await self.library.add(made.paper, made.reading, made.vectors, embedder=embedder, pdf=made.pdf)


def scope(*channels: str, papers: Sequence[str] | None = None) -> Scope:
    chosen = None if papers is None else frozenset(papers)
    return Scope(workspace=HERE, channels=frozenset(channels or ("general",)), papers=chosen)


def share(
    paper_id: str,
    channel: str = "general",
    *,
    message: str = "m1",
    file_id: str = "f1",
    user: str = "ann",
    file_name: str = "upload.pdf",
    days: int = 0,
) -> Share:
    return Share(
        paper_id=paper_id,
        channel=channel,
        message=message,
        user=user,
        at=NOON,
        file_id=file_id,
        file_name=file_name,
        added_at=NOON + timedelta(days=days),
    )


def passage(
    paper_id: str,
    ordinal: int,
    text: str,
    *,
    section: tuple[str, ...] = ("1 Introduction",),
    kind: PassageKind = "text",
    title: str = "",
    page: int = 1,
    table: Table | None = None,
    label: str | None = None,
) -> Passage:
    return Passage(
        id=f"{paper_id[:8]}-{ordinal}",
        paper_id=paper_id,
        ordinal=ordinal,
        page=page,
        section=section,
        kind=kind,
        text=text,
        indexed_text="\n".join((title, " > ".join(section), text)),
        boxes=(
            Box(page=page, x0=72.0, y0=100.25 + ordinal, x1=520.5, y1=112.75 + ordinal),
            Box(page=page, x0=72.0, y0=114.0 + ordinal, x1=300.01, y1=126.0 + ordinal),
        ),
        label=label,
        table=table,
        next_id=None,
        from_ocr=False,
    )


def make(
    folder: Path,
    texts: Sequence[str],
    *,
    title: str = "On Testing",
    authors: tuple[str, ...] = ("Ann Lee",),
    year: int | None = 2020,
    channel: str = "general",
    passages: Sequence[Passage] | None = None,
    figures: Sequence[Figure] = (),
    references: Sequence[Reference] = (),
    headings: Sequence[Heading] = (),
    days: int = 0,
) -> Made:
    """A paper whose id is the hash of its PDF's bytes, with one passage a text."""
    data = b"%PDF-1.7\n" + "\n".join((title, *texts)).encode()
    paper_id = sha256(data).hexdigest()
    pdf = folder / f"upload-{paper_id[:8]}.pdf"
    pdf.write_bytes(data)
    metadata = Metadata(title=title, authors=authors, year=year)
    reading = Reading(
        metadata=metadata,
        kind="born digital",
        pages=3,
        passages=tuple(
            passages
            if passages is not None
            else (passage(paper_id, place, text, title=title) for place, text in enumerate(texts))
        ),
        figures=tuple(figures),
        references=tuple(references),
        headings=tuple(headings),
        warnings=("page 3 is blank",),
    )
    paper = Paper(
        id=paper_id,
        file_name="upload.pdf",
        metadata=metadata,
        pages=3,
        kind="born digital",
        added_at=NOON + timedelta(days=days),
        shares=(share(paper_id, channel, days=days),),
        warnings=("page 3 is blank",),
    )
    return Made(paper, reading, unit(len(reading.passages)), pdf)


def unit(count: int, seed: int = 1) -> Float32:
    """Unit vectors of eight dimensions that half precision holds exactly enough."""
    drawn = np.random.default_rng(seed).standard_normal((count, 8)).astype(np.float32)
    lengths: Float32 = np.linalg.norm(drawn, axis=1, keepdims=True).astype(np.float32)
    return drawn / lengths


def thread(channel: Channel = GENERAL, name: str = "t1") -> Thread:
    return Thread(channel=channel, id=name)


def citation(paper_id: str, quote: str, marker: int = 1) -> Citation:
    span = Span(passage_id=f"{paper_id[:8]}-0", page=1, quote=quote, boxes=(Box(page=1, x0=1, y0=2, x1=3, y1=4.5),))
    return Citation(marker=marker, paper_id=paper_id, section=("1 Introduction",), spans=(span,))


def turn(text: str, *citations: Citation, minutes: int = 0) -> Turn:
    role = "assistant" if citations else "user"
    at = NOON + timedelta(minutes=minutes)
    return Turn(role=role, text=text, at=at, citations=citations)  # type: ignore[arg-type]


def answer(question: str, text: str, *citations: Citation, trace_id: str = "trace-1") -> Answer:
    return Answer(
        question=question,
        outcome="answered",
        mode="extractive",
        sentences=(Sentence(text=text, markers=tuple(item.marker for item in citations)),),
        citations=citations,
        rounds=1,
        trace_id=trace_id,
        timings={"search": 0.25, "write": 1.5},
    )
