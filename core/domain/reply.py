"""The only thing a platform renders. Core builds it; an adapter turns it into blocks, embeds or text."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.domain.model import Citation, Paper

ReplyKind: TypeAlias = Literal["answer", "ingest", "papers", "status", "help", "error", "page", "forgotten", "export"]
Audience: TypeAlias = Literal["thread", "asker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """Something the reader may press: ``action`` names it, ``value`` comes back with the press."""

    label: str
    action: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that goes with a reply."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Footnote:
    """A citation with what a reader needs to see of its paper."""

    citation: Citation
    paper: Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What goes back to a thread. ``body`` is a small Markdown subset: paragraphs, lists, tables, code.

    ``replaces`` is the platform's id of the message that this one takes the place of, or empty. ``papers``
    are the ids of all papers whose words or titles it shows: forgetting one withdraws a reply still stored.
    """

    kind: ReplyKind
    body: str
    footnotes: tuple[Footnote, ...] = ()
    buttons: tuple[Button, ...] = ()
    files: tuple[Attachment, ...] = ()
    footer: str = ""
    audience: Audience = "thread"
    replaces: str = ""
    papers: frozenset[str] = frozenset()
