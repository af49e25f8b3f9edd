"""The nouns of Footnote: places, papers, passages, evidence and answers.

Every value is frozen, so that what one room hands to another cannot change behind its back. This module
imports the standard library only; it is the one part of core that the chat platforms may import.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

Visibility: TypeAlias = Literal["open", "restricted"]
PaperKind: TypeAlias = Literal["born digital", "text over scan", "scanned", "mixed"]
PassageKind: TypeAlias = Literal["text", "list", "table", "figure", "formula", "caption"]
RelationKind: TypeAlias = Literal[
    "same work", "newer version", "older version", "preprint", "journal version", "supplement", "main paper"
]
Outcome: TypeAlias = Literal["answered", "unclear", "not_found", "clarify", "declined"]
SentenceForm: TypeAlias = Literal["quote", "paraphrase", "derived"]
AnswerMode: TypeAlias = Literal["extractive", "model"]
Role: TypeAlias = Literal["user", "assistant"]
Audience: TypeAlias = Literal["thread", "asker"]
Reach: TypeAlias = Literal["usual", "wide"]
"""How far a question is searched: wide looks at more passages and answers with less certainty."""
IngestOutcome: TypeAlias = Literal["indexed", "known", "rejected", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """One Slack workspace, Discord guild or local installation: the wall that nothing crosses."""

    platform: str
    id: str

    @property
    def key(self) -> str:
        """Names the workspace's folder and appears in logs, for example ``slack:T1``."""
        return f"{self.platform}:{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A place where papers are shared; ``restricted`` papers are found only in their own channel."""

    workspace: Workspace
    id: str
    visibility: Visibility = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One conversation in a channel; memory is kept per thread."""

    channel: Channel
    id: str

    @property
    def key(self) -> str:
        """Unique within a workspace."""
        return f"{self.channel.id}/{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A file as a platform announced it; ``locator`` is opaque and read only by its own platform."""

    id: str
    name: str
    mime: str
    size: int
    locator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What one question may read: a workspace, channels of it, and all or some papers shared there."""

    workspace: Workspace
    channels: frozenset[str]
    papers: frozenset[str] | None = None

    def within(self, papers: frozenset[str]) -> "Scope":
        """The same scope narrowed to ``papers``; a scope can only ever become narrower."""
        allowed = papers if self.papers is None else self.papers & papers
        return Scope(workspace=self.workspace, channels=self.channels, papers=allowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One place where a paper was dropped. Removing a paper's last share forgets the paper.

    ``at`` is when it was dropped, as the platform says; ``added_at`` when it came into the library by this share
    (``None`` before it is stored). ``file_name`` is what the file was called here, and in no other place.
    """

    paper_id: str
    channel: str
    message: str
    user: str
    at: datetime
    file_id: str = ""
    file_name: str = ""
    added_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """How another paper of the same workspace relates to this one (``newer version`` of this, …)."""

    kind: RelationKind
    paper_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What identifies a paper, as read from its pages. Empty string or ``None`` means not found."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    venue: str | None = None
    abstract: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A paper of the library. ``id`` is the SHA-256 of its bytes, in hexadecimal.

    ``file_name`` and ``added_at`` are those of the first of its ``shares``, which are only those that the reader
    may see: the same bytes may have another name in a place that is closed to this reader. ``page_labels`` are the
    numbers printed on its pages, empty where they count from 1.
    """

    id: str
    file_name: str
    metadata: Metadata
    pages: int
    kind: PaperKind
    added_at: datetime
    shares: tuple[Share, ...] = ()
    relations: tuple[Relation, ...] = ()
    warnings: tuple[str, ...] = ()
    page_labels: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The printed title, or the file's name where no title was found."""
        return self.metadata.title or self.file_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle on a page in PDF points, origin at the top left of the page as it is displayed."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as data: ``header`` has one name a column, every row as many cells as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerReading:
    """What the file's text layer has for characters ``start`` to ``end`` of a passage's text, where it differs.

    A letter that the font lost is missing in ``words``. ``apart`` says that the layer goes on elsewhere, or has words
    of its own here (a line's number): what stands around this place is not one stretch of the file.
    """

    start: int
    end: int
    words: str = ""
    apart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A stretch of one page and one section, the unit that is searched, quoted and cited.

    ``text`` holds the words on the page and nothing else: it is what is quoted, shown and scored.
    ``indexed_text`` adds title, section and rows with header names, and is only ever searched.
    ``boxes`` holds one box a printed line (or table row), in reading order, and ``ends`` where in ``text`` each of
    these lines ends (empty: where the text breaks its lines). ``next_id`` names the passage
    in which the last sentence goes on, when a page or column end cut it. ``layer`` tells in order where the
    file's own text layer reads otherwise, so that a quote can be verbatim in the file. ``read_by`` names the vision
    model that read the page's picture; it cannot tell where the words stand, so there are no boxes then.
    """

    id: str
    paper_id: str
    ordinal: int
    page: int
    section: tuple[str, ...]
    kind: PassageKind
    text: str
    indexed_text: str
    boxes: tuple[Box, ...] = ()
    ends: tuple[int, ...] = ()
    label: str | None = None
    table: Table | None = None
    next_id: str | None = None
    from_ocr: bool = False
    layer: tuple[LayerReading, ...] = ()
    read_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A printed heading; ``level`` counts from 1."""

    text: str
    page: int
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with its picture. ``image`` is PNG; ``description`` is written once, by the vision model."""

    id: str
    paper_id: str
    page: int
    label: str
    caption: str
    nearby: str
    box: Box
    image: bytes = field(default=b"", repr=False)
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One entry of a paper's reference list, parsed enough to be shown; ``raw`` is the printed entry.

    ``page`` is where it begins, 0 where that is not known.
    """

    paper_id: str
    ordinal: int
    raw: str
    label: str = ""
    authors: tuple[str, ...] = ()
    title: str = ""
    year: int | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    page: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything a reader found in one PDF. ``unread`` lists pages (from 1) that hold nothing readable.

    ``page_labels`` are the numbers printed on the pages, in their order; empty where they count from 1.
    """

    metadata: Metadata
    kind: PaperKind
    pages: int
    passages: tuple[Passage, ...]
    headings: tuple[Heading, ...] = ()
    figures: tuple[Figure, ...] = ()
    references: tuple[Reference, ...] = ()
    warnings: tuple[str, ...] = ()
    unread: tuple[int, ...] = ()
    page_labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage found for a query. ``context`` holds neighbours of its section: shown, never scored."""

    passage: Passage
    paper: Paper
    score: float
    ranks: Mapping[str, int] = field(default_factory=dict)
    context: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Quoted words on one page; ``quote`` is printed there verbatim after normalisation."""

    passage_id: str
    page: int
    quote: str
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A shown computation; ``operands`` are the markers of the citations that hold its numbers."""

    expression: str
    result: str
    operands: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A footnote: paper, page, section and quoted words; two spans where a sentence crosses a page.

    ``seen_by`` names the vision model whose description of a figure bears the sentence out; then the figure's caption
    is what is quoted.
    """

    marker: int
    paper_id: str
    section: tuple[str, ...]
    spans: tuple[Span, ...]
    label: str | None = None
    derivation: Derivation | None = None
    seen_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of an answer with the markers of the citations that support it.

    ``form`` says whether it is the paper's words, the model's own words, or worked out from quoted numbers.
    """

    text: str
    markers: tuple[int, ...]
    form: SentenceForm = "quote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What models were asked to do; tokens as the endpoint counts them, 0 where it does not say.

    ``cost`` is at the prices of whichever model was asked, 0 where none are set.
    """

    calls: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            reply_tokens=self.reply_tokens + other.reply_tokens,
            cost=self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The reply to a question. The first of ``sentences`` answers it; ``more`` is shown folded.

    ``message`` is what a user reads when there are no sentences: what was searched, which papers may be
    meant, what the bot can do instead. ``candidates`` are paper ids when the outcome is ``clarify``.
    ``notes`` go to the footer (a reranker that could not be loaded, a model that was down). Timings are
    in seconds by stage. ``model`` names the language model that was asked, ``prompts`` the version of the
    texts it was asked with, ``usage`` what that took and ``cost`` its price
    where prices are set; a model that was asked need not have written the answer.
    """

    question: str
    outcome: Outcome
    mode: AnswerMode
    sentences: tuple[Sentence, ...] = ()
    more: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    message: str = ""
    nearest: tuple[Evidence, ...] = ()
    candidates: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    faithfulness: float | None = None
    relevancy: float | None = None
    rounds: int = 0
    trace_id: str = ""
    timings: Mapping[str, float] = field(default_factory=dict)
    model: str = ""
    prompts: str = ""
    usage: Usage = Usage()
    cost: float = 0.0
    restricted_to: frozenset[str] = frozenset()
    """Ids of the papers that the question was limited to; none where it was put to all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a thread as memory keeps it. ``forgotten`` marks words removed with their paper."""

    role: Role
    text: str
    at: datetime
    citations: tuple[Citation, ...] = ()
    forgotten: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What became of one shared file. ``counts`` holds passages, tables, figures, sections, references."""

    outcome: IngestOutcome
    file_name: str
    paper: Paper | None = None
    reason: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    key_sentence: Span | None = None
    questions: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What forgetting removed, by kind of row or file; shown to whoever asked for it."""

    papers: tuple[str, ...]
    counts: Mapping[str, int]
