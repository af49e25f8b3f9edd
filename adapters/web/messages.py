"""What the page keeps of a conversation, and the events that a reader's messages become.

Replies are kept as the domain's own values and put into the page's words only when they are looked at (``view``), so
that a newer page shows older conversations too. Events are made from messages alone, so that a restart makes the same
event again.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, TypeAlias

from adapters.common.progress import reply_key
from core.domain.events import CommandGiven, Event, PdfShared, QuestionAsked, QuestionEdited, RequestFields
from core.domain.model import Channel, Citation, Sentence, SharedFile, Thread, Visibility, Workspace
from core.domain.reply import Reply

By: TypeAlias = Literal["reader", "footnote"]
State: TypeAlias = Literal["working", "done", "failed", "withdrawn"]
FileState: TypeAlias = Literal["waiting", "read", "known", "refused", "removed"]

WITHDRAWN = (
    "Withdrawn: a paper that this showed has been forgotten since. "
    "Ask again, or give the command again, to see what is left."
)
WITHDRAWN_WORDS = "Withdrawn: this named a paper that has been forgotten since."


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChannel:
    """A channel of the page: its name, and whether what is shared there stays there."""

    id: str
    name: str
    visibility: Visibility = "open"

    def in_workspace(self, workspace: Workspace) -> Channel:
        """The same as the rest of Footnote knows it."""
        return Channel(workspace=workspace, id=self.id, visibility=self.visibility)


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedFile:
    """A file that a reader dropped. ``words`` say why it was refused; ``paper`` is the id of what it became."""

    id: str
    name: str
    size: int
    state: FileState = "waiting"
    words: str = ""
    paper: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. ``thread`` is the id of the thread's first message; ``key`` names the job that a reply is of.

    ``words`` is a command as it was given, where ``text`` shows it in other words; ``asked`` limits a question
    to papers. While a reply is worked on it has the ``sentences`` verified so far with their ``citations``; once it is
    done it has ``reply``, whose files hold no bytes here (they lie beside it). ``revision`` grows with every
    change of any message.
    """

    id: str
    channel: str
    thread: str
    by: By
    at: datetime
    state: State = "done"
    text: str = ""
    words: str = ""
    asked: frozenset[str] = frozenset()
    files: tuple[DroppedFile, ...] = ()
    key: str = ""
    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    reply: Reply | None = None
    revision: int = field(default=0, compare=False)

    @property
    def is_command(self) -> bool:
        """Whether a reader gave a command; files with it are for the command and are no papers."""
        return (self.words or self.text).startswith("/")

    @property
    def papers(self) -> frozenset[str]:
        """Ids of all papers whose words it holds."""
        dropped = {file.paper for file in self.files} - {""}
        cited = {citation.paper_id for citation in self.citations}
        if self.reply is None:
            return self.asked | cited | dropped
        noted = {note.paper.id for note in self.reply.footnotes}
        return self.reply.papers | self.asked | cited | noted | dropped


def with_files(message: Message, files: tuple[DroppedFile, ...]) -> Message:
    """The message with these files; it is done when none of them waits any more."""
    waits = any(file.state == "waiting" for file in files)
    return replace(message, files=files, state="working" if waits else "done")


def with_changed_file(message: Message, file: str, *, state: FileState, paper: str = "") -> Message:
    """The message where the file with the id ``file`` is in another state, and has become ``paper``."""
    files = (
        replace(known, state=state, paper=paper or known.paper) if known.id == file else known
        for known in message.files
    )
    return with_files(message, tuple(files))


def reply_id(key: str) -> str:
    """The id of the message that answers the job ``key``: the same each time, so that sending twice shows once.

    A question that was worded anew is answered where it was answered first.
    """
    return f"r-{hashlib.sha256(reply_key(key).encode()).hexdigest()[:20]}"


READER = "you"
MOST_CHARACTERS = 8_000


def thread_of(message: Message, channel: PageChannel, workspace: Workspace) -> Thread:
    """The thread that a message stands in."""
    return Thread(channel=channel.in_workspace(workspace), id=message.thread)


def event_of(message: Message, channel: PageChannel, workspace: Workspace, *, visible: frozenset[str]) -> Event:
    """The question or command that a reader wrote; what begins with a stroke is a command."""
    text = (message.words or message.text).strip()
    thread = thread_of(message, channel, workspace)
    request = RequestFields(thread=thread, user=READER, at=message.at, message=message.id, visible=visible)
    name, _, words = text[1:].partition(" ")
    if text.startswith("/") and name:
        files = tuple(_file(file) for file in message.files)
        return CommandGiven(**request, name=name.lower(), words=words.strip(), files=files)
    return QuestionAsked(**request, text=text, papers=message.asked)


def question_edit(question: QuestionAsked, *, revision: str) -> QuestionEdited:
    """The same question as another wording of what was asked before."""
    parts = {name: getattr(question, name) for name in ("thread", "user", "at", "message", "text", "visible", "papers")}
    return QuestionEdited(**parts, revision=revision)


def pdf_shared(message: Message, file: DroppedFile, channel: PageChannel, workspace: Workspace) -> PdfShared:
    """A dropped file."""
    return PdfShared(
        thread=thread_of(message, channel, workspace),
        user=READER,
        at=message.at,
        message=message.id,
        file=_file(file),
    )


def _file(file: DroppedFile) -> SharedFile:
    mime = "application/pdf" if file.name.lower().endswith(".pdf") else "application/octet-stream"
    return SharedFile(id=file.id, name=file.name, mime=mime, size=file.size, locator=file.id)


def file_name(path: str) -> str:
    """A file's name as it is shown and kept: the last part of a path, without signs that no name should have."""
    last = path.replace("\\", "/").rsplit("/", 1)[-1]
    words = "".join(char for char in last if char.isprintable()).strip()
    return words[:200] or "paper.pdf"


def channel_id(name: str, taken: Sequence[str]) -> str:
    """A short id made of a channel's name, unlike those that are taken."""
    plain = "-".join("".join(char if char.isalnum() else " " for char in name.casefold()).split())[:40] or "channel"
    id_, count = plain, 2
    while id_ in taken:
        id_, count = f"{plain}-{count}", count + 1
    return id_
