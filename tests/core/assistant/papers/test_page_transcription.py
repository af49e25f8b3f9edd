"""A scan that OCR does not read, a vision model behind a real server, and an answer that says who read the page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from core.config import BudgetConfig, Config, LlmConfig, ReadingConfig
from core.domain.model import IngestReport, Scope, Share
from core.domain.request_context import RequestContext
from core.reading.reader import LayoutReader
from core.services.engine import Engine
from core.services.shared_models import SharedModels
from tests.core.reading import making
from tests.core.search.fake_embedder import FakeEmbedder
from tests.core.services.filled_workspace import CLUB, HOME, AsFound, Drawn, Hand, thread
from tests.llm.scripted_server import Request, Says, ScriptedServer

HERE = Scope(workspace=HOME, channels=frozenset({"club"}))
READING = ReadingConfig(workers=1, ocr=False)
PAGE = "# Otters\n\nThe mean dive of a pup in the kelp was 38 seconds in its tenth week.\n"


def _says(request: Request) -> Says:
    return Says(text=PAGE, usage=(900, 40))


@asynccontextmanager
async def engine(folder: Path, server: ScriptedServer, budget: BudgetConfig) -> AsyncIterator[Engine]:
    parts = SharedModels(reader=LayoutReader(READING), images=Drawn(), embedder=FakeEmbedder(), reranker=AsFound())
    config = Config(
        data=folder / "data", reading=READING, vlm=LlmConfig(base_url=server.url, model="eyes-7b"), budget=budget
    )
    async with Engine(config, models=parts, now=Hand()) as opened:
        yield opened


async def drop(opened: Engine, folder: Path) -> IngestReport:
    scan = making.write(folder / "scan.pdf", lambda page: making.picture_of(page, making.prose))
    share = Share(paper_id="", channel="club", message="m", user="ann", at=datetime(2026, 3, 2, tzinfo=UTC))
    return await opened.papers.ingest(share, scope=HERE, pdf=scan, file_name="scan.pdf")


async def test_what_the_model_read_is_answered_from_and_marked_as_read_by_it(tmp_path: Path) -> None:
    with ScriptedServer(_says) as server:
        async with engine(tmp_path, server, BudgetConfig(user_day_tokens=900)) as opened:
            report = await drop(opened, tmp_path)
            assert report.outcome == "indexed" and report.paper is not None
            assert report.paper.warnings == (
                "Page 1 was read by the vision model eyes-7b, which may misread words or add some.",
            )
            answer = await opened.questions.ask(
                "What was the mean dive of a pup in the kelp?", RequestContext(scope=HERE, thread=thread())
            )
    assert answer.outcome == "answered"
    (citation,) = answer.citations
    assert citation.label == "as eyes-7b read the page" and "38 seconds" in citation.spans[0].quote
    assert len(server.requests) == 1 and "data:image/png;base64," in server.requests[0].words


async def test_a_budget_that_is_used_up_leaves_the_page_unread(tmp_path: Path) -> None:
    with ScriptedServer(_says) as server:
        async with engine(tmp_path, server, BudgetConfig(user_day_tokens=900)) as opened:
            await drop(opened, tmp_path)
            other = making.write(tmp_path / "two.pdf", lambda page: making.picture_of(page, making.prose), pages=2)
            share = Share(paper_id="", channel="club", message="n", user="ann", at=datetime(2026, 3, 2, tzinfo=UTC))
            report = await opened.papers.ingest(share, scope=HERE, pdf=other, file_name="two.pdf")
    assert report.outcome == "rejected" and len(server.requests) == 1


async def test_a_channel_that_allows_no_model_sends_no_page_anywhere(tmp_path: Path) -> None:
    with ScriptedServer(_says) as server:
        async with engine(tmp_path, server, BudgetConfig()) as opened:
            await opened.channels.put(CLUB, "model", "off", user="ann")
            report = await drop(opened, tmp_path)
    assert report.outcome == "rejected" and server.requests == []
