"""Digests, journal clubs and their reminders, put into words. Pure; names and addresses are handed in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from adapters.common.markdown import escape
from bot.replies.general import footnotes_of, sentence
from bot.replies.plurals import pluralize
from core.domain.citation_format import byline
from core.domain.groups import (
    AddedPaper,
    Brief,
    BriefPoint,
    Club,
    ClubQuestion,
    Connection,
    Digest,
    DiscussedQuestion,
    Reminder,
)
from core.domain.model import AnswerMode, Paper, Sentence
from core.domain.reply import Reply

MOST_QUESTIONS = 10
MOST_UNASKED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayContext:
    """What a platform alone knows, for display: names by user and links by thread key; and the channel's time zone."""

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


def digest(given: Digest, context: DisplayContext, *, head: str = "What happened here") -> Reply:
    """A digest as one message; a part of which there is nothing is left out."""
    parts = [
        f"**{head}, {context.day(given.since)} to {context.day(given.until)}**",
        _arrivals(given.arrivals, context),
        _discussed("Asked and answered", given.answered, context),
        _discussed("Still open", given.unanswered, context),
        _unasked(given.unasked),
        "Nothing was added or asked in this time." if given.quiet else "",
    ]
    named = {arrival.paper.id for arrival in given.arrivals} | {paper.id for paper in given.unasked[:MOST_UNASKED]}
    linked = {arrival.connection.paper.id for arrival in given.arrivals if arrival.connection}
    papers = {paper.id: paper for paper in given.cited}
    return Reply(
        kind="digest",
        body="\n\n".join(part for part in parts if part),
        footnotes=footnotes_of(given.citations, papers),
        footer=_footer("of this channel alone, in the papers' own words", given.mode, given.notes),
        papers=frozenset(named | linked | set(papers)),
    )


def quote_sentence(item: Sentence) -> str:
    """A quoted sentence with its markers."""
    return f"“{sentence(item.text, ())}”{sentence('', item.markers)}"


def _format(item: Sentence, mode: AnswerMode) -> str:
    """A quote in its marks, or a model's sentence without."""
    return quote_sentence(item) if mode == "extractive" else sentence(item.text, item.markers)


def _point(point: BriefPoint, mode: AnswerMode) -> str:
    return " ".join(_format(item, mode) for item in point.sentences) or escape(point.missing)


def _footer(quoted: str, mode: AnswerMode, more: Sequence[str]) -> str:
    written = "written by the configured model, each sentence checked against the papers"
    return " · ".join([quoted if mode == "extractive" else written, *more])


def _arrivals(arrivals: Sequence[AddedPaper], context: DisplayContext) -> str:
    if not arrivals:
        return ""
    return "\n".join([f"**Added ({len(arrivals)})**", "", *(_arrival(arrival, context) for arrival in arrivals)])


def _arrival(arrival: AddedPaper, context: DisplayContext) -> str:
    users = ", ".join(context.name(user) for user in arrival.users)
    about = (byline(arrival.paper), f"added by {users}" if users else "")
    lines = [
        f"- **{escape(arrival.paper.title)}**" + "".join(f", {escape(part)}" for part in about if part),
        f"- It says: {_format(arrival.takeaway, arrival.mode)}" if arrival.takeaway else "",
        f"- {connection(arrival.connection)}" if arrival.connection else "",
    ]
    return "\n".join(filter(None, lines))


def connection(given: Connection) -> str:
    """How a paper is related to another, with the quotes that show it."""
    title = escape(given.paper.title)
    here = quote_sentence(given.here) if given.here else ""
    there = quote_sentence(given.there) if given.there else ""
    match given.kind:
        case "cites":
            return f"It cites **{title}**, which is here. {here}".rstrip()
        case "cited by":
            return f"**{title}**, which is here, cites it. {there}".rstrip()
        case _:
            beside = f" beside {there}" if there else ""
            return f"Nearest here: **{title}**. {here}".rstrip() + beside


def _discussed(head: str, questions: Sequence[DiscussedQuestion], context: DisplayContext) -> str:
    if not questions:
        return ""
    lines = [_question(question, context) for question in questions[:MOST_QUESTIONS]]
    more = len(questions) - len(lines)
    return "\n".join([f"**{head} ({len(questions)})**", "", *lines, *([f"- and {more} more"] if more else [])])


def _question(question: DiscussedQuestion, context: DisplayContext) -> str:
    times = f", asked {question.times} times" if question.times > 1 else ""
    link = context.links.get(question.thread.key, "")
    return f"- {escape(question.text)}{times}" + (f" {escape(link)}" if link else "")


def _unasked(papers: Sequence[Paper]) -> str:
    if not papers:
        return ""
    named = "; ".join(escape(paper.title) for paper in papers[:MOST_UNASKED])
    more = len(papers) - MOST_UNASKED
    return f"**Nobody has asked about** {named}" + (f" and {more} more" if more > 0 else "") + "."


def brief(given: Brief, context: DisplayContext) -> Reply:
    """The page that a journal club begins with, and how the thread collects questions."""
    paper = given.paper
    points = "\n".join(f"- {escape(point.name)}: {_point(point, given.mode)}" for point in given.points)
    asks = "\n".join(
        f"- {number}. {sentence(item.text, item.markers)}" for number, item in enumerate(given.questions, 1)
    )
    parts = [
        f"**Journal club: {escape(paper.title)}**",
        escape(", ".join(part for part in (byline(paper), pluralize(paper.pages, "page")) if part)),
        f"We meet on **{escape(context.time(given.meets_at))}** ({escape(context.zone)}).",
        points or "This paper says too little of itself in whole sentences to be quoted here.",
        f"**To talk about**\n\n{asks}",
        escape("Add yours in this thread: journal ask QUESTION. They come with the reminder before we meet."),
    ]
    return Reply(
        kind="journal",
        body="\n\n".join(parts),
        footnotes=footnotes_of(given.citations, {paper.id: paper}),
        footer=_footer("in the paper's own words", given.mode, given.notes),
        papers=frozenset({paper.id}),
    )


def reminder(given: Reminder, context: DisplayContext) -> Reply:
    """The reminder before a meeting, with the questions that members have added."""
    when = f"**Journal club on {escape(context.time(given.club.meets_at))}** ({escape(context.zone)})"
    parts = [
        f"{when}: {escape(given.paper.title)}",
        questions(given.questions, context),
    ]
    return Reply(kind="journal", body="\n\n".join(parts), papers=frozenset({given.paper.id}))


def questions(given: Sequence[ClubQuestion], context: DisplayContext) -> str:
    """What members want to talk about, by whom."""
    if not given:
        return escape("Nobody has added a question yet; journal ask QUESTION does.")
    lines = [f"- {escape(question.text)}{_asked_by(question, context)}" for question in given]
    return "\n".join(["What members want to talk about:", "", *lines])


def _asked_by(question: ClubQuestion, context: DisplayContext) -> str:
    return f" ({escape(context.name(question.user))})" if question.user else ""


def clubs(given: Sequence[tuple[Club, Paper]], context: DisplayContext) -> Reply:
    """Meetings to come."""
    if not given:
        return Reply(
            kind="journal", body=escape("No meeting is planned here; to plan one: journal PAPER on 2026-12-04 15:00.")
        )
    lines = [f"- {escape(context.time(club.meets_at))}: **{escape(paper.title)}**" for club, paper in given]
    return Reply(kind="journal", body="\n".join(lines), papers=frozenset(paper.id for _, paper in given))
