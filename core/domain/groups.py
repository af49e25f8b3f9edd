"""What a group does together around its papers: digests of a channel, journal clubs, what is due when.

These values are made on a schedule or on request and rendered once; they live apart from ``model`` because nothing
that answers a question needs them.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from core.domain.model import AnswerMode, Channel, Citation, Outcome, Paper, Sentence, Thread

ConnectionKind: TypeAlias = Literal["cites", "cited by", "near"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How a paper stands to another that is here. ``near`` has words of both sides, the other kinds of the citing."""

    kind: ConnectionKind
    paper: Paper
    here: Sentence | None = None
    there: Sentence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedPaper:
    """A paper that was added, by whom (the platform's ids), what it found, and its nearest kin.

    ``mode`` says whether the takeaway is in the paper's own words or a model's.
    """

    paper: Paper
    users: tuple[str, ...]
    takeaway: Sentence | None = None
    mode: AnswerMode = "extractive"
    connection: Connection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscussedQuestion:
    """A question of a channel as it was asked last; ``times`` counts how often it was asked in the period."""

    text: str
    thread: Thread
    at: datetime
    outcome: Outcome
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What happened in a channel after ``since`` and up to ``until``. Markers count from 1 through all of it."""

    channel: Channel
    since: datetime
    until: datetime
    arrivals: tuple[AddedPaper, ...] = ()
    answered: tuple[DiscussedQuestion, ...] = ()
    unanswered: tuple[DiscussedQuestion, ...] = ()
    unasked: tuple[Paper, ...] = ()
    citations: tuple[Citation, ...] = ()
    cited: tuple[Paper, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def mode(self) -> AnswerMode:
        """Whether a model wrote any of it."""
        return "model" if any(item.mode == "model" for item in self.arrivals) else "extractive"

    @property
    def quiet(self) -> bool:
        """Whether nothing happened: then nothing is sent."""
        return not (self.arrivals or self.answered or self.unanswered)


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefPoint:
    """One line of a brief: what it is on, and what the paper says; ``missing`` where it says nothing."""

    name: str
    sentences: tuple[Sentence, ...]
    missing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """One page for a journal club: what the paper says, and questions to talk about; ``mode``: in whose words."""

    paper: Paper
    meets_at: datetime
    points: tuple[BriefPoint, ...]
    questions: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    mode: AnswerMode = "extractive"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubQuestion:
    """What a member wants to talk about. ``user`` is the platform's id, empty where it was not kept."""

    user: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Club:
    """A meeting on a paper, and the thread in which it is prepared."""

    number: int
    thread: Thread
    paper_id: str
    meets_at: datetime
    remind_at: datetime
    user: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """What is said in a club's thread before it meets."""

    club: Club
    paper: Paper
    questions: tuple[ClubQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DuePost:
    """Something that is to be posted now: a digest of a channel, or a reminder in a thread of it."""

    thread: Thread
    name: str
    period: str
    at: datetime
