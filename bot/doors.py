"""What the process needs of the engine's doors to groups and records, as protocols; beside ``bot.assistant``."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from core.domain.channel_settings import ChannelSettings
from core.domain.groups import Brief, Club, ClubQuestion, Digest, Due, Reminder
from core.domain.model import Channel, Paper, Scope, Thread
from core.domain.records import (
    BibliographyFormat,
    CitedHere,
    Imported,
    PageShown,
    PaperList,
    ReadingStatus,
    Related,
    RelatedWork,
    Remark,
)
from core.domain.reply import Attachment


class Plan(Protocol):
    """A channel's digest as it is set, and when it comes next."""

    @property
    def settings(self) -> ChannelSettings:
        """What the channel has set."""

    @property
    def next_at(self) -> datetime | None:
        """None: never."""


class Groups(Protocol):
    """``core.services.groups.Groups``, or what stands in for it."""

    async def due(self) -> Sequence[Due]:
        """Digests and reminders that are to be posted now, in all workspaces."""

    async def digest(self, channel: Channel, period: str) -> Digest | None:
        """The digest of a period that is due; None where there is nothing to tell."""

    async def preview(self, channel: Channel) -> Digest:
        """What the channel's digest would be now."""

    async def schedule(self, channel: Channel, text: str, zone: str, *, user: str) -> Plan:
        """Set when the digest comes. Raises ``SettingsInvalid``."""

    async def plan(self, channel: Channel) -> Plan:
        """When the digest comes."""

    async def meet(self, thread: Thread, scope: Scope, paper_id: str, when: str, *, user: str) -> Brief:
        """Plan a meeting on a paper, and its brief. Raises ``NotADate`` or ``NotInScope``."""

    async def clubs(self, channel: Channel) -> Sequence[Club]:
        """Meetings to come, soonest first."""

    async def ask(self, thread: Thread, question: str, *, user: str) -> Sequence[ClubQuestion]:
        """Keep what a member wants to talk about. Raises ``NotInScope``."""

    async def cancel(self, thread: Thread) -> Club:
        """Call off the thread's meeting. Raises ``NotInScope``."""

    async def reminder(self, channel: Channel, number: int) -> Reminder | None:
        """What is said before a meeting; None where it is over or was called off."""


class Records(Protocol):
    """``core.services.records.Records``, or what stands in for it."""

    async def shelf(self, scope: Scope, words: str = "", *, page: int = 1, per_page: int = 15) -> PaperList:
        """One page of the papers in scope, at most ``per_page`` of them."""

    async def tag(self, channel: Channel, scope: Scope, paper_id: str, tag: str, *, user: str) -> None:
        """Put a tag on a paper."""

    async def untag(self, channel: Channel, scope: Scope, paper_id: str, tag: str) -> bool:
        """Take a tag off."""

    async def read(self, channel: Channel, scope: Scope, paper_id: str, status: ReadingStatus, *, user: str) -> None:
        """Note how far somebody is with a paper."""

    async def related(self, scope: Scope, paper_id: str) -> Related:
        """A paper among the others."""

    async def citations(self, scope: Scope) -> Sequence[CitedHere]:
        """What cites what among the papers of a scope."""

    async def cited_in(self, thread: Thread, scope: Scope) -> Sequence[Paper]:
        """The papers that a thread's answers cite."""

    async def bibliography(self, scope: Scope, paper_ids: Sequence[str], form: BibliographyFormat) -> Attachment:
        """A file of these papers. Raises ``NotInScope``."""

    async def related_work(self, scope: Scope, topic: str = "") -> RelatedWork:
        """A paragraph in the papers' own words."""

    async def thread_file(self, thread: Thread, scope: Scope) -> Attachment:
        """The thread as Markdown. Raises ``NotInScope``."""

    async def tables(self, scope: Scope, paper_id: str, label: str = "") -> Sequence[Attachment]:
        """A paper's own tables as CSV. Raises ``NotInScope``."""

    async def take_in(
        self, scope: Scope, data: bytes, *, user: str, overwrite: frozenset[str] = frozenset()
    ) -> Imported:
        """Fill what is not known from a bibliography. Raises ``NotABibliography``."""

    async def pages(self, thread: Thread, scope: Scope, trace_id: str, marker: int) -> Sequence[PageShown]:
        """The pages of a footnote. Raises ``NotInScope``."""

    async def remarks(self, scope: Scope, question: str) -> Sequence[Remark]:
        """What readers corrected in earlier answers to the same question."""

    async def keep_private(self, thread: Thread, trace_id: str) -> None:
        """An answer was given to its asker alone."""

    async def is_private(self, thread: Thread, trace_id: str) -> bool:
        """Whether an answer was given to its asker alone."""

    async def publish(self, thread: Thread, trace_id: str) -> None:
        """The asker shared such an answer."""
