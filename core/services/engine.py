"""The one door into core: opens workspaces on demand, builds everything below, runs the use cases.

The bot and the evals come in here and nowhere else. Every call names its workspace, by itself or in a
scope. Models are shared by all workspaces and load when first needed.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from core.agent.extractive.reasoner import ExtractiveReasoner
from core.agent.generative.reasoner import ModelReasoner
from core.agent.langsmith import Untraced, open_tracing
from core.agent.reasoner import Reasoner
from core.assistant.asking import ask as asking
from core.assistant.asking.figure_descriptions import Looks, ScopedFigures
from core.assistant.budget import KeptBudget
from core.assistant.papers import corrections, paper_card
from core.assistant.papers import forget as forgetting
from core.assistant.papers.ingest import IngestDependencies, ingest
from core.assistant.papers.page_transcription import PagesOf
from core.config import Config, LlmConfig
from core.domain.channel_settings import parsed
from core.domain.errors import NotInScope
from core.domain.language_models import LanguageModel
from core.domain.model import (
    Answer,
    Box,
    Channel,
    Evidence,
    Forgotten,
    IngestReport,
    Paper,
    Passage,
    Reach,
    Reading,
    Scope,
    Share,
    Thread,
    Turn,
    Workspace,
)
from core.domain.ports import Filters, ForgetsPapers
from core.domain.progress import NoProgress, Progress, Stop
from core.domain.readers import NO_TRANSCRIBER, Transcriber
from core.llm import NoModel, NoVision, open_language_model, open_vision_model
from core.services.channels import Channels
from core.services.fetching import Fetching
from core.services.groups import Groups
from core.services.open_workspaces import OpenWorkspace, OpenWorkspaces, open_workspace
from core.services.records import Records
from core.services.shared_models import SharedModels, load_libraries, shared_models, warm
from core.services.studies import Studies
from core.services.threads import Threads
from core.telemetry_optout import disable_telemetry
from core.understanding import paper_lookup

if TYPE_CHECKING:
    from core.domain.ports import Vector
    from core.search import SignalWeights

_SILENT = NoProgress()
_ALL = Filters()
_ROOMS_OPEN = 64
_IDLE_SECONDS = 900.0


class Engine:
    """The research assistant as one object; an async context manager that closes what it opened."""

    def __init__(
        self,
        config: Config,
        *,
        using: SharedModels | None = None,
        others: Sequence[ForgetsPapers] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        model: LanguageModel | None = None,
        reasoner: Callable[[LanguageModel, LlmConfig], Reasoner] = ModelReasoner,
        weights: "SignalWeights | None" = None,
    ) -> None:
        """``using``, ``model``, ``reasoner`` and ``weights`` stand in for the real ones in tests and evaluations."""
        disable_telemetry()
        self.config = config
        self.parts = using or shared_models(config)
        self._model = model or open_language_model(config.llm)
        self._vision = open_vision_model(config.vlm)
        self._looks = Looks()
        self._tracing = open_tracing(config.langsmith)
        self._reasoner = reasoner(self._model, config.llm) if self._model.identity else ExtractiveReasoner()
        self._others = others
        self._now = now
        self._rooms = OpenWorkspaces(
            partial(open_workspace, config=config, parts=self.parts, others=others, weights=weights),
            most=_ROOMS_OPEN,
            idle_seconds=_IDLE_SECONDS,
        )
        self.channels = Channels(self._rooms, now=now)
        self.threads = Threads(self._rooms, now=now)
        self.fetching = Fetching(config.fetch)
        self.groups = Groups(
            self._rooms,
            data=config.data,
            embedder=self.parts.embedder,
            model=self._model,
            llm=config.llm,
            budget=config.budget,
            now=now,
        )
        self.records = Records(
            self._rooms,
            embedder=self.parts.embedder,
            images=self.parts.images,
            now=now,
        )
        self.studies = Studies(
            self._rooms,
            embedder=self.parts.embedder,
            model=self._model,
            llm=config.llm,
            budget=config.budget,
            now=now,
        )

    async def __aenter__(self) -> "Engine":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all workspaces, end the reader's processes, let go of the model's connections."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._model.close)
            stack.push_async_callback(self._vision.close)
            stack.push_async_callback(asyncio.to_thread, self._tracing.close)
            stack.push_async_callback(self.parts.reader.close)
            await self._rooms.close()

    async def warm(self) -> None:
        """Load beside other work what the first paper or question would wait for. Never fails, sends nothing."""
        await warm(self.parts, self._model)

    # papers in and out

    async def ingest(
        self,
        share: Share,
        *,
        scope: Scope,
        pdf: Path,
        file_name: str,
        progress: Progress = _SILENT,
    ) -> IngestReport:
        """Take in a PDF; the report says what became of it. Raises only for a library that cannot be used."""
        async with self._rooms.enter(scope.workspace) as room:
            await asyncio.to_thread(load_libraries)
            await room.check_embedder()
            dependencies = IngestDependencies(
                library=room.opened.library,
                reader=self.parts.reader,
                embedder=self.parts.embedder,
                index=room,
                writing=room.writing,
                now=self._now,
                transcriber=await self._transcriber(room, scope.workspace, share),
            )
            return await ingest(
                share, scope=scope, pdf=pdf, file_name=file_name, dependencies=dependencies, progress=progress
            )

    async def read(self, pdf: Path, *, paper_id: str = "0" * 64, progress: Progress = _SILENT) -> Reading:
        """Read a PDF without storing anything. Raises ``PaperRejected`` or ``ReadingStopped``."""
        return await self.parts.reader.read(pdf, paper_id=paper_id, progress=progress)

    async def forget(self, scope: Scope, paper_ids: Sequence[str]) -> Forgotten:
        """Forget papers as far as the scope reaches, and whole where they were shared nowhere else.

        Raises ``NotInScope`` for a paper that the scope lacks; then nothing was forgotten.
        """
        async with self._rooms.enter(scope.workspace) as room, room.writing:
            forgotten = await forgetting.forget(scope, paper_ids, library=room.opened.library)
            await room.refresh()
            return forgotten

    async def unshare(self, workspace: Workspace, *, channel: str, message: str, file_id: str = "") -> Forgotten:
        """Take away the places of a deleted message or file; papers left without a place are forgotten."""
        async with self._rooms.enter(workspace) as room, room.writing:
            forgotten = await room.opened.library.unshare(channel=channel, message=message, file_id=file_id)
            await room.refresh()
            return forgotten

    async def clear(self, workspace: Workspace, *, confirmed: str) -> Forgotten:
        """Delete a whole workspace. ``confirmed`` must be the workspace's key, typed by whoever asked."""
        async with self._rooms.closed(workspace):
            gone = await forgetting.clear(workspace, confirmed=confirmed, data=self.config.data)
        for other in self._others:
            await other.forget_papers(workspace, frozenset(gone.papers), frozenset())
        return gone

    async def reindex(self, workspace: Workspace, progress: Progress = _SILENT) -> int:
        """Embed every passage anew with the configured embedder; returns how many there are."""
        async with self._rooms.enter(workspace) as room, room.writing:
            library = room.opened.library
            numbers, texts = await library.indexed_texts()
            vectors = await self.parts.embedder.passages(texts, progress)
            by_number: dict[int, Vector] = dict(zip(numbers.tolist(), vectors, strict=True))
            await library.replace_vectors(self.parts.embedder.identity, by_number)
            room.drop_index()
            return len(texts)

    # looking

    async def papers(self, scope: Scope, filters: Filters = _ALL) -> Sequence[Paper]:
        """Papers in scope, oldest first."""
        async with self._rooms.enter(scope.workspace) as room:
            return await room.opened.library.papers(scope, filters=filters)

    async def passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        """All passages of a paper in reading order. Raises ``NotInScope``."""
        async with self._rooms.enter(scope.workspace) as room:
            return await room.opened.library.paper_passages(scope, paper_id)

    async def starters(self, scope: Scope, paper_id: str) -> Sequence[str]:
        """The questions that a paper's card offers to begin with. Raises ``NotInScope``."""
        passages = await self.passages(scope, paper_id)
        return await asyncio.to_thread(paper_card.questions, passages)

    async def page_image(self, scope: Scope, paper_id: str, page: int, boxes: Sequence[Box] = ()) -> bytes:
        """PNG of a page with boxes marked. Raises ``NotInScope``."""
        async with self._rooms.enter(scope.workspace) as room:
            pdf = await room.opened.library.pdf(scope, paper_id)
            return await self.parts.images.render(pdf, page=page, boxes=boxes)

    async def find(self, scope: Scope, hint: str) -> Sequence[Paper]:
        """Papers in scope that ``hint`` may mean (a number of the list, an id, a name, words), likeliest first."""
        async with self._rooms.enter(scope.workspace) as room:
            return await paper_lookup.found(hint, scope, library=room.opened.library)

    async def correct(self, scope: Scope, paper_id: str, changes: Mapping[str, str], *, user: str) -> Paper:
        """A user's correction of a paper, by field. Raises ``NotInScope`` or ``NotACorrection``."""
        async with self._rooms.enter(scope.workspace) as room, room.writing:
            library = room.opened.library
            held = [paper for paper in await library.papers(scope) if paper.id == paper_id]
            if not held:
                raise NotInScope("This paper is not here.")
            metadata = corrections.corrected(held[0].metadata, changes)
            await library.correct(paper_id, metadata, user=user)
            return replace(held[0], metadata=metadata)

    async def search(
        self, query: str, scope: Scope, *, k: int | None = None, filters: Filters = _ALL
    ) -> Sequence[Evidence]:
        """The passages that search finds for a query as it stands."""
        async with self._rooms.enter(scope.workspace) as room:
            await room.check_embedder()
            return await room.retriever.search(query, scope, k=k, filters=filters)

    # asking

    async def ask(
        self,
        question: str,
        *,
        thread: Thread,
        scope: Scope,
        progress: Progress = _SILENT,
        trace_id: str = "",
        at: datetime | None = None,
        stop: Stop | None = None,
        reach: Reach = "usual",
        user: str = "",
    ) -> Answer:
        """Answer a question within its thread; question, answer, citations and timings are remembered.

        Once ``stop`` is asked, the answer ends with what was verified until then.
        """
        async with self._rooms.enter(scope.workspace) as room:
            await room.check_embedder()
            return await asking.ask(
                question,
                thread=thread,
                scope=scope,
                dependencies=await self._ask_dependencies(room, thread.channel),
                progress=progress,
                trace_id=trace_id,
                at=at or self._now(),
                stop=stop or Stop(),
                reach=reach,
                user=user,
            )

    async def retrieve(self, question: str, *, thread: Thread, scope: Scope, k: int) -> Sequence[Evidence]:
        """The passages that ``ask`` would rank for a question in this thread, best first; nothing is stored."""
        async with self._rooms.enter(scope.workspace) as room:
            await room.check_embedder()
            dependencies = await self._ask_dependencies(room, thread.channel)
            return await asking.retrieve(question, thread=thread, scope=scope, dependencies=dependencies, k=k)

    async def remember(self, thread: Thread, turns: Sequence[Turn]) -> None:
        """Put turns into a thread's memory, as if they had been said here."""
        async with self._rooms.enter(thread.channel.workspace) as room:
            await room.opened.memory.append(thread, *turns)

    # inside

    async def _transcriber(self, room: OpenWorkspace, workspace: Workspace, share: Share) -> Transcriber:
        settings = parsed(await room.opened.settings.of(Channel(workspace=workspace, id=share.channel)))
        if settings.model != "allowed":
            return NO_TRANSCRIBER
        budget = KeptBudget(self.config.budget, room.opened.spending)
        return PagesOf(model=self._vision, budget=budget, user=share.user, now=self._now)

    async def _ask_dependencies(self, room: OpenWorkspace, channel: Channel) -> asking.AskDependencies:
        settings = parsed(await room.opened.settings.of(channel))
        vision = self._vision if settings.model == "allowed" else NoVision()

        def figures(scope: Scope) -> ScopedFigures:
            library, descriptions = room.opened.library, room.opened.descriptions
            return ScopedFigures(scope, library=library, descriptions=descriptions, model=vision, looks=self._looks)

        return asking.AskDependencies(
            library=room.opened.library,
            lexical=room.opened.lexical,
            memory=room.opened.memory,
            threads=room.opened.threads,
            figures=figures,
            tracing=self._tracing if settings.model == "allowed" else Untraced(),
            budget=KeptBudget(self.config.budget, room.opened.spending),
            model=self._model if settings.model == "allowed" else NoModel(),
            retriever=room.retriever,
            embedder=self.parts.embedder,
            reranker=self.parts.reranker,
            config=self.config.agent,
            reasoner=self._reasoner if settings.model == "allowed" else ExtractiveReasoner(),
        )
