"""What every reranker must do, run over the null object and over a small cross-encoder made here."""

from pathlib import Path

import pytest

from core.config import SearchConfig
from core.domain.ports import Reranker
from core.search import open_reranker


@pytest.fixture(params=["none", pytest.param("cross-encoder", marks=pytest.mark.slow)])
def reranker(request: pytest.FixtureRequest, models: Path) -> Reranker:
    name = "" if request.param == "none" else str(request.getfixturevalue("tiny_cross_encoder"))
    return open_reranker(SearchConfig(reranker=name, rerank_seconds=120), cache=models)


async def test_one_score_a_text_or_none_at_all(reranker: Reranker) -> None:
    scores = await reranker.scores("wheat yield", ["wheat yield fell", "stars", "silver particles"])
    assert (scores is None) == (reranker.identity == "")
    assert scores is None or len(scores) == 3
    assert reranker.note == ""


async def test_no_texts_need_no_scores(reranker: Reranker) -> None:
    assert not await reranker.scores("wheat", [])
