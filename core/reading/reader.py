"""Reads a PDF into a ``Reading`` and draws its pages, in worker processes whose crashes it survives."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from core.config import ReadingConfig
from core.domain.errors import Damaged, NoText, NotInScope, PaperRejected, ReadingStopped
from core.domain.model import Box, Reading
from core.domain.progress import Progress
from core.domain.readers import NO_TRANSCRIBER, PICTURE_DPI, Transcriber
from core.reading import intake, worker
from core.reading.blocks import PageContent
from core.reading.pool import ReaderCrashed, ReaderPool, ReaderTimedOut
from core.reading.vision_transcription import transcribe_pages

PAPER_SECONDS = 3_600.0
"""How long one paper may take: hundreds of scanned pages take most of it."""
MAX_LOST_PAGES = 3
"""A paper with more pages than this that hang or crash their process is given up; fewer are tried once more alone."""


class LayoutReader:
    """Reads PDFs with PyMuPDF's layout models in processes of their own; implements ``PdfReader``."""

    def __init__(
        self, config: ReadingConfig, readers: ReaderPool | None = None, *, seconds: float = PAPER_SECONDS
    ) -> None:
        """``seconds`` is what one paper may take, all its pages together."""
        self._config = config
        self._seconds = seconds
        self.readers = readers or ReaderPool(config)

    async def read(
        self,
        pdf: Path,
        *,
        paper_id: str,
        progress: Progress,
        transcriber: Transcriber = NO_TRANSCRIBER,
    ) -> Reading:
        """Read ``pdf``. Raises ``PaperRejected`` (its subclass says why) or ``ReadingStopped``.

        ``transcriber`` is shown the pages that OCR can hardly read.
        """
        await asyncio.to_thread(intake.check_file, pdf, self._config)
        survey = await self._survey(pdf)
        try:
            async with asyncio.timeout(self._seconds):
                pages = await self._pages(pdf, survey, progress)
                pages = await transcribe_pages(
                    pdf, pages, transcriber, readers=self.readers, config=self._config, seconds=self._seconds
                )
                reading = await self._understood(pages, survey, paper_id=paper_id)
        except TimeoutError as error:
            raise _paper_time_error(self._seconds, survey.pages) from error
        if not any(passage.text.strip() for passage in reading.passages):
            raise NoText("Too little text was found in this PDF to make a passage that could be cited.")
        return replace(reading, warnings=survey.notes + reading.warnings, page_labels=survey.page_labels)

    async def close(self) -> None:
        """End the reader's processes."""
        await self.readers.close()

    async def _survey(self, pdf: Path) -> intake.DocumentInfo:
        seconds = self._config.seconds_per_page
        try:
            return await self.readers.run(worker.inspect_document, pdf, self._config, seconds=seconds)
        except ReaderTimedOut as error:
            raise ReadingStopped(f"The PDF could not be opened within the limit of {seconds:,.0f} seconds.") from error
        except ReaderCrashed as error:
            raise ReadingStopped(
                "The PDF reader crashed while opening the file; only this file is affected."
            ) from error

    async def _pages(self, pdf: Path, survey: intake.DocumentInfo, progress: Progress) -> Sequence[PageContent]:
        pages = {n: PageContent(number=n, width=0, height=0, kind="blank") for n in survey.blank}
        waiting = [number for number in range(1, survey.pages + 1) if number not in pages]
        await progress.step("reading", len(pages), survey.pages)
        lost: dict[int, ReadingStopped] = {}
        # Closed here and not by the garbage collector: a paper that is given up frees its processes at once.
        async with aclosing(self._side_by_side(pdf, waiting, survey.ligatures)) as finished:
            async for page, trouble in finished:
                pages[page.number] = page
                if trouble is not None:
                    lost[page.number] = trouble
                    if len(lost) > MAX_LOST_PAGES:
                        raise trouble
                await progress.step("reading", len(pages), survey.pages)
        for number in list(lost):
            pages[number], again = await self._page(pdf, number, survey.ligatures)
            if again is None:
                del lost[number]
        if lost and len(lost) == len(waiting):
            raise next(iter(lost.values()))
        return [pages[number] for number in sorted(pages)]

    async def _side_by_side(
        self, pdf: Path, numbers: Sequence[int], ligatures: bool
    ) -> AsyncGenerator[tuple[PageContent, ReadingStopped | None], None]:
        """Pages as they are finished; no more of them under way than there are processes."""
        left = iter(numbers)
        running: set[asyncio.Task[tuple[PageContent, ReadingStopped | None]]] = set()
        try:
            while True:
                for number in left:
                    running.add(asyncio.create_task(self._page(pdf, number, ligatures)))
                    if len(running) >= self.readers.size:
                        break
                if not running:
                    return
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _page(self, pdf: Path, number: int, ligatures: bool) -> tuple[PageContent, ReadingStopped | None]:
        """The page, or its place and what befell its process."""
        seconds = self._config.seconds_per_page
        try:
            args = (pdf, number, self._config, ligatures)
            return await self.readers.run(worker.read_page, *args, seconds=seconds), None
        except ReaderTimedOut:
            trouble = ReadingStopped(f"Page {number:,} could not be read within the limit of {seconds:,.0f} seconds.")
        except ReadingStopped as stopped:
            trouble = stopped
        except ReaderCrashed:
            trouble = ReadingStopped(f"The PDF reader crashed on page {number:,}; only this file is affected.")
        return worker.unreadable_page(number, "its reader was stopped"), trouble

    async def _understood(self, pages: Sequence[PageContent], survey: intake.DocumentInfo, *, paper_id: str) -> Reading:
        if not any(block.lines for page in pages for block in page.blocks):
            raise _no_text_error(pages, self._config, repaired=survey.repaired)
        seconds = self._seconds
        args = (tuple(pages), paper_id, dict(survey.metadata))
        try:
            return await self.readers.run(worker.analyse_paper, *args, seconds=seconds)
        except ReaderTimedOut as error:
            raise _paper_time_error(seconds, survey.pages) from error
        except ReaderCrashed as error:
            raise ReadingStopped(
                f"The PDF reader crashed after {_count_pages(survey.pages)} had been read; only this file is affected."
            ) from error


def _paper_time_error(seconds: float, pages: int) -> ReadingStopped:
    return ReadingStopped(f"Reading {_count_pages(pages)} took longer than the limit of {seconds:,.0f} seconds.")


def _count_pages(pages: int) -> str:
    return f"its {pages:,} pages" if pages != 1 else "its one page"


def _no_text_error(pages: Sequence[PageContent], config: ReadingConfig, *, repaired: bool) -> PaperRejected:
    if repaired:
        return Damaged(f"The PDF is damaged: no text could be recovered from its pages ({len(pages):,}).")
    if all(page.kind == "blank" for page in pages):
        return NoText(f"There is no text in this PDF: all of its pages ({len(pages):,}) are blank.")
    if not config.ocr:
        return NoText("No text could be read: the pages are pictures, and reading pictures (OCR) is switched off.")
    return NoText(f"No text could be read on any page ({len(pages):,}), not even by OCR from the pages' pictures.")


class PageRenderer:
    """Draws pages in the reader processes; implements ``PageImages``."""

    def __init__(self, config: ReadingConfig, readers: ReaderPool) -> None:
        self._config = config
        self._readers = readers

    async def render(self, pdf: Path, *, page: int, boxes: Sequence[Box] = (), dpi: int | None = None) -> bytes:
        """PNG of ``page`` (from 1) with ``boxes`` marked, in ``PICTURE_DPI`` where ``dpi`` is not given.

        Raises ``ReadingStopped`` or ``NotInScope``.
        """
        if page < 1:
            raise NotInScope("There is no such page.")
        seconds = self._config.seconds_per_page
        fine = dpi or PICTURE_DPI
        try:
            return await self._readers.run(worker.render_page, pdf, page, tuple(boxes), fine, seconds=seconds)
        except (ReaderTimedOut, ReaderCrashed) as error:
            raise ReadingStopped(f"Page {page:,} could not be drawn.") from error
