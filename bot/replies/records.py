"""The list of papers, related papers, imports, related work and cited pages as replies. Pure."""

from collections.abc import Mapping, Sequence

from adapters.common.markdown import escape, table
from bot.replies.general import NO_PAPERS, footnotes_of, paper_columns, sentence
from bot.replies.groups import connection
from bot.replies.plurals import pluralize
from core.domain.citation_format import page_label, pages_label
from core.domain.model import Paper
from core.domain.records import (
    AnswerCorrection,
    CitedHere,
    Difference,
    Imported,
    PageShown,
    PaperList,
    PaperTags,
    Related,
    RelatedWork,
)
from core.domain.reply import LONGEST_VALUE, Attachment, Button, Reply

MOST_LISTED = 12
_FIELDS = {"arxiv_id": "arXiv number", "doi": "DOI"}


def paper_list(given: PaperList, *, user: str = "") -> Reply:
    """A page of papers as a table, with buttons to the pages before and after it."""
    if not given.total:
        words = f"No paper here goes by {given.words}." if given.words else NO_PAPERS
        return Reply(kind="papers", body=escape(words))
    any_marks = any(given.marks.values())
    head = ["#", "Title", "Authors", "Year", "Pages", *(["Marks"] if any_marks else []), "Id"]
    rows = []
    for number, paper in zip(given.numbers, given.papers, strict=True):
        marks = given.marks.get(paper.id)
        shown = [_tags_and_status(marks, user)] if any_marks else []
        rows.append([*paper_columns(number, paper), *shown, paper.id[:8]])
    count = pluralize(given.total, "paper")
    return Reply(
        kind="papers",
        body=table(head, rows),
        buttons=_pages(given),
        footer=count + (f", page {given.page} of {given.pages}" if given.pages > 1 else ""),
        papers=frozenset(paper.id for paper in given.papers),
    )


def _tags_and_status(marks: PaperTags | None, user: str) -> str:
    if marks is None:
        return ""
    return ", ".join([*(f"#{tag}" for tag in marks.tags), *filter(None, [marks.status(user)])])


def _pages(given: PaperList) -> tuple[Button, ...]:
    beside = (("Newer", given.page - 1), ("Older", given.page + 1))
    return tuple(
        Button(label=label, action="papers", value=f"{page}/{given.words}"[:LONGEST_VALUE])
        for label, page in beside
        if 1 <= page <= given.pages
    )


def paper_notice(paper: Paper, words: str) -> Reply:
    """What was noted on a paper."""
    return Reply(kind="status", body=f"**{escape(paper.title)}** {escape(words)}", papers=frozenset({paper.id}))


def related(given: Related) -> Reply:
    """A paper among the others."""
    cited = [item.cited for item in given.cites]
    citing = [item.citing for item in given.cited_by]
    others = [*cited, *citing, *(near.paper for near in given.nearest)]
    parts = [
        f"**{escape(given.paper.title)}** among the papers here",
        _cited("Cites", cited),
        _cited("Is cited by", citing),
        "\n".join(f"- {connection(near)}" for near in given.nearest),
        "" if others else "No other paper here is near it, and none cites it or is cited by it.",
    ]
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
        [item.citing.title, item.cited.title, pages_label(item.citing.page_labels, filter(None, [item.reference.page]))]
        for item in found
    ]
    shown = {item.citing.id for item in found} | {item.cited.id for item in found}
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
        f"- {escape(item.key)}: “{escape(item.sentence.text)}” {sentence('', item.sentence.markers).strip()}"
        for item in given.sentences
    ]
    papers = {item.paper.id: item.paper for item in given.sentences}
    topic = f" on {escape(given.topic)}" if given.topic else ""
    return Reply(
        kind="export",
        body="\n".join([f"**Related work{topic}**", "", *lines]),
        footnotes=footnotes_of(given.citations, papers),
        files=given.files,
        footer="every sentence is a quote; the files have it with cite keys and pages",
        papers=frozenset(papers),
    )


def import_report(given: Sequence[Imported], refused: Sequence[tuple[str, str]]) -> Reply:
    """What bibliographies filled, and where they say otherwise; ``refused`` are files' names and what is wrong."""
    filled = [entry for result in given for entry in result.filled]
    differing = [difference for result in given for difference in result.differing]
    parts = [
        *(escape(f"{name} was not taken in: {words}") for name, words in refused),
        *([escape(_counted(given))] if given else []),
        *_filled_in(filled),
        *_differing(differing),
    ]
    shown = {paper.id for paper, _ in filled} | {difference.paper.id for difference in differing}
    return Reply(kind="status" if given else "error", body="\n\n".join(parts), papers=frozenset(shown))


def _filled_in(filled: Sequence[tuple[Paper, Sequence[str]]]) -> list[str]:
    if not filled:
        return []
    lines = [f"- **{escape(paper.title)}**: {escape(', '.join(map(_field, names)))}" for paper, names in filled]
    return ["\n".join(["Filled in:", "", *lines[:MOST_LISTED], *_more(len(lines))])]


def _differing(differing: Sequence[Difference]) -> list[str]:
    if not differing:
        return []
    rows = [[item.paper.title, _field(item.field), item.here, item.there] for item in differing[:MOST_LISTED]]
    return [
        "These differ and were left as they are:",
        table(["Paper", "Field", "Here", "In the file"], rows),
        escape("To take the file's word for a paper: import PAPER, with the file again."),
    ]


def _counted(given: Sequence[Imported]) -> str:
    entries = sum(result.entries for result in given)
    matched = sum(result.matched for result in given)
    unread = sum(result.unread for result in given)
    unchanged = not any(result.filled for result in given)
    kind = "entry is a paper that is" if entries == 1 else "entries are papers that are"
    sentences = [f"{matched} of {entries} {kind} here."]
    if unread:
        sentences.append(f"{unread} could not be read and were passed over.")
    if unchanged and matched:
        sentences.append("Nothing was missing, so nothing was changed.")
    elif unchanged:
        sentences.append("Nothing was changed.")
    return " ".join(sentences)


def _field(name: str) -> str:
    return _FIELDS.get(name, name)


def _more(count: int) -> list[str]:
    return [f"- and {count - MOST_LISTED} more"] if count > MOST_LISTED else []


def pages(given: Sequence[PageShown], marker: int) -> Reply:
    """The pages of a footnote, the quoted words marked."""
    paper = given[0].paper
    pictures = tuple(
        Attachment(
            name=f"page-{item.page}.png",
            mime="image/png",
            data=item.png,
            alt=f"Page {page_label(paper.page_labels, item.page)} of {paper.title}; marked: {' … '.join(item.quotes)}"[
                :1000
            ],
        )
        for item in given
        for label in [page_label(paper.page_labels, item.page)]
    )
    numbers = " and ".join(page_label(paper.page_labels, item.page) for item in given)
    quotes = "\n".join(f"> {escape(quote)}" for item in given for quote in item.quotes)
    body = rf"\[{marker}\] **{escape(paper.title)}**, page {numbers}" + (f"\n\n{quotes}" if quotes else "")
    return Reply(kind="page", body=body, files=pictures, papers=frozenset({paper.id}))


def append_corrections(reply_body: str, given: Sequence[AnswerCorrection], names: Mapping[str, str]) -> str:
    """The body of an answer with what readers corrected in earlier answers to the same question."""
    if not given:
        return reply_body
    lines = []
    for remark in given:
        reader = escape(names.get(remark.user) or remark.user)
        lines.append(f"> {reader} on an earlier answer to this ({remark.at:%d %b %Y}): {escape(remark.words)}")
    return "\n\n".join([reply_body, *lines])
