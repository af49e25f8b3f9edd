"""A figure is described once, whoever asks and how often; the description lies in the library and goes with it."""

import asyncio
from pathlib import Path

from core.assistant.asking.figure_descriptions import Looks, ScopedFigures
from core.domain.language_models import UNMETERED, Meter
from core.domain.model import Box, Figure
from core.library import OpenLibrary, open_library
from core.llm import NullVisionModel
from tests.core.library.making import HERE, Ports, make, passage, scope


class Eye(NullVisionModel):
    """Sees zebras."""

    identity = "eye-1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def describe(self, image: bytes, question: str, *, meter: Meter = UNMETERED) -> str:
        self.asked.append(question)
        await asyncio.sleep(0)
        return "Twelve zebroid stripes rise."


async def filled(folder: Path) -> tuple[OpenLibrary, str]:
    opened = await open_library(folder / "data", HERE)
    paper_id = make(folder, ["words"]).paper.id
    captions = [
        passage(paper_id, 0, "Figure 1: Stripes over time.", kind="figure", label="Figure 1"),
        passage(paper_id, 1, "Figure 2: No picture of it.", kind="figure", label="Figure 2", page=2),
    ]
    figures = [
        Figure(
            id=f"f{number}",
            paper_id=paper_id,
            page=number,
            label=f"Figure {number}",
            caption="Stripes over time.",
            nearby="Figure 1 shows how stripes grow.",
            box=Box(page=number, x0=1, y0=2, x1=3, y1=4),
            image=image,
        )
        for number, image in ((1, b"\x89PNG one"), (2, b""), (3, b"\x89PNG three"))
    ]
    made = make(folder, ["words"], passages=captions, figures=figures)
    await Ports(opened.library, opened.lexical, opened.memory).add(made)
    return opened, made.paper.id


async def test_a_figure_is_described_once_and_known_from_then_on(tmp_path: Path) -> None:
    opened, paper_id = await filled(tmp_path)
    eye, looks = Eye(), Looks()

    def shelf() -> ScopedFigures:
        return ScopedFigures(scope(), library=opened.library, descriptions=opened.descriptions, model=eye, looks=looks)

    (shown,) = await shelf().of(paper_id)
    assert shown.caption.text == "Figure 1: Stripes over time."
    both = await asyncio.gather(*(shelf().described(shown.figure, meter=UNMETERED) for _ in range(2)))
    assert both == ["Twelve zebroid stripes rise."] * 2
    assert len(eye.asked) == 1 and "how stripes grow" in eye.asked[0] and "Figure 1" in eye.asked[0]
    (again,) = await shelf().of(paper_id)
    assert again.figure.description == "Twelve zebroid stripes rise." and again.figure.image == shown.figure.image
    await opened.library.remove([paper_id])
    await opened.forgetting.settled()
    await opened.close()
    assert not any(b"zebroid" in file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file())
