"""The use case "journal club": a brief of one paper, questions to talk about, when it meets and when to remind."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from core.assistant.groups.due import zone_of
from core.assistant.studies.quotations import Quotations
from core.domain.errors import FootnoteError
from core.domain.groups import Brief, BriefPoint
from core.domain.model import Paper, Sentence
from core.domain.studies import Summary

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WHEN = re.compile(
    r"^(?:(?:on|at|next)\s+)*(?P<day>\d{4}-\d{2}-\d{2}|today|tomorrow|[a-z]{3,9})"
    r"(?:(?:\s+at|,)?[\sT]+(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?)?$",
    re.IGNORECASE,
)
_NOON = (12, 0)
_ASKS: Mapping[str, str] = {
    "The question": "Is this the right question to ask, and for whom would the answer change something?",
    "What it brings": "What is new in this beside what we have read before?",
    "How it was done": "Would we have done it this way, and what would a critic of this method say?",
    "What it found": "How far does the evidence carry this, and where would it fail?",
    "What it lacks": "How much does this weaken the result, and what would mend it?",
}
_ASKS_OF_NOTHING: Mapping[str, tuple[str, str]] = {
    "What it lacks": ("No limitations could be found that the paper states itself", "which do we see?"),
}
"""What is written and asked of a matter that the paper says nothing on, where that is worth noting."""
_NAMES: Mapping[str, str] = {
    "Problem": "The question",
    "Contribution": "What it brings",
    "Method": "How it was done",
    "Results": "What it found",
    "Limitations": "What it lacks",
}
"""What sections of a summary are called in a brief; the others are left out."""
SENTENCES = 2
_ALWAYS = (
    "Which part of the method or the data could we use in our own work?",
    "Which result would we check first if we repeated this?",
    "What does the paper leave out that a reader should know?",
    "What would a follow-up study look like?",
    "Who would disagree with the conclusions, and why?",
)
QUESTIONS = 5


class NotADate(FootnoteError):
    """The words given for a meeting's time name no time, or one that has passed."""


def make_brief(paper: Paper, summary: Summary, meets_at: datetime) -> Brief:
    """One page on a paper: what it asks, brings, did, found and lacks, from its summary, and five questions.

    Each question takes up one of these; where the paper says too little, a question that fits any paper.
    """
    quotes = Quotations()
    points = list(_points(summary, quotes))
    questions = [_question(point) for point in points] + [Sentence(text=text, markers=()) for text in _ALWAYS]
    any_quoted = any(point.sentences for point in points)
    return Brief(
        paper=paper,
        meets_at=meets_at,
        points=tuple(points) if any_quoted else (),
        questions=tuple(questions[:QUESTIONS]),
        citations=quotes.citations,
        mode=summary.making.mode,
        notes=summary.making.notes,
    )


def _points(summary: Summary, quotes: Quotations) -> Iterator[BriefPoint]:
    """The sections of a summary that belong in a brief, each with its first sentences."""
    for section in summary.sections:
        name = _NAMES.get(section.name, "")
        sentences = [quotes.take(sentence, summary.citations) for sentence in section.sentences[:SENTENCES] if name]
        if sentences:
            yield BriefPoint(name=name, sentences=tuple(sentences))
        elif name in _ASKS_OF_NOTHING:
            yield BriefPoint(name=name, sentences=(), missing=f"{_ASKS_OF_NOTHING[name][0]}.")


def _question(point: BriefPoint) -> Sentence:
    if not point.sentences:
        return Sentence(text="; ".join(_ASKS_OF_NOTHING[point.name]), markers=())
    markers = dict.fromkeys(marker for sentence in point.sentences for marker in sentence.markers)
    return Sentence(text=_ASKS[point.name], markers=tuple(markers))


def parse_meeting_time(words: str, zone: str, *, now: datetime) -> datetime:
    """The time that words mean on the channel's clock: ``2026-12-04 15:00``, ``friday 15:00``, ``tomorrow``.

    Without an hour it is noon. Raises ``NotADate`` and, for the zone, ``SettingsInvalid``.
    """
    match = _WHEN.match(words.strip())
    day = _day(match["day"].lower(), now.astimezone(zone_of(zone))) if match else None
    if match is None or day is None:
        raise NotADate(f"“{words.strip()}” is no date; write it like 2026-12-04 15:00 or friday 15:00.")
    hour, minute = (int(match["hour"]), int(match["minute"] or 0)) if match["hour"] else _NOON
    if hour > 23 or minute > 59:
        raise NotADate(f"There is no {hour}:{minute:02d} o'clock; hours run from 0 to 23.")
    at = day.replace(hour=hour, minute=minute, second=0, microsecond=0, tzinfo=zone_of(zone)).astimezone(UTC)
    if at <= now:
        raise NotADate(f"{day:%Y-%m-%d} {hour}:{minute:02d} has passed already; please give a time to come.")
    return at


def _day(name: str, today: datetime) -> datetime | None:
    """The day of this name; None where there is none, or where it begins the names of two."""
    if name[0].isdigit():
        with suppress(ValueError):
            return datetime.fromisoformat(name)
    days_to_come = {"today": 0, "tomorrow": 1}.get(name)
    if days_to_come is not None:
        return today + timedelta(days=days_to_come)
    days = [number for number, day in enumerate(_DAYS) if day.startswith(name)]
    if len(days) != 1:
        return None
    return today + timedelta(days=(days[0] - today.weekday() - 1) % 7 + 1)


def reminder_time(meets_at: datetime, *, now: datetime) -> datetime:
    """A day before, where that is still to come; else an hour before, else at once."""
    for before in (timedelta(days=1), timedelta(hours=1)):
        if meets_at - before > now:
            return meets_at - before
    return now
