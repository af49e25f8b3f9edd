from pathlib import Path

import pytest

from core.config import SearchConfig
from core.search import open_reranker
from tests.core.search.tiny_models import save_tiny_cross_encoder

TEXTS = ["wheat yield fell and the heat of a star", "silver", "star particle 1 2 3"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_cross_encoder(tmp_path_factory.mktemp("cross-encoder"))


@pytest.mark.slow
async def test_scores_are_those_of_the_cross_encoder(folder: Path, tmp_path: Path) -> None:
    from sentence_transformers import CrossEncoder
    from torch import nn

    found = await open_reranker(SearchConfig(reranker=str(folder), rerank_seconds=120), cache=tmp_path).scores(
        "wheat heat", TEXTS
    )
    raw = CrossEncoder(str(folder), device="cpu").predict(
        [("wheat heat", text) for text in TEXTS], activation_fn=nn.Identity()
    )
    assert found == pytest.approx(raw.tolist(), abs=1e-5)


async def test_a_model_that_is_not_there_leaves_the_order_and_a_note() -> None:
    reranker = open_reranker(SearchConfig(reranker="/nowhere/cross-encoder"))
    assert await reranker.scores("wheat", TEXTS) is None
    assert "/nowhere/cross-encoder does not exist" in reranker.note


@pytest.mark.slow
async def test_too_slow_leaves_the_order_and_a_note_and_later_calls_work(folder: Path, tmp_path: Path) -> None:
    hasty = open_reranker(SearchConfig(reranker=str(folder), rerank_seconds=0.05), cache=tmp_path)
    assert await hasty.scores("wheat", TEXTS) is None
    assert "took longer than 0.05 s" in hasty.note
