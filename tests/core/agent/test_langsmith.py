"""Spans hold numbers and no words; LangSmith hears a run only where this bot was told so, and nobody else does."""

import os
import subprocess
import sys
import textwrap
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from core.agent import telemetry
from core.assistant.asking.ask import ask
from core.config import LangsmithConfig, LlmConfig
from core.domain.model import Answer
from core.domain.request_context import RequestContext
from core.llm.chat import ChatModel
from tests.core.agent.small_library import NOON, SCOPE, THREAD, Heard, dependencies
from tests.llm.brains import Brain, claim, claims
from tests.llm.scripted_server import ScriptedServer

RIGHT = "The cultivar Halland kept 91 percent of its grain yield under drought."
WRONG = "The cultivar Halland lost 17 percent of its grain yield under frost."
QUESTION = "Which cultivar kept its grain yield under drought?"
ROOT = Path(__file__).parents[3]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return exporter


async def answered() -> Answer:
    with ScriptedServer(Brain(write=claims(claim(RIGHT, RIGHT), claim(WRONG, RIGHT)))) as server:
        config = LlmConfig(base_url=server.url, model="scripted")
        model = ChatModel(config)
        with_model = replace(dependencies(), model=model, llm=config)
        answer = await ask(
            QUESTION, RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard()), with_model
        )
        await model.close()
    return answer


def numbers(span: ReadableSpan) -> dict[str, object]:
    return {name.removeprefix("footnote."): value for name, value in (span.attributes or {}).items()}


async def test_each_step_has_a_span_with_its_counts_inside_the_answers(kept: InMemorySpanExporter) -> None:
    answer = await answered()
    found = {span.name.removeprefix("footnote."): span for span in kept.get_finished_spans()}
    assert set(found) == {"answer", "understand", "search", "write", "verify"}
    whole = found["answer"].context
    assert whole is not None and found["answer"].parent is None
    assert all(span.context and span.context.trace_id == whole.trace_id for span in found.values())
    assert numbers(found["search"])["round"] == answer.rounds
    assert numbers(found["write"])["sentences"] == len(answer.sentences)
    assert numbers(found["answer"])["calls"] == answer.usage.calls
    verified = [numbers(span)["kept"] for span in kept.get_finished_spans() if span.name == "footnote.verify"]
    assert verified == [True, False]


async def test_a_span_holds_no_words(kept: InMemorySpanExporter) -> None:
    await answered()
    for span in kept.get_finished_spans():
        assert all(isinstance(value, int | float) for value in (span.attributes or {}).values())
        assert not span.events


def test_a_fault_is_told_by_its_kind_alone(kept: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="Halland"), telemetry.step("judge"):
        raise ValueError("Halland")
    (span,) = kept.get_finished_spans()
    assert span.status.description == "ValueError"
    assert not span.events


class Traces(BaseHTTPRequestHandler):
    """A tracing service that takes everything and keeps it with the server."""

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_GET(self) -> None:
        self._taken(404)  # it tells nothing of what it can do: bodies come plain and whole

    def do_POST(self) -> None:
        self._taken(202)

    do_PATCH = do_POST

    def _taken(self, status: int) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.taken.append(f"{self.path}\n{self.headers}\n".encode() + body)  # type: ignore[attr-defined]
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")


def service() -> tuple[ThreadingHTTPServer, str, list[bytes]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Traces)
    taken: list[bytes] = []
    server.taken = taken  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}", taken


@pytest.mark.slow
def test_langsmith_hears_a_run_where_it_is_switched_on_and_no_variable_adds_to_it() -> None:
    ours, address, taken = service()
    others, foreign, stolen = service()
    tracing = {
        "TRACING": "true",
        "ENDPOINT": foreign,
        "API_KEY": "key-foreign",
        "PROJECT": "another-project",
        "RUNS_ENDPOINTS": f'{{"{foreign}": "key-foreign"}}',
    }
    variables = {f"{space}_{name}": value for space in ("LANGSMITH", "LANGCHAIN") for name, value in tracing.items()}
    program = textwrap.dedent(
        f"""
        import asyncio
        from dataclasses import replace
        from core.agent.langsmith import open_tracing
        from core.config import LangsmithConfig
        from tests.core.agent.test_langsmith import *

        async def main():
            tracing = open_tracing(LangsmithConfig(api_key="key-ours", base_url={address!r}, project="reading"))
            with ScriptedServer(Brain(write=claims(claim(RIGHT, RIGHT)))) as server:
                config = LlmConfig(base_url=server.url, model="scripted", api_key="key-model")
                model = ChatModel(config)
                traced = replace(dependencies(), model=model, llm=config, tracing=tracing)
                request = RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard())
                answer = await ask(QUESTION, request, traced)
                await model.close()
            tracing.close()
            print(answer.mode)

        asyncio.run(main())
        """
    )
    environment = {**os.environ, **variables, **dict.fromkeys(("HTTP_PROXY", "http_proxy"), foreign)}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    for server in (ours, others):
        server.shutdown()
        server.server_close()
    assert ran.stdout.strip() == "model", ran.stderr
    sent = b"\n".join(taken)
    assert stolen == []
    for word in (b"key-ours", b"reading", b"understand", b"Halland", b"You write for researchers"):
        assert word in sent
    for word in (b"another-project", b"key-foreign", b"key-model"):
        assert word not in sent


def test_langsmith_is_off_without_a_key() -> None:
    assert not LangsmithConfig(project="reading").configured
    with pytest.raises(ValueError, match="base_url"):
        LangsmithConfig(base_url="smith")
