"""Takes in papers that lie elsewhere: named by arXiv id, DOI or address, fetched one after the other, each reported."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from adapters.common.markdown import escape
from bot.commands.request import Action, Command, Request
from bot.replies import general
from bot.replies.plurals import counted
from core.domain.errors import FootnoteError, RateLimited
from core.domain.model import IngestReport, Share
from core.domain.reply import Reply
from core.services.fetching import FetchTarget

_USAGE = "Please write it as: fetch 2101.00001, a DOI or the address of an open PDF; several at once are fine."


async def fetch(request: Request) -> Reply:
    """Fetch the papers that are named and take them in; one that fails stops no other."""
    wanted = request.engine.fetching.wanted(request.words)
    if not wanted:
        return general.say(_USAGE)
    reports: list[IngestReport] = []
    with tempfile.TemporaryDirectory(prefix="footnote-fetch-") as folder:
        for number, one in enumerate(wanted):
            if request.stop.asked:
                break
            await request.progress.step("fetching", number, len(wanted))
            reports.append(await _taken_in(request, one, Path(folder) / f"{number}.pdf"))
    return _told(wanted, reports)


async def _taken_in(request: Request, wanted: FetchTarget, pdf: Path) -> IngestReport:
    share = Share(
        paper_id="",
        channel=request.channel.id,
        message=request.given.message,
        user=request.user,
        at=request.given.at,
        file_id=wanted.name,
    )
    try:
        found = await request.engine.fetching.fetch(wanted, pdf)
        return await request.engine.papers.ingest(
            share, scope=request.scope, pdf=pdf, file_name=found.file_name, progress=request.progress
        )
    except RateLimited as failure:
        words = f"{failure.words.rstrip('.')} (about {failure.seconds:.0f} s)."
        return IngestReport(outcome="failed", file_name=wanted.name, reason=words)
    except FootnoteError as failure:
        return IngestReport(outcome="failed", file_name=wanted.name, reason=failure.words)
    finally:
        await asyncio.to_thread(pdf.unlink, missing_ok=True)


def _told(wanted: Sequence[FetchTarget], reports: Sequence[IngestReport]) -> Reply:
    """One paper has its card; several have a line each."""
    if len(wanted) == 1 and reports and reports[0].paper:
        return general.ingested(reports[0])
    lines = [f"- {escape(one.name)}: {_line(report)}" for one, report in zip(wanted, reports, strict=False)]
    if len(reports) < len(wanted):
        lines.append(f"- {len(wanted) - len(reports)} more were not fetched: stopped")
    papers = frozenset(report.paper.id for report in reports if report.paper)
    return Reply(kind="ingest", body="\n".join(lines), papers=papers)


def _line(report: IngestReport) -> str:
    if report.paper is None:
        return escape(report.reason)
    what = "was here already" if report.outcome == "known" else f"{counted(report.paper.pages, 'page')} read"
    return f"**{escape(report.paper.title)}**, {what}"


COMMANDS = {
    "fetch": Command(
        usage="fetch ARXIV-ID, DOI or ADDRESS …",
        does="takes in open papers from the internet, where allowed",
        run=fetch,
        public=True,
        takes_text=True,
    ),
}
BUTTONS: dict[str, Action] = {}
FORMS: dict[str, Action] = {}
