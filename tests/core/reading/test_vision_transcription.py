"""Pages that OCR cannot read are shown to a vision model: how many, and what a model that fails costs."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from core.config import ReadingConfig
from core.domain.errors import ModelReplyUnusable, ModelUnavailable, NoText
from core.domain.model import Reading
from core.domain.progress import NoProgress
from core.reading import worker
from core.reading.pool import ReaderPool
from core.reading.reader import LayoutReader
from tests.core.reading import making

Result = TypeVar("Result")
CONFIG = ReadingConfig(workers=2, ocr=False, transcribed_pages=2)
read_once = cache(worker.read_page)


@dataclass
class Eyes:
    """Says what it was told to say for each picture in turn; keeps the pictures."""

    says: list[str | ModelUnavailable]
    seen: list[bytes] = field(default_factory=list)
    identity = "eyes"

    async def transcribed(self, picture: bytes) -> str:
        self.seen.append(picture)
        said = self.says[len(self.seen) - 1]
        if isinstance(said, ModelUnavailable):
            raise said
        return said


class Here(ReaderPool):
    """Reads in this process, a page once: what is tested is who reads a page, not what a process survives."""

    async def run(self, task: Callable[..., Result], *args: object, seconds: float) -> Result:
        work: Callable[..., Result] = read_once if task is worker.read_page else task  # type: ignore[assignment]
        return await asyncio.to_thread(work, *args)


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of text and three that are pictures, which OCR, being off, does not read."""
    path = tmp_path_factory.mktemp("scan") / "scan.pdf"
    numbers = iter(range(1, 5))

    def draw(page: object) -> None:
        if next(numbers) == 1:
            making.prose(page)
        else:
            making.picture_of(page, making.prose)

    return making.write(path, draw, pages=4)


async def read(paper: Path, eyes: Eyes) -> Reading:
    reader = LayoutReader(CONFIG, Here(CONFIG))
    return await reader.read(paper, paper_id="p", progress=NoProgress(), transcriber=eyes)


async def test_as_many_pages_as_are_allowed_are_shown_and_the_rest_is_told(paper: Path) -> None:
    eyes = Eyes(
        ["Otters sleep in kelp so that no current takes them.", "Their pups cannot dive before the tenth week."]
    )
    reading = await read(paper, eyes)
    assert [(one.page, one.text, one.read_by) for one in reading.passages if one.page > 1] == [
        (2, "Otters sleep in kelp so that no current takes them.", "eyes"),
        (3, "Their pups cannot dive before the tenth week.", "eyes"),
    ]
    assert all(picture.startswith(b"\x89PNG") for picture in eyes.seen)
    assert (reading.unread, reading.kind) == ((4,), "mixed")
    assert reading.warnings == (
        "Page 2 was read by the vision model eyes, which may misread words or add some.",
        "Page 3 was read by the vision model eyes, which may misread words or add some.",
        "Page 4 can only be read by OCR, which is switched off.",
        "Pages that can hardly be read were not all shown to the vision model: of one paper it is shown at most 2.",
    )


async def test_a_model_that_is_away_is_asked_once_and_costs_no_page(paper: Path) -> None:
    eyes = Eyes([ModelUnavailable("The vision model cannot be reached.")])
    reading = await read(paper, eyes)
    assert len(eyes.seen) == 1
    assert {one.page for one in reading.passages} == {1} and reading.unread == (2, 3, 4)
    told = "were not all shown to the vision model: The vision model cannot be reached."
    assert sum(warning.endswith(told) for warning in reading.warnings) == 1


async def test_a_reply_that_cannot_be_used_costs_its_page_alone(paper: Path) -> None:
    eyes = Eyes([ModelReplyUnusable("It was cut."), "Their pups cannot dive before the tenth week."])
    reading = await read(paper, eyes)
    assert reading.unread == (2, 4)
    assert "The vision model could not read page 2: It was cut." in reading.warnings


async def test_a_paper_that_nobody_can_read_is_refused_as_before(tmp_path: Path) -> None:
    scan = making.write(tmp_path / "s.pdf", lambda page: making.picture_of(page, making.prose))
    with pytest.raises(NoText, match="switched off"):
        await read(scan, Eyes(["-"]))
