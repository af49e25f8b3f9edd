"""Studies of whole papers: summaries, tables, comparisons and reviews, made once and kept."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from core.agent.reasoner import ModelCapability
from core.assistant.budget import WorkspaceBudget, open_budgeted
from core.assistant.records.exports import comparison_csv, extraction_csv
from core.config import Config
from core.domain.channel_settings import ChannelSettings
from core.domain.language_models import LanguageModel
from core.domain.model import Citation, Paper, Thread, Turn
from core.domain.reply import Attachment
from core.domain.request_context import RequestContext
from core.domain.studies import Comparison, Extraction, Review, StudyKind, StudyRequest, Summary
from core.llm.null_models import NullLanguageModel
from core.services.open_workspaces import OpenWorkspaces
from core.services.shared_models import SharedModels
from core.understanding.papers import PaperResolver
from core.understanding.study_requests import thread_study

if TYPE_CHECKING:
    from core.assistant.studies.study_context import StudyDependencies

_TURNS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Study:
    """One study about to be made: what it may use, and what its channel has set."""

    dependencies: "StudyDependencies"
    settings: ChannelSettings


class Studies:
    """Studies of all workspaces. Every call raises ``NotInScope`` for a paper outside its request's scope.

    Whether a language model is used is a setting of the request's channel; a study made with it and one made
    without are kept apart. A study that was stopped is returned as far as it came, and not kept.
    """

    def __init__(
        self,
        workspaces: OpenWorkspaces,
        *,
        models: SharedModels,
        model: LanguageModel,
        capability: ModelCapability,
        config: Config,
        now: Callable[[], datetime],
    ) -> None:
        self._workspaces = workspaces
        self._models = models
        self._model = model
        self._capability = capability
        self._config = config
        self._now = now

    async def of_thread(self, kind: StudyKind, request: RequestContext) -> StudyRequest | None:
        """The study of the papers that the request's thread is on; None where there is no paper in scope."""
        async with self._workspaces.enter(request.workspace) as opened:
            turns = await opened.stores.memory.recent(request.thread, limit=_TURNS)
            papers = await opened.stores.library.papers(request.scope)
        return thread_study(kind, request.thread, turns, PaperResolver(papers))

    async def remember(self, thread: Thread, *, asked: str, said: str, citations: Sequence[Citation]) -> None:
        """Keep in the thread that a study was asked for and made, so that what follows can refer to it."""
        at = self._now()
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            await opened.stores.memory.append(
                thread,
                Turn(role="user", text=asked, at=at),
                Turn(role="assistant", text=said, at=at, citations=tuple(citations)),
            )

    async def summarise(self, request: RequestContext, paper_id: str, *, most: int = 0) -> Summary:
        """A paper in sections, each sentence cited; sections for which nothing was found are listed.

        With ``most`` it has that many sentences, of the sections that say most, and no empty ones.
        """
        # Imported here and below: compiling the patterns of a study takes a moment that no start should wait for.
        from core.assistant.studies.summarise import shorten, summarise

        async with self._study(request) as study:
            made = await summarise(paper_id, study.dependencies)
        return shorten(made, most) if most else made

    async def extract(
        self, request: RequestContext, paper_ids: Sequence[str], *, fields: str = ""
    ) -> tuple[Extraction, ...]:
        """A row for each paper in the order asked; without ``fields`` those of the channel, else the usual ones.

        Raises ``SettingsInvalid`` for fields that make no table.
        """
        from core.assistant.studies.extract import extract, parse_template

        async with self._study(request) as study:
            return await extract(paper_ids, parse_template(fields or study.settings.template), study.dependencies)

    async def compare(self, request: RequestContext, paper_ids: Sequence[str], *, fields: str = "") -> Comparison:
        """Two to eight papers side by side; a field counts where two report it. Raises ``NotComparable`` too."""
        from core.assistant.studies.compare import compare
        from core.assistant.studies.extract import parse_template

        async with self._study(request) as study:
            return await compare(paper_ids, parse_template(fields or study.settings.template), study.dependencies)

    async def review(self, request: RequestContext, paper_ids: Sequence[str]) -> Review:
        """One paper's arguments and evidence, or several papers by theme. Raises ``NothingToReview`` too."""
        from core.assistant.studies.review import review, review_papers

        async with self._study(request) as study:
            if len(set(paper_ids)) == 1:
                return await review(paper_ids[0], study.dependencies)
            return await review_papers(paper_ids, study.dependencies)

    async def review_topic(self, request: RequestContext, topic: str) -> Review:
        """What the papers in scope say on a topic, by theme. Raises ``NothingToReview``."""
        from core.assistant.studies.review import review_topic

        async with self._workspaces.enter(request.workspace) as opened:
            await opened.check_embedder()
        async with self._study(request) as study:
            return await review_topic(topic, study.dependencies)

    async def export(self, made: Comparison | Sequence[Extraction], papers: Mapping[str, Paper]) -> Attachment:
        """A table as CSV, with the pages of each cell beside it; ``papers`` holds all of its papers, by id."""
        if isinstance(made, Comparison):
            return await asyncio.to_thread(comparison_csv, made, papers)
        return await asyncio.to_thread(extraction_csv, made, papers)

    @asynccontextmanager
    async def _study(self, request: RequestContext) -> AsyncIterator[_Study]:
        """What one study may use; what a model takes is charged to the request's user, within the budgets."""
        from core.assistant.studies.study_context import StudyDependencies

        async with self._workspaces.enter(request.workspace) as opened:
            settings = await opened.settings(request.channel)
            budget = WorkspaceBudget(self._config.budget, opened.stores.spending)
            allowed = self._model if settings.model == "allowed" else NullLanguageModel()
            writing = open_budgeted(allowed, self._capability, budget, request.user, now=self._now)
            async with writing as (model, ledger):
                dependencies = StudyDependencies(
                    scope=request.scope,
                    library=opened.stores.library,
                    retriever=opened.retriever,
                    embedder=self._models.embedder,
                    model=model,
                    llm=self._config.llm,
                    study_store=opened.stores.studies,
                    now=self._now,
                    progress=request.progress,
                    stop=request.stop,
                    ledger=ledger,
                )
                yield _Study(dependencies=dependencies, settings=settings)
