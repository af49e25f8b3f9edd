"""What a reader's message means: the event that it becomes. Pure, so that a restart makes the same event anew."""

from collections.abc import Sequence

from adapters.web.messages import Dropped, Message, Place
from core.domain.events import CommandGiven, Event, PdfShared, QuestionAsked, QuestionEdited
from core.domain.model import SharedFile, Thread, Workspace

READER = "you"
MOST_CHARACTERS = 8_000


def thread_of(message: Message, place: Place, workspace: Workspace) -> Thread:
    """The thread that a message stands in."""
    return Thread(channel=place.in_workspace(workspace), id=message.thread)


def event_of(message: Message, place: Place, workspace: Workspace, *, visible: frozenset[str]) -> Event:
    """The question or command that a reader wrote; what begins with a stroke is a command."""
    said = (message.words or message.text).strip()
    thread = thread_of(message, place, workspace)
    name, _, rest = said[1:].partition(" ")
    if said.startswith("/") and name:
        return CommandGiven(
            thread=thread,
            user=READER,
            at=message.at,
            message=message.id,
            name=name.lower(),
            words=rest.strip(),
            files=tuple(_file(one) for one in message.files),
            visible=visible,
        )
    return QuestionAsked(
        thread=thread,
        user=READER,
        at=message.at,
        message=message.id,
        text=said,
        visible=visible,
        papers=message.asked,
    )


def edited(question: QuestionAsked, *, revision: str) -> QuestionEdited:
    """The same question as another wording of what was asked before."""
    parts = {name: getattr(question, name) for name in ("thread", "user", "at", "message", "text", "visible", "papers")}
    return QuestionEdited(**parts, revision=revision)


def shared(message: Message, file: Dropped, place: Place, workspace: Workspace) -> PdfShared:
    """A dropped file."""
    return PdfShared(
        thread=thread_of(message, place, workspace),
        user=READER,
        at=message.at,
        message=message.id,
        file=_file(file),
    )


def _file(file: Dropped) -> SharedFile:
    mime = "application/pdf" if file.name.lower().endswith(".pdf") else "application/octet-stream"
    return SharedFile(id=file.id, name=file.name, mime=mime, size=file.size, locator=file.id)


def file_name(given: str) -> str:
    """A file's name as it is shown and kept: the last part of a path, without signs that no name should have."""
    last = given.replace("\\", "/").rsplit("/", 1)[-1]
    words = "".join(sign for sign in last if sign.isprintable()).strip()
    return words[:200] or "paper.pdf"


def channel_id(name: str, taken: Sequence[str]) -> str:
    """A short id made of a channel's name, unlike those that are taken."""
    plain = "-".join("".join(sign if sign.isalnum() else " " for sign in name.casefold()).split())[:40] or "channel"
    wanted, count = plain, 2
    while wanted in taken:
        wanted, count = f"{plain}-{count}", count + 1
    return wanted
