"""Checks every part and reports one line for each; a part that breaks is a line, never a crash."""

import base64
import math
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from bot.replies.models import used_for
from bot.replies.plurals import pluralize
from bot.samples import sample_papers
from bot.settings import Settings
from core.config import LlmConfig
from core.domain.errors import FootnoteError

if TYPE_CHECKING:
    from core.services.engine import Engine

_LITTLE_SPACE = 1_000_000_000
_MANY_PASSAGES = 1_000_000
"""As far as one workspace was measured (docs/search.md)."""
_SHARE_OF_MEMORY = 0.25
"""What the vectors of one workspace may take: the readers, the models and the system want the rest."""
# A grey square, 64 by 64.
_GREY = (
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKUlEQVR42u3MQREAAAwCIKMb3RD77SAA6VEEAoFAIBAIBAKBQCAQ"
    "fA8G320AeXC6efoAAAAASUVORK5CYII="
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One line: the part, whether it works, and what there is to say."""

    name: str
    ok: bool
    words: str


Probe: TypeAlias = Callable[[], Awaitable[str]]


class _CheckFailed(Exception):
    """A part does not work; the words say what to do."""


async def quick(settings: Settings) -> AsyncIterator[Check]:
    """What can be looked at within a moment: data folder, disk, waiting work."""
    parts: Mapping[str, Callable[[Settings], Awaitable[str]]] = {
        "data folder": _data_folder,
        "disk": _disk,
        "jobs": _jobs,
    }
    for name, probe in parts.items():
        yield await check(name, partial(probe, settings))


async def workspaces(settings: Settings) -> Check:
    """Whether the largest workspace has outgrown the machine.

    It counts all passages, which takes time, so it is no part of ``quick``, by which a container's health is judged.
    """
    return await check("workspaces", partial(_workspaces, settings))


async def thorough(settings: Settings, engine: "Engine") -> AsyncIterator[Check]:
    """Everything: what ``quick`` looks at, the reader, the models and the platforms."""
    async for result in quick(settings):
        yield result
    yield await workspaces(settings)
    parts: Mapping[str, Probe] = {
        "reader": partial(_reader, engine),
        "OCR": partial(_ocr, settings),
        "embedder": partial(_embedder, engine),
        "reranker": partial(_reranker, engine),
        "language model": partial(language_model, settings),
        "vision model": partial(vision_model, settings.vlm),
        "platforms": _platforms,
    }
    for name, probe in parts.items():
        yield await check(name, probe)


async def check(name: str, probe: Probe) -> Check:
    """What a probe says of a part; whatever it raises is a part that does not work."""
    try:
        return Check(name=name, ok=True, words=await probe())
    except FootnoteError as failure:
        return Check(name=name, ok=False, words=failure.words)
    except _CheckFailed as failure:
        return Check(name=name, ok=False, words=str(failure))
    except Exception as fault:
        return Check(name=name, ok=False, words=f"does not work ({type(fault).__name__}: {fault})")


async def _data_folder(settings: Settings) -> str:
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.data) as file:
            file.write(b"x")
    except OSError as error:
        raise _CheckFailed(
            f"{settings.data} cannot be written ({error.strerror}); FOOTNOTE_DATA names another."
        ) from error
    return f"{settings.data} can be written"


async def _disk(settings: Settings) -> str:
    here = next(folder for folder in (settings.data, *settings.data.parents) if folder.exists())
    free = shutil.disk_usage(here).free
    if free < _LITTLE_SPACE:
        raise _CheckFailed(f"only {free / 1e9:.1f} GB are free; papers may be refused soon")
    return f"{free / 1e9:.0f} GB free"


async def _workspaces(settings: Settings) -> str:
    from core.services.storage import list_workspace_sizes

    found = list_workspace_sizes(settings.data)
    if not found:
        return "none yet"
    largest, memory = found[0], _memory()
    summary = f"the largest of {len(found)}, {largest.workspace}, holds {pluralize(largest.passages, 'passage')}"
    if largest.vector_bytes > _SHARE_OF_MEMORY * memory:
        raise _CheckFailed(
            f"{summary}; their vectors take {largest.vector_bytes / 1e9:.1f} of {memory / 1e9:.1f} GB of memory: "
            "give the bot a machine with more, or divide the papers among several workspaces"
        )
    if largest.passages > _MANY_PASSAGES:
        raise _CheckFailed(
            f"{summary}, more than was ever measured; if questions take too long, "
            "forget papers that nobody asks about, or divide them among several workspaces"
        )
    return summary


def _memory() -> float:
    """Bytes of this machine's memory; infinite where the system does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return math.inf


async def _jobs(settings: Settings) -> str:
    from bot.wiring import open_store

    async with open_store(settings) as store:
        counts = await store.counts()
    return ", ".join(f"{number} {state}" for state, number in counts.items())


async def _reader(engine: "Engine") -> str:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="footnote-") as folder:
        sample = sample_papers()[0]
        pdf = Path(folder) / sample.name
        pdf.write_bytes(sample.pdf)
        reading = await engine.papers.read(pdf)
    return f"read {pluralize(reading.pages, 'page')} in {time.monotonic() - began:.1f} s, its process started included"


async def _ocr(settings: Settings) -> str:
    if not settings.reading.ocr:
        return "switched off (FOOTNOTE_READING_OCR); scans without a text layer are refused"
    if find_spec("rapidocr") is None:
        raise _CheckFailed("the package rapidocr is missing; scans without a text layer are refused")
    return "RapidOCR with its own models, for pages without usable text"


async def _embedder(engine: "Engine") -> str:
    embedder = engine.models.embedder
    began = time.monotonic()
    vector = await embedder.query("What is a footnote for?")
    return (
        f"{embedder.identity}, {len(vector)} numbers a passage, first question after {time.monotonic() - began:.1f} s"
    )


async def _reranker(engine: "Engine") -> str:
    reranker = engine.models.reranker
    if not reranker.identity:
        return "none configured (FOOTNOTE_SEARCH_RERANKER); the order of the search stands"
    scores = await reranker.scores("What is a footnote for?", ["A footnote names a source.", "Rain fell."])
    if scores is None:
        raise _CheckFailed(f"{reranker.note or reranker.identity}; the order of the search stands")
    return reranker.identity


async def language_model(settings: Settings) -> str:
    """Whether the endpoint begins to answer, and what the model is used for."""
    from core.services.model_setup import endpoint_memory, first_words, known_capability

    config = settings.llm
    if not config.configured:
        return "none configured (footnote model finds one); answers are quoted, nothing leaves this machine"
    memory = endpoint_memory(settings.data, config)
    seconds = await first_words(config, memory)
    report = await known_capability(config, memory)
    words = f"{config.model} at {config.base_url} began to answer after {seconds:.1f} s; {used_for(report)}"
    known = memory.facts().context_tokens
    if 0 < known < config.context_tokens:
        words += f"; it takes in {known:,} tokens only, so set FOOTNOTE_LLM_CONTEXT_TOKENS={known}"
    if report.capability == "none":
        raise _CheckFailed(words)
    return words


async def vision_model(config: LlmConfig) -> str:
    """Whether the endpoint says anything of a picture."""
    from core.services.model_setup import open_vision_model

    if not config.configured:
        return "none configured; figures are found by their captions"
    model, began = open_vision_model(config), time.monotonic()
    try:
        await model.describe(base64.b64decode(_GREY), "Which colour is this?")
    finally:
        await model.close()
    return f"{config.model} at {config.base_url} described a picture in {time.monotonic() - began:.1f} s"


async def _platforms() -> str:
    return "this terminal; no chat platform is set up"
