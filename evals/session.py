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
from uuid import uuid4

from core.domain.errors import NotInScope
from core.domain.model import (
    Answer,
    Channel,
    IngestReport,
    Passage,
    Scope,
    Share,
    Thread,
    Turn,
    Workspace,
)
from core.domain.progress import NoProgress, Progress
from core.domain.request_context import RequestContext
from core.services.engine import Engine
from evals.datasets import Question
from evals.metrics import Found
from evals.reports import progress_bar

_CHANNEL = "papers"


@dataclass(kw_only=True)
class Session:
    """One workspace of an assistant. Each question has a thread of its own, new in every run.

    ``listener`` hears the sentences of an answer as they are sent.
    """

    engine: Engine
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

    def thread(self, name: str) -> Thread:
        """A thread of this run."""
        return Thread(channel=Channel(workspace=self.workspace, id=_CHANNEL), id=f"{self.run}-{name}")

    async def upload(self, path: Path, upload_as: str) -> IngestReport:
        """Ingest one file under the name that it is uploaded with."""
        paper_id = await self.paper_id(path)
        self.names[paper_id] = path.name
        share = Share(paper_id=paper_id, channel=_CHANNEL, message=paper_id[:12], user="evals", at=datetime.now(UTC))
        return await self.engine.papers.ingest(
            share, scope=self.scope, pdf=path, file_name=upload_as, progress=NoProgress()
        )

    async def retrieve(self, question: Question, k: int) -> tuple[list[Found], float]:
        """The ranked passages for a question with its turns before it, and the wall time in milliseconds."""
        thread = await self._thread(question)
        began = time.perf_counter()
        evidence = await self.engine.questions.retrieve(question.text, thread=thread, scope=self.scope, k=k)
        took = (time.perf_counter() - began) * 1000
        return [self.found(piece.passage, piece.score) for piece in evidence], took

    async def ask(self, question: Question) -> Answer:
        """The answer to a question with its turns before it."""
        thread = await self._thread(question)
        return await self.engine.questions.ask(
            question.text, RequestContext(scope=self.scope, thread=thread, progress=self.listener)
        )

    async def stored_passages(self, files: Iterable[str]) -> dict[str, list[Found]]:
        """All passages that are stored of these files, in reading order; none of a file that it lacks."""
        wanted = set(files)
        ids = {name: paper_id for paper_id, name in self.names.items() if name in wanted}
        stored = {}
        for name, paper_id in ids.items():
            try:
                pieces = await self.engine.papers.passages(self.scope, paper_id)
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
        thread = self.thread(question.id)
        turns = [
            Turn(role="user" if role == "user" else "assistant", text=text, at=datetime.now(UTC))
            for role, text in question.previous
        ]
        if turns:
            await self.engine.questions.remember(thread, turns)
        return thread


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
