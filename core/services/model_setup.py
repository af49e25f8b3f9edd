"""What an installation needs to set up its models: finding servers, trying a language model, fetching others."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path

from core.config import EmbedderConfig, LlmConfig, SearchConfig
from core.domain.entailment import EntailmentPair
from core.domain.errors import ModelUnavailable, NotInScope
from core.domain.language_models import Capability, EndpointFacts, EndpointMemory, ProcessMemory
from core.domain.model import Usage
from core.library import EndpointFile
from core.llm import NullLanguageModel, open_language_model, open_vision_model, prompts
from core.llm.capability import ControlQuestions, ControlReport
from core.llm.discovery import check_address, find_servers, is_local, list_models, served_context
from core.llm.endpoint import BYTES_PER_TOKEN, ROOM_FOR_THOUGHTS

__all__ = [
    "OPTIONAL_MODELS",
    "Capability",
    "ControlReport",
    "EndpointFacts",
    "check_address",
    "endpoint_memory",
    "estimate_question",
    "fetch_model",
    "find_servers",
    "first_words",
    "fitted",
    "is_local",
    "kept_capability",
    "known_capability",
    "list_models",
    "load_once",
    "open_vision_model",
    "served_context",
    "try_model",
]

_PASSAGE_TOKENS = 250
_MOST_PASSAGES = 36
_WRITTEN_TOKENS = 1_000
"""Of search words, claims and verdicts together, by the examples in the prompts."""
FETCHED = "fetched"
_PROBE = "What is a footnote for?"


def endpoint_memory(data: Path, config: LlmConfig) -> EndpointMemory:
    """Where what is learnt about an endpoint is kept."""
    return EndpointFile(data, config.base_url, config.model) if config.configured else ProcessMemory()


def fitted(config: LlmConfig, memory: EndpointMemory) -> LlmConfig:
    """The settings with the context that the endpoint said it has, where that is smaller."""
    known = memory.facts().context_tokens
    return replace(config, context_tokens=max(1_024, known)) if 0 < known < config.context_tokens else config


async def first_words(config: LlmConfig, memory: EndpointMemory) -> float:
    """Seconds until a language model begins to answer. Raises ``ModelUnavailable``."""
    model = open_language_model(config, memory)
    await model.warm()
    began = time.monotonic()
    try:
        async with aclosing(model.stream("Reply with the one word: ready")) as pieces:
            await anext(pieces)
    finally:
        await model.close()
    return time.monotonic() - began


def kept_capability(memory: EndpointMemory) -> ControlReport | None:
    """What was found before; None where the control questions have not been asked with these prompts."""
    return ControlQuestions(NullLanguageModel(), memory).known()


async def known_capability(config: LlmConfig, memory: EndpointMemory) -> ControlReport:
    """What a language model can be used for, asked for where it is not known. Raises ``ModelUnavailable``."""
    model = open_language_model(config, memory)
    try:
        questions = ControlQuestions(model, memory)
        return questions.known() or await questions.ask()
    finally:
        await model.close()


async def try_model(config: LlmConfig, memory: EndpointMemory) -> ControlReport:
    """Put the control questions to a model. Raises ``ModelUnavailable`` where it is away."""
    model = open_language_model(config, memory)
    try:
        return await ControlQuestions(model, memory).ask()
    finally:
        await model.close()


def estimate_question(config: LlmConfig, facts: EndpointFacts) -> Usage:
    """About what one question takes: search words, claims over as many passages as fit, two readings of sentences."""
    texts = (prompts.SEARCH_WORDS, prompts.CLAIMS, *(prompts.SECOND_READING,) * 2)
    frame = sum(len(text.encode()) for text in texts) // BYTES_PER_TOKEN
    reply = min(config.max_tokens, config.context_tokens // 3)
    passages = min(_MOST_PASSAGES * _PASSAGE_TOKENS, max(0, config.context_tokens - reply - frame // 2))
    read, written = frame + passages, _WRITTEN_TOKENS * (ROOM_FOR_THOUGHTS if facts.thinks else 1)
    cost = (read * config.prompt_price + written * config.reply_price) / 1_000_000
    return Usage(calls=4, prompt_tokens=read, reply_tokens=written, cost=cost)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionalModel:
    """A model that helps where it is set, under the ``name`` it is fetched by; ``variable`` is its setting."""

    name: str
    repository: str
    does: str
    size: str
    licence: str
    variable: str
    then: str = ""


OPTIONAL_MODELS: Sequence[OptionalModel] = (
    OptionalModel(
        name="reranker",
        repository="cross-encoder/ms-marco-MiniLM-L6-v2",
        does="reorders what was found (English)",
        size="90 MB",
        licence="Apache-2.0",
        variable="FOOTNOTE_SEARCH_RERANKER",
    ),
    OptionalModel(
        name="multilingual-reranker",
        repository="BAAI/bge-reranker-v2-m3",
        does="reorders what was found, in many languages; slow without a graphics card",
        size="2.3 GB",
        licence="Apache-2.0",
        variable="FOOTNOTE_SEARCH_RERANKER",
    ),
    OptionalModel(
        name="multilingual-embedder",
        repository="intfloat/multilingual-e5-small",
        does="finds passages in another language than the question",
        size="470 MB",
        licence="MIT",
        variable="FOOTNOTE_EMBEDDER_MODEL",
        then="footnote reindex",
    ),
    OptionalModel(
        name="entailment",
        repository="cross-encoder/nli-deberta-v3-base",
        does="reads what a language model wrote a second time, in its place (English)",
        size="740 MB",
        licence="Apache-2.0",
        variable="FOOTNOTE_AGENT_ENTAILMENT",
    ),
)


async def fetch_model(name: str, data: Path) -> tuple[OptionalModel, Path]:
    """Fetch a model of the list into ``data`` and load it once. Raises ``NotInScope`` for a name that is not listed
    and ``ModelUnavailable`` where the hub cannot be reached or the model not loaded.
    """
    found = next((model for model in OPTIONAL_MODELS if model.name == name), None)
    if found is None:
        names = ", ".join(model.name for model in OPTIONAL_MODELS)
        raise NotInScope(f"There is no model {name} to fetch; those that can be are: {names}.")
    from core.search import download_into

    cache = data / "models"
    into = cache / FETCHED / found.repository.replace("/", "--")
    folder = await asyncio.to_thread(download_into, found.repository, into)
    await load_once(found.variable, folder, cache)
    return found, folder


async def load_once(variable: str, folder: Path, cache: Path) -> None:
    """Load the model in ``folder`` as its setting would and ask it something. Raises ``ModelUnavailable``."""
    # Imported here: only whoever fetches a model need load the libraries that run it.
    from core.search import CrossEncoderEntailment, open_embedder, open_reranker

    match variable:
        case "FOOTNOTE_EMBEDDER_MODEL":
            await open_embedder(EmbedderConfig(model=str(folder), cache=cache)).query(_PROBE)
        case "FOOTNOTE_AGENT_ENTAILMENT":
            pair = EntailmentPair(sentence="The source stands at the foot.", quotes=("A footnote names a source.",))
            await CrossEncoderEntailment(str(folder)).judge([pair])
        case _:
            reranker = open_reranker(SearchConfig(reranker=str(folder), rerank_seconds=120.0), cache=cache)
            if await reranker.scores(_PROBE, ["A footnote names a source.", "Rain fell."]) is None:
                raise ModelUnavailable(reranker.note or f"The model in {folder} could not be loaded.")
