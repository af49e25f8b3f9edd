"""The use case "a PDF was dropped": read it once, store it whole, say what was found.

Reading and embedding run side by side for many papers; only the write to the library is serial. A file
whose bytes are known is not read again, it gains a share. Nothing here raises for a bad file: the report
says what became of it.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.assistant.papers import duplicates, paper_card
from core.domain.errors import EmptyFile, FootnoteError, NotAPdf, PaperRejected
from core.domain.model import Citation, IngestReport, Paper, Reading, Relation, Scope, Sentence, Share
from core.domain.ports import Embedder, Library
from core.domain.progress import Progress
from core.domain.readers import NO_TRANSCRIBER, PdfReader, Transcriber

if TYPE_CHECKING:
    from core.domain.ports import Vectors


class DenseIndex(Protocol):
    """The dense index, which follows the library."""

    async def refresh(self) -> None:
        """Papers were stored or forgotten: an index that is loaded follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestDependencies:
    """Everything that ingesting needs, handed in by the engine. ``writing`` makes library writes serial."""

    library: Library
    reader: PdfReader
    embedder: Embedder
    index: DenseIndex
    writing: asyncio.Lock
    now: Callable[[], datetime]
    transcriber: Transcriber = NO_TRANSCRIBER


async def ingest(
    share: Share, *, scope: Scope, pdf: Path, file_name: str, dependencies: IngestDependencies, progress: Progress
) -> IngestReport:
    """Take in the file at ``pdf``, shared as ``share`` says (its ``paper_id`` is filled in here).

    ``scope`` is what the sharer's channel may see: only papers in it are spoken of in the report. Never
    raises for what is wrong with a file; outcome and reason say it.
    """
    clock = _ReadingClock(progress)
    try:
        paper_id = await asyncio.to_thread(_digest, pdf)
        share = replace(share, paper_id=paper_id, file_name=file_name, added_at=dependencies.now())
        report = await _known(share, scope, file_name, dependencies) or await _read(
            share, scope, pdf, file_name, dependencies, clock
        )
    except PaperRejected as refusal:
        report = IngestReport(outcome="rejected", file_name=file_name, reason=refusal.words)
    except FootnoteError as failure:
        report = IngestReport(outcome="failed", file_name=file_name, reason=failure.words)
    return replace(report, seconds=clock.seconds())


class _ReadingClock:
    """Passes progress on and counts the seconds from its first step; before it, a paper waits for others."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._made = time.monotonic()
        self._began: float | None = None

    def seconds(self) -> float:
        """Seconds since the first step, or in all where there was none."""
        return time.monotonic() - (self._made if self._began is None else self._began)

    async def step(self, name: str, done: int, total: int) -> None:
        """A step of the paper's reading."""
        self._began = self._began or time.monotonic()
        await self._progress.step(name, done, total)

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """No sentence comes of a paper being read; passed on all the same."""
        await self._progress.sentence(sentence, citations)


def _digest(pdf: Path) -> str:
    """SHA-256 of the bytes: what makes two files the same paper."""
    if pdf.exists() and not pdf.is_file():
        raise NotAPdf("This is not a file but a folder, a pipe or a device.")
    with pdf.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256")
    if pdf.stat().st_size == 0:
        raise EmptyFile("The file is empty (0 bytes); please upload it again.")
    return digest.hexdigest()


async def _known(share: Share, scope: Scope, file_name: str, dependencies: IngestDependencies) -> IngestReport | None:
    """The report for bytes that the workspace has already; they are not read again."""
    paper = await dependencies.library.known(share.paper_id)
    if paper is None:
        return None
    others = [other for other in paper.shares if not _same_place(other, share)]
    here = any(other.channel in scope.channels for other in others)
    async with dependencies.writing:
        await dependencies.library.share(share)
    own = replace(scope, channels=scope.channels | {share.channel})
    visible = {known.id: known for known in await dependencies.library.papers(own)}
    paper = visible.get(share.paper_id, paper)
    # Where the same bytes lie in a place that this scope may not see, nothing of that may show: here it is new.
    # So it is where this very share was stored just before a crash: its confirmation was never given.
    if not here:
        return await _found_again(paper, own, file_name, dependencies)
    return IngestReport(outcome="known", file_name=file_name, paper=paper, reason=_where(paper, share))


def _same_place(one: Share, other: Share) -> bool:
    return (one.channel, one.message, one.file_id) == (other.channel, other.message, other.file_id)


async def _found_again(paper: Paper, scope: Scope, file_name: str, dependencies: IngestDependencies) -> IngestReport:
    passages = await dependencies.library.paper_passages(scope, paper.id)
    reading = Reading(
        metadata=paper.metadata, kind=paper.kind, pages=paper.pages, passages=tuple(passages), warnings=paper.warnings
    )
    seen = replace(paper, shares=tuple(share for share in paper.shares if share.channel in scope.channels))
    return await _indexed(reading, paper=seen, file_name=file_name, reason="")


async def _indexed(reading: Reading, *, paper: Paper, file_name: str, reason: str) -> IngestReport:
    """The confirmation of a paper; made in a thread, since a long one takes a while to look through."""
    return IngestReport(
        outcome="indexed",
        file_name=file_name,
        paper=paper,
        reason=reason,
        counts=paper_card.counts(reading),
        key_sentence=await asyncio.to_thread(paper_card.key_sentence, reading),
        questions=await asyncio.to_thread(paper_card.questions, reading.passages),
    )


def _where(paper: Paper, share: Share) -> str:
    first = min(paper.shares, key=lambda other: other.at, default=share)
    place = "in this channel" if first.channel == share.channel else "in another channel that you can see"
    return f"This paper was already shared {place} on {first.at:%d %B %Y}; it was not read again."


async def _read(
    share: Share, scope: Scope, pdf: Path, file_name: str, dependencies: IngestDependencies, progress: Progress
) -> IngestReport:
    reading = await dependencies.reader.read(
        pdf, paper_id=share.paper_id, progress=progress, transcriber=dependencies.transcriber
    )
    vectors = await dependencies.embedder.passages([passage.indexed_text for passage in reading.passages], progress)
    async with dependencies.writing:
        # The same bytes may have been dropped twice at once; the first to finish wins, the second adds its place.
        again = await dependencies.library.known(share.paper_id)
        if again is None:
            paper = await _store(share, scope, pdf, file_name, reading, vectors, dependencies)
    if again is not None:
        return await _known(share, scope, file_name, dependencies) or IngestReport(
            outcome="failed",
            file_name=file_name,
            reason="It was removed while it was being added; please share it again.",
        )
    await dependencies.index.refresh()
    return await _indexed(
        reading, paper=paper, file_name=file_name, reason=await _relatives(paper, scope, dependencies)
    )


async def _store(
    share: Share,
    scope: Scope,
    pdf: Path,
    file_name: str,
    reading: Reading,
    vectors: "Vectors",
    dependencies: IngestDependencies,
) -> Paper:
    candidates = await dependencies.library.papers(scope)
    first_words = " ".join(passage.text for passage in reading.passages if passage.page == 1)[:3000]
    relative = duplicates.find_relative(reading.metadata, first_words=first_words, known=candidates)
    paper = Paper(
        id=share.paper_id,
        file_name=file_name,
        metadata=reading.metadata,
        pages=reading.pages,
        kind=reading.kind,
        added_at=share.added_at or dependencies.now(),
        shares=(share,),
        relations=(relative.relation,) if relative else (),
        warnings=reading.warnings,
        page_labels=reading.page_labels,
    )
    await dependencies.library.add(paper, reading, vectors, embedder=dependencies.embedder.identity, pdf=pdf)
    if relative:
        back = duplicates.inverse_relation(relative.relation.kind)
        await dependencies.library.relate(relative.known.id, Relation(kind=back, paper_id=paper.id))
    return paper


_RELATED = {
    "same work": "The library already has this work as another file, “{title}”; both can be cited.",
    "older version": "This is a newer version of “{title}”; the older one stays citable.",
    "newer version": "The library already has a newer version of this paper, “{title}”; both can be cited.",
    "preprint": "This is the published version of “{title}”, which the library has as a preprint; both can be cited.",
    "journal version": "This is the preprint of “{title}”, which the library has as published; both can be cited.",
    "main paper": "This is a supplement to “{title}”; both can be cited.",
}


async def _relatives(paper: Paper, scope: Scope, dependencies: IngestDependencies) -> str:
    by_id = {known.id: known for known in await dependencies.library.papers(scope)}
    visible = [relation for relation in paper.relations if relation.paper_id in by_id]
    return " ".join(_RELATED[relation.kind].format(title=by_id[relation.paper_id].title) for relation in visible)
