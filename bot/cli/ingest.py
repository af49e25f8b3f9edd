"""``ingest``: many files at once. Whatever goes wrong with one file is that file's failure and stops no other."""

import asyncio
import hashlib
import logging
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli import progress_bars
from bot.cli.app import FAILED, NOT_FOUND, OK, REFUSED
from bot.cli.common import Target, json_option, paper_row, run_async, start, target_options, write_json
from bot.cli.options import NamedPath, printable
from bot.replies.plurals import pluralize
from bot.settings import Settings
from core.domain.errors import FootnoteError, PaperRejected
from core.domain.model import IngestOutcome, IngestReport, Share
from core.domain.progress import Progress
from core.services.fetching import Fetching, FetchTarget, find_fetch_targets

if TYPE_CHECKING:
    from core.services.engine import Engine

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
@target_options
@json_option
@click.pass_context
def ingest(ctx: click.Context, paths: tuple[Path, ...], where: Target, as_json: bool) -> int:
    """Read PDFs, or all PDFs of a folder, into the library; also arXiv ids, DOIs and addresses, where fetching is on.

    Files that are known already cost nothing. Exit code 3 means that some files were refused (the
    reasons are listed), 1 that some could not be read this time, 4 that there was no PDF at all, or no
    such file or folder; then none is read.
    """
    settings = start(ctx)
    remote = {path: find_fetch_targets(str(path).replace(":/", "://", 1)) for path in paths if not _is_there(path)}
    if missing := [path for path, wanted in remote.items() if not wanted]:
        click.echo(f"There is no file or folder {printable(str(missing[0]))}.", err=True)
        return NOT_FOUND
    files, hidden = pdfs_in([path for path in paths if path not in remote])
    if hidden:
        click.echo(f"{pluralize(hidden, 'PDF')} in hidden folders or files passed over; name one to read it.", err=True)
    wanted = [target for targets in remote.values() for target in targets]
    if not files and not wanted:
        click.echo("There is no PDF there.", err=True)
        return NOT_FOUND
    if wanted and not settings.fetch.enabled:
        click.echo("Fetching papers is switched off; FOOTNOTE_FETCH_ENABLED=true allows it.", err=True)
        return REFUSED
    with tempfile.TemporaryDirectory(prefix="footnote-fetch-") as folder:
        fetched, failed = run_async(_fetch_all(settings, wanted, Path(folder)))
        files = [*files, *fetched]
        as_done = not as_json and not sys.stdout.isatty()
        show = _print_report if as_done else _print_nothing
        for report in failed:
            show(report)
        try:
            read = run_async(_ingest_all(settings, where, files, show)) if files else []
        except KeyboardInterrupt:
            click.echo("Papers that were read are kept; the same command goes on with the others.", err=True)
            raise
        reports = [*read, *failed]
    if as_json:
        write_json(_as_json([*files, *(Path(report.file_name) for report in failed)], reports))
        return _exit_code(reports)
    if not as_done:
        for report in (report for report in reports if report.outcome != "known"):
            _print_report(report)
    _print_counts(reports)
    return _exit_code(reports)


def _exit_code(reports: Sequence[IngestReport]) -> int:
    outcomes = {report.outcome for report in reports}
    if "failed" in outcomes:
        return FAILED
    return REFUSED if "rejected" in outcomes else OK


def pdfs_in(paths: Sequence[Path]) -> tuple[list[Path], int]:
    """The files named, and the PDFs of the folders named, each once, in a stable order; and how many were hidden.

    What is hidden in a folder (its name, or that of a folder on the way, begins with a dot) is some program's own;
    named by itself it is read. A folder that cannot be opened is among the files: reading it says so.
    """
    found: list[Path] = []
    hidden: set[Path] = set()
    for path in paths:
        if not _is_folder(path):
            found.append(path)
            continue
        for pdf in sorted(_pdfs_below(path)):
            if any(part.startswith(".") for part in pdf.relative_to(path).parts):
                hidden.add(pdf.absolute())
            else:
                found.append(pdf)
    files = list(dict.fromkeys(path.absolute() for path in found))
    return files, len(hidden - set(files))


def _pdfs_below(folder: Path) -> Iterator[Path]:
    """Files of ``folder`` and its folders that are named as PDFs, and the folders that cannot be opened."""
    closed: list[Path] = []
    for parent, _, names in os.walk(folder, onerror=lambda error: closed.append(Path(error.filename))):
        for name in names:
            path = Path(parent, name)
            if path.suffix.lower() == ".pdf" and _is_file(path):
                yield path
    yield from closed


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except PermissionError:
        return True  # nobody may look; reading it says so
    except OSError:
        return False  # an address, say, that is too long to be a name


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return True  # reading it says why it cannot be opened


async def _fetch_all(
    settings: Settings, wanted: Sequence[FetchTarget], folder: Path
) -> tuple[list[Path], list[IngestReport]]:
    """The PDFs that were fetched, and a report for each that was not; one after the other, as servers like it."""
    fetching = Fetching(settings.fetch)
    files: list[Path] = []
    failed: list[IngestReport] = []
    for target in wanted:
        to = folder / target.file_name
        try:
            await fetching.fetch(target, to)
        except PaperRejected as refusal:
            failed.append(IngestReport(outcome="rejected", file_name=target.name, reason=refusal.words))
        except FootnoteError as failure:
            failed.append(IngestReport(outcome="failed", file_name=target.name, reason=failure.words))
        except Exception as fault:  # whatever it is, the papers that can be fetched still are
            logging.getLogger(__name__).debug("fetching failed", exc_info=fault)
            failed.append(IngestReport(outcome="failed", file_name=target.name, reason=_not_fetched(fault)))
        else:
            files.append(to)
    return files, failed


async def _ingest_all(
    settings: Settings, where: Target, files: Sequence[Path], show: Callable[[IngestReport], None]
) -> list[IngestReport]:
    """The reports on ``files`` in their order; ``show`` is given each as it is done."""
    from bot.wiring import open_tools

    slots = asyncio.Semaphore(min(_SIDE_BY_SIDE, (settings.reading.workers or os.cpu_count() or 1) + 1))
    async with open_tools(settings) as tools:
        before = frozenset(paper.id for paper in await tools.engine.papers.in_scope(where.scope))
        with progress_bars.paper_bars(len(files)) as shown:

            async def ingest_file(path: Path) -> IngestReport:
                async with slots:
                    with shown.paper(path.name) as progress:
                        report = _known_if_repeated(await _ingest_one(tools.engine, where, path, progress), before)
                    show(report)
                    return report

            return list(await asyncio.gather(*(ingest_file(path) for path in files)))


async def _ingest_one(engine: "Engine", where: Target, path: Path, progress: Progress) -> IngestReport:
    """The report on one file. Raises nothing: a fault that only this file meets must not lose the others."""
    from bot.wiring import clock

    name = printable(path.name)
    try:
        if reason := await asyncio.to_thread(_no_file, path):
            return IngestReport(outcome="failed", file_name=name, reason=reason)
        share = Share(
            paper_id="",
            channel=where.channel.id,
            message="cli-" + hashlib.sha256(os.fsencode(path)).hexdigest()[:16],
            user="cli",
            at=clock(),
        )
        return await engine.papers.ingest(share, scope=where.scope, pdf=path, file_name=name, progress=progress)
    except FootnoteError as failure:
        return IngestReport(outcome="failed", file_name=name, reason=failure.words)
    except OSError:
        return IngestReport(outcome="failed", file_name=name, reason="The file cannot be opened.")
    except Exception as fault:
        logging.getLogger(__name__).debug("file failed", exc_info=fault)
        return IngestReport(outcome="failed", file_name=name, reason=_unexpected(fault))


def _no_file(path: Path) -> str:
    """Why what is there cannot be read as a file, or empty."""
    if not path.exists() or path.is_file():
        return ""
    return "The folder cannot be opened." if path.is_dir() else "This is not a file but a pipe or a device."


def _not_fetched(fault: Exception) -> str:
    return f"It could not be fetched ({type(fault).__name__}); no other paper is affected."


def _unexpected(fault: Exception) -> str:
    return f"Something went wrong with this file that should not have ({type(fault).__name__}); no other is affected."


def _known_if_repeated(report: IngestReport, before: frozenset[str]) -> IngestReport:
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


def _print_report(report: IngestReport) -> None:
    """One line about a file, whatever characters its name holds."""
    click.echo(f"{_WORDS[report.outcome]:9} {printable(report.file_name)}: {_line(report)}")


def _print_nothing(report: IngestReport) -> None:
    """What a terminal shows while files are read are bars."""


def _print_counts(reports: Sequence[IngestReport]) -> None:
    outcomes = Counter(report.outcome for report in reports)
    counts = [f"{outcomes[outcome]} {_WORDS[outcome]}" for outcome in _OUTCOMES if outcomes[outcome]]
    click.echo(", ".join(counts) + ".")


def _line(report: IngestReport) -> str:
    if report.outcome != "indexed" or report.paper is None:
        return report.reason
    pages = pluralize(report.paper.pages, "page")
    related = f". {printable(report.reason)}" if report.reason else ""
    return f"{printable(report.paper.title)}, {pages}, {report.seconds:.1f} s{related}"
