"""Studies of whole papers: summaries, tables, comparisons and reviews, made once and kept."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from core.agent.reasoner import Ledger
from core.config import BudgetConfig, LlmConfig
from core.domain.channel_settings import ModelUse
from core.domain.language_models import LanguageModel
from core.domain.model import Citation, Paper, Scope, Thread, Turn
from core.domain.ports import Embedder
from core.domain.progress import NoProgress, Progress, Stop
from core.domain.reply import Attachment
from core.domain.studies import Comparison, Extraction, Review, StudyOrder, Summary
from core.llm.null_models import NoModel
from core.services.open_workspaces import OpenWorkspaces

if TYPE_CHECKING:
    from core.assistant.studies.study_context import StudyDependencies

_SILENT = NoProgress()
_TURNS = 6


class Studies:
    """Studies of all workspaces; every call names its scope, and raises ``NotInScope`` for a paper outside it.

    ``model`` says whether the configured language model may be used; a study that was made with it and one that was
    made without are kept apart. A study that ``stop`` ended is returned as far as it came, and not kept.
    """

    def __init__(
        self,
        rooms: OpenWorkspaces,
        *,
        embedder: Embedder,
        model: LanguageModel,
        llm: LlmConfig,
        budget: BudgetConfig,
        now: Callable[[], datetime],
    ) -> None:
        self._rooms = rooms
        self._embedder = embedder
        self._model = model
        self._llm = llm
        self._budget = budget
        self._now = now

    async def ordered(self, text: str, *, thread: Thread, scope: Scope) -> StudyOrder | None:
        """The study that a message asks for ("summarise this"); None where it is a question like any other."""
        from core.understanding.study_requests import ordered, orders

        if not orders(text):
            return None
        async with self._rooms.enter(scope.workspace) as room:
            turns = await room.opened.memory.recent(thread, limit=_TURNS)
            papers = await room.opened.library.papers(scope)
        return await asyncio.to_thread(ordered, text, thread, turns, papers)

    async def noted(self, thread: Thread, *, asked: str, said: str, citations: Sequence[Citation]) -> None:
        """Remember in the thread that a study was asked for and made, so that what follows can refer to it."""
        at = self._now()
        async with self._rooms.enter(thread.channel.workspace) as room:
            await room.opened.memory.append(
                thread,
                Turn(role="user", text=asked, at=at),
                Turn(role="assistant", text=said, at=at, citations=tuple(citations)),
            )

    async def summarise(
        self,
        scope: Scope,
        paper_id: str,
        *,
        model: ModelUse = "allowed",
        progress: Progress = _SILENT,
        stop: Stop | None = None,
        user: str = "",
    ) -> Summary:
        """A paper in sections, each sentence cited; what the paper does not state is said to be missing."""
        # Imported here and below: reading the signs of a study takes a moment that no start should wait for.
        from core.assistant.studies.summarise import summarise

        async with self._dependencies(scope, model, progress, stop, user) as dependencies:
            return await summarise(paper_id, dependencies)

    async def extract(
        self,
        scope: Scope,
        paper_ids: Sequence[str],
        *,
        fields: str = "",
        model: ModelUse = "allowed",
        progress: Progress = _SILENT,
        stop: Stop | None = None,
        user: str = "",
    ) -> tuple[Extraction, ...]:
        """A row a paper in the order asked; ``fields`` as a channel sets them, empty for the usual ones.

        Raises ``SettingsInvalid`` for fields that make no table.
        """
        from core.assistant.studies.extract import extract
        from core.assistant.studies.extraction_template import template_of

        async with self._dependencies(scope, model, progress, stop, user) as dependencies:
            return await extract(paper_ids, template_of(fields), dependencies)

    async def compare(
        self,
        scope: Scope,
        paper_ids: Sequence[str],
        *,
        fields: str = "",
        model: ModelUse = "allowed",
        progress: Progress = _SILENT,
        stop: Stop | None = None,
        user: str = "",
    ) -> Comparison:
        """Two to eight papers side by side; a field counts where two report it. Raises ``NotComparable`` too."""
        from core.assistant.studies.compare import compare
        from core.assistant.studies.extraction_template import template_of

        async with self._dependencies(scope, model, progress, stop, user) as dependencies:
            return await compare(paper_ids, template_of(fields), dependencies)

    async def review(
        self,
        scope: Scope,
        paper_ids: Sequence[str],
        *,
        model: ModelUse = "allowed",
        progress: Progress = _SILENT,
        stop: Stop | None = None,
        user: str = "",
    ) -> Review:
        """One paper's arguments and evidence, or several papers by theme. Raises ``NothingToReview`` too."""
        from core.assistant.studies.review import review, review_papers

        async with self._dependencies(scope, model, progress, stop, user) as dependencies:
            if len(set(paper_ids)) == 1:
                return await review(paper_ids[0], dependencies)
            return await review_papers(paper_ids, dependencies)

    async def review_topic(
        self,
        scope: Scope,
        topic: str,
        *,
        model: ModelUse = "allowed",
        progress: Progress = _SILENT,
        stop: Stop | None = None,
        user: str = "",
    ) -> Review:
        """What the papers in scope say on a topic, by theme. Raises ``NothingToReview``."""
        from core.assistant.studies.review import review_topic

        async with self._rooms.enter(scope.workspace) as room:
            await room.check_embedder()
        async with self._dependencies(scope, model, progress, stop, user) as dependencies:
            return await review_topic(topic, dependencies)

    async def file_of(self, made: Comparison | Sequence[Extraction], papers: Mapping[str, Paper]) -> Attachment:
        """A table as CSV, with the pages of each cell beside it; ``papers`` holds all of its papers, by id."""
        from core.assistant.records.exports import comparison_csv, extraction_csv

        if isinstance(made, Comparison):
            return await asyncio.to_thread(comparison_csv, made, papers)
        return await asyncio.to_thread(extraction_csv, made, papers)

    @asynccontextmanager
    async def _dependencies(
        self, scope: Scope, model: ModelUse, progress: Progress, stop: Stop | None, user: str
    ) -> "AsyncIterator[StudyDependencies]":
        """A dependencies for one study; what a model takes goes to the account of ``user``, within the budgets."""
        from core.assistant.budget import KeptBudget, within
        from core.assistant.studies.study_context import StudyDependencies

        async with self._rooms.enter(scope.workspace) as room:
            budget, ledger = KeptBudget(self._budget, room.opened.spending), Ledger()
            allowed = self._model if model == "allowed" else NoModel()
            dependencies = StudyDependencies(
                scope=scope,
                library=room.opened.library,
                retriever=room.retriever,
                embedder=self._embedder,
                model=await within(allowed, budget, user, self._now(), ledger),
                llm=self._llm,
                keeps=room.opened.studies,
                now=self._now,
                progress=progress,
                stop=stop or Stop(),
                ledger=ledger,
            )
            try:
                yield dependencies
            finally:
                await budget.spent(user, ledger.usage, self._now())
