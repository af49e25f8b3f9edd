"""What is kept about papers beside their words, and what leaves the chat: marks, kinship, corrections, imports.

Values only; they live apart from ``model`` because answering a question needs none of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from core.domain.groups import Connection
from core.domain.model import Answer, Citation, Paper, Reference, Sentence, Thread
from core.domain.reply import Attachment

ReadingStatus: TypeAlias = Literal["to read", "reading", "read"]
BibliographyFormat: TypeAlias = Literal["bibtex", "ris", "csl"]
BIBLIOGRAPHY = "text/x-bibliography"
"""The kind of a shared file that is taken for a bibliography; what it holds is seen when it is read."""


def is_bibliography(name: str) -> bool:
    """Whether a file of this name is one, whoever drops it wherever: BibTeX or RIS."""
    return name.lower().endswith((".bib", ".bibtex", ".ris"))


def may_be_bibliography(name: str) -> bool:
    """Whether it may be one where somebody says so: CSL-JSON comes as .json, like much else."""
    return is_bibliography(name) or name.lower().endswith((".json", ".csljson"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTags:
    """What a place says of a paper: its tags, and who is how far with it (the user is empty for the whole channel)."""

    tags: tuple[str, ...] = ()
    statuses: tuple[tuple[str, ReadingStatus], ...] = ()

    def status(self, user: str = "") -> ReadingStatus | None:
        """How far this user is, or what the channel says where they said nothing."""
        told = dict(self.statuses)
        return told.get(user) or told.get("")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperList:
    """One page of a list of papers; ``numbers`` are their places in the whole list of the scope, from 1."""

    papers: tuple[Paper, ...]
    numbers: tuple[int, ...]
    total: int
    page: int
    pages: int
    marks: Mapping[str, PaperTags] = field(default_factory=dict)
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedHere:
    """An entry of ``citing``'s reference list that is a paper of the library."""

    citing: Paper
    cited: Paper
    reference: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A paper among the others: what it cites of them, what cites it, what is nearest, with words of both sides."""

    paper: Paper
    cites: tuple[CitedHere, ...] = ()
    cited_by: tuple[CitedHere, ...] = ()
    nearest: tuple[Connection, ...] = ()
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCorrection:
    """A reader's correction of an earlier answer to the same question."""

    user: str
    words: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """A stored answer, where and when it was given."""

    answer: Answer
    thread: Thread
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """One reader's verdict on one answer; ``words`` is a correction or empty."""

    answer: Answer
    channel: str
    user: str
    verdict: str
    words: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PageShown:
    """A page with the words of a footnote marked on it."""

    paper: Paper
    page: int
    png: bytes
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a bibliography says of one work, whatever format it came in; empty or None where it says nothing."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str = ""
    arxiv_id: str = ""
    venue: str = ""
    abstract: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A field on which an imported entry and the library do not agree; nothing was changed."""

    paper: Paper
    field: str
    here: str
    there: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became of a bibliography: fields filled by paper, differences left alone, entries that are not here."""

    filled: tuple[tuple[Paper, tuple[str, ...]], ...] = ()
    differing: tuple[Difference, ...] = ()
    entries: int = 0
    matched: int = 0
    unread: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkSentence:
    """What one paper says, for a related-work paragraph, under its key in the bibliography."""

    paper: Paper
    key: str
    sentence: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedWork:
    """A paragraph in the papers' own words, with the files that it goes into a manuscript with."""

    topic: str
    sentences: tuple[WorkSentence, ...]
    citations: tuple[Citation, ...]
    files: tuple[Attachment, ...] = ()


def number_papers(papers: Sequence[Paper]) -> Mapping[str, int]:
    """The number of each paper by its id, from 1; ``papers`` are all of a scope, oldest first.

    A list may show some of them, and in any order: a new paper then takes a new number and no other changes.
    """
    return {paper.id: number for number, paper in enumerate(papers, start=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadNote:
    """A conversation in a list: its first question, how many were asked, when last, and the papers it cites."""

    thread: Thread
    opening: str
    questions: int
    last_at: datetime
    papers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """The running summary of a thread's older turns.

    ``covers`` is how many turns it stands for, counted from the first; ``citations`` are what these cited and make
    sure that the summary goes with a forgotten paper. ``model`` names the language model that wrote it, or is empty.
    """

    text: str
    covers: int
    citations: tuple[Citation, ...] = ()
    model: str = ""
