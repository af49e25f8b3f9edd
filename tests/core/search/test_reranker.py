from pathlib import Path

import pytest

from core.config import SearchConfig
from core.search import open_reranker

TEXTS = ["wheat yield fell and the heat of a star", "silver", "star particle 1 2 3"]


@pytest.mark.slow
async def test_scores_are_those_of_the_cross_encoder(tiny_cross_encoder: Path, models: Path) -> None:
    from sentence_transformers import CrossEncoder
    from torch import nn

    found = await open_reranker(
        SearchConfig(reranker=str(tiny_cross_encoder), rerank_seconds=120), cache=models
    ).scores("wheat heat", TEXTS)
    raw = CrossEncoder(str(tiny_cross_encoder), device="cpu").predict(
        [("wheat heat", text) for text in TEXTS], activation_fn=nn.Identity()
    )
    assert found == pytest.approx(raw.tolist(), abs=1e-5)


async def test_a_model_that_is_not_there_leaves_the_order_and_a_note() -> None:
    reranker = open_reranker(SearchConfig(reranker="/nowhere/cross-encoder"))
    assert await reranker.scores("wheat", TEXTS) is None
    assert "/nowhere/cross-encoder does not exist" in reranker.note


@pytest.mark.slow
async def test_too_slow_leaves_the_order_and_a_note_and_later_calls_work(
    tiny_cross_encoder: Path, models: Path
) -> None:
    hasty = open_reranker(SearchConfig(reranker=str(tiny_cross_encoder), rerank_seconds=0.001), cache=models)
    assert await hasty.scores("wheat", TEXTS) is None
    assert "took longer than 0.001 s" in hasty.note
