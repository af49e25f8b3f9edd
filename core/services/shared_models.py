"""Models that all workspaces share: reader, page images, embedder, reranker; made once, loaded when first used."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module

from core.config import Config
from core.domain.entailment import Entailment
from core.domain.language_models import LanguageModel
from core.domain.ports import Embedder, Reranker
from core.domain.readers import PageImages, PdfReader

__all__ = ["SharedModels", "load_libraries", "shared_models", "warm"]

_log = logging.getLogger(__name__)
_WARM_AFTER = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedModels:
    """What is costly to load and the same for all workspaces; tests hand in their own."""

    reader: PdfReader
    images: PageImages
    embedder: Embedder
    reranker: Reranker
    entailment: Entailment | None = None
    """Reads what a language model wrote; None leaves it to that model itself."""


def shared_models(config: Config) -> SharedModels:
    """The configured models; cheap to make, each loads when first used."""
    # Imported here: what a command does not need shall not cost its start.
    from core.reading.reader import LayoutReader, PageRenderer
    from core.search import CrossEncoderEntailment, open_embedder, open_reranker

    models = config.embedder.cache or config.data / "models"
    reader = LayoutReader(config.reading)
    return SharedModels(
        reader=reader,
        images=PageRenderer(config.reading, reader.readers),
        embedder=open_embedder(replace(config.embedder, cache=models)),
        reranker=open_reranker(config.search, cache=models),
        entailment=CrossEncoderEntailment(config.agent.entailment) if config.agent.entailment else None,
    )


@cache
def load_libraries() -> None:
    """Load what the first paper would otherwise load on the event loop, a tenth of a second at a time."""
    for name in ("numpy", "pebble"):
        import_module(name)


def _load_for_questions() -> None:
    for name in ("faiss", "rank_bm25", "core.agent.graph"):
        import_module(name)


async def warm(models: SharedModels, model: LanguageModel) -> None:
    """Load beside other work what the first paper or question would wait for; sends nothing.

    Native libraries and the tokeniser keep the event loop waiting while they load: better now than later, but
    not before what comes first after a start has been served. Never fails.
    """
    await asyncio.sleep(_WARM_AFTER)
    steps: tuple[Callable[[], Awaitable[None]], ...] = (
        partial(asyncio.to_thread, load_libraries),
        partial(asyncio.to_thread, _load_for_questions),
        models.embedder.warm,
        models.reranker.warm,
        model.warm,
    )
    for load in steps:
        try:
            await load()
        except Exception:
            # Whoever needs it loads it then, and says what is wrong to someone who can do something about it.
            _log.warning("not loaded ahead of use", exc_info=True)
