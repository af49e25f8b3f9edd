"""``ingest``: many files at once, one bad file never stopping the rest."""

import asyncio
import hashlib
import os
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from bot.cli import bars
from bot.cli.app import FAILED, NOT_FOUND, OK, REFUSED
from bot.cli.common import Place, finish, json_option, paper_row, place, place_options, start, write_json
from bot.cli.fetching import fetch_all
from bot.cli.names import NamedPath
from bot.counting import counted
from bot.settings import Settings
from core.domain.errors import FootnoteError
from core.domain.model import IngestOutcome, IngestReport, Share
from core.fetching import wanted_in

_OUTCOMES: Sequence[IngestOutcome] = ("indexed", "known", "rejected", "failed")
_WORDS: Mapping[IngestOutcome, str] = {
    "indexed": "indexed",
    "known": "known",
    "rejected": "refused",
    "failed": "failed",
}
_SIDE_BY_SIDE = 4


@click.command()
@click.argument("paths", nargs=-1, required=True, type=NamedPath(path_type=Path, readable=False), metavar="PATH…")
@place_options
@json_option
@click.pass_context
def ingest(
    ctx: click.Context, paths: tuple[Path, ...], workspace: str, channels: tuple[str, ...], as_json: bool
) -> int:
    """Read PDFs, or all PDFs of a folder, into the library; also arXiv ids, DOIs and addresses, where fetching is on.

    Files that are known already cost nothing. Exit code 3 means that some files were refused (the
    reasons are listed), 1 that some could not be read this time, 4 that there was no PDF at all, or no
    such file or folder; then none is read.
    """
    settings = start(ctx)
    elsewhere = {path: wanted_in(str(path).replace(":/", "://", 1)) for path in paths if not path.exists()}
    if missing := [path for path, wanted in elsewhere.items() if not wanted]:
        click.echo(f"There is no file or folder {missing[0]}.", err=True)
        return NOT_FOUND
    files, hidden = pdfs_in([path for path in paths if path not in elsewhere])
    if hidden:
        click.echo(f"{counted(hidden, 'PDF')} in hidden folders or files passed over; name one to read it.", err=True)
    wanted = [one for found in elsewhere.values() for one in found]
    if not files and not wanted:
        click.echo("There is no PDF there.", err=True)
        return NOT_FOUND
    if wanted and not settings.fetch.enabled:
        click.echo("Fetching papers is switched off; FOOTNOTE_FETCH_ENABLED=true allows it.", err=True)
        return REFUSED
    with tempfile.TemporaryDirectory(prefix="footnote-fetch-") as folder:
        fetched, failed = finish(fetch_all(settings, wanted, Path(folder)))
        files = [*files, *fetched]
        try:
            read = finish(_ingest_all(settings, place(workspace, channels), files)) if files else []
        except KeyboardInterrupt:
            click.echo("Papers that were read are kept; the same command goes on with the others.", err=True)
            raise
        reports = [*read, *failed]
    files = [*files, *(Path(report.file_name) for report in failed)]
    if as_json:
        write_json(_as_json(files, reports))
    else:
        _tell(files, reports)
    outcomes = {report.outcome for report in reports}
    return FAILED if "failed" in outcomes else REFUSED if "rejected" in outcomes else OK


def pdfs_in(paths: Sequence[Path]) -> tuple[list[Path], int]:
    """The files named, and the PDFs of the folders named, each once, in a stable order; and how many were hidden.

    What is hidden in a folder (its name, or that of a folder on the way, begins with a dot) is some program's own;
    named by itself it is read.
    """
    found: list[Path] = []
    hidden: set[Path] = set()
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        for one in sorted(one for one in path.rglob("*") if one.suffix.lower() == ".pdf" and one.is_file()):
            if any(part.startswith(".") for part in one.relative_to(path).parts):
                hidden.add(one.absolute())
            else:
                found.append(one)
    files = list(dict.fromkeys(one.absolute() for one in found))
    return files, len(hidden - set(files))


async def _ingest_all(settings: Settings, where: Place, files: Sequence[Path]) -> list[IngestReport]:
    from bot.wiring import clock, open_tools

    places = asyncio.Semaphore(min(_SIDE_BY_SIDE, (settings.reading.workers or os.cpu_count() or 1) + 1))
    async with open_tools(settings) as tools:
        before = frozenset(paper.id for paper in await tools.engine.papers(where.scope))
        with bars.papers(len(files)) as shown:

            async def one(path: Path) -> IngestReport:
                share = Share(
                    paper_id="",
                    channel=where.channel.id,
                    message="cli-" + hashlib.sha256(str(path).encode()).hexdigest()[:16],
                    user="cli",
                    at=clock(),
                )
                async with places:
                    with shown.paper(path.name) as progress:
                        try:
                            report = await tools.engine.ingest(
                                share, scope=where.scope, pdf=path, file_name=path.name, progress=progress
                            )
                            return _as_seen_before(report, before)
                        except FootnoteError as failure:
                            return IngestReport(outcome="failed", file_name=path.name, reason=failure.words)
                        except OSError:
                            return IngestReport(
                                outcome="failed", file_name=path.name, reason="The file cannot be opened."
                            )

            return list(await asyncio.gather(*(one(path) for path in files)))


def _as_seen_before(report: IngestReport, before: frozenset[str]) -> IngestReport:
    """A path is always the same share, which core reports as it first did; a person who repeats it knows the paper."""
    if report.outcome != "indexed" or report.paper is None or report.paper.id not in before:
        return report
    return replace(report, outcome="known", counts={}, reason="This paper was here already; it was not read again.")


def _as_json(files: Sequence[Path], reports: Sequence[IngestReport]) -> dict[str, object]:
    outcomes = Counter(report.outcome for report in reports)
    rows = [
        {
            "file": str(path),
            "outcome": report.outcome,
            "reason": report.reason,
            "paper": paper_row(report.paper) if report.paper else None,
            "counts": dict(report.counts),
            "seconds": round(report.seconds, 3),
        }
        for path, report in zip(files, reports, strict=True)
    ]
    return {"files": rows, "summary": {outcome: outcomes[outcome] for outcome in _OUTCOMES}}


def _tell(files: Sequence[Path], reports: Sequence[IngestReport]) -> None:
    outcomes = Counter(report.outcome for report in reports)
    for path, report in zip(files, reports, strict=True):
        match report.outcome:
            case "indexed":
                pages = counted(report.paper.pages if report.paper else 0, "page")
                title = report.paper.title if report.paper else ""
                click.echo(f"indexed   {path.name}: {title}, {pages}, {report.seconds:.1f} s")
            case "rejected":
                click.echo(f"refused   {path.name}: {report.reason}")
            case "failed":
                click.echo(f"failed    {path.name}: {report.reason}")
    told = [f"{outcomes[outcome]} {_WORDS[outcome]}" for outcome in _OUTCOMES if outcomes[outcome]]
    click.echo(", ".join(told) + ".")
