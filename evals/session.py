"""One workspace of Footnote filled with a corpus: ingests its papers, asks, names papers by their file.

The one module that calls the engine; everything else here works on plain values.
"""

import asyncio
import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from core.domain.errors import NotInScope
from core.domain.model import (
    Answer,
    Channel,
    Evidence,
    IngestReport,
    Passage,
    Reading,
    Scope,
    Share,
    Thread,
    Turn,
    Workspace,
)
from core.domain.progress import NoProgress, Progress
from evals.datasets import Question
from evals.metrics import Found
from evals.reports import progress_bar

_CHANNEL = "papers"


class Assistant(Protocol):
    """What the evaluation needs of ``core.services.engine.Engine``."""

    async def ingest(
        self, share: Share, *, scope: Scope, pdf: Path, file_name: str, progress: Progress
    ) -> IngestReport:
        """Take a paper in."""

    async def ask(self, question: str, *, thread: Thread, scope: Scope, progress: Progress) -> Answer:
        """Answer a question."""

    async def retrieve(self, question: str, *, thread: Thread, scope: Scope, k: int) -> Sequence[Evidence]:
        """The passages that the answer to a question would rest on, best first."""

    async def read(self, pdf: Path) -> Reading:
        """Read a PDF without keeping it."""

    async def remember(self, thread: Thread, turns: Sequence[Turn]) -> None:
        """Put turns into a thread's memory."""

    async def passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        """All passages of a paper in reading order."""


@dataclass(kw_only=True)
class Session:
    """One workspace of an assistant. Each question has a thread of its own, new in every run.

    ``listener`` hears the sentences of an answer as they are sent.
    """

    assistant: Assistant
    workspace: Workspace = field(default_factory=lambda: Workspace(platform="evals", id="corpus"))
    names: dict[str, str] = field(default_factory=dict)
    run: str = field(default_factory=lambda: uuid4().hex[:8])
    listener: Progress = field(default_factory=NoProgress)

    @property
    def scope(self) -> Scope:
        """Everything that was ingested."""
        return Scope(workspace=self.workspace, channels=frozenset({_CHANNEL}))

    async def ingest(self, paths: Sequence[Path]) -> dict[str, IngestReport]:
        """Ingest the files; those that are known already cost nothing. Reports by file name.

        A crash on one file is the report of that file, so that the others are still measured.
        """
        reports = {}
        with progress_bar("papers", len(paths)) as step:
            for path in paths:
                step(path.name)
                try:
                    reports[path.name] = await self.upload(path, path.name)
                except Exception as error:
                    why = f"crashed: {type(error).__name__}: {error}"
                    reports[path.name] = IngestReport(outcome="failed", file_name=path.name, reason=why)
        return reports

    async def upload(self, path: Path, upload_as: str) -> IngestReport:
        """Ingest one file under the name that it is uploaded with."""
        paper_id = await self.paper_id(path)
        self.names[paper_id] = path.name
        share = Share(paper_id=paper_id, channel=_CHANNEL, message=paper_id[:12], user="evals", at=datetime.now(UTC))
        return await self.assistant.ingest(
            share, scope=self.scope, pdf=path, file_name=upload_as, progress=NoProgress()
        )

    async def retrieve(self, question: Question, k: int) -> tuple[list[Found], float]:
        """The ranked passages for a question with its turns before it, and the wall time in milliseconds."""
        thread = await self._thread(question)
        began = time.perf_counter()
        evidence = await self.assistant.retrieve(question.text, thread=thread, scope=self.scope, k=k)
        took = (time.perf_counter() - began) * 1000
        return [self.found(piece.passage, piece.score) for piece in evidence], took

    async def ask(self, question: Question) -> Answer:
        """The answer to a question with its turns before it."""
        thread = await self._thread(question)
        return await self.assistant.ask(question.text, thread=thread, scope=self.scope, progress=self.listener)

    async def stored_passages(self, files: Iterable[str]) -> dict[str, list[Found]]:
        """All passages that are stored of these files, in reading order; none of a file that it lacks."""
        wanted = set(files)
        ids = {name: paper_id for paper_id, name in self.names.items() if name in wanted}
        stored = {}
        for name, paper_id in ids.items():
            try:
                pieces = await self.assistant.passages(self.scope, paper_id)
            except NotInScope:  # a paper that could not be read is in no library
                pieces = ()
            stored[name] = [self.found(piece) for piece in pieces]
        return stored

    def found(self, passage: Passage, score: float = 0.0) -> Found:
        """A passage as the measures know it."""
        return self.plain(self.name(passage.paper_id), passage, score)

    @staticmethod
    def plain(file: str, passage: Passage, score: float = 0.0) -> Found:
        """A passage of the paper in ``file``: the words that may be quoted, without what only search sees."""
        section = " > ".join(passage.section)
        return Found(paper=file, page=passage.page, text=passage.text, section=section, score=score)

    async def paper_id(self, path: Path) -> str:
        """SHA-256 of the bytes, as the library names papers."""
        return await asyncio.to_thread(_digest, path)

    def name(self, paper_id: str) -> str:
        """The file name of a paper."""
        return self.names.get(paper_id, paper_id)

    async def _thread(self, question: Question) -> Thread:
        channel = Channel(workspace=self.workspace, id=_CHANNEL)
        thread = Thread(channel=channel, id=f"{self.run}-{question.id}")
        turns = [
            Turn(role="user" if role == "user" else "assistant", text=text, at=datetime.now(UTC))
            for role, text in question.previous
        ]
        if turns:
            await self.assistant.remember(thread, turns)
        return thread


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
