"""What use cases return, put into words: values in, ``Reply`` out. Pure, so that wording is tested without a bot."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adapters.common.footnotes import section_text
from adapters.common.markdown import escape, table
from bot.replies.plurals import counted
from core.domain.errors import NotInScope
from core.domain.model import Answer, Citation, Evidence, Forgotten, IngestReport, Paper, Scope
from core.domain.records import numbered
from core.domain.reply import Attachment, Button, Footnote, Reply

if TYPE_CHECKING:
    from core.services.papers import Papers

_FOUND = ("section", "table", "figure", "formula", "reference")
_MODES = {"extractive": "quoted from the papers, no language model", "model": "written by the configured model"}
_MOST_NEAREST = 3
_NEAREST_CHARACTERS = 280
_MOST_PAGE_BUTTONS = 5
NO_PAPERS = "There are no papers here yet. Drop a PDF to add one."

ID_IN_BUTTON = 16
"""How many characters of a paper's id a button carries."""


def answer(given: Answer, papers: Mapping[str, Paper]) -> Reply:
    """An answer with its footnotes; ``papers`` holds those that it cites, by id."""
    notes = tuple(Footnote(citation=c, paper=papers[c.paper_id]) for c in given.citations if c.paper_id in papers)
    parts = [" ".join(sentence(one.text, one.markers) for one in given.sentences)] if given.sentences else []
    said = given.message.splitlines()
    parts.extend(escape(line) for line in said)
    if given.outcome in ("not_found", "unclear") and given.nearest:
        parts.append(_nearest(given.nearest[:_MOST_NEAREST]))
    if given.outcome == "clarify" and len(said) < 2:  # else it lists the papers itself, by number
        parts.append("\n".join(f"- {escape(papers[id_].title)}" for id_ in given.candidates if id_ in papers))
    shown = {note.paper.id for note in notes} | {near.paper.id for near in given.nearest} | set(given.candidates)
    return Reply(
        kind="answer",
        body="\n\n".join(part for part in parts if part),
        footnotes=notes,
        buttons=_answer_buttons(given),
        footer=_answer_footer(given),
        papers=frozenset(shown),
    )


def beneath(given: Reply) -> Reply:
    """The answer to a question that was changed long after it had been answered: the first answer stays above."""
    said = "answers the question as it reads now; the answer above is to its earlier words"
    return replace(given, footer=" · ".join(part for part in (said, given.footer) if part))


async def with_papers(given: Answer, papers: "Papers", scope: Scope) -> Reply:
    """``answer`` with the papers that it cites fetched from the engine.

    Raises ``NotInScope`` where one was forgotten since: its words are not to be shown any more.
    """
    shown = {citation.paper_id for citation in given.citations} | {*given.candidates}
    shown |= {near.paper.id for near in given.nearest}
    held = await papers.in_scope(scope.within(frozenset(shown))) if shown else ()
    if len(held) < len(shown):
        raise NotInScope("A paper that this answer quotes has been forgotten meanwhile; please ask once more.")
    return answer(given, {paper.id: paper for paper in held})


def for_asker(reply: Reply, trace_id: str) -> Reply:
    """An answer that its asker has alone and may share with the thread."""
    share = Button(label="Share with the thread", action="share", value=trace_id, style="primary")
    return replace(reply, audience="asker", buttons=(share, *reply.buttons))


def corrected(paper: Paper) -> Reply:
    """A paper as it is known after a user's correction."""
    body = f"Corrected; the paper is now known as:\n\n{_identity(paper)}"
    return Reply(kind="status", body=body, papers=frozenset({paper.id}))


def sentence(text: str, markers: Sequence[int]) -> str:
    """A sentence with its markers behind it, for example ``Words [1][2]``; the brackets are literal."""
    return escape(text) + (" " + "".join(rf"\[{marker}\]" for marker in markers) if markers else "")


def ingested(report: IngestReport) -> Reply:
    """The card of a paper that was taken in, or the sentence that says why it was not."""
    name = escape(report.file_name)
    if report.paper is None:
        verb = "was not added" if report.outcome == "rejected" else "could not be read this time"
        return Reply(kind="ingest", body=f"**{name}** {verb}: {escape(report.reason)}", footer="nothing else changed")
    shown = frozenset({report.paper.id})
    if report.outcome == "known":
        body = f"{_identity(report.paper)}\n\n{escape(report.reason) or 'This paper is here already.'}"
        return Reply(kind="ingest", body=body, papers=shown)
    notes = _key_note(report, report.paper)
    parts = [
        _identity(report.paper),
        f"Found: {_found(report.counts)}.",
        *([escape(report.reason)] if report.reason else []),
        *([_not_found(report)] if _not_found(report) else []),
        *([f"> {sentence(report.key_sentence.quote, (1,))}"] if report.key_sentence and notes else []),
        *(["Ask, for example:\n" + "\n".join(f"- {escape(q)}" for q in report.questions)] if report.questions else []),
    ]
    return Reply(
        kind="ingest",
        body="\n\n".join(parts),
        footnotes=notes,
        buttons=tuple(
            Button(label=question, action="ask", value=f"{report.paper.id[:16]}/{place}")
            for place, question in enumerate(report.questions)
        ),
        footer=f"read in {report.seconds:.1f} s",
        papers=shown,
    )


def ask_to_forget(paper: Paper, names: Mapping[str, str], *, channels: frozenset[str], here: str) -> Reply:
    """Asks whether ``paper`` is to be removed from ``channels``; ``names`` are those of its sharers by user id.

    ``here`` is the channel of the command; other channels are counted and not named.
    """
    shared = "; ".join(
        f"{names[share.user]} on {share.at:%d %B %Y} {'in this channel' if share.channel == here else 'elsewhere'}"
        for share in paper.shares
    )
    left = len({share.channel for share in paper.shares} - channels)
    parts = [
        f"Forget this paper with every word of it?\n\n{_identity(paper)}",
        escape(f"Shared by {shared}."),
        escape(_from_where(channels, here) + (f" It stays in {counted(left, 'other channel')}." if left else "")),
    ]
    return Reply(
        kind="choice",
        body="\n\n".join(parts),
        buttons=(
            Button(label="Forget", action="forget", value=paper.id[:ID_IN_BUTTON], style="danger"),
            Button(label="Cancel", action="keep", value=paper.id[:ID_IN_BUTTON]),
        ),
        papers=frozenset({paper.id}),
    )


def _from_where(channels: frozenset[str], here: str) -> str:
    if channels == {here}:
        return "It is removed from this channel."
    others = counted(len(channels - {here}), "other channel" if here in channels else "channel")
    return f"It is removed from {f'this channel and {others}' if here in channels else others}."


def forgotten(gone: Forgotten, titles: Sequence[str], *, left: int = 0) -> Reply:
    """What was removed, in numbers; the title is said once more to who asked and is not kept.

    ``left`` is in how many channels in the asker's reach it stays.
    """
    if not gone.papers:
        return Reply(kind="forgotten", body="Nothing was removed.")
    named = ", ".join(f"**{escape(title)}**" for title in titles) or counted(len(gone.papers), "paper")
    counts = ", ".join(
        f"{number} {escape(_one_of(what) if number == 1 else what)}"
        for what, number in sorted(gone.counts.items())
        if number
    )
    stays = f"\n\nIt stays in {counted(left, 'channel')} where you may not remove it." if left else ""
    return Reply(kind="forgotten", body=f"Forgotten: {named}." + (f"\n\nRemoved: {counts}." if counts else "") + stays)


def home(listed: Sequence[Paper], waiting: str) -> Reply:
    """The start of a conversation: what is here, what is being read, how to begin; ``listed``: all, oldest first."""
    begin = "Drop a PDF into a channel that Footnote is in, then ask about it in a thread; help lists the rest."
    numbers = numbered(listed)
    rows = [[*columns(numbers[paper.id], paper), paper.id[:8]] for paper in listed]
    held = table(["#", "Title", "Authors", "Year", "Pages", "Id"], rows) if listed else NO_PAPERS
    return Reply(
        kind="home",
        body="\n\n".join(part for part in (escape(begin), escape(waiting), held) if part),
        footer=counted(len(listed), "paper") if listed else "",
        papers=frozenset(numbers),
    )


def page(paper: Paper, number: int, png: bytes) -> Reply:
    """One page as a picture."""
    picture = Attachment(name=f"page-{number}.png", mime="image/png", data=png)
    body = f"**{escape(paper.title)}**, page {number}"
    return Reply(kind="page", body=body, files=(picture,), papers=frozenset({paper.id}))


def error(words: str, *, trace_id: str = "") -> Reply:
    """What went wrong, with the short code under which the log has more."""
    return Reply(kind="error", body=escape(words), footer=f"reference {trace_id}" if trace_id else "")


def say(words: str) -> Reply:
    """A plain sentence in answer to a command."""
    return Reply(kind="help", body=escape(words))


def columns(number: int, paper: Paper) -> list[str]:
    """Number, title, authors, year and pages of a paper in a table."""
    return [str(number), paper.title, short_authors(paper), str(paper.metadata.year or ""), str(paper.pages)]


def byline(paper: Paper) -> str:
    """Authors and year, as far as they are known."""
    return ", ".join(part for part in (short_authors(paper), str(paper.metadata.year or "")) if part)


def short_authors(paper: Paper) -> str:
    """One name, two names, or the first with ``et al.``"""
    names = paper.metadata.authors
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)


def _identity(paper: Paper) -> str:
    told = [
        ", ".join(paper.metadata.authors),
        str(paper.metadata.year) if paper.metadata.year else "",
        counted(paper.pages, "page"),
    ]
    return f"**{escape(paper.title)}**\n\n" + escape(" · ".join(part for part in told if part))


def _found(counts: Mapping[str, int]) -> str:
    told = [counted(number, one) for one in _FOUND if (number := counts.get(f"{one}s"))]
    return ", ".join(told) or counted(counts.get("passages", 0), "passage")


def _not_found(report: IngestReport) -> str:
    told = [warning.rstrip(".") for warning in (report.paper.warnings if report.paper else ())]
    if not told and report.counts.get("unread_pages"):
        told = [f"{counted(report.counts['unread_pages'], 'page')} held nothing readable"]
    return f"Not read: {escape('; '.join(told))}." if told else ""


def _key_note(report: IngestReport, paper: Paper) -> tuple[Footnote, ...]:
    if report.key_sentence is None:
        return ()
    citation = Citation(marker=1, paper_id=paper.id, section=(), spans=(report.key_sentence,))
    return (Footnote(citation=citation, paper=paper),)


def _nearest(found: Sequence[Evidence]) -> str:
    return "Nearest passages:\n" + "\n".join(_near(near) for near in found)


def _near(near: Evidence) -> str:
    passage = near.passage
    words = " ".join(passage.text.split())
    cut = words if len(words) <= _NEAREST_CHARACTERS else words[:_NEAREST_CHARACTERS].rsplit(" ", 1)[0] + " …"
    place = ", ".join(part for part in (near.paper.title, f"p. {passage.page}", section_text(passage.section)) if part)
    return f"- “{escape(cut)}” ({escape(place)})"


def _answer_buttons(given: Answer) -> tuple[Button, ...]:
    """What a reader may do with an answer that is stored; a plain sentence ("the library is empty") has none."""
    if not given.trace_id or given.outcome in ("clarify", "declined"):
        return ()
    judged = (
        Button(label="Good", action="good", value=given.trace_id),
        Button(label="Wrong", action="wrong", value=given.trace_id),
    )
    pages = tuple(
        Button(label=f"Show [{one.marker}]", action="page", value=f"{given.trace_id}:{one.marker}")
        for one in given.citations[:_MOST_PAGE_BUTTONS]
    )
    return (*pages, *judged, Button(label="Search wider", action="wider", value=given.trace_id))


def _answer_footer(given: Answer) -> str:
    parts = [_MODES[given.mode] if given.outcome == "answered" else "", *given.notes]
    if given.timings:
        parts.append(f"{given.timings.get('total', sum(given.timings.values())):.1f} s")
    if given.trace_id:
        parts.append(f"reference {given.trace_id}")
    return " · ".join(part for part in parts if part)


def _one_of(kind: str) -> str:
    """The name of one of a kind that is named by its plural."""
    special = {"studies": "study", "stored replies": "stored reply", "messages of the page": "message of the page"}
    return special.get(kind, kind.removesuffix("s"))
