"""The shelf, related papers, imports, related work and cited pages, put into words. Pure."""

from collections.abc import Mapping, Sequence

from adapters.common.markdown import escape, table
from bot.replies.general import NO_PAPERS, columns, footnotes_of
from bot.replies.groups import connection
from bot.replies.plurals import counted
from core.domain.model import Paper
from core.domain.records import CitedHere, Imported, PageShown, PaperList, Related, RelatedWork, Remark
from core.domain.reply import LONGEST_VALUE, Attachment, Button, Reply

MOST_LISTED = 12
_FIELDS = {"arxiv_id": "arXiv number", "doi": "DOI"}


def shelf(given: PaperList, *, user: str = "") -> Reply:
    """A page of papers as a table, with buttons to the pages before and after it."""
    if not given.total:
        words = f"No paper here goes by {given.words}." if given.words else NO_PAPERS
        return Reply(kind="papers", body=escape(words))
    marked = any(given.marks.values())
    head = ["#", "Title", "Authors", "Year", "Pages", *(["Marks"] if marked else []), "Id"]
    rows = []
    for number, paper in zip(given.numbers, given.papers, strict=True):
        marks = given.marks.get(paper.id)
        told = [f"#{tag}" for tag in marks.tags] if marks else []
        status = marks.status(user) if marks else None
        rows.append(
            [
                *columns(number, paper),
                *([", ".join([*told, *([status] if status else [])])] if marked else []),
                paper.id[:8],
            ]
        )
    count = counted(given.total, "paper")
    return Reply(
        kind="papers",
        body=table(head, rows),
        buttons=_pages(given),
        footer=count + (f", page {given.page} of {given.pages}" if given.pages > 1 else ""),
        papers=frozenset(paper.id for paper in given.papers),
    )


def _pages(given: PaperList) -> tuple[Button, ...]:
    beside = (("Newer", given.page - 1), ("Older", given.page + 1))
    return tuple(
        Button(label=label, action="papers", value=f"{page}/{given.words}"[:LONGEST_VALUE])
        for label, page in beside
        if 1 <= page <= given.pages
    )


def marked(paper: Paper, words: str) -> Reply:
    """What was noted on a paper."""
    return Reply(kind="status", body=f"**{escape(paper.title)}** {escape(words)}", papers=frozenset({paper.id}))


def related(given: Related) -> Reply:
    """A paper among the others."""
    parts = [
        f"**{escape(given.paper.title)}** among the papers here",
        _cited("Cites", [one.cited for one in given.cites]),
        _cited("Is cited by", [one.citing for one in given.cited_by]),
        "\n".join(f"- {connection(one)}" for one in given.nearest),
    ]
    others = [
        *(one.cited for one in given.cites),
        *(one.citing for one in given.cited_by),
        *(c.paper for c in given.nearest),
    ]
    if not others:
        parts.append("No other paper here is near it, and none cites it or is cited by it.")
    papers = {paper.id: paper for paper in (given.paper, *others)}
    return Reply(
        kind="papers",
        body="\n\n".join(part for part in parts if part),
        footnotes=footnotes_of(given.citations, papers),
        footer="near means on the same matter, not that they agree" if given.nearest else "",
        papers=frozenset(papers),
    )


def _cited(head: str, papers: Sequence[Paper]) -> str:
    return f"{head}: " + "; ".join(f"**{escape(paper.title)}**" for paper in papers) + "." if papers else ""


def citations(found: Sequence[CitedHere]) -> Reply:
    """What cites what among the papers here."""
    if not found:
        return Reply(
            kind="papers",
            body="None of the papers here cites another of them, as far as their reference lists were read.",
        )
    rows = [
        [one.citing.title, one.cited.title, f"p. {one.reference.page}" if one.reference.page else ""] for one in found
    ]
    shown = {paper.id for one in found for paper in (one.citing, one.cited)}
    return Reply(kind="papers", body=table(["Paper", "Cites", "On"], rows), papers=frozenset(shown))


def files(kind_of: str, given: Sequence[Attachment], papers: frozenset[str]) -> Reply:
    """Files to take away, with one sentence on what they are."""
    return Reply(kind="export", body=escape(kind_of), files=tuple(given), papers=papers)


def related_work(given: RelatedWork) -> Reply:
    """A paragraph in the papers' own words, with its footnotes and files."""
    if not given.sentences:
        about = f" on {given.topic}" if given.topic else ""
        return Reply(kind="export", body=escape(f"No paper here says anything{about} that could be quoted."))
    lines = [
        f"- {escape(one.key)}: “{escape(one.sentence.text)}” "
        + "".join(rf"\[{marker}\]" for marker in one.sentence.markers)
        for one in given.sentences
    ]
    papers = {one.paper.id: one.paper for one in given.sentences}
    topic = f" on {escape(given.topic)}" if given.topic else ""
    return Reply(
        kind="export",
        body="\n".join([f"**Related work{topic}**", "", *lines]),
        footnotes=footnotes_of(given.citations, papers),
        files=given.files,
        footer="every sentence is a quote; the files have it with cite keys and pages",
        papers=frozenset(papers),
    )


def imported(given: Sequence[Imported], refused: Sequence[tuple[str, str]]) -> Reply:
    """What bibliographies filled, and where they say otherwise; ``refused`` are files' names and what is wrong."""
    parts = [escape(f"{name} was not taken in: {words}") for name, words in refused]
    if given:
        parts.append(escape(_counted(given)))
    filled = [
        f"- **{escape(paper.title)}**: {escape(', '.join(map(_field, names)))}"
        for one in given
        for paper, names in one.filled
    ]
    differing = [one for each in given for one in each.differing]
    if filled:
        parts.append("\n".join(["Filled in:", "", *filled[:MOST_LISTED], *_more(len(filled))]))
    if differing:
        rows = [[one.paper.title, _field(one.field), one.here, one.there] for one in differing[:MOST_LISTED]]
        parts.append("These differ and were left as they are:")
        parts.append(table(["Paper", "Field", "Here", "In the file"], rows))
        parts.append(escape("To take the file's word for a paper: import PAPER, with the file again."))
    shown = {paper.id for one in given for paper, _ in one.filled} | {one.paper.id for one in differing}
    return Reply(kind="status" if given else "error", body="\n\n".join(parts), papers=frozenset(shown))


def _counted(given: Sequence[Imported]) -> str:
    entries, matched, unread = (sum(getattr(one, name) for one in given) for name in ("entries", "matched", "unread"))
    told = [
        f"{matched} of {entries} {'entry is a paper that is' if entries == 1 else 'entries are papers that are'} here."
    ]
    if unread:
        told.append(f"{unread} could not be read and were passed over.")
    if not any(one.filled for one in given):
        told.append("Nothing was missing, so nothing was changed." if matched else "Nothing was changed.")
    return " ".join(told)


def _field(name: str) -> str:
    return _FIELDS.get(name, name)


def _more(count: int) -> list[str]:
    return [f"- and {count - MOST_LISTED} more"] if count > MOST_LISTED else []


def pages(given: Sequence[PageShown], marker: int) -> Reply:
    """The pages of a footnote, the quoted words marked."""
    paper = given[0].paper
    pictures = tuple(
        Attachment(
            name=f"page-{one.page}.png",
            mime="image/png",
            data=one.png,
            alt=f"Page {one.page} of {paper.title}; marked: {' … '.join(one.quotes)}"[:1000],
        )
        for one in given
    )
    numbers = " and ".join(str(one.page) for one in given)
    quotes = "\n".join(f"> {escape(quote)}" for one in given for quote in one.quotes)
    body = rf"\[{marker}\] **{escape(paper.title)}**, page {numbers}" + (f"\n\n{quotes}" if quotes else "")
    return Reply(kind="page", body=body, files=pictures, papers=frozenset({paper.id}))


def remarked(reply_body: str, given: Sequence[Remark], names: Mapping[str, str]) -> str:
    """The body of an answer with what readers corrected in earlier answers to the same question."""
    if not given:
        return reply_body
    lines = []
    for one in given:
        who = escape(names.get(one.user) or one.user)
        lines.append(f"> {who} on an earlier answer to this ({one.at:%d %b %Y}): {escape(one.words)}")
    return "\n\n".join([reply_body, *lines])
