"""What a small real model said about the sample papers, replayed: whatever it writes, only what is printed is sent."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pymupdf
import pytest

from core.config import Config, EmbedderConfig, LlmConfig, ReadingConfig
from core.domain.model import Answer, Thread
from core.domain.request_context import RequestContext
from core.services.engine import Engine
from core.text import alphanumeric_key
from tests.llm.record import PAPERS, PLACE, QUESTIONS, SAMPLES, SCOPE, filled
from tests.llm.replay import Replay
from tests.llm.scripted_server import ScriptedServer

pytestmark = pytest.mark.slow

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@asynccontextmanager
async def opened(data: Path, models: Path, llm: LlmConfig) -> AsyncIterator[Engine]:
    config = Config(data=data, embedder=EmbedderConfig(cache=models), reading=ReadingConfig(workers=1), llm=llm)
    async with Engine(config) as engine:
        yield engine


async def answers(engine: Engine, replay: Replay, name: str) -> dict[str, Answer]:
    """Each question in a thread of its own."""
    found = {}
    for number, question in enumerate(QUESTIONS):
        replay.question = question.text
        thread = Thread(channel=PLACE, id=f"{name}-{number}")
        found[question.text] = await engine.questions.ask(question.text, RequestContext(scope=SCOPE, thread=thread))
    return found


def printed(answer: Answer, pages: dict[str, list[str]]) -> None:
    """Every sentence has a quote that is printed on its page, and every number stands in its quotes."""
    for citation in answer.citations:
        for span in citation.spans:
            assert alphanumeric_key(span.quote) in pages[citation.paper_id][span.page - 1]
    quotes = {item.marker: " ".join(span.quote for span in item.spans) for item in answer.citations}
    for sentence in answer.sentences:
        words = " ".join(quotes[marker] for marker in sentence.markers)
        assert words
        assert set(_NUMBER.findall(sentence.text)) <= set(_NUMBER.findall(words)), sentence.text


def right(found: dict[str, Answer]) -> int:
    """Answers that hold what is printed, and questions that the papers do not answer left unanswered."""
    total = 0
    for question in QUESTIONS:
        answer = found[question.text]
        said = " ".join(item.text for item in answer.sentences)
        total += question.word.lower() in said.lower() if question.word and said else not (question.word or said)
    return total


async def test_what_a_small_real_model_wrote_is_sent_only_where_it_is_printed(tmp_path: Path, models: Path) -> None:
    replay = Replay("smollm2-135m.jsonl")
    async with opened(tmp_path, models, LlmConfig()) as engine:
        await filled(engine)
        papers = {paper.file_name: paper.id for paper in await engine.papers.in_scope(SCOPE)}
        plain = await answers(engine, replay, "plain")
    with ScriptedServer(replay) as server:
        llm = LlmConfig(base_url=server.url, model="smollm2", context_tokens=1_536, max_tokens=160)
        async with opened(tmp_path, models, llm) as engine:
            written = await answers(engine, replay, "model")
    pages = {
        papers[name]: [alphanumeric_key(page.get_text()) for page in pymupdf.open(SAMPLES / name)] for name in PAPERS
    }
    for answer in written.values():
        printed(answer, pages)
    assert sum(answer.mode == "model" and bool(answer.sentences) for answer in written.values()) >= 2
    assert sum(answer.mode == "extractive" and bool(answer.sentences) for answer in written.values()) >= 2
    said = alphanumeric_key(" ".join(item.text for answer in written.values() for item in answer.sentences))
    for invented in (
        "University of London",
        "9.8 seconds longer",
        "20% of readers",
        "3.4 seconds",
        "special type of ink",
    ):
        assert alphanumeric_key(invented) not in said
    assert right(written) >= right(plain) - 1
