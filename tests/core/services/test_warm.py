"""What is loaded ahead of use: once, beside other work, and without harm where it cannot be loaded."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.config import Config, EmbedderConfig
from core.domain.model import Scope
from core.domain.request_context import RequestContext
from core.search import embedder as embedders
from core.search.encoder_runtimes import TextEncoder
from core.services import shared_models as shared_parts
from core.services.engine import Engine
from core.services.shared_models import SharedModels
from tests.core.search.fake_embedder import FakeEmbedder
from tests.core.services.filled_workspace import HOME, AsFound, Drawn, NoReader, shelve, thread

if TYPE_CHECKING:
    from core.domain.ports import Vectors

_LIMIT = 60.0
HERE = Scope(workspace=HOME, channels=frozenset({"club"}))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause before warming, and a model that counts as exported here."""
    monkeypatch.setattr(shared_parts, "_WARM_AFTER", 0.0)
    monkeypatch.setattr(embedders, "exported_before", lambda model, cache, *, head, int8: True)


class Ones:
    """A model that finds all texts alike."""

    def unit_vectors(self, texts: Sequence[str], told: Callable[[int], None] = lambda done: None) -> "Vectors":
        import numpy as np

        return np.full((len(texts), 384), 384**-0.5, dtype=np.float32)


class SlowToLoad(embedders.LocalEmbedder):
    """The packaged model, which loads only once ``may_load`` is set; counts its loads."""

    def __init__(self) -> None:
        super().__init__(EmbedderConfig())
        self.may_load, self.asked = threading.Event(), threading.Event()
        self.loads: list[str] = []

    def _load(self) -> TextEncoder:
        self.loads.append(threading.current_thread().name)
        self.asked.set()
        assert self.may_load.wait(_LIMIT)
        return Ones()


class Broken(FakeEmbedder):
    """Cannot be loaded ahead of use."""

    async def warm(self) -> None:
        raise RuntimeError("no such instruction")


@dataclass
class Seen(AsFound):
    """Tells whether it was warmed."""

    warmed: list[str] = field(default_factory=list)

    async def warm(self) -> None:
        self.warmed.append("reranker")


def using(embedder: embedders.LocalEmbedder | FakeEmbedder, reranker: AsFound) -> SharedModels:
    return SharedModels(reader=NoReader(), images=Drawn(), embedder=embedder, reranker=reranker)


async def test_a_model_is_loaded_once_and_off_the_loop_though_a_question_comes_meanwhile(tmp_path: Path) -> None:
    embedder = SlowToLoad()
    async with Engine(Config(data=tmp_path), models=using(embedder, AsFound())) as engine:
        warming = asyncio.create_task(engine.warm())
        assert await asyncio.to_thread(embedder.asked.wait, _LIMIT)
        # The model is being loaded: what does not need it is served, what does need it waits for this one loading.
        assert await engine.papers.in_scope(HERE) == []
        questions = [asyncio.create_task(embedder.query(text)) for text in ("one", "two")]
        assert not warming.done() and not embedder.ready
        embedder.may_load.set()
        await asyncio.gather(warming, *questions)
        await engine.warm()
    assert len(embedder.loads) == 1
    assert embedder.loads[0] != threading.main_thread().name
    assert embedder.ready


async def test_what_cannot_be_loaded_ahead_harms_neither_the_rest_nor_an_answer(tmp_path: Path) -> None:
    reranker = Seen()
    async with Engine(Config(data=tmp_path), models=using(Broken(), reranker)) as engine:
        await engine.warm()
        assert reranker.warmed == ["reranker"]
        text = "The mean lichen cover on north-facing slopes was 38 percent."
        await shelve(engine, tmp_path, "Lichens", [text], at=datetime(2026, 3, 2, tzinfo=UTC))
        answer = await engine.questions.ask(
            "What was the mean lichen cover on north-facing slopes?", RequestContext(scope=HERE, thread=thread())
        )
    assert answer.outcome == "answered"
    assert "38 percent" in answer.sentences[0].text


async def test_a_bot_that_stops_while_it_warms_waits_for_no_model_and_loads_none_twice(tmp_path: Path) -> None:
    embedder = SlowToLoad()
    async with Engine(Config(data=tmp_path), models=using(embedder, AsFound())) as engine:
        warming = asyncio.create_task(engine.warm())
        assert await asyncio.to_thread(embedder.asked.wait, _LIMIT)
        warming.cancel()
        with pytest.raises(asyncio.CancelledError):
            await warming
        assert not embedder.ready
        embedder.may_load.set()
        await embedder.query("one")
    assert len(embedder.loads) == 1
