"""What every embedder must do, run over the packaged model and over the stand-in for other rooms' tests."""

from pathlib import Path

import numpy as np
import pytest

from core.config import EmbedderConfig
from core.domain.ports import Embedder
from core.search import open_embedder
from tests.core.search.fake_embedder import FakeEmbedder


@pytest.fixture(params=["packaged", "stand-in"])
def embedder(request: pytest.FixtureRequest, models: Path) -> Embedder:
    return open_embedder(EmbedderConfig(cache=models)) if request.param == "packaged" else FakeEmbedder()


TEXTS = ["Heat lowers the yield of wheat.", "A star is 46 million years old.", "x", "wheat " * 900]


async def test_rows_are_unit_vectors_in_the_order_given(embedder: Embedder) -> None:
    rows = await embedder.passages(TEXTS)
    assert rows.shape == (len(TEXTS), embedder.dimension) and rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-4)
    alone = np.stack([(await embedder.passages([text]))[0] for text in TEXTS])
    assert np.allclose(rows, alone, atol=1e-3)


async def test_a_question_is_nearest_to_what_answers_it(embedder: Embedder) -> None:
    question = await embedder.query("wheat yield and heat")
    rows = await embedder.passages(TEXTS[:3])
    assert question.shape == (embedder.dimension,) and question.dtype == np.float32
    assert int((rows @ question).argmax()) == 0


async def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert (await embedder.passages([])).shape == (0, embedder.dimension)


async def test_progress_is_told_up_to_the_last_text(embedder: Embedder) -> None:
    told: list[tuple[str, int, int]] = []

    class Listener:
        async def step(self, name: str, done: int, total: int) -> None:
            told.append((name, done, total))

        async def sentence(self, sentence: object, citations: object) -> None:
            raise AssertionError("embedding speaks no sentences")

    await embedder.passages(TEXTS, Listener())
    assert ("embedding", len(TEXTS), len(TEXTS)) in told


def test_the_identity_does_not_change(embedder: Embedder) -> None:
    assert embedder.identity and embedder.identity == embedder.identity
