"""Papers in and out of a library, and looking at them: ingest, list, find, correct, forget, show a page."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.assistant.budget import WorkspaceBudget
from core.assistant.papers import corrections, paper_card
from core.assistant.papers.ingest import IngestDependencies, ingest
from core.assistant.papers.page_transcription import BudgetedTranscriber
from core.config import Config
from core.domain.errors import FootnoteError, NotInScope
from core.domain.language_models import VisionModel
from core.domain.model import (
    Box,
    Channel,
    Evidence,
    Forgotten,
    IngestReport,
    Paper,
    Passage,
    Reading,
    Scope,
    Share,
    Workspace,
)
from core.domain.ports import Filters, ForgetsPapers
from core.domain.progress import NO_PROGRESS, Progress
from core.domain.readers import NO_TRANSCRIBER, Transcriber
from core.library import clear_workspace
from core.services.open_workspaces import OpenWorkspace, OpenWorkspaces
from core.services.shared_models import SharedModels, load_libraries
from core.understanding.papers import PaperResolver

if TYPE_CHECKING:
    from core.domain.ports import Vector

_ALL = Filters()
_UNSTORED = "0" * 64


class NotConfirmed(FootnoteError):
    """Clearing a workspace was asked for without its key as confirmation; nothing was done."""


class Papers:
    """Papers of all workspaces; every read names its scope, and ``NotInScope`` is raised for a paper outside it.

    ``others`` keep words of papers too and are told when one is forgotten.
    """

    def __init__(
        self,
        workspaces: OpenWorkspaces,
        *,
        models: SharedModels,
        vision: VisionModel,
        config: Config,
        others: Sequence[ForgetsPapers],
        now: Callable[[], datetime],
    ) -> None:
        self._workspaces = workspaces
        self._models = models
        self._vision = vision
        self._config = config
        self._others = others
        self._now = now

    # in and out

    async def ingest(
        self, share: Share, *, scope: Scope, pdf: Path, file_name: str, progress: Progress = NO_PROGRESS
    ) -> IngestReport:
        """Take in a PDF; the report says what became of it. Raises only for a library that cannot be used."""
        async with self._workspaces.enter(scope.workspace) as opened:
            await asyncio.to_thread(load_libraries)
            await opened.check_embedder()
            dependencies = IngestDependencies(
                library=opened.stores.library,
                reader=self._models.reader,
                embedder=self._models.embedder,
                index=opened,
                writing=opened.writing,
                now=self._now,
                transcriber=await self._transcriber(opened, scope.workspace, share),
            )
            return await ingest(
                share, scope=scope, pdf=pdf, file_name=file_name, dependencies=dependencies, progress=progress
            )

    async def read(self, pdf: Path, *, paper_id: str = _UNSTORED, progress: Progress = NO_PROGRESS) -> Reading:
        """Read a PDF without storing anything. Raises ``PaperRejected`` or ``ReadingStopped``."""
        return await self._models.reader.read(pdf, paper_id=paper_id, progress=progress)

    async def forget(self, scope: Scope, paper_ids: Sequence[str]) -> Forgotten:
        """Forget papers as far as the scope reaches, and whole where they were shared nowhere else.

        Raises ``NotInScope`` for a paper that the scope lacks; then nothing was forgotten.
        """
        async with self._workspaces.enter(scope.workspace) as opened, opened.writing:
            forgotten = await opened.stores.library.withdraw(scope, paper_ids)
            await opened.refresh()
            return forgotten

    async def unshare(self, workspace: Workspace, *, channel: str, message: str, file_id: str = "") -> Forgotten:
        """Remove the shares of a deleted message or file; papers left without a share are forgotten."""
        async with self._workspaces.enter(workspace) as opened, opened.writing:
            forgotten = await opened.stores.library.unshare(channel=channel, message=message, file_id=file_id)
            await opened.refresh()
            return forgotten

    async def clear(self, workspace: Workspace, *, confirmed: str) -> Forgotten:
        """Delete a whole workspace. Raises ``NotConfirmed`` unless ``confirmed`` is its key, typed by whoever asked."""
        if confirmed != workspace.key:
            raise NotConfirmed(
                "This deletes every paper, answer and conversation of the workspace. "
                f"To confirm, give its key: {workspace.key}"
            )
        async with self._workspaces.closed(workspace):
            gone = await clear_workspace(self._config.data, workspace)
        for other in self._others:
            await other.forget_papers(workspace, frozenset(gone.papers), frozenset())
        return gone

    async def reindex(self, workspace: Workspace, progress: Progress = NO_PROGRESS) -> int:
        """Embed every passage anew with the configured embedder; returns how many there are."""
        async with self._workspaces.enter(workspace) as opened, opened.writing:
            library = opened.stores.library
            numbers, texts = await library.indexed_texts()
            vectors = await self._models.embedder.passages(texts, progress)
            by_number: dict[int, Vector] = dict(zip(numbers.tolist(), vectors, strict=True))
            await library.replace_vectors(self._models.embedder.identity, by_number)
            opened.drop_index()
            return len(texts)

    async def correct(self, scope: Scope, paper_id: str, changes: Mapping[str, str], *, user: str) -> Paper:
        """A user's correction of a paper, by field. Raises ``NotInScope`` or ``NotACorrection``."""
        async with self._workspaces.enter(scope.workspace) as opened, opened.writing:
            library = opened.stores.library
            papers = [paper for paper in await library.papers(scope) if paper.id == paper_id]
            if not papers:
                raise NotInScope("This paper is not here.")
            metadata = corrections.apply_corrections(papers[0].metadata, changes)
            await library.correct(paper_id, metadata, user=user)
            return replace(papers[0], metadata=metadata)

    # looking

    async def in_scope(self, scope: Scope, filters: Filters = _ALL) -> Sequence[Paper]:
        """Papers in scope, oldest first."""
        async with self._workspaces.enter(scope.workspace) as opened:
            return await opened.stores.library.papers(scope, filters=filters)

    async def find(self, scope: Scope, hint: str) -> Sequence[Paper]:
        """Papers in scope that ``hint`` may mean (a number of the list, an id, a name, words), likeliest first."""
        async with self._workspaces.enter(scope.workspace) as opened:
            return PaperResolver(await opened.stores.library.papers(scope)).find(hint)

    async def passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        """All passages of a paper in reading order."""
        async with self._workspaces.enter(scope.workspace) as opened:
            return await opened.stores.library.paper_passages(scope, paper_id)

    async def starters(self, scope: Scope, paper_id: str) -> Sequence[str]:
        """The questions that a paper's card offers to begin with."""
        passages = await self.passages(scope, paper_id)
        return await asyncio.to_thread(paper_card.questions, passages)

    async def page_image(self, scope: Scope, paper_id: str, page: int, boxes: Sequence[Box] = ()) -> bytes:
        """PNG of a page with boxes marked."""
        async with self._workspaces.enter(scope.workspace) as opened:
            pdf = await opened.stores.library.pdf(scope, paper_id)
            return await self._models.images.render(pdf, page=page, boxes=boxes)

    async def search(
        self, query: str, scope: Scope, *, k: int | None = None, filters: Filters = _ALL
    ) -> Sequence[Evidence]:
        """The passages that search finds for a query as it stands, best first."""
        async with self._workspaces.enter(scope.workspace) as opened:
            await opened.check_embedder()
            return await opened.retriever.search(query, scope, k=k, filters=filters)

    async def _transcriber(self, opened: OpenWorkspace, workspace: Workspace, share: Share) -> Transcriber:
        settings = await opened.settings(Channel(workspace=workspace, id=share.channel))
        if settings.model != "allowed":
            return NO_TRANSCRIBER
        budget = WorkspaceBudget(self._config.budget, opened.stores.spending)
        return BudgetedTranscriber(model=self._vision, budget=budget, user=share.user, now=self._now)
