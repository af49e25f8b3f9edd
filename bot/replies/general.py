"""Answers, papers, errors and notices as replies: values in, ``Reply`` out. Pure, so it is tested without a bot."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adapters.common.markdown import escape, table
from bot.replies.plurals import pluralize
from core.domain.citation_format import pages_label, section_text, short_authors
from core.domain.errors import NotInScope
from core.domain.model import Answer, Citation, Evidence, Forgotten, IngestReport, Paper, Scope, Sentence
from core.domain.records import number_papers
from core.domain.reply import Attachment, Button, Footnote, Reply

if TYPE_CHECKING:
    from core.services.papers import Papers

_FOUND = ("section", "table", "figure", "formula", "reference")
_QUOTED = "quoted from the papers, no language model"
_MOST_NEAREST = 3
_NEAREST_CHARACTERS = 280
_MOST_PAGE_BUTTONS = 5
NO_PAPERS = "There are no papers here yet. Drop a PDF to add one."

ID_IN_BUTTON = 16
"""How many characters of a paper's id a button carries."""


def answer(given: Answer, papers: Mapping[str, Paper]) -> Reply:
    """An answer with its footnotes, its folded sentences left out; ``papers`` holds those that it cites, by id."""
    notes = footnotes_of(_cited_by(given.sentences, given.citations), papers, given.sentences)
    message = given.message.splitlines()
    parts = [
        " ".join(sentence(item.text, item.markers) for item in given.sentences),
        *(escape(line) for line in message),
    ]
    if given.outcome in ("not_found", "unclear"):
        parts.append(_nearest(given.nearest[:_MOST_NEAREST]))
    message_lists_papers = len(message) > 1
    if given.outcome == "clarify" and not message_lists_papers:
        parts.append(_titles([papers[id_] for id_ in given.candidates if id_ in papers]))
    shown = {note.paper.id for note in notes} | _uncited(given)
    return Reply(
        kind="answer",
        body=_paragraphs(parts),
        footnotes=notes,
        buttons=_answer_buttons(given),
        footer=_answer_footer(given),
        papers=frozenset(shown),
    )


def more_of(given: Answer, papers: Mapping[str, Paper]) -> Reply:
    """The folded sentences of an answer, one a line, with their footnotes."""
    lines = "\n".join(f"- {sentence(item.text, item.markers)}" for item in given.more)
    notes = footnotes_of(_cited_by(given.more, given.citations), papers)
    shown = frozenset(note.paper.id for note in notes)
    return Reply(kind="answer", body=f"More from the paper:\n\n{lines}", footnotes=notes, papers=shown)


def _cited_by(sentences: Sequence[Sentence], citations: Sequence[Citation]) -> list[Citation]:
    markers = {marker for item in sentences for marker in item.markers}
    return [citation for citation in citations if citation.marker in markers]


def _uncited(given: Answer) -> set[str]:
    """Ids of the papers that an answer shows without citing them."""
    return {near.paper.id for near in given.nearest} | set(given.candidates)


def _titles(papers: Sequence[Paper]) -> str:
    return "\n".join(f"- {escape(paper.title)}" for paper in papers)


def note_edited_question(given: Reply) -> Reply:
    """The answer to a question that was edited after it had been answered: its footer says so."""
    note = "answers the question as it reads now; the answer above is to its earlier words"
    return replace(given, footer=_joined(note, given.footer))


async def fetch_papers_and_answer(given: Answer, papers: "Papers", scope: Scope) -> Reply:
    """``answer`` with the papers that it cites fetched from the engine.

    Raises ``NotInScope`` where one was forgotten since: its words are not to be shown any more.
    """
    needed = {citation.paper_id for citation in given.citations} | _uncited(given)
    return answer(given, await _fetched(needed, papers, scope))


async def fetch_papers_and_show_more(given: Answer, papers: "Papers", scope: Scope) -> Reply:
    """``more_of`` in the same way."""
    needed = {citation.paper_id for citation in _cited_by(given.more, given.citations)}
    return more_of(given, await _fetched(needed, papers, scope))


async def _fetched(needed: set[str], papers: "Papers", scope: Scope) -> dict[str, Paper]:
    fetched = await papers.in_scope(scope.within(frozenset(needed))) if needed else ()
    if len(fetched) < len(needed):
        raise NotInScope("A paper that this answer quotes has been forgotten meanwhile; please ask once more.")
    return {paper.id: paper for paper in fetched}


def make_private(reply: Reply, trace_id: str) -> Reply:
    """An answer that is shown to its asker alone, with a button that shares it with the thread."""
    share = Button(label="Share with the thread", action="share", value=trace_id, style="primary")
    return replace(reply, audience="asker", buttons=(share, *reply.buttons))


def correction(paper: Paper) -> Reply:
    """A paper as it is known after a user's correction."""
    body = f"Corrected; the paper is now known as:\n\n{_identity(paper)}"
    return Reply(kind="status", body=body, papers=frozenset({paper.id}))


def footnotes_of(
    citations: Sequence[Citation], papers: Mapping[str, Paper], sentences: Sequence[Sentence] = ()
) -> tuple[Footnote, ...]:
    """The footnotes of those citations whose papers are among ``papers``, which are keyed by id.

    One is marked as paraphrased where some of ``sentences`` cite it and none of them is its quote.
    """
    quoted = {marker for item in sentences if item.form == "quote" for marker in item.markers}
    told = {marker for item in sentences if item.form == "paraphrase" for marker in item.markers} - quoted
    cited_here = (citation for citation in citations if citation.paper_id in papers)
    return tuple(
        Footnote(citation=citation, paper=papers[citation.paper_id], paraphrased=citation.marker in told)
        for citation in cited_here
    )


def sentence(text: str, markers: Sequence[int]) -> str:
    """A sentence with its markers behind it, for example ``Words [1][2]``; the brackets are literal."""
    return escape(text) + (" " + "".join(rf"\[{marker}\]" for marker in markers) if markers else "")


def ingest_report(report: IngestReport) -> Reply:
    """What was found in a paper that was added, or the sentence that says why it was not."""
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
        escape(report.reason),
        _unread(report),
        f"> {sentence(report.key_sentence.quote, (1,))}" if report.key_sentence else "",
        "Ask, for example:\n" + "\n".join(f"- {escape(q)}" for q in report.questions) if report.questions else "",
    ]
    return Reply(
        kind="ingest",
        body=_paragraphs(parts),
        footnotes=notes,
        buttons=tuple(
            Button(label=question, action="ask", value=f"{report.paper.id[:ID_IN_BUTTON]}/{index}")
            for index, question in enumerate(report.questions)
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
        escape(_from_where(channels, here) + (f" It stays in {pluralize(left, 'other channel')}." if left else "")),
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
    others = pluralize(len(channels - {here}), "other channel" if here in channels else "channel")
    return f"It is removed from {f'this channel and {others}' if here in channels else others}."


def removal(gone: Forgotten, titles: Sequence[str], *, left: int = 0) -> Reply:
    """What was removed, in numbers; the title is shown once more to whoever asked and is not kept.

    ``left`` is in how many channels in the asker's reach it stays.
    """
    if not gone.papers:
        return Reply(kind="forgotten", body="Nothing was removed.")
    named = ", ".join(f"**{escape(title)}**" for title in titles) or pluralize(len(gone.papers), "paper")
    removed = ", ".join(_count(number, what) for what, number in sorted(gone.counts.items()) if number)
    parts = [
        f"Forgotten: {named}.",
        f"Removed: {removed}." if removed else "",
        f"It stays in {pluralize(left, 'channel')} where you may not remove it." if left else "",
    ]
    return Reply(kind="forgotten", body=_paragraphs(parts))


def home(listed: Sequence[Paper], waiting: str) -> Reply:
    """The start of a conversation: what is here, what is being read, how to begin; ``listed``: all, oldest first."""
    begin = "Drop a PDF into a channel that Footnote is in, then ask about it in a thread; help lists the rest."
    numbers = number_papers(listed)
    rows = [[*paper_columns(numbers[paper.id], paper), paper.id[:8]] for paper in listed]
    papers = table(["#", "Title", "Authors", "Year", "Pages", "Id"], rows) if listed else NO_PAPERS
    return Reply(
        kind="home",
        body=_paragraphs([escape(begin), escape(waiting), papers]),
        footer=pluralize(len(listed), "paper") if listed else "",
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


def notice(words: str) -> Reply:
    """One plain sentence, escaped."""
    return Reply(kind="help", body=escape(words))


def paper_columns(number: int, paper: Paper) -> list[str]:
    """Number, title, authors, year and pages of a paper in a table."""
    return [str(number), paper.title, short_authors(paper), str(paper.metadata.year or ""), str(paper.pages)]


def _identity(paper: Paper) -> str:
    authors = ", ".join(paper.metadata.authors)
    about = _joined(authors, str(paper.metadata.year or ""), pluralize(paper.pages, "page"))
    return f"**{escape(paper.title)}**\n\n{escape(about)}"


def _found(counts: Mapping[str, int]) -> str:
    found = [pluralize(number, item) for item in _FOUND if (number := counts.get(f"{item}s"))]
    return ", ".join(found) or pluralize(counts.get("passages", 0), "passage")


def _unread(report: IngestReport) -> str:
    reasons = [warning.rstrip(".") for warning in (report.paper.warnings if report.paper else ())]
    unread_pages = report.counts.get("unread_pages")
    if unread_pages and not reasons:
        reasons = [f"{pluralize(unread_pages, 'page')} held nothing readable"]
    return f"Not read: {escape('; '.join(reasons))}." if reasons else ""


def _key_note(report: IngestReport, paper: Paper) -> tuple[Footnote, ...]:
    if report.key_sentence is None:
        return ()
    citation = Citation(marker=1, paper_id=paper.id, section=(), spans=(report.key_sentence,))
    return (Footnote(citation=citation, paper=paper),)


def _nearest(found: Sequence[Evidence]) -> str:
    return "\n".join(["Closest passages:", *map(_near, found)]) if found else ""


def _near(near: Evidence) -> str:
    passage = near.passage
    words = " ".join(passage.text.split())
    cut = words if len(words) <= _NEAREST_CHARACTERS else words[:_NEAREST_CHARACTERS].rsplit(" ", 1)[0] + " …"
    source = (near.paper.title, pages_label(near.paper.page_labels, [passage.page]), section_text(passage.section))
    return f"- “{escape(cut)}” ({escape(', '.join(filter(None, source)))})"


def _answer_buttons(given: Answer) -> tuple[Button, ...]:
    """What a reader may do with an answer that is stored; a plain sentence ("the library is empty") has none."""
    if not given.trace_id or given.outcome in ("clarify", "declined"):
        return ()
    verdicts = (
        Button(label="Good", action="good", value=given.trace_id),
        Button(label="Wrong", action="wrong", value=given.trace_id),
    )
    pages = tuple(
        Button(label=f"Show [{citation.marker}]", action="page", value=f"{given.trace_id}:{citation.marker}")
        for citation in _cited_by(given.sentences, given.citations)[:_MOST_PAGE_BUTTONS]
    )
    more = (Button(label="More from the paper", action="more", value=given.trace_id),) if given.more else ()
    return (*pages, *more, *verdicts, Button(label="Search wider", action="wider", value=given.trace_id))


def _answer_footer(given: Answer) -> str:
    how = f"written by {given.model or 'a language model'}" if given.mode == "model" else _QUOTED
    parts = [how if given.outcome == "answered" else "", *given.notes]
    if given.timings:
        parts.append(f"{given.timings.get('total', sum(given.timings.values())):.1f} s")
    if given.trace_id:
        parts.append(f"reference {given.trace_id}")
    return _joined(*parts)


def _count(number: int, plural: str) -> str:
    """``number`` with its noun, which is given as its plural."""
    irregular = {"studies": "study", "stored replies": "stored reply", "messages of the page": "message of the page"}
    singular = irregular.get(plural, plural.removesuffix("s"))
    return f"{number} {escape(singular if number == 1 else plural)}"


def _paragraphs(parts: Sequence[str]) -> str:
    """Markdown paragraphs; empty parts are left out."""
    return "\n\n".join(filter(None, parts))


def _joined(*parts: str) -> str:
    """The parts of a footer or a line about a paper; empty ones are left out."""
    return " · ".join(filter(None, parts))
