"""Commands that export bibliographies, threads and tables, and import bibliographies; the page behind a footnote."""

import asyncio
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bot.commands.request import Action, Command, Request
from bot.replies import general, records
from bot.replies.plurals import pluralize
from core.domain.errors import FootnoteError, NotInScope
from core.domain.events import CommandGiven
from core.domain.model import Paper, SharedFile
from core.domain.platforms import ChatPlatform
from core.domain.records import BibliographyFormat, Imported
from core.domain.reply import Reply

_FORMATS: dict[str, BibliographyFormat] = {
    "bibtex": "bibtex",
    "bib": "bibtex",
    "ris": "ris",
    "csl": "csl",
    "csl-json": "csl",
    "json": "csl",
}
_LARGEST = 10_000_000
_TABLE = re.compile(r"^(?P<paper>.+?)[\s,:]+(?P<label>table\s+\S+)$", re.IGNORECASE)


async def bibliography(request: Request) -> Reply:
    """A bibliography of what the thread cites, of named papers, or of everything here."""
    words = request.words.split()
    formats = [_FORMATS[word.lower()] for word in words if word.lower() in _FORMATS]
    form: BibliographyFormat = formats[0] if formats else "bibtex"
    named = " ".join(word for word in words if word.lower() not in _FORMATS)
    papers, what = await _selection(request, named)
    sent = await request.engine.records.bibliography(request.scope, [paper.id for paper in papers], form)
    count = pluralize(len(papers), "paper")
    return records.files(f"{count}: {what}.", [sent], frozenset(paper.id for paper in papers))


async def _selection(request: Request, named: str) -> tuple[Sequence[Paper], str]:
    match named.lower():
        case "" | "thread":
            cited = await request.engine.records.cited_in(request.thread, request.scope)
            if cited or named:
                return cited, "what the answers in this thread cite"
        case "all" | "channel" | "here":
            pass
        case _:
            titles = [words for words in named.split(";") if words.strip()]
            return [await request.backend.paper(request.scope, words) for words in titles], "those you named"
    return await request.engine.papers.in_scope(request.scope), "all that are here"


async def related_work(request: Request) -> Reply:
    """A related-work paragraph in the papers' own words, with cite keys."""
    return records.related_work(await request.engine.records.related_work(request.scope, request.words))


async def export(request: Request) -> Reply:
    """The thread as Markdown, or a paper's tables as CSV."""
    first, _, rest = request.words.partition(" ")
    if first.lower() in ("table", "tables") and rest.strip():
        return await _tables(request, rest.strip())
    if first.lower() not in ("", "thread", "markdown"):
        return general.notice(
            "Please write export for this thread, or export tables PAPER, or export tables PAPER Table 2."
        )
    sent = await request.engine.records.thread_file(request.thread, request.scope)
    papers = await request.engine.records.cited_in(request.thread, request.scope)
    return records.files("This thread, with footnotes.", [sent], frozenset(paper.id for paper in papers))


async def _tables(request: Request, words: str) -> Reply:
    asked = _TABLE.match(words)
    paper = await request.backend.paper(request.scope, asked["paper"] if asked else words)
    sent = await request.engine.records.tables(request.scope, paper.id, asked["label"] if asked else "")
    if not sent:
        what = f"no {asked['label']}" if asked else "no table"
        return general.notice(f"“{paper.title}” has {what} that could be read as one.")
    summary = f"Tables of “{paper.title}”, the last column says on which page."
    return records.files(summary, sent, frozenset({paper.id}))


async def import_bibliography(request: Request) -> Reply:
    """Fill metadata from a bibliography: a file that came with the command, or its text behind it."""
    overwrite: frozenset[str] = frozenset()
    given = request.given
    files = given.files if isinstance(given, CommandGiven) else ()
    if files:
        if request.words:
            overwrite = frozenset({(await request.backend.paper(request.scope, request.words)).id})
        return await _import_files(request, files, overwrite)
    if request.words.lstrip()[:1] in ("@", "[", "{") or request.words.startswith("TY "):
        data = request.words.encode()
    else:
        return general.notice(
            "Please send import together with a .bib, .ris or CSL-JSON file, or with BibTeX behind it."
        )
    return records.import_report(
        [await request.engine.records.import_bibliography(request.scope, data, user=request.user)], ()
    )


async def _import_files(request: Request, files: Sequence[SharedFile], overwrite: frozenset[str]) -> Reply:
    """Each file for itself: one that is no bibliography is named and costs the others nothing."""
    imported: list[Imported] = []
    refused: list[tuple[str, str]] = []
    for file in files:
        try:
            data = await _download(request.platform, file)
            result = request.engine.records.import_bibliography(
                request.scope, data, user=request.user, overwrite=overwrite
            )
            imported.append(await result)
        except FootnoteError as failure:
            if failure.retry:
                raise
            refused.append((file.name, failure.words))
    return records.import_report(imported, refused)


async def _download(platform: ChatPlatform, file: SharedFile) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bibliography"
        await platform.download(file, path, limit=_LARGEST)
        return await asyncio.to_thread(path.read_bytes)


async def cited_page(request: Request) -> Reply:
    """The page behind a footnote, the quoted words marked; the value is the answer's code and the footnote's number."""
    trace_id, _, marker = request.words.rpartition(":")
    if not marker.isdigit():
        raise NotInScope("That footnote is no longer there; please ask again.")
    shown = await request.engine.records.pages(request.thread, request.scope, trace_id, int(marker))
    return records.pages(shown, int(marker))


COMMANDS = {
    "bibliography": Command(
        usage="bibliography FORMAT PAPERS",
        does="a file for this thread, for papers parted by ; or for all: bibtex, ris or csl",
        run=bibliography,
        public=True,
        takes_paper=True,
        takes_text=True,
    ),
    "related-work": Command(
        usage="related-work TOPIC",
        does="a paragraph of quotes with cite keys and pages, for a manuscript",
        run=related_work,
        public=True,
    ),
    "export": Command(
        usage="export",
        does="this thread as Markdown; export tables PAPER gives its tables",
        run=export,
        public=True,
        takes_text=True,
    ),
    "import": Command(
        usage="import",
        does="fills metadata from a BibTeX, RIS or CSL-JSON file that comes with it",
        run=import_bibliography,
        takes_text=True,
        takes_file=True,
    ),
}
BUTTONS: dict[str, Action] = {"page": cited_page}
