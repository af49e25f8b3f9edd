"""From an event to the reply: fetches what the engine needs, calls one use case, puts the value into words.

It knows platforms only as ports and the engine only by its surface; retries and delivery are the worker's.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.backend import ReadBackend, scope_of
from bot.commands import perform, studies
from bot.commands.request import Request, RequestEvent
from bot.limits import Limits
from bot.replies import general, records
from bot.schedule import load_display_context, post
from core.domain.errors import PaperRejected
from core.domain.events import (
    ButtonPressed,
    ChannelClosed,
    CommandGiven,
    DigestDue,
    Event,
    FileRemoved,
    FormSent,
    PdfShared,
    QuestionAsked,
    QuestionEdited,
    Uninstalled,
)
from core.domain.jobs import Job
from core.domain.model import Audience, Channel, IngestReport, Reach, Scope, Share
from core.domain.platforms import ChatPlatform
from core.domain.progress import NoProgress, Progress, Stop
from core.domain.reply import Reply
from core.domain.request_context import RequestContext
from core.domain.studies import StudyRequest

if TYPE_CHECKING:
    from core.services.engine import Engine


class UseCases:
    """One call a job. ``spool`` is where downloads wait to be read; ``limit`` their size in bytes."""

    def __init__(
        self,
        engine: "Engine",
        platforms: Mapping[str, ChatPlatform],
        backend: ReadBackend,
        *,
        accept: Callable[[Event], Awaitable[bool]],
        spool: Path,
        limit: int,
        limits: Limits,
    ) -> None:
        self._engine = engine
        self._platforms = platforms
        self._backend = backend
        self._accept = accept
        self._spool = spool
        self._limit = limit
        self._limits = limits

    async def __call__(self, job: Job, progress: Progress, stop: Stop) -> Reply | None:
        """The reply to the job's event, or None where nothing is to be said. Raises ``FootnoteError``."""
        match job.event:
            case PdfShared() as event:
                return await self._ingest(job, event, progress)
            case FileRemoved() as event:
                return await self._remove(event)
            case QuestionAsked() as event:
                reply = await self._answer(job, event, progress, stop, reach="usual")
                late = isinstance(event, QuestionEdited) and not event.in_place
                return general.note_edited_question(reply) if late else reply
            case CommandGiven() | ButtonPressed() | FormSent() as event:
                return await perform(await self._request(job, event, progress, stop))
            case DigestDue() as event:
                platform = self._platforms[event.thread.channel.workspace.platform]
                return await post(event, self._engine.groups, platform)
            case ChannelClosed() as event:
                await self._engine.channels.close(event.thread.channel)
                return None
            case Uninstalled() as event:
                await self._clear(event)
                return None

    async def _ingest(self, job: Job, event: PdfShared, progress: Progress) -> Reply:
        await self._limits.room_for_pages(event.thread.channel, event.user)
        await progress.step("fetching", 0, 0)
        channel = await self._current_channel(event.thread.channel)
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
        self._spool.mkdir(parents=True, exist_ok=True, mode=0o700)
        pdf = self._spool / f"{job.id}.pdf"
        try:
            await platform.download(event.file, pdf, limit=self._limit)
            report = await self._engine.papers.ingest(
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
        if report.outcome == "indexed" and report.paper is not None:
            await self._limits.pages(channel, event.user, report.paper.pages)
        return general.ingest_report(report)

    async def _remove(self, event: FileRemoved) -> Reply | None:
        channel = event.thread.channel
        removed = await self._engine.papers.unshare(
            channel.workspace, channel=channel.id, message=event.message, file_id=event.file_id
        )
        return general.removal(removed, ()) if removed.papers else None

    async def _answer(self, job: Job, event: QuestionAsked, progress: Progress, stop: Stop, *, reach: Reach) -> Reply:
        """The one way to an answer, whether the question was written or stands behind a button."""
        if job.attempts == 1:
            await self._limits.question(event.thread.channel, event.user)
        await progress.step("searching", 0, 0)
        request = await self._context(job, event, progress, stop)
        if event.papers:
            request = replace(request, scope=request.scope.within(event.papers))
        scope = request.scope
        answer = await self._engine.questions.respond(event.text, request, reach=reach)
        if isinstance(answer, StudyRequest):
            return replace(await studies.make_study(answer, self._engine, request, event.text), audience=event.audience)
        if answer.outcome in ("not_found", "unclear") and (unread := await self._backend.unread(event.thread.channel)):
            answer = replace(answer, notes=(*answer.notes, unread))
        if event.audience == "asker":
            await self._engine.records.keep_private(event.thread, job.trace_id)
        reply = await self._remarked(
            await general.fetch_papers_and_answer(answer, self._engine.papers, scope), event, scope
        )
        return general.make_private(reply, job.trace_id) if event.audience == "asker" else reply

    async def _remarked(self, reply: Reply, event: QuestionAsked, scope: Scope) -> Reply:
        """The answer with what readers corrected in earlier answers to the same question."""
        found = await self._engine.records.remarks(scope, event.text)
        if not found:
            return reply
        channel = event.thread.channel
        platform = self._platforms[channel.workspace.platform]
        users = (remark.user for remark in found)
        context = await load_display_context(channel, platform, zone="UTC", users=users)
        return replace(reply, body=records.append_corrections(reply.body, found, context.names))

    async def _ask_from_button(
        self,
        job: Job,
        event: RequestEvent,
        progress: Progress,
        stop: Stop,
        question: str,
        *,
        papers: frozenset[str],
        reach: Reach,
        audience: Audience,
    ) -> Reply:
        """A question behind a button; it goes to its asker alone where a written one would."""
        asked = QuestionAsked(
            thread=event.thread,
            user=event.user,
            at=event.at,
            message=event.message,
            text=question,
            visible=event.visible,
            papers=papers,
            audience=audience,
        )
        asked = await self._backend.addressed(asked)
        shown = NoProgress() if asked.audience == "asker" else progress
        return await self._answer(job, asked, shown, stop, reach=reach)

    async def _request(self, job: Job, event: RequestEvent, progress: Progress, stop: Stop) -> Request:
        return Request(
            given=event,
            context=await self._context(job, event, progress, stop),
            engine=self._engine,
            backend=self._backend,
            asks=partial(self._ask_from_button, job, event, progress, stop),
            accept=self._accept,
            platform=self._platforms[event.thread.channel.workspace.platform],
        )

    async def _context(
        self, job: Job, event: QuestionAsked | RequestEvent, progress: Progress, stop: Stop
    ) -> RequestContext:
        """Its scope is what this person could see when asking and can see still: a channel left since is closed."""
        channel = event.thread.channel
        visible = await self._platforms[channel.workspace.platform].visible_channels(channel.workspace, event.user)
        return RequestContext(
            scope=scope_of(channel, event.visible & visible),
            thread=event.thread,
            user=event.user,
            at=event.at,
            trace_id=job.trace_id,
            progress=progress,
            stop=stop,
        )

    async def _clear(self, event: Uninstalled) -> None:
        """Forget a workspace, unless Footnote was let in again since it was taken out."""
        workspace = event.thread.channel.workspace
        if not await self._platforms[workspace.platform].installed(workspace):
            await self._engine.papers.clear(workspace, confirmed=workspace.key)

    async def _current_channel(self, channel: Channel) -> Channel:
        """A channel may have been closed to others since the event was written down."""
        return await self._platforms[channel.workspace.platform].channel(channel.workspace, channel.id)
