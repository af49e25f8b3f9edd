"""From an event to the reply: fetches what the engine needs, calls one use case, puts the value into words.

It knows platforms only as ports and the engine only by its surface; retries and delivery are the worker's.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from bot import replies
from bot.assistant import Assistant
from bot.desk import scope_of
from core.domain.errors import PaperRejected
from core.domain.events import CommandGiven, FileRemoved, PdfShared, QuestionAsked
from core.domain.model import Channel, IngestReport, Scope, Share
from core.domain.ports import ChatPlatform, Job
from core.domain.progress import Progress
from core.domain.reply import Reply


class Commands(Protocol):
    """What a person can say beside questions."""

    async def __call__(self, given: CommandGiven, scope: Scope, progress: Progress) -> Reply:
        """The reply to a command. Raises ``FootnoteError``."""


class UseCases:
    """One call a job. ``spool`` is where downloads wait to be read; ``limit`` their size in bytes."""

    def __init__(
        self,
        engine: Assistant,
        platforms: Mapping[str, ChatPlatform],
        commands: Commands,
        *,
        spool: Path,
        limit: int,
    ) -> None:
        self._engine = engine
        self._platforms = platforms
        self._commands = commands
        self._spool = spool
        self._limit = limit

    async def __call__(self, job: Job, progress: Progress) -> Reply | None:
        """The reply to the job's event, or None where nothing is to be said. Raises ``FootnoteError``."""
        match job.event:
            case PdfShared() as event:
                return await self._ingest(job, event, progress)
            case FileRemoved() as event:
                return await self._remove(event)
            case QuestionAsked() as event:
                return await self._answer(job, event, progress)
            case CommandGiven() as event:
                return await self._commands(event, scope_of(event.thread.channel, event.visible), progress)

    async def _ingest(self, job: Job, event: PdfShared, progress: Progress) -> Reply:
        await progress.step("fetching", 0, 0)
        channel = await self._channel_now(event.thread.channel)
        platform = self._platforms[channel.workspace.platform]
        visible = await platform.visible_channels(channel.workspace, event.user)
        share = Share(
            paper_id="",
            channel=channel.id,
            message=event.message,
            user=event.user,
            at=event.at,
            file_id=event.file.id,
        )
        self._spool.mkdir(parents=True, exist_ok=True)
        pdf = self._spool / f"{job.id}.pdf"
        try:
            await platform.download(event.file, pdf, limit=self._limit)
            report = await self._engine.ingest(
                share,
                scope=scope_of(channel, visible),
                pdf=pdf,
                file_name=event.file.name,
                progress=progress,
            )
        except PaperRejected as refusal:
            report = IngestReport(outcome="rejected", file_name=event.file.name, reason=refusal.words)
        finally:
            pdf.unlink(missing_ok=True)
        return replies.ingested(report)

    async def _remove(self, event: FileRemoved) -> Reply | None:
        channel = event.thread.channel
        gone = await self._engine.unshare(
            channel.workspace, channel=channel.id, message=event.message, file_id=event.file_id
        )
        if not gone.papers:
            return None
        return replies.forgotten(gone, ())

    async def _answer(self, job: Job, event: QuestionAsked, progress: Progress) -> Reply:
        await progress.step("searching", 0, 0)
        scope = scope_of(event.thread.channel, event.visible)
        answer = await self._engine.ask(
            event.text, thread=event.thread, scope=scope, progress=progress, trace_id=job.trace_id, at=event.at
        )
        cited = frozenset(citation.paper_id for citation in answer.citations) | frozenset(answer.candidates)
        papers = await self._engine.papers(scope.within(cited)) if cited else ()
        return replies.answer(answer, {paper.id: paper for paper in papers})

    async def _channel_now(self, channel: Channel) -> Channel:
        """A channel may have been closed to others since the event was written down."""
        return await self._platforms[channel.workspace.platform].channel(channel.workspace, channel.id)
