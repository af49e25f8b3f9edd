"""What a strong writer said about the sample papers, replayed: nearly all of it reaches the reader, with its quotes.

The replies were written without knowledge of the checks, in fluent words; one question is in another language than the
papers, one has no answer in them.
"""

import re
from pathlib import Path

import pymupdf
import pytest

from core.agent.reasoner import AssumedCapability
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


async def answers(engine: Engine, replay: Replay) -> dict[str, Answer]:
    """Each question in a thread of its own."""
    found = {}
    for number, question in enumerate(QUESTIONS):
        replay.question = question.text
        thread = Thread(channel=PLACE, id=str(number))
        found[question.text] = await engine.questions.ask(question.text, RequestContext(scope=SCOPE, thread=thread))
    return found


def check_printed(answer: Answer, pages: dict[str, list[str]]) -> None:
    """Every quote is printed on its page, and every number of a sentence is quoted or worked out from what is."""
    held: dict[int, str] = {}
    for citation in answer.citations:
        for span in citation.spans:
            assert alphanumeric_key(span.quote) in pages[citation.paper_id][span.page - 1]
        worked_out = citation.derivation.result if citation.derivation else ""
        held[citation.marker] = " ".join([worked_out, *(span.quote for span in citation.spans)])
    for sentence in answer.sentences:
        words = " ".join(held[marker] for marker in sentence.markers)
        assert set(_NUMBER.findall(sentence.text)) <= set(_NUMBER.findall(words)), sentence.text


async def test_what_a_strong_writer_said_is_shown_in_its_own_words(tmp_path: Path, models: Path) -> None:
    replay = Replay("strong-writer.jsonl")
    with ScriptedServer(replay) as server:
        llm = LlmConfig(base_url=server.url, model="writer", context_tokens=16_000, max_tokens=2_048)
        config = Config(data=tmp_path, embedder=EmbedderConfig(cache=models), reading=ReadingConfig(workers=1), llm=llm)
        async with Engine(config, capability=AssumedCapability()) as engine:
            await filled(engine)
            papers = {paper.file_name: paper.id for paper in await engine.papers.in_scope(SCOPE)}
            written = await answers(engine, replay)
    pages = {
        papers[name]: [alphanumeric_key(page.get_text()) for page in pymupdf.open(SAMPLES / name)] for name in PAPERS
    }
    for question in QUESTIONS:
        answer = written[question.text]
        check_printed(answer, pages)
        assert answer.mode == "model"
        assert (answer.outcome == "answered") is bool(question.word)
        assert question.word.lower() in " ".join(sentence.text for sentence in answer.sentences[:1]).lower()
        assert answer.usage.calls <= 5, "one of them at most is a repair"
    forms = [sentence.form for answer in written.values() for sentence in answer.sentences]
    assert forms.count("quote") == 0 and len(forms) == 9
