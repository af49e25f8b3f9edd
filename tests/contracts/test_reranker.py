"""What every reranker must do, run over the null object and over a small cross-encoder made here."""

from pathlib import Path

import pytest

from core.config import SearchConfig
from core.domain.ports import Reranker
from core.search import open_reranker
from tests.core.search.tiny_models import save_tiny_cross_encoder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_cross_encoder(tmp_path_factory.mktemp("cross-encoder"))


@pytest.fixture(params=["none", "cross-encoder"])
def reranker(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Reranker:
    name = "" if request.param == "none" else str(folder)
    return open_reranker(SearchConfig(reranker=name, rerank_seconds=120), cache=tmp_path)


@pytest.mark.slow
async def test_one_score_a_text_or_none_at_all(reranker: Reranker) -> None:
    scores = await reranker.scores("wheat yield", ["wheat yield fell", "stars", "silver particles"])
    assert (scores is None) == (reranker.identity == "")
    assert scores is None or len(scores) == 3
    assert reranker.note == ""


async def test_no_texts_need_no_scores(reranker: Reranker) -> None:
    assert not await reranker.scores("wheat", [])
