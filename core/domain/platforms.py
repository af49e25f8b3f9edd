"""The seam between the process and the chat platforms, in both directions.

A platform offers ``ChatPlatform`` and is handed a ``Backend``: durable work goes in by ``Backend.accept``, what has to
be there at once (autocompletion, a form, a picture) is asked of the backend and never waits behind other work.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from core.domain.channel_settings import ChannelSettings
from core.domain.events import Event, PdfShared
from core.domain.model import Box, Channel, Paper, Scope, SharedFile, Thread, Workspace
from core.domain.progress import Progress
from core.domain.reply import Form, Reply

WhoMay: TypeAlias = Literal["anyone", "sharer", "manager"]
"""Who may change something by a command: anyone, whoever shared the paper and managers, or managers of the channel."""
Posted: TypeAlias = Callable[[str], Awaitable[None]]
"""Called with the id of the first message that a platform posts for a job, before it streams into it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandWords:
    """How a command is written and what it does: all that a platform knows of it.

    ``public``: the channel sees the result, not only whoever gave the command. ``takes_paper``: the first argument
    names a paper. ``takes_text``: words behind the name belong to the command even without a slash ("compare 1 and
    2"), where for others such a message is a question ("papers about bees"). ``takes_file``: a file comes with it.
    """

    usage: str
    does: str
    aliases: tuple[str, ...] = ()
    public: bool = False
    takes_paper: bool = False
    takes_text: bool = False
    takes_file: bool = False
    who_may: WhoMay = "anyone"

    @property
    def name(self) -> str:
        """The first word of its usage."""
        return self.usage.split()[0]

    @property
    def takes(self) -> str:
        """What may stand behind the name, or empty."""
        return self.usage.removeprefix(self.name).strip()


class Backend(Protocol):
    """What the process does for a platform at once."""

    @property
    def commands(self) -> Mapping[str, CommandWords]:
        """Every command that a person can give, by name."""

    async def accept(self, event: Event, *, due: datetime | None = None) -> bool:
        """Keep ``event`` as a durable job, done when ``due``; False where it is known. Raises ``LibraryFailure``."""

    async def papers(self, scope: Scope, *, words: str = "", limit: int = 25) -> Sequence[Paper]:
        """At most ``limit`` papers in scope, newest first, or those that ``words`` may mean, likeliest first."""

    async def choices(self, name: str, words: str, *, scope: Scope) -> Sequence[str]:
        """What may be written behind the command ``name`` once ``words`` stand there; at most 25."""

    async def settings(self, channel: Channel) -> ChannelSettings:
        """What a channel has set for itself."""

    async def form(self, action: str, value: str, *, thread: Thread, scope: Scope, user: str) -> Form | None:
        """The form that a button or command opens; None where it opens none and an event is to be accepted."""

    async def page(self, scope: Scope, paper_id: str, page: int, boxes: Sequence[Box] = ()) -> bytes:
        """PNG of a page with boxes marked. Raises ``NotInScope``."""

    async def home(self, workspace: Workspace, *, user: str, visible: frozenset[str]) -> Reply:
        """What a person sees before asking anything: the library, what is being read, how to begin."""

    async def answers(self, thread: Thread, words: str, *, addressed: bool, to_others: bool) -> bool:
        """Whether a message is a question to the bot.

        ``addressed``: it mentions the bot or is a direct message; ``to_others``: it mentions another person.
        """

    async def stop(self, thread: Thread, *, user: str) -> bool:
        """Stop the answer that runs in this thread; False where none runs."""


class ChatPlatform(Protocol):
    """Slack, Discord, the local page or the terminal.

    A thread with an empty id is the channel itself: what is sent there begins a message of its own.
    """

    @property
    def name(self) -> str:
        """The first half of every workspace key."""

    def listening(self, backend: Backend) -> AbstractAsyncContextManager[None]:
        """Connected while open; events go to ``backend``.

        Entering raises ``PlatformFailure`` or ``SettingsInvalid``.
        """

    async def download(self, file: SharedFile, to: Path, *, limit: int) -> None:
        """Write the file to ``to``, at most ``limit`` bytes. Raises ``PlatformFailure`` or ``TooLarge``."""

    async def send(self, thread: Thread, reply: Reply, *, key: str) -> str:
        """Post or replace; returns the message id. ``key`` lets the platform recognise a repeated send."""

    async def react(self, thread: Thread, message: str, sign: str) -> None:
        """A small sign on a message: ``seen``, ``done`` or ``failed``."""

    def progress(self, thread: Thread, *, key: str, reply_id: str, posted: Posted) -> Progress:
        """Where the signs of life of one job go: continues message ``reply_id``, or tells ``posted`` its new one."""

    async def visible_channels(self, workspace: Workspace, user: str) -> frozenset[str]:
        """Ids of the open channels that this user may see now."""

    async def channel(self, workspace: Workspace, channel_id: str) -> Channel:
        """A channel with its visibility as of now."""

    async def installed(self, workspace: Workspace) -> bool:
        """Whether the platform still lets Footnote into this workspace."""

    async def may_manage(self, channel: Channel, user: str) -> bool:
        """Whether this user may change a channel's settings and remove what others shared there."""

    def earlier_files(self, channel: Channel) -> AsyncIterator[PdfShared]:
        """PDFs that lie in the channel already, oldest first, as fast as the platform allows."""

    async def link(self, thread: Thread, message: str = "") -> str:
        """The address of a thread or of a message in it, or empty where there is none."""

    async def name_of(self, workspace: Workspace, user: str) -> str:
        """What a person is called, as plain text that notifies nobody."""
