"""Papers that ``ingest`` is given by name instead of by file: fetched to a folder before anything is read."""

import logging
from collections.abc import Sequence
from pathlib import Path

from bot.settings import Settings
from core.domain.errors import FootnoteError, PaperRejected
from core.domain.model import IngestReport
from core.services.fetching import Fetching, FetchTarget


async def fetch_all(
    settings: Settings, wanted: Sequence[FetchTarget], folder: Path
) -> tuple[list[Path], list[IngestReport]]:
    """The PDFs that were fetched, and a report for each that was not; one after the other, as servers like it."""
    fetching = Fetching(settings.fetch)
    files: list[Path] = []
    failed: list[IngestReport] = []
    for one in wanted:
        to = folder / one.file_name
        try:
            await fetching.fetch(one, to)
        except PaperRejected as refusal:
            failed.append(IngestReport(outcome="rejected", file_name=one.name, reason=refusal.words))
        except FootnoteError as failure:
            failed.append(IngestReport(outcome="failed", file_name=one.name, reason=failure.words))
        except Exception as fault:  # whatever it is, the papers that can be fetched still are
            logging.getLogger(__name__).debug("fetching failed", exc_info=fault)
            failed.append(IngestReport(outcome="failed", file_name=one.name, reason=_unexpected(fault)))
        else:
            files.append(to)
    return files, failed


def _unexpected(fault: Exception) -> str:
    return f"It could not be fetched ({type(fault).__name__}); no other paper is affected."
