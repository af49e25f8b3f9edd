"""An engine without models: papers are text files, an answer is the sentence with most words of the question.

Scopes, shares, forgetting and repeated ingests behave as the port says, so that tests of the process can
rely on them; ``trouble`` raises what a test wants to go wrong.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from core.assistant.papers.corrections import apply_corrections
from core.config import Config
from core.domain.channel_settings import ChannelSettings, check_setting, parse_settings
from core.domain.errors import NotAPdf, NotInScope, PaperRejected
from core.domain.model import (
    Answer,
    Box,
    Channel,
    Citation,
    Forgotten,
    IngestReport,
    Metadata,
    Paper,
    Passage,
    Reach,
    Scope,
    Sentence,
    Share,
    Span,
    Thread,
    Workspace,
)
from core.domain.ports import ForgetsPapers
from core.domain.progress import NO_PROGRESS, Progress
from core.domain.records import ThreadNote
from core.domain.request_context import RequestContext
from core.domain.studies import StudyRequest
from core.services.engine import Engine
from core.services.fetching import FetchTarget, find_fetch_targets
from core.text.questions import is_question
from core.understanding.papers import PaperResolver
from tests.bot.actors import NOW
from tests.bot.fake_group_services import FakeGroups, FakeRecords
from tests.bot.fake_studies import FakeStudies


@dataclass
class FakePapers:
    shelves: dict[str, dict[str, tuple[Paper, str]]] = field(default_factory=dict)
    others: Sequence[ForgetsPapers] = ()
    trouble: Callable[[str], None] = lambda _: None
    calls: list[str] = field(default_factory=list)

    async def ingest(
        self, share: Share, *, scope: Scope, pdf: Path, file_name: str, progress: Progress = NO_PROGRESS
    ) -> IngestReport:
        self.calls.append(f"ingest {file_name}")
        self.trouble("ingest")
        text = await asyncio.to_thread(pdf.read_text, encoding="utf-8", errors="replace")
        try:
            if not text.startswith("%PDF"):
                raise NotAPdf("This is not a PDF.")
        except PaperRejected as refusal:
            return IngestReport(outcome="rejected", file_name=file_name, reason=refusal.words)
        id_ = hashlib.sha256(text.encode()).hexdigest()
        await progress.step("reading", 1, 2)
        shelf = self.shelves.setdefault(scope.workspace.key, {})
        title, _, body = text.removeprefix("%PDF").strip().partition("\n")
        new = Paper(
            id=id_, file_name=file_name, metadata=Metadata(title=title), pages=2, kind="born digital", added_at=NOW
        )
        paper = shelf[id_][0] if id_ in shelf else new
        # As in the engine: where this very share was stored just before a crash, its confirmation was never given.
        known = any((item.message, item.file_id) != (share.message, share.file_id) for item in paper.shares)
        paper = replace(paper, shares=tuple({*paper.shares, replace(share, paper_id=id_)}))
        shelf[id_] = (paper, body)
        return IngestReport(outcome="known" if known else "indexed", file_name=file_name, paper=paper)

    async def starters(self, scope: Scope, paper_id: str) -> Sequence[str]:
        return ("What is it about?",)

    async def in_scope(self, scope: Scope) -> Sequence[Paper]:
        return [paper for paper, _ in self.within(scope)]

    async def passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        return []

    async def find(self, scope: Scope, hint: str) -> Sequence[Paper]:
        return PaperResolver(await self.in_scope(scope)).find(hint)

    async def correct(self, scope: Scope, paper_id: str, changes: Mapping[str, str], *, user: str) -> Paper:
        (paper,) = [paper for paper in await self.in_scope(scope) if paper.id == paper_id]
        return replace(paper, metadata=apply_corrections(paper.metadata, changes))

    async def forget(self, scope: Scope, paper_ids: Sequence[str]) -> Forgotten:
        here = {paper.id for paper, _ in self.within(scope)}
        if not set(paper_ids) <= here:
            raise NotInScope("That paper is not here.")
        shelf = self.shelves[scope.workspace.key]
        for id_ in paper_ids:
            paper, body = shelf[id_]
            left = tuple(share for share in paper.shares if share.channel not in scope.channels)
            shelf[id_] = (replace(paper, shares=left), body)
            if not left:
                del shelf[id_]
        return await self._gone(scope.workspace, paper_ids)

    async def unshare(self, workspace: Workspace, *, channel: str, message: str, file_id: str = "") -> Forgotten:
        shelf = self.shelves.get(workspace.key, {})
        gone = []
        for id_, (paper, body) in list(shelf.items()):
            left = tuple(
                share
                for share in paper.shares
                if (share.channel, share.message) != (channel, message) or file_id not in ("", share.file_id)
            )
            shelf[id_] = (replace(paper, shares=left), body)
            if not left:
                del shelf[id_]
                gone.append(id_)
        return await self._gone(workspace, gone)

    async def clear(self, workspace: Workspace, *, confirmed: str) -> Forgotten:
        assert confirmed == workspace.key
        return await self._gone(workspace, list(self.shelves.pop(workspace.key, {})))

    async def reindex(self, workspace: Workspace, progress: Progress = NO_PROGRESS) -> int:
        return len(self.shelves.get(workspace.key, {}))

    async def page_image(self, scope: Scope, paper_id: str, page: int, boxes: Sequence[Box] = ()) -> bytes:
        return b"\x89PNG" + paper_id.encode() + str(page).encode()

    async def _gone(self, workspace: Workspace, ids: Sequence[str]) -> Forgotten:
        counts = {"papers": len(ids)}
        for other in self.others:
            counts |= await other.forget_papers(workspace, frozenset(ids), frozenset())
        return Forgotten(papers=tuple(ids), counts=counts)

    def within(self, scope: Scope) -> list[tuple[Paper, str]]:
        return [
            (paper, body)
            for paper, body in self.shelves.get(scope.workspace.key, {}).values()
            if {share.channel for share in paper.shares} & scope.channels
            and (scope.papers is None or paper.id in scope.papers)
        ]


@dataclass
class FakeQuestions:
    papers: FakePapers
    threads: "FakeThreads"
    studies: FakeStudies

    async def respond(self, message: str, request: RequestContext, *, reach: Reach = "usual") -> Answer | StudyRequest:
        order = self.studies.requested_by(message, request)
        return order or await self.ask(message, request, reach=reach)

    def is_question(self, words: str) -> bool:
        return is_question(words)

    async def ask(self, question: str, request: RequestContext, *, reach: Reach = "usual") -> Answer:
        answer = replace(await self._answered(question, request), trace_id=request.trace_id)
        self.threads.kept.setdefault(request.thread.key, {})[request.trace_id] = answer
        return answer

    async def _answered(self, question: str, request: RequestContext) -> Answer:
        self.papers.calls.append(f"ask {question}")
        self.papers.trouble("ask")
        words = set(question.lower().strip("?").split())
        found = [
            (len(words & set(sentence.lower().split())), paper, f"{sentence.strip('. ')}.")
            for paper, body in self.papers.within(request.scope)
            for sentence in body.strip().split(". ")
        ]
        best = max(found, key=lambda one: one[0], default=None)
        if best is None or best[0] == 0:
            return Answer(question=question, outcome="not_found", mode="extractive", message="Nothing here says so.")
        _, paper, quote = best
        citation = Citation(
            marker=1, paper_id=paper.id, section=("1 Intro",), spans=(Span(passage_id="p", page=2, quote=quote),)
        )
        sentence = Sentence(text=quote, markers=(1,))
        await request.progress.sentence(sentence, [citation])
        return Answer(
            question=question, outcome="answered", mode="extractive", sentences=(sentence,), citations=(citation,)
        )


@dataclass
class FakeEngine:
    papers: FakePapers = field(default_factory=FakePapers)
    questions_type: "type[FakeQuestions]" = FakeQuestions
    channels: "FakeChannels" = field(default_factory=lambda: FakeChannels())
    threads: "FakeThreads" = field(default_factory=lambda: FakeThreads())
    fetching: "FakeFetching" = field(default_factory=lambda: FakeFetching())
    groups: FakeGroups = field(default_factory=FakeGroups)
    questions: FakeQuestions = field(init=False)
    records: FakeRecords = field(init=False)
    studies: FakeStudies = field(init=False)

    def __post_init__(self) -> None:
        self.records = FakeRecords(self.papers.in_scope)
        self.studies = FakeStudies(self.papers.within, self.channels.settings)
        self.questions = self.questions_type(self.papers, self.threads, self.studies)

    async def warm(self) -> None:
        return None

    @asynccontextmanager
    async def opened(self, config: Config, others: Sequence[ForgetsPapers]) -> AsyncIterator[Engine]:
        """In the place of ``core_engine``; keeps its papers when it is opened again."""
        self.papers.others = others
        yield self.as_engine()

    def as_engine(self) -> Engine:
        """For what takes an engine; ``tests/contracts/test_fake_engine.py`` holds the two to one surface."""
        return cast(Engine, self)


@dataclass
class FakeChannels:
    stored: dict[str, dict[str, str]] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)

    async def settings(self, channel: Channel) -> ChannelSettings:
        return parse_settings(self.stored.get(channel.id, {}))

    async def put(self, channel: Channel, name: str, value: str, *, user: str) -> ChannelSettings:
        self.stored.setdefault(channel.id, {})[name] = check_setting(name, value)
        return await self.settings(channel)

    async def close(self, channel: Channel) -> Forgotten:
        self.closed.append(channel.id)
        return Forgotten(papers=(), counts={})


@dataclass
class FakeThreads:
    kept: dict[str, dict[str, Answer]] = field(default_factory=dict)
    judged: list[tuple[str, str, str]] = field(default_factory=list)

    async def asked_in(self, thread: Thread) -> bool:
        return thread.key in self.kept

    async def answer(self, thread: Thread, trace_id: str) -> Answer | None:
        return self.kept.get(thread.key, {}).get(trace_id)

    async def judge(self, thread: Thread, trace_id: str, *, user: str, verdict: str, words: str = "") -> None:
        self.judged.append((trace_id, verdict, words))

    async def listed(self, channel: Channel) -> Sequence[ThreadNote]:
        own = [key for key in self.kept if key.startswith(f"{channel.id}/")]
        return [
            ThreadNote(
                thread=Thread(channel=channel, id=key.partition("/")[2]),
                opening=next(iter(self.kept[key].values())).question,
                questions=len(self.kept[key]),
                last_at=NOW,
            )
            for key in own
        ]

    async def reopen(self, earlier: Thread, here: Thread) -> int:
        self.kept.setdefault(here.key, {}).update(self.kept[earlier.key])
        return 2 * len(self.kept[earlier.key])

    async def forget(self, thread: Thread) -> int:
        return 2 * len(self.kept.pop(thread.key, {}))

    async def trust(self, thread: Thread) -> str:
        return "Faithfulness 1.00 (high), relevancy 0.50 (moderate)." if thread.key in self.kept else ""


@dataclass
class FakeFetching:
    """Fetches what lies in ``held`` by the name of what is wanted."""

    held: dict[str, str] = field(default_factory=dict)

    def wanted(self, words: str) -> Sequence[FetchTarget]:
        return find_fetch_targets(words)

    async def fetch(self, wanted: FetchTarget, to: Path) -> None:
        if wanted.name not in self.held:
            raise PaperRejected(f"There is no open PDF of {wanted.name}; please upload it here.")
        await asyncio.to_thread(to.write_text, self.held[wanted.name])
