"""What can happen in a workspace, as the platforms report it and the worker takes it up.

``key`` makes redelivery harmless: an event with a known key is dropped. ``lock`` orders the work: two
jobs with the same lock never run side by side.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from core.domain.model import Audience, SharedFile, Thread


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
class QuestionAsked(_Happened):
    """Somebody asked. ``visible`` are the ids of the open channels that the asker may see.

    ``papers`` limits the question to those papers (empty: all); ``audience`` says who is to read the answer.
    """

    text: str
    visible: frozenset[str] = frozenset()
    papers: frozenset[str] = frozenset()
    audience: Audience = "thread"

    @property
    def key(self) -> str:
        """A message's twins (mention and message) share one."""
        return f"ask:{self._place}"

    @property
    def lock(self) -> str:
        """One thread keeps its order; threads run side by side."""
        return self._conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEdited(QuestionAsked):
    """A question just asked was changed; it is answered anew in place of the first answer."""

    revision: str

    @property
    def key(self) -> str:
        """Each edit has its own."""
        return f"edit:{self._place}/{self.revision}"

    @property
    def first_key(self) -> str:
        """The key of the question as it was first asked, whose answer is replaced."""
        return f"ask:{self._place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandGiven(_Happened):
    """A command in words: ``name`` of the command table, the rest of the line, files that came with it."""

    name: str
    words: str = ""
    files: tuple[SharedFile, ...] = ()
    visible: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """One command of one message."""
        return f"command:{self._place}/{self.name}"

    @property
    def lock(self) -> str:
        """The thread's, like a question's."""
        return self._conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPressed(_Happened):
    """A button under one of the bot's messages was pressed; ``press`` is the platform's id of that press."""

    action: str
    value: str
    press: str
    visible: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """Each press has its own."""
        return f"press:{self._place}/{self.press}"

    @property
    def lock(self) -> str:
        """The thread's, like a question's."""
        return self._conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class FormSent(_Happened):
    """A form was filled in; ``form`` and ``value`` are those it was opened with."""

    form: str
    value: str
    press: str
    fields: Mapping[str, str] = field(default_factory=dict)
    visible: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """Each sending has its own."""
        return f"form:{self._place}/{self.press}"

    @property
    def lock(self) -> str:
        """The thread's, like a question's."""
        return self._conversation


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
