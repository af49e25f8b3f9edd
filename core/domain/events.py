"""What can happen in a workspace, as the platforms report it and the worker takes it up.

``key`` makes redelivery harmless: an event with a known key is dropped. ``lock`` orders the work: two
jobs with the same lock never run side by side.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, TypeAlias, TypedDict

from core.domain.model import Audience, SharedFile, Thread

ANSWERED_IN_PLACE = timedelta(hours=1)
"""How long after it was asked a changed question still gets its answer in the place of the first one."""
_ON_PAPERS = frozenset("bibliography compare export extract journal page related review summarise summarize".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Happened:
    thread: Thread
    user: str
    at: datetime
    message: str

    @property
    def _place(self) -> str:
        return f"{self.thread.channel.workspace.key}/{self.thread.channel.id}/{self.message}"

    @property
    def _conversation(self) -> str:
        return f"thread:{self.thread.channel.workspace.key}/{self.thread.key}"

    @property
    def reads(self) -> str:
        """The conversation whose papers this is about: what is asked there waits for them. Empty where none matter."""
        return ""


class RequestFields(TypedDict):
    """What everything that a person wants has: where, who, when, by which message, and what that person may see."""

    thread: Thread
    user: str
    at: datetime
    message: str
    visible: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked(_Happened):
    """Something that a person wants. ``visible`` are the ids of the open channels that this person may see."""

    visible: frozenset[str] = frozenset()

    @property
    def lock(self) -> str:
        """One thread keeps its order; threads run side by side."""
        return self._conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfShared(_Happened):
    """A PDF was dropped into a channel."""

    file: SharedFile

    @property
    def key(self) -> str:
        """One share of one file in one message."""
        return f"pdf:{self._place}/{self.file.id}"

    @property
    def lock(self) -> str:
        """The file's own, so that one long scan holds up no other paper."""
        return f"file:{self.thread.channel.workspace.key}/{self.file.id}"

    @property
    def reads(self) -> str:
        """The conversation that it was dropped into."""
        return self._conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRemoved(_Happened):
    """A shared file, or the message that carried it, was deleted."""

    file_id: str

    @property
    def key(self) -> str:
        """One removal of one file from one place."""
        return f"gone:{self._place}/{self.file_id}"

    @property
    def lock(self) -> str:
        """The same as the file's reading, so that removal waits for it."""
        return f"file:{self.thread.channel.workspace.key}/{self.file_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(_Asked):
    """Somebody asked.

    ``papers`` limits the question to those papers (empty: all); ``audience`` says who is to read the answer.
    """

    text: str
    papers: frozenset[str] = frozenset()
    audience: Audience = "thread"

    @property
    def key(self) -> str:
        """A message's twins (mention and message) share one."""
        return f"ask:{self._place}"

    @property
    def reads(self) -> str:
        """Its own conversation."""
        return self._conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEdited(QuestionAsked):
    """A question reads otherwise since ``changed`` and is answered anew.

    Soon after it was asked the new answer takes the place of the first. Later, people have read that one and may
    have gone on from it: it stays, and the new one comes beneath. Of the revisions of one question the greater number
    is the later one; where they are no numbers, edits come in order.
    """

    revision: str
    changed: datetime | None = None

    @property
    def in_place(self) -> bool:
        """Whether its answer takes the place of the first one."""
        return self.changed is None or self.changed - self.at <= ANSWERED_IN_PLACE

    @property
    def key(self) -> str:
        """Each edit has its own."""
        return f"{'edit' if self.in_place else 'again'}:{self._place}/{self.revision}"

    @property
    def first_key(self) -> str:
        """The key of the question as it was first asked."""
        return f"ask:{self._place}"

    def beside(self, key: str) -> Literal["earlier", "later", "unknown"]:
        """What the edit ``key`` of this question is to this one: a platform may deliver them out of order."""
        try:
            other, own = float(key.rpartition("/")[2]), float(self.revision)
        except ValueError:
            return "unknown"
        return "earlier" if other < own else "later" if other > own else "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandGiven(_Asked):
    """A command in words: ``name`` of the command table, the rest of the line, files that came with it."""

    name: str
    words: str = ""
    files: tuple[SharedFile, ...] = ()

    @property
    def key(self) -> str:
        """One command of one message."""
        return f"command:{self._place}/{self.name}"

    @property
    def reads(self) -> str:
        """Its own conversation, where papers are what the command is about."""
        return self._conversation if self.name in _ON_PAPERS else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPressed(_Asked):
    """A button under one of the bot's messages was pressed; ``press`` is the platform's id of that press."""

    action: str
    value: str
    press: str

    @property
    def key(self) -> str:
        """Each press has its own."""
        return f"press:{self._place}/{self.press}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormSent(_Asked):
    """A form was filled in; ``form`` and ``value`` are those it was opened with."""

    form: str
    value: str
    press: str
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Each sending has its own."""
        return f"form:{self._place}/{self.press}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestDue(_Happened):
    """The clock says that a channel's digest (or reminder) ``name`` is due for ``period``."""

    name: str
    period: str

    @property
    def _subject(self) -> str:
        return f"{self.thread.channel.workspace.key}/{self.thread.channel.id}/{self.name}"

    @property
    def key(self) -> str:
        """One a period, whoever notices that it is due."""
        return f"digest:{self._subject}/{self.period}"

    @property
    def lock(self) -> str:
        """Digests of one name come in order."""
        return f"digest:{self._subject}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelClosed(_Happened):
    """A channel is gone for good: what was shared there is shared there no more."""

    @property
    def key(self) -> str:
        """One closing of one channel, told by one message of the platform."""
        return f"closed:{self._place}"

    @property
    def lock(self) -> str:
        """The channel's own."""
        return f"channel:{self.thread.channel.workspace.key}/{self.thread.channel.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Uninstalled(_Happened):
    """A workspace took Footnote out; everything of it goes, unless it is back when this falls due."""

    @property
    def key(self) -> str:
        """One removal, told by one message of the platform."""
        return f"uninstalled:{self._place}"

    @property
    def lock(self) -> str:
        """The workspace's own."""
        return f"workspace:{self.thread.channel.workspace.key}"


Event: TypeAlias = (
    PdfShared
    | FileRemoved
    | QuestionAsked
    | QuestionEdited
    | CommandGiven
    | ButtonPressed
    | FormSent
    | DigestDue
    | ChannelClosed
    | Uninstalled
)
