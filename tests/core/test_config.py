"""Settings have bounds, and each of them does something."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.config import AgentConfig, Config, EmbedderConfig, ReadingConfig, SearchConfig
from core.domain.model import Box, Reading, Share
from core.domain.progress import Progress
from core.domain.readers import NO_TRANSCRIBER, Transcriber
from core.engine import Engine
from core.parts import Parts
from core.search import KeepOrder
from core.search.fakes import WordEmbedder
from tests.core.library.making import NOON, Made, make, scope


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (SearchConfig, "cache_entries", -1),
        (SearchConfig, "neighbours", -1),
        (SearchConfig, "title_field_weight", -0.1),
        (SearchConfig, "rerank_seconds", 0),
        (ReadingConfig, "image_dpi", 0),
        (ReadingConfig, "max_inflated_megabytes", 0),
        (EmbedderConfig, "threads", -1),
        (AgentConfig, "recent_turns", -1),
        (AgentConfig, "max_sentences", 0),
    ],
)
def test_a_value_out_of_bounds_is_refused_by_its_name(kind: type, name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"^{name} must lie between"):
        kind(**{name: value})


class Readings:
    """A reader and page drawer that has read everything before."""

    def __init__(self, *made: Made) -> None:
        self._readings = {one.pdf: one.reading for one in made}

    async def read(
        self,
        pdf: Path,
        *,
        paper_id: str,
        progress: Progress,
        transcriber: Transcriber = NO_TRANSCRIBER,
    ) -> Reading:
        return self._readings[pdf]

    async def render(self, pdf: Path, *, page: int, boxes: Sequence[Box] = (), dpi: int | None = None) -> bytes:
        return b""

    async def close(self) -> None:
        return None


@pytest.mark.parametrize(("weight", "first"), [(1.0, "On Soil"), (50.0, "Zebras of the North")])
async def test_where_a_word_stands_counts_as_much_as_it_is_set_to(tmp_path: Path, weight: float, first: str) -> None:
    in_body = make(tmp_path, ["zebras zebras zebras graze"], title="On Soil")
    in_title = make(tmp_path, ["nothing of them is said in this long text"], title="Zebras of the North")
    readings = Readings(in_body, in_title)
    using = Parts(reader=readings, images=readings, embedder=WordEmbedder(), reranker=KeepOrder())
    search = SearchConfig(
        dense_weight=0,
        sentence_weight=0,
        passage_weight=0,
        naming_weight=0,
        support_weight=0,
        title_field_weight=weight,
    )
    async with Engine(Config(data=tmp_path / "data", search=search), using=using) as engine:
        for made in (in_body, in_title):
            share = Share(paper_id="", channel="general", message=made.paper.id[:4], user="ada", at=NOON)
            report = await engine.ingest(share, scope=scope(), pdf=made.pdf, file_name="a.pdf")
            assert report.outcome == "indexed"
        found = await engine.search("zebras", scope())
    assert found[0].paper.title == first
