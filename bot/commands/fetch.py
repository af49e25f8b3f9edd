"""Fetches papers by arXiv id, DOI or address and ingests them, one after the other, with a report on each."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from adapters.common.markdown import escape
from bot.commands.request import Command, Request
from bot.replies import general
from bot.replies.plurals import pluralize
from core.domain.errors import FootnoteError, RateLimited
from core.domain.model import IngestReport, Share
from core.domain.reply import Reply
from core.services.fetching import FetchTarget

_USAGE = "Please write it as: fetch 2101.00001, a DOI or the address of an open PDF; several at once are fine."


async def fetch(request: Request) -> Reply:
    """Fetch the papers that are named and take them in; one that fails stops no other."""
    wanted = request.engine.fetching.wanted(request.words)
    if not wanted:
        return general.notice(_USAGE)
    reports: list[IngestReport] = []
    with tempfile.TemporaryDirectory(prefix="footnote-fetch-") as folder:
        for number, target in enumerate(wanted):
            if request.context.stop.asked:
                break
            await request.context.progress.step("fetching", number, len(wanted))
            reports.append(await _fetch_one(request, target, Path(folder) / f"{number}.pdf"))
    return _report(wanted, reports)


async def _fetch_one(request: Request, wanted: FetchTarget, pdf: Path) -> IngestReport:
    share = Share(
        paper_id="",
        channel=request.channel.id,
        message=request.given.message,
        user=request.user,
        at=request.given.at,
        file_id=wanted.name,
    )
    try:
        await request.engine.fetching.fetch(wanted, pdf)
        return await request.engine.papers.ingest(
            share, scope=request.scope, pdf=pdf, file_name=wanted.file_name, progress=request.context.progress
        )
    except RateLimited as failure:
        words = f"{failure.words.rstrip('.')} (about {failure.seconds:.0f} s)."
        return IngestReport(outcome="failed", file_name=wanted.name, reason=words)
    except FootnoteError as failure:
        return IngestReport(outcome="failed", file_name=wanted.name, reason=failure.words)
    finally:
        await asyncio.to_thread(pdf.unlink, missing_ok=True)


def _report(wanted: Sequence[FetchTarget], reports: Sequence[IngestReport]) -> Reply:
    """The full report of a single paper; a line each for several."""
    papers = frozenset(report.paper.id for report in reports if report.paper)
    if len(wanted) == 1 and papers:
        return general.ingest_report(reports[0])
    lines = [f"- {escape(target.name)}: {_line(report)}" for target, report in zip(wanted, reports, strict=False)]
    left = len(wanted) - len(reports)
    if left:
        lines.append(f"- {left} more were not fetched: stopped")
    return Reply(kind="ingest", body="\n".join(lines), papers=papers)


def _line(report: IngestReport) -> str:
    if report.paper is None:
        return escape(report.reason)
    what = "was here already" if report.outcome == "known" else f"{pluralize(report.paper.pages, 'page')} read"
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
