"""From what Discord told to what happened: messages, their edits and removals become events. Pure.

``Note`` is what matters of a message, whichever way it came (a new message, one found after a time without
connection, one picked from a menu); nothing here asks Discord anything.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from adapters.common.message_events import IncomingMessage
from adapters.discord.ids import Location, message_id
from core.domain.events import FileRemoved, PdfShared
from core.domain.model import SharedFile, Thread
from core.domain.records import BIBLIOGRAPHY, may_be_bibliography

_MENTION = re.compile(r"<(?P<kind>@[!&]?|#)(?P<id>\d+)>")
_EMOJI = re.compile(r"<a?(?P<name>:\w+:)\d+>")
_SPACE = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """An attachment as Discord describes it."""

    id: str
    name: str
    mime: str
    size: int
    url: str

    @property
    def is_pdf(self) -> bool:
        """By what Discord or its name says; the bytes are looked at when it is fetched."""
        return self.mime.split(";")[0].strip() == "application/pdf" or self.name.lower().endswith(".pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedMessage:
    """A message. ``root`` is the message whose conversation it goes on with: its own id, or what it replies to.

    ``names`` has the names of who and what is mentioned, by id; ``to_others`` says that another person or bot is
    spoken to; ``edited`` when it was changed; ``visible`` are the open channels that the author may see.
    """

    location: Location
    id: str
    author: str
    at: datetime
    text: str = ""
    root: str = ""
    bot: str = ""
    mentions_bot: bool = False
    to_others: bool = False
    files: tuple[File, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    edited: datetime | None = None
    visible: frozenset[str] = frozenset()

    @property
    def message(self) -> str:
        """Its id with its place."""
        return message_id(self.location.where, self.id)

    @property
    def thread(self) -> Thread:
        """Where the answer goes."""
        return self.location.thread(self.root or self.id)

    @property
    def addressed(self) -> bool:
        """Whether the bot is spoken to."""
        return self.mentions_bot or not self.location.guild


def shared_pdfs(note: ReceivedMessage) -> tuple[PdfShared, ...]:
    """One event for each PDF that the message carries."""
    return pdfs_of_command(note.files, thread=note.thread, user=note.author, at=note.at, message=note.message)


def incoming_message(note: ReceivedMessage) -> IncomingMessage:
    """The message as every platform tells of one."""
    return IncomingMessage(
        thread=note.thread,
        user=note.author,
        at=note.at,
        message=note.message,
        words=words_of(note),
        addressed=note.addressed,
        to_others=note.to_others,
        papers=tuple(_pdfs(note.location.where, note.id, note.files)),
        bibliographies=bibliographies(
            (file for file in note.files if may_be_bibliography(file.name)), message=note.message
        ),
        revision=str(int(note.edited.timestamp() * 1000)) if note.edited is not None else "",
        changed=note.edited,
    )


def pdfs_of_command(
    files: Iterable[File], *, thread: Thread, user: str, at: datetime, message: str
) -> tuple[PdfShared, ...]:
    """One event for each PDF that came with a command; ``message`` is the bot's own that stands for them."""
    where, _, id_ = message.partition("-")
    return tuple(
        PdfShared(thread=thread, user=user, at=at, message=message, file=file) for file in _pdfs(where, id_, files)
    )


def bibliographies(files: Iterable[File], *, message: str) -> tuple[SharedFile, ...]:
    """Files to fill metadata from; what they hold is for their reader to say."""
    where, _, id_ = message.partition("-")
    return tuple(_shared(where, id_, file, BIBLIOGRAPHY) for file in files)


def words_of(note: ReceivedMessage) -> str:
    """What the message says without the mention of the bot; other mentions are names."""
    return _SPACE.sub(" ", _readable_text(note)).strip()


def removals(location: Location, id_: str, *, files: Iterable[str], user: str, at: datetime) -> tuple[FileRemoved, ...]:
    """The removal of each of ``files`` from a message; an empty file id stands for whatever it carried."""
    return tuple(
        FileRemoved(
            thread=location.thread(id_),
            user=user,
            at=at,
            message=message_id(location.where, id_),
            file_id=file,
        )
        for file in files
    )


def encode_locator(where: str, id_: str, url: str) -> str:
    """Where a file lies: message and address, because the address alone expires."""
    return json.dumps({"where": where, "message": id_, "url": url}, separators=(",", ":"))


def decode_locator(text: str) -> tuple[str, str, str]:
    """Place, message and address that ``locator`` wrote."""
    values = json.loads(text)
    return values["where"], values["message"], values["url"]


def _pdfs(where: str, id_: str, files: Iterable[File]) -> Iterable[SharedFile]:
    return (_shared(where, id_, file, "application/pdf") for file in files if file.is_pdf)


def _shared(where: str, id_: str, file: File, mime: str) -> SharedFile:
    return SharedFile(
        id=file.id, name=file.name, mime=mime, size=file.size, locator=encode_locator(where, id_, file.url)
    )


def _readable_text(note: ReceivedMessage) -> str:
    def name_of(match: re.Match[str]) -> str:
        name = note.names.get(match["id"])
        if name is None or match["id"] == note.bot:
            return " "
        return f"#{name}" if match["kind"] == "#" else f"@{name}"

    return _EMOJI.sub(r"\g<name>", _MENTION.sub(name_of, note.text))
