"""Reading whole files through real reader processes: what comes back, and what a bad file costs."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from core.config import ReadingConfig
from core.domain.errors import NoText, NotInScope, ReadingStopped, TooManyPages
from core.domain.model import Box, Reading, Sentence
from core.reading import worker
from core.reading.pool import ReaderPool
from core.reading.reader import LayoutReader, PageRenderer
from tests.core.reading import hostile, making

Result = TypeVar("Result")
CONFIG = ReadingConfig(workers=2, ocr=False, seconds_per_page=60)


class Steps:
    """Remembers how far the reading was said to be."""

    def __init__(self) -> None:
        self.said: list[tuple[str, int, int]] = []

    async def step(self, name: str, done: int, total: int) -> None:
        self.said.append((name, done, total))

    async def sentence(self, sentence: Sentence, citations: object) -> None:
        raise AssertionError("no sentence is verified while reading")


class Haunted(ReaderPool):
    """Reader processes in which chosen pages meet another fate than being read."""

    def __init__(self, config: ReadingConfig, fates: dict[int, Callable[..., object]]) -> None:
        super().__init__(config)
        self._fates = fates

    async def run(self, task: Callable[..., Result], *args: object, seconds: float) -> Result:
        if task is worker.read_page and args[1] in self._fates:
            return await super().run(self._fates[int(str(args[1]))], *args, seconds=3)  # type: ignore[arg-type]
        return await super().run(task, *args, seconds=seconds)


@pytest.fixture(scope="module")
def reader() -> Iterator[LayoutReader]:
    """One for all tests that do no harm to its processes."""
    reader = LayoutReader(CONFIG)
    yield reader
    asyncio.run(reader.close())


async def _read(reader: LayoutReader, pdf: Path, steps: Steps | None = None) -> Reading:
    return await reader.read(pdf, paper_id="p", progress=steps or Steps())


def _pages_of(reading: Reading, words: str) -> list[int]:
    return [passage.page for passage in reading.passages if words in passage.text]


def _numbered(path: Path, count: int) -> Path:
    numbers = iter(range(1, count + 1))

    def draw(page: object) -> None:
        making.prose(page)
        page.insert_text((72, 400), f"The marker of this page is number {next(numbers)} exactly.")  # type: ignore[attr-defined]

    return making.write(path, draw, pages=count)


async def test_pages_come_back_in_order_with_progress_for_each(reader: LayoutReader, tmp_path: Path) -> None:
    steps = Steps()
    reading = await _read(reader, _numbered(tmp_path / "a.pdf", 5), steps)
    assert [_pages_of(reading, f"number {n} exactly") for n in range(1, 6)] == [[1], [2], [3], [4], [5]]
    assert steps.said == [("reading", n, 5) for n in range(6)]
    assert (reading.pages, reading.kind, reading.unread, reading.warnings) == (5, "born digital", (), ())


async def test_papers_read_side_by_side_do_not_mix(reader: LayoutReader, tmp_path: Path) -> None:
    files = [_numbered(tmp_path / f"{n}.pdf", n) for n in (1, 2, 3)]
    readings = await asyncio.gather(*(_read(reader, pdf) for pdf in files))
    assert [reading.pages for reading in readings] == [1, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize(("fate", "words"), [(hostile.hang, "limit of 60 seconds"), (hostile.crash, "crashed")])
async def test_a_file_that_hangs_or_crashes_its_reader_is_lost_alone(
    tmp_path: Path, fate: Callable[..., object], words: str
) -> None:
    reader = LayoutReader(CONFIG, Haunted(CONFIG, {3: fate}))
    try:
        bad = _numbered(tmp_path / "bad.pdf", 3)
        good = _numbered(tmp_path / "good.pdf", 2)
        partly, whole = await asyncio.gather(_read(reader, bad), _read(reader, good))
        assert partly.unread == (3,)
        assert any("Page 3 could not be read" in warning for warning in partly.warnings)
        assert _pages_of(partly, "number 2 exactly") == [2]
        assert whole.unread == ()
        assert _pages_of(whole, "number 1 exactly") == [1]
        only = making.write(tmp_path / "only.pdf", making.prose, pages=1)
        reader = LayoutReader(CONFIG, Haunted(CONFIG, {1: fate}))
        with pytest.raises(ReadingStopped, match=words):
            await _read(reader, only)
    finally:
        await reader.close()


class Hindered(ReaderPool):
    """Reader processes in which one kind of task meets another fate."""

    def __init__(self, config: ReadingConfig, hindered: Callable[..., object], fate: Callable[..., object]) -> None:
        super().__init__(config)
        self._hindered = hindered
        self._fate = fate

    async def run(self, task: Callable[..., Result], *args: object, seconds: float) -> Result:
        if task is self._hindered:
            return await super().run(self._fate, *args, seconds=1)  # type: ignore[arg-type]
        return await super().run(task, *args, seconds=seconds)


@pytest.mark.parametrize(
    ("task", "fate", "words"),
    [
        (worker.inspect_document, hostile.hang, "could not be opened within the limit of 60 seconds"),
        (worker.inspect_document, hostile.crash, "crashed while opening the file"),
        (worker.analyse_paper, hostile.hang, "its one page took longer than the limit"),
        (worker.analyse_paper, hostile.crash, "crashed after its one page had been read"),
    ],
)
async def test_what_goes_wrong_before_or_after_the_pages_is_not_blamed_on_a_page(
    tmp_path: Path, task: Callable[..., object], fate: Callable[..., object], words: str
) -> None:
    reader = LayoutReader(CONFIG, Hindered(CONFIG, task, fate))
    try:
        with pytest.raises(ReadingStopped, match=words) as stopped:
            await _read(reader, making.write(tmp_path / "a.pdf", making.prose))
    finally:
        await reader.close()
    assert "page 0" not in stopped.value.words.casefold()


async def test_time_for_the_whole_paper_is_limited(tmp_path: Path) -> None:
    config = ReadingConfig(workers=1, ocr=False)
    reader = LayoutReader(config, Haunted(config, dict.fromkeys(range(1, 30), hostile.hang)), seconds=4)
    try:
        with pytest.raises(ReadingStopped, match="29 pages took longer than the limit of 4 seconds"):
            await _read(reader, making.write(tmp_path / "a.pdf", making.prose, pages=29))
    finally:
        await reader.close()


async def test_blank_and_picture_only_papers_are_refused_in_their_own_words(
    reader: LayoutReader, tmp_path: Path
) -> None:
    blank = making.write(tmp_path / "blank.pdf", lambda page: None, pages=3)
    with pytest.raises(NoText, match=r"all of its pages \(3\) are blank"):
        await _read(reader, blank)
    scan = making.write(tmp_path / "scan.pdf", lambda page: making.picture_of(page, making.prose))
    with pytest.raises(NoText, match="switched off"):
        await _read(reader, scan)


@pytest.mark.slow
async def test_many_blank_pages_cost_next_to_nothing(tmp_path: Path) -> None:
    """One sentence among 1,500 pages is read, its page kept; the blank ones never reach a reader."""
    import pymupdf

    document = pymupdf.open()
    for _ in range(1_500):
        document.new_page(width=300, height=300)
    document[1_233].insert_text((40, 80), "The calibration constant equals 73.9 units.")
    document.save(tmp_path / "a.pdf")
    reader = LayoutReader(ReadingConfig(workers=1, max_pages=2_000))
    try:
        reading = await _read(reader, tmp_path / "a.pdf")
    finally:
        await reader.close()
    assert _pages_of(reading, "73.9") == [1_234]
    refusing = LayoutReader(ReadingConfig(workers=1))
    try:
        with pytest.raises(TooManyPages, match="1,500 pages; the limit is 500"):
            await _read(refusing, tmp_path / "a.pdf")
    finally:
        await refusing.close()


async def test_a_page_is_drawn_with_its_quotes_marked(reader: LayoutReader, tmp_path: Path) -> None:
    import pymupdf

    pdf = making.write(tmp_path / "a.pdf", making.prose)
    pictures = PageRenderer(CONFIG, reader.readers)
    box = Box(page=1, x0=72, y0=120, x1=400, y1=134)
    plain = pymupdf.Pixmap(await pictures.render(pdf, page=1, dpi=72))
    marked = pymupdf.Pixmap(await pictures.render(pdf, page=1, boxes=[box], dpi=72))
    assert plain.pixel(390, 122) == (255, 255, 255)
    assert marked.pixel(390, 122) == (255, 255, 102)
    assert marked.pixel(390, 300) == (255, 255, 255)
    with pytest.raises(NotInScope, match="there is no page 2"):
        await pictures.render(pdf, page=2)
