"""What to do about what Slack tells; what a message means is decided in ``common.message_events``.

Everything that must not be lost is a durable job before Slack is told that it arrived. Courtesies (the Home tab,
suggested prompts) run beside that and may fail.
"""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from adapters.common.conversations import Conversations, Recent, conversation_key
from adapters.common.message_events import IncomingMessage, MessageInterpreter
from adapters.common.retry import Retrying, notify_nobody
from adapters.slack import events, render
from adapters.slack.channels import Channels
from adapters.slack.delivery import Delivery
from adapters.slack.events import ChannelChange, Message, MessageDeletion, MessageEdit
from adapters.slack.installations import NAME, Installation, Installations
from adapters.slack.payload import Payload, text_of
from adapters.slack.web_api import WebApi
from core.domain.errors import PlatformFailure
from core.domain.events import (
    ChannelClosed,
    CommandGiven,
    Event,
    FileRemoved,
    PdfShared,
    QuestionAsked,
    Uninstalled,
)
from core.domain.model import Channel, Scope, Thread, Workspace
from core.domain.platforms import Backend

_log = logging.getLogger(__name__)
_LOOKUP_SECONDS = 1.5
_MOST_PAPERS = 100_000
_EXTERNAL = (
    "This channel is shared with another organisation, where Footnote does not answer unless whoever runs it "
    "sets FOOTNOTE_SLACK_EXTERNAL=true."
)


class MessageListener:
    """Takes inner events of one Slack app for all its workspaces."""

    def __init__(
        self,
        backend: Backend,
        calls: WebApi,
        installations: Installations,
        channels: Channels,
        posts: Delivery,
        talk: Conversations,
        labels: Recent[str],
        *,
        external: bool,
        grace: timedelta,
    ) -> None:
        self._backend = backend
        self._calls = calls
        self._installations = installations
        self._channels = channels
        self._posts = posts
        self._talk = talk
        self._interpreter = MessageInterpreter(backend, talk)
        self._labels = labels
        self._external = external
        self._grace = grace
        self._home = AppHome(backend, calls, channels)
        self._twins: Recent[str] = Recent()
        self._declined: Recent[bool] = Recent()
        self._beside: set[asyncio.Task[None]] = set()
        self._retrying = Retrying()

    async def take(self, event: Payload, *, team: str, enterprise: str, shared: bool) -> None:
        """One event; returns when nothing of it can be lost any more.

        Raises what kept it from being taken in, so that Slack delivers it again. Slack leaves off after three times,
        so it is tried again here as well; what comes a second time is known by its key.
        """

        async def take() -> None:
            await self._take_once(event, team=team, enterprise=enterprise, shared=shared)

        async def tell(words: str) -> None:
            await self._tell_of_failure(event, team, words)

        try:
            await take()
        except Exception as failure:
            key = f"{team}/{text_of(event, 'type')}/{text_of(event, 'channel')}/{text_of(event, 'event_ts')}"
            self._retrying.begin(key, take, tell, failure)
            raise

    async def _take_once(self, event: Payload, *, team: str, enterprise: str, shared: bool) -> None:
        workspace = Workspace(platform=NAME, id=team)
        await self._installations.seen(team, enterprise)
        match events.parse_event(event, team=team):
            case Message() as message:
                await self._message(workspace, message, shared)
            case MessageEdit() as edited:
                await self._edited(workspace, edited, shared)
            case MessageDeletion() as deleted:
                await self._deleted(workspace, deleted)
            case events.FileDeletion(file=file):
                self.beside(
                    self._retrying.run(f"{team}/gone/{file}", lambda: self._file_gone(workspace, file), notify_nobody)
                )
            case events.BotMessage(channel=channel, thread=thread, user=user):
                installation = await self._installations.of(workspace)
                if installation is None or user not in (installation.bot_user, installation.bot_id):
                    spoken = Thread(channel=Channel(workspace=workspace, id=channel), id=thread)
                    self._talk.spoke(conversation_key(spoken), user)
            case ChannelChange() as change:
                await self._channel(workspace, change, text_of(event, "event_ts"))
            case events.HomeOpened(user=user, tab=tab, channel=channel):
                self.beside(self._home.opened(workspace, user, tab, channel))
            case events.StopRequest(channel=channel, thread=thread, user=user):
                where = await self._channels.channel(workspace, channel)
                await self._backend.stop(Thread(channel=where, id=thread), user=user)
            case events.AppRemoved():
                await self._removed(workspace, enterprise, text_of(event, "event_ts"))
            case events.UserChange(user=user):
                self._channels.person_changed(workspace, user)

    async def bound(self, workspace: Workspace) -> frozenset[str]:
        """Open channels that a question may name; what its asker may see of them is asked when it is answered."""
        try:
            async with asyncio.timeout(_LOOKUP_SECONDS):
                return await self._channels.open_to_bot(workspace)
        except (PlatformFailure, TimeoutError):
            return self._channels.recently_open(workspace)

    async def place(self, workspace: Workspace, channel_id: str) -> Channel:
        """A channel as it is now; closed to others where Slack does not say in time."""
        try:
            async with asyncio.timeout(_LOOKUP_SECONDS):
                return await self._channels.channel(workspace, channel_id)
        except (PlatformFailure, TimeoutError):
            return Channel(workspace=workspace, id=channel_id, visibility="restricted")

    async def accept(self, event: Event) -> bool:
        """Hand an event over and remember who asked, for streaming to them."""
        is_new = await self._backend.accept(event)
        if is_new:
            self._posts.began(event.key)
            label = event.file.name if isinstance(event, PdfShared) else event.user
            self._labels.remember(event.key, label)
        return is_new

    def beside(self, work: Coroutine[object, object, None]) -> None:
        """Do a courtesy without keeping Slack waiting; its failure is noted and changes nothing else."""

        async def quietly() -> None:
            try:
                await work
            except Exception as failure:  # nobody waits for this task
                _log.warning("courtesy failed: %s", type(failure).__name__)

        task = asyncio.create_task(quietly())
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    async def close(self) -> None:
        """End what runs beside."""
        for task in list(self._beside):
            task.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)
        await self._retrying.close()

    async def _message(self, workspace: Workspace, message: Message, shared: bool) -> None:
        installation = await self._installations.of(workspace)
        if installation is None or message.user == installation.bot_user or self._is_twin(workspace, message):
            return
        if not await self._welcome(workspace, message, shared, _addressed(message, installation)):
            return
        for event in await self._interpreter.events_of(await self._said(workspace, message, installation)):
            await self._take(event)

    async def _edited(self, workspace: Workspace, edited: MessageEdit, shared: bool) -> None:
        now = edited.now
        await self._files_gone(workspace, now.channel, now.ts, now.thread, now.user, edited.gone)
        installation = await self._installations.of(workspace)
        if installation is None or now.raw == edited.before or now.user == installation.bot_user:
            return
        described = await self._said(workspace, now, installation)
        event = await self._interpreter.edited(
            described, before=events.readable_text(edited.before, bot=installation.bot_user)
        )
        if event is not None and await self._welcome(workspace, now, shared, described.addressed):
            await self._take(event)

    async def _said(self, workspace: Workspace, message: Message, installation: Installation) -> IncomingMessage:
        return IncomingMessage(
            thread=Thread(channel=await self.place(workspace, message.channel), id=message.thread),
            user=message.user,
            at=events.time_of(message.ts),
            message=message.ts,
            words=events.readable_text(message.raw, bot=installation.bot_user),
            addressed=_addressed(message, installation),
            to_others=bool(message.mentions - {installation.bot_user}),
            papers=message.pdfs,
            bibliographies=message.bibliographies,
            revision=message.revision,
            changed=events.time_of(message.revision) if message.revision else None,
        )

    async def _take(self, event: Event) -> None:
        """Hand over what a message is, with the channels that it may be answered from."""
        if isinstance(event, QuestionAsked | CommandGiven):
            event = replace(event, visible=await self.bound(event.thread.channel.workspace))
        await self.accept(event)

    async def _welcome(self, workspace: Workspace, message: Message, shared: bool, addressed: bool) -> bool:
        """Whether the bot works in this channel; where not, whoever asked is told, and nobody else."""
        if self._external or message.surface == "im":
            return True
        if not shared:
            try:
                async with asyncio.timeout(_LOOKUP_SECONDS):
                    shared = (await self._channels.info(workspace, message.channel)).external
            except (PlatformFailure, TimeoutError):
                shared = False  # the delivery itself said so, or Slack cannot be asked: then nothing is shown beyond
        key = f"{workspace.id}/{message.channel}/{message.ts}"
        if shared and addressed and key not in self._declined:  # a mention comes a second time as a message
            self._declined.remember(key, True)
            self.beside(self._tell(workspace, message.channel, message.user, message.thread, _EXTERNAL))
        return not shared

    async def _tell(self, workspace: Workspace, channel: str, user: str, thread: str, words: str) -> None:
        await self._calls(workspace, "chat.postEphemeral", channel=channel, user=user, thread_ts=thread, text=words)

    async def _tell_of_failure(self, event: Payload, team: str, words: str) -> None:
        """Tell whoever wrote to the bot why that was not taken in; talk of others is left alone."""
        workspace = Workspace(platform=NAME, id=team)
        message, installation = events.parse_event(event, team=team), await self._installations.of(workspace)
        if not isinstance(message, Message) or installation is None or message.user == installation.bot_user:
            return
        if _addressed(message, installation) or message.pdfs:
            await self._tell(workspace, message.channel, message.user, message.thread, words)

    async def _deleted(self, workspace: Workspace, gone: MessageDeletion) -> None:
        await self._files_gone(workspace, gone.channel, gone.ts, gone.thread, gone.user, gone.files)

    async def _files_gone(
        self, workspace: Workspace, channel: str, ts: str, thread: str, user: str, files: tuple[str, ...]
    ) -> None:
        if not files:
            return
        where = Thread(channel=await self.place(workspace, channel), id=thread)
        for file in files:
            await self.accept(FileRemoved(thread=where, user=user, at=datetime.now(UTC), message=ts, file_id=file))

    async def _file_gone(self, workspace: Workspace, file: str) -> None:
        """A file was deleted everywhere: every place where the library knows it."""
        channels = frozenset([channel async for channel in self._channels.every(workspace)])
        papers = await self._backend.papers(Scope(workspace=workspace, channels=channels), limit=_MOST_PAPERS)
        for share in (share for paper in papers for share in paper.shares if share.file_id == file):
            await self._files_gone(workspace, share.channel, share.message, share.message, share.user, (file,))

    async def _channel(self, workspace: Workspace, change: ChannelChange, ts: str) -> None:
        installation = await self._installations.of(workspace)
        mine = not change.member or (installation is not None and change.member == installation.bot_user)
        self._channels.changed(workspace, change.channel, "" if mine else change.member)
        if change.change == "deleted":
            closed = Channel(workspace=workspace, id=change.channel, visibility="restricted")
            await self._backend.accept(
                ChannelClosed(
                    thread=Thread(channel=closed, id=""), user="", at=datetime.now(UTC), message=f"closed-{ts}"
                )
            )

    async def _removed(self, workspace: Workspace, enterprise: str, ts: str) -> None:
        """The token is dropped at once; the papers follow after the days of grace, unless Footnote is back."""
        now = datetime.now(UTC)
        nowhere = Thread(channel=Channel(workspace=workspace, id=""), id="")
        gone = Uninstalled(thread=nowhere, user="", at=now, message=f"removed-{ts}")
        await self._backend.accept(gone, due=now + self._grace)
        await self._installations.remove(workspace.id, enterprise)
        self._channels.forget(workspace)

    def _is_twin(self, workspace: Workspace, message: Message) -> bool:
        """One gesture can come as two messages with one client id; the second is passed over."""
        if not message.client_id:
            return False
        key = f"{workspace.id}/{message.channel}/{message.client_id}"
        first = self._twins.setdefault(key, message.ts)
        self._twins.remember(key, first)
        return first != message.ts


def _addressed(message: Message, installation: Installation) -> bool:
    """Whether the bot is spoken to."""
    return message.surface == "im" or installation.bot_user in message.mentions


_PROMPTS = (
    ("What is here?", "papers"),
    ("What can you do?", "help"),
    ("Compare papers", "How do the methods of the papers here differ?"),
    ("Find a number", "Which sample sizes do the papers here report?"),
)


class AppHome:
    """Publishes what ``Backend.home`` says."""

    def __init__(self, backend: Backend, calls: WebApi, channels: Channels) -> None:
        self._backend = backend
        self._calls = calls
        self._channels = channels

    async def opened(self, workspace: Workspace, user: str, tab: str, channel: str) -> None:
        """Somebody looks at a tab of the app. Raises ``PlatformFailure``."""
        if tab == "messages":
            await self._suggest(workspace, channel)
        else:
            await self.publish(workspace, user)

    async def publish(self, workspace: Workspace, user: str) -> None:
        """Show a person's Home tab as of now; papers of private channels are shown in these alone."""
        visible = await self._channels.visible(workspace, user)
        reply = await self._backend.home(workspace, user=user, visible=visible)
        await self._calls(workspace, "views.publish", user_id=user, view=render.home(reply))

    async def _suggest(self, workspace: Workspace, channel: str) -> None:
        prompts = [{"title": title, "message": message} for title, message in _PROMPTS]
        await self._calls(workspace, "assistant.threads.setSuggestedPrompts", channel_id=channel, prompts=prompts)
