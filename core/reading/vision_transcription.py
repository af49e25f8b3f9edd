"""Has a vision model transcribe the pages that OCR can hardly read, up to a number of pages and within a time limit.

If the model fails, the pages stay as OCR read them, with a note.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.config import ReadingConfig
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.readers import Transcriber
from core.reading import worker
from core.reading.blocks import PageContent
from core.reading.page import ocr
from core.reading.page.transcript import apply_transcript, pages_to_transcribe
from core.reading.pool import ReaderPool

_SHARE = 0.5
"""Of the time that one paper may take, what the model may use."""


async def transcribe_pages(
    pdf: Path,
    pages: Sequence[PageContent],
    transcriber: Transcriber,
    *,
    readers: ReaderPool,
    config: ReadingConfig,
    seconds: float,
) -> Sequence[PageContent]:
    """The pages, those that OCR can hardly read replaced by what the model copied from their pictures.

    ``seconds`` is what the whole paper may take.
    """
    wanted = pages_to_transcribe(pages)
    if not (transcriber.identity and wanted):
        return pages
    read = {page.number: page for page in pages}
    trouble = ""
    try:
        async with asyncio.timeout(_SHARE * seconds):
            for number in wanted[: config.transcribed_pages]:
                read[number] = await _transcribe_page(pdf, read[number], transcriber, readers, config)
    except TimeoutError:
        trouble = "it took too long"
    except ModelUnavailable as failure:
        trouble = failure.words.rstrip(".")
    if not trouble and len(wanted) > config.transcribed_pages:
        trouble = f"of one paper it is shown at most {config.transcribed_pages:,}"
    if trouble:
        left = [number for number in wanted if not read[number].read_by]
        read[left[0]] = _add_note(
            read[left[0]], f"Pages that can hardly be read were not all shown to the vision model: {trouble}."
        )
    return [read[page.number] for page in pages]


async def _transcribe_page(
    pdf: Path, page: PageContent, transcriber: Transcriber, readers: ReaderPool, config: ReadingConfig
) -> PageContent:
    """The page as the model read it, or as it was. Raises ``ModelUnavailable`` where no other page need be tried."""
    try:
        args = (pdf, page.number, (), ocr.DPI)
        picture = await readers.run(worker.render_page, *args, seconds=config.seconds_per_page)
    except Exception:
        # Whatever a native library finds wrong with the page was told when it was read.
        return page
    try:
        words = await transcriber.transcribed(picture)
    except ModelReplyUnusable as failure:
        return _add_note(page, f"The vision model could not read page {page.number:,}: {failure.words}")
    found = await asyncio.to_thread(apply_transcript, page, words, transcriber.identity)
    if found is None:
        return _add_note(page, f"What the vision model made of page {page.number:,} is not what is printed there.")
    return found


def _add_note(page: PageContent, note: str) -> PageContent:
    return replace(page, notes=(*page.notes, note))
