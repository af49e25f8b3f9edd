"""How Discord's places are written as Footnote's: servers, channels, threads, posts and messages. Pure.

A message id says where the message lies (``CHANNEL-MESSAGE``), so that it can be fetched, linked or given a sign
after a restart. A conversation that only one person sees has that person in its thread id (``PLACE~USER``), so
that its memory never mixes with what others read. A person's direct messages are a workspace of their own.
"""

import hashlib
import re
from dataclasses import dataclass

from core.domain.model import Channel, Thread, Visibility, Workspace

PLATFORM = "discord"
_DIRECT = "dm"
_MINE = "~"
_COMMAND = re.compile(r"/i\d+(?:/|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where something was said.

    ``guild`` is empty in direct messages. ``parent`` is the channel that a thread or post hangs on, else empty;
    ``where`` is the channel, thread, post or direct conversation itself. ``alone`` says that papers shared here
    are found only here: a private thread is a place of its own, a public one belongs to its parent.
    """

    guild: str
    where: str
    parent: str = ""
    visibility: Visibility = "open"
    alone: bool = False

    @property
    def workspace(self) -> Workspace:
        """The server, or the one person's direct messages."""
        return Workspace(platform=PLATFORM, id=self.guild or f"{_DIRECT}{self.where}")

    @property
    def channel(self) -> Channel:
        """The channel that papers shared here belong to."""
        own = self.alone or not self.parent
        return Channel(workspace=self.workspace, id=self.where if own else self.parent, visibility=self.visibility)

    @property
    def is_conversation(self) -> bool:
        """Whether everything said here is one thread already."""
        return bool(self.parent) or not self.guild

    def thread(self, root: str) -> Thread:
        """The conversation of a message: this thread, or the one that hangs on message ``root``."""
        return Thread(channel=self.channel, id=self.where if self.is_conversation else root)

    def private_thread(self, user: str) -> Thread:
        """The conversation that only ``user`` sees here."""
        return Thread(channel=self.channel, id=f"{self.where}{_MINE}{user}")


def message_id(where: int | str, id_: int | str) -> str:
    """A message by its place and its own id."""
    return f"{where}-{id_}"


def split_message_id(message: str) -> tuple[str, str]:
    """Place and own id of a message; both empty where it is none (a command has no message)."""
    where, _, id_ = message.partition("-")
    return (where, id_) if where.isdigit() and id_.isdigit() else ("", "")


def command_id(interaction: int | str) -> str:
    """In the place of a message id, where a command or press has none that others see."""
    return f"i{interaction}"


def is_private(thread: Thread, key: str = "") -> bool:
    """Whether only one person sees this conversation, or gave the command behind the job ``key`` unseen."""
    return _MINE in thread.id or _COMMAND.search(key) is not None


def reader_of(thread: Thread) -> str:
    """The person who sees it, or empty."""
    return thread.id.partition(_MINE)[2]


def where_of(thread: Thread) -> str:
    """The place of a private conversation, the id of any other."""
    return thread.id.partition(_MINE)[0]


def is_direct(workspace: Workspace) -> bool:
    """Whether a workspace is somebody's direct messages."""
    return workspace.id.startswith(_DIRECT)


def nonce(key: str, part: int) -> str:
    """What makes a repeated send harmless: the same for one part of one job's reply, at most 25 characters."""
    return hashlib.blake2b(f"{key}|{part}".encode(), digest_size=12).hexdigest()


def mark(key: str) -> int:
    """A number that the first component of each part carries, by which a reply is found again; part ``n`` adds n."""
    return (int.from_bytes(hashlib.blake2b(key.encode(), digest_size=4).digest()) >> 6 | 1 << 25) << 5


def same_mark(mark_a: int, mark_b: int) -> bool:
    """Whether two marks are parts of one reply."""
    return mark_a >> 5 == mark_b >> 5
