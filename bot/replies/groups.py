"""Digests, journal clubs and their reminders, put into words. Pure; names and addresses are handed in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from adapters.common.markdown import escape
from bot.replies.general import sentence
from bot.replies.plurals import counted
from core.domain.groups import Arrival, Brief, Club, ClubQuestion, Connection, Digest, Discussed, Point, Reminder
from core.domain.model import AnswerMode, Citation, Paper, Sentence
from core.domain.reply import Footnote, Reply
from core.text.paper_labels import byline, short_authors

MOST_QUESTIONS = 10
MOST_UNASKED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What only a platform knows: names by user, addresses by thread key; and the channel's clock."""

    zone: str = "UTC"
    names: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)

    def name(self, user: str) -> str:
        """What a person is called."""
        return self.names.get(user) or user

    def time(self, at: datetime) -> str:
        """A time on the channel's clock."""
        return f"{at.astimezone(ZoneInfo(self.zone)):%a %d %b %Y, %H:%M}"

    def day(self, at: datetime) -> str:
        """A day on the channel's clock."""
        return f"{at.astimezone(ZoneInfo(self.zone)):%d %b %Y}"


def digest(given: Digest, told: Told, *, head: str = "What happened here") -> Reply:
    """A digest as one message; a part of which there is nothing is left out."""
    parts = [
        f"**{head}, {told.day(given.since)} to {told.day(given.until)}**",
        _arrivals(given.arrivals, told),
        _discussed("Asked and answered", given.answered, told),
        _discussed("Still open", given.unanswered, told),
        _unasked(given.unasked),
        "Nothing was added or asked in this time." if given.quiet else "",
    ]
    named = {arrival.paper.id for arrival in given.arrivals} | {paper.id for paper in given.unasked[:MOST_UNASKED]}
    linked = {arrival.connection.paper.id for arrival in given.arrivals if arrival.connection}
    papers = {paper.id: paper for paper in given.cited}
    return Reply(
        kind="digest",
        body="\n\n".join(part for part in parts if part),
        footnotes=notes(given.citations, papers),
        footer=_footer("of this channel alone, in the papers' own words", given.mode, given.notes),
        papers=frozenset(named | linked | set(papers)),
    )


def notes(citations: Sequence[Citation], papers: Mapping[str, Paper]) -> tuple[Footnote, ...]:
    """Footnotes of the citations whose papers are at hand."""
    return tuple(Footnote(citation=one, paper=papers[one.paper_id]) for one in citations if one.paper_id in papers)


def said(one: Sentence) -> str:
    """A quoted sentence with its markers."""
    return f"“{sentence(one.text, ())}”" + ("" if not one.markers else " " + sentence("", one.markers).strip())


def _told(one: Sentence, mode: AnswerMode) -> str:
    """A quote in its marks, or a model's sentence without."""
    return said(one) if mode == "extractive" else sentence(one.text, one.markers)


def _point(one: Point, mode: AnswerMode) -> str:
    return " ".join(_told(each, mode) for each in one.sentences) or escape(one.missing)


def _footer(quoted: str, mode: AnswerMode, more: Sequence[str]) -> str:
    written = "written by the configured model, each sentence checked against the papers"
    return " · ".join([quoted if mode == "extractive" else written, *more])


def _arrivals(arrivals: Sequence[Arrival], told: Told) -> str:
    if not arrivals:
        return ""
    return "\n".join([f"**Added ({len(arrivals)})**", "", *(_arrival(one, told) for one in arrivals)])


def _arrival(arrival: Arrival, told: Told) -> str:
    paper = arrival.paper
    about = [short_authors(paper), str(paper.metadata.year or "")]
    by = ", ".join(told.name(user) for user in arrival.users)
    head = f"- **{escape(paper.title)}**" + "".join(f", {escape(part)}" for part in about if part)
    head += f", added by {escape(by)}" if by else ""
    lines = [
        head,
        f"- It says: {_told(arrival.takeaway, arrival.mode)}" if arrival.takeaway else "",
        f"- {connection(arrival.connection)}" if arrival.connection else "",
    ]
    return "\n".join(line for line in lines if line)


def connection(given: Connection) -> str:
    """How a paper stands to another, with the words that show it."""
    title = escape(given.paper.title)
    match given.kind:
        case "cites":
            return f"It cites **{title}**, which is here." + (f" {said(given.here)}" if given.here else "")
        case "cited by":
            return f"**{title}**, which is here, cites it." + (f" {said(given.there)}" if given.there else "")
        case _:
            ours = f" {said(given.here)}" if given.here else ""
            theirs = f" beside {said(given.there)}" if given.there else ""
            return f"Nearest here: **{title}**.{ours}{theirs}"


def _discussed(head: str, questions: Sequence[Discussed], told: Told) -> str:
    if not questions:
        return ""
    lines = [_question(one, told) for one in questions[:MOST_QUESTIONS]]
    more = len(questions) - len(lines)
    return "\n".join([f"**{head} ({len(questions)})**", "", *lines, *([f"- and {more} more"] if more else [])])


def _question(question: Discussed, told: Told) -> str:
    times = f", asked {question.times} times" if question.times > 1 else ""
    link = told.links.get(question.thread.key, "")
    return f"- {escape(question.text)}{times}" + (f" {escape(link)}" if link else "")


def _unasked(papers: Sequence[Paper]) -> str:
    if not papers:
        return ""
    named = "; ".join(escape(paper.title) for paper in papers[:MOST_UNASKED])
    more = len(papers) - MOST_UNASKED
    return f"**Nobody has asked about** {named}" + (f" and {more} more" if more > 0 else "") + "."


def brief(given: Brief, told: Told) -> Reply:
    """The page that a journal club begins with, and how the thread collects questions."""
    paper = given.paper
    points = "\n".join(f"- {escape(one.name)}: {_point(one, given.mode)}" for one in given.points)
    asks = "\n".join(f"- {number}. {sentence(one.text, one.markers)}" for number, one in enumerate(given.questions, 1))
    parts = [
        f"**Journal club: {escape(paper.title)}**",
        escape(", ".join(part for part in (byline(paper), counted(paper.pages, "page")) if part)),
        f"We meet on **{escape(told.time(given.meets_at))}** ({escape(told.zone)}).",
        points or "This paper says too little of itself in whole sentences to be quoted here.",
        f"**To talk about**\n\n{asks}",
        escape("Add yours in this thread: journal ask QUESTION. They come with the reminder before we meet."),
    ]
    return Reply(
        kind="journal",
        body="\n\n".join(parts),
        footnotes=notes(given.citations, {paper.id: paper}),
        footer=_footer("in the paper's own words", given.mode, given.notes),
        papers=frozenset({paper.id}),
    )


def reminder(given: Reminder, told: Told) -> Reply:
    """What is said before a meeting."""
    when = f"**Journal club on {escape(told.time(given.club.meets_at))}** ({escape(told.zone)})"
    parts = [
        f"{when}: {escape(given.paper.title)}",
        questions(given.questions, told),
    ]
    return Reply(kind="journal", body="\n\n".join(parts), papers=frozenset({given.paper.id}))


def questions(given: Sequence[ClubQuestion], told: Told) -> str:
    """What members want to talk about, by whom."""
    if not given:
        return escape("Nobody has added a question yet; journal ask QUESTION does.")
    lines = [f"- {escape(one.text)}" + (f" ({escape(told.name(one.user))})" if one.user else "") for one in given]
    return "\n".join(["What members want to talk about:", "", *lines])


def clubs(given: Sequence[tuple[Club, Paper]], told: Told) -> Reply:
    """Meetings to come."""
    if not given:
        return Reply(
            kind="journal", body=escape("No meeting is planned here; to plan one: journal PAPER on 2026-12-04 15:00.")
        )
    lines = [f"- {escape(told.time(club.meets_at))}: **{escape(paper.title)}**" for club, paper in given]
    return Reply(kind="journal", body="\n".join(lines), papers=frozenset(paper.id for _, paper in given))
