"""The only thing a platform renders. Core builds it; an adapter turns it into blocks, embeds or text."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.domain.model import Audience, Citation, Paper

ReplyKind: TypeAlias = Literal[
    "answer",
    "ingest",
    "papers",
    "status",
    "help",
    "error",
    "page",
    "forgotten",
    "export",
    "summary",
    "table",
    "review",
    "digest",
    "journal",
    "settings",
    "home",
    "choice",
]
ButtonStyle: TypeAlias = Literal["plain", "primary", "danger"]
FieldKind: TypeAlias = Literal["line", "text", "choice"]
LONGEST_VALUE = 80
"""Characters that every platform can bring back with the press of a button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """Something the reader may press: ``action`` names it, ``value`` (at most 80 characters) comes back with it."""

    label: str
    action: str
    value: str
    style: ButtonStyle = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One thing that a form asks for; ``choices`` holds pairs of value and label."""

    name: str
    label: str
    kind: FieldKind = "line"
    initial: str = ""
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A small form: ``name`` and ``value`` come back with what was filled in. At most five fields."""

    name: str
    title: str
    value: str
    fields: tuple[Field, ...]
    submit: str = "Send"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that goes with a reply; ``alt`` says in words what a picture shows."""

    name: str
    mime: str
    data: bytes
    alt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footnote:
    """A citation with what a reader sees of its paper; ``paraphrased`` where the answer tells it in other words."""

    citation: Citation
    paper: Paper
    paraphrased: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What goes back to a thread. ``body`` is a small Markdown subset: paragraphs, lists, tables, code.

    ``reader`` is who asked, for replies whose audience is the asker alone.
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
    reader: str = ""
    replaces: str = ""
    papers: frozenset[str] = frozenset()
