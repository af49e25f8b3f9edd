"""Slack as a ``ChatPlatform``: puts the rooms of this package together and offers what the process asks of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from adapters.common.conversations import Conversations, Recent, conversation_key
from adapters.common.download import allow_hosts, fetch_pdf, fetch_text
from adapters.slack import connection
from adapters.slack.channels import Channels
from adapters.slack.delivery import Delivery, is_private, root_of
from adapters.slack.events import is_timestamp
from adapters.slack.history import earlier_files
from adapters.slack.installations import NAME, Installations, ManyWorkspaces, OneWorkspace
from adapters.slack.interactions import Interactions
from adapters.slack.message_listener import MessageListener
from adapters.slack.payload import part_of, pdf_of, text_of
from adapters.slack.settings import SlackSettings
from adapters.slack.streaming import Abilities, Job, StreamedReply
from adapters.slack.web_api import SlackRefused, WebApi
from core.domain.errors import PaperRejected, PlatformFailure
from core.domain.events import PdfShared
from core.domain.model import Channel, SharedFile, Thread, Workspace
from core.domain.platforms import Backend, Posted
from core.domain.progress import NoProgress, Progress
from core.domain.records import BIBLIOGRAPHY
from core.domain.reply import Reply

_SIGNS = {"seen": "eyes", "done": "white_check_mark", "failed": "warning"}


class SlackPlatform:
    """All of Slack; ``data`` is the folder in which installations are kept."""

    def __init__(self, settings: SlackSettings, data: Path) -> None:
        self._settings = settings
        self._one = OneWorkspace(settings.bot_token)
        self._many = ManyWorkspaces(data / "slack.db", settings.token_key) if settings.many else None
        self._installations: Installations = self._many or self._one
        self._calls = WebApi(self._installations, api_url=settings.api_url)
        self._channels = Channels(self._calls)
        self._posts = Delivery(self._calls, self._installations)
        self._abilities = Abilities()
        self._talk = Conversations()
        self._labels: Recent[str] = Recent()
        self._streams: dict[str, StreamedReply] = {}

    @property
    def name(self) -> str:
        """The first half of every workspace key."""
        return NAME

    @asynccontextmanager
    async def listening(self, backend: Backend) -> AsyncIterator[None]:
        """Connected while open. Raises ``SettingsInvalid`` or ``PlatformFailure`` in words that say what to mend."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._calls)
            if self._many is None:
                self._one.known(await connection.identify_token(self._calls, self._settings.bot_token))
            listener = MessageListener(
                backend,
                self._calls,
                self._installations,
                self._channels,
                self._posts,
                self._talk,
                self._labels,
                external=self._settings.external,
                grace=timedelta(days=self._settings.grace_days),
            )
            stack.push_async_callback(listener.close)
            interactions = Interactions(backend, self._calls, self._installations, self._channels, listener)
            for installation in await self._installations.all():
                if installation.team:
                    listener.beside(self._learn(Workspace(platform=NAME, id=installation.team)))
            await stack.enter_async_context(
                connection.connect(self._settings, self._calls, self._installations, listener, interactions)
            )
            yield

    async def download(self, file: SharedFile, to: Path, *, limit: int) -> None:
        """Fetch a file with the workspace's token, from Slack's own hosts alone."""
        team, _, url = file.locator.partition(" ")
        workspace = Workspace(platform=NAME, id=team)
        if not url:
            url = await self._address(workspace, file)
        host = urlsplit(self._settings.api_url).hostname or ""
        headers = {"Authorization": f"Bearer {await self._installations.token(workspace)}"}
        fetch = fetch_text if file.mime == BIBLIOGRAPHY else fetch_pdf
        await fetch(url, to, limit=limit, allowed=allow_hosts(host), platform="Slack", headers=headers)

    async def send(self, thread: Thread, reply: Reply, *, key: str) -> str:
        """Post the reply, or put it in the place of what was shown of it; exactly once whatever happened before."""
        growing = self._streams.pop(key, None)
        if growing is not None:
            await growing.end()
        id_ = await self._posts.send(thread, reply, key=key)
        if root_of(thread):
            self._talk.answered(conversation_key(thread))
        return id_

    async def react(self, thread: Thread, message: str, sign: str) -> None:
        """Put a sign on a message; the first one makes room for the last."""
        name = _SIGNS.get(sign)
        if name is None or not is_timestamp(message):
            return
        where = {"channel": thread.channel.id, "timestamp": message}
        workspace = thread.channel.workspace
        with suppress(SlackRefused):  # there already, or the message is gone
            await self._calls(workspace, "reactions.add", name=name, **where)
        if sign != "seen":
            with suppress(SlackRefused):
                await self._calls(workspace, "reactions.remove", name=_SIGNS["seen"], **where)

    def progress(self, thread: Thread, *, key: str, reply_id: str, posted: Posted) -> Progress:
        """The growing message of a job; nothing is shown of what only one person is to read."""
        if is_private(thread, key):
            return NoProgress()
        word = self._labels.get(key, "")
        is_paper = key.startswith("pdf:")
        job = Job(thread=thread, key=key, asker="" if is_paper else word, label=word if is_paper else "")
        growing = StreamedReply(
            self._calls, self._posts, job, reply_id=reply_id, posted=posted, abilities=self._abilities
        )
        self._streams[key] = growing
        return growing

    async def visible_channels(self, workspace: Workspace, user: str) -> frozenset[str]:
        """Open channels that this person may see now, among those that the bot is in."""
        return await self._channels.visible(workspace, user)

    async def channel(self, workspace: Workspace, channel_id: str) -> Channel:
        """A channel with its visibility as of now."""
        return await self._channels.channel(workspace, channel_id)

    async def installed(self, workspace: Workspace) -> bool:
        """Whether there is a token for this workspace."""
        return await self._installations.of(workspace) is not None

    async def may_manage(self, channel: Channel, user: str) -> bool:
        """Administrators, owners and whoever made the channel; in a direct conversation its person."""
        if channel.id.startswith("D"):
            return True
        person = await self._channels.person(channel.workspace, user)
        if person.outside:
            return False
        return person.manages or (await self._channels.info(channel.workspace, channel.id)).creator == user

    def earlier_files(self, channel: Channel) -> AsyncIterator[PdfShared]:
        """PDFs of the channel, oldest first, within Slack's rate limits."""
        return earlier_files(self._calls, channel)

    async def link(self, thread: Thread, message: str = "") -> str:
        """A permanent link to a message, or to the thread's first one."""
        ts = message if is_timestamp(message) else root_of(thread)
        if not ts:
            return ""
        try:
            answer = await self._calls(
                thread.channel.workspace, "chat.getPermalink", channel=thread.channel.id, message_ts=ts
            )
        except PlatformFailure:
            return ""
        return text_of(answer, "permalink")

    async def name_of(self, workspace: Workspace, user: str) -> str:
        """What a person is called; their id where Slack does not say."""
        try:
            return (await self._channels.person(workspace, user)).name
        except PlatformFailure:
            return user

    async def _address(self, workspace: Workspace, file: SharedFile) -> str:
        """The address of a file that was announced without one (shared from another organisation)."""
        answer = await self._calls(workspace, "files.info", file=file.id)
        pdf = pdf_of(part_of(answer, "file"), team=workspace.id)
        if pdf is None:
            raise PaperRejected("The shared file is not a PDF, or is no longer there.")
        url = pdf.locator.partition(" ")[2]
        if not url:
            raise PaperRejected("Slack does not let Footnote read this file, which another organisation shared.")
        return url

    async def _learn(self, workspace: Workspace) -> None:
        """Ask for the open channels before the first question needs them."""
        await asyncio.wait_for(self._channels.open_to_bot(workspace), timeout=60)
