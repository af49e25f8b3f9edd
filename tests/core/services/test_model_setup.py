"""Models that were fetched are loaded by the code that will run them; a context that is known bounds the settings."""

from pathlib import Path

import pytest

from core.config import LlmConfig
from core.domain.errors import ModelUnavailable
from core.domain.language_models import EndpointFacts, ProcessMemory
from core.services.model_setup import OPTIONAL_MODELS, estimate_question, fitted, load_once
from tests.core.search.tiny_models import save_tiny_cross_encoder, save_tiny_inference_model

CONFIG = LlmConfig(base_url="http://h/v1", model="m", context_tokens=16_384)


@pytest.mark.slow
async def test_a_fetched_model_is_loaded_as_its_setting_would(tmp_path: Path) -> None:
    inference, pairs = tmp_path / "inference", tmp_path / "pairs"
    for folder in (inference, pairs):
        folder.mkdir()
    await load_once("FOOTNOTE_AGENT_ENTAILMENT", save_tiny_inference_model(inference, "neutral"), tmp_path)
    await load_once("FOOTNOTE_SEARCH_RERANKER", save_tiny_cross_encoder(pairs), tmp_path)


@pytest.mark.parametrize("variable", sorted({model.variable for model in OPTIONAL_MODELS}))
async def test_a_folder_without_a_model_is_told(variable: str, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable):
        await load_once(variable, tmp_path, tmp_path)


def test_a_context_that_the_endpoint_named_is_kept_to() -> None:
    memory = ProcessMemory()
    assert fitted(CONFIG, memory) == CONFIG
    memory.learn(lambda _: EndpointFacts(context_tokens=8_192))
    assert fitted(CONFIG, memory).context_tokens == 8_192
    memory.learn(lambda _: EndpointFacts(context_tokens=32_768))
    assert fitted(CONFIG, memory) == CONFIG


def test_a_question_takes_less_in_a_small_context_and_more_where_the_model_thinks() -> None:
    small = LlmConfig(base_url="http://h/v1", model="m", context_tokens=4_096, prompt_price=2.0, reply_price=8.0)
    plain, thinks = EndpointFacts(), EndpointFacts(thinks=True)
    assert estimate_question(small, plain).prompt_tokens < estimate_question(CONFIG, plain).prompt_tokens
    assert estimate_question(small, thinks).reply_tokens == 4 * estimate_question(small, plain).reply_tokens
    assert estimate_question(small, thinks).cost > estimate_question(small, plain).cost > 0
    assert estimate_question(CONFIG, plain).cost == 0
