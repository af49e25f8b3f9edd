"""The graph itself: branches side by side, nothing sent to a tracing service."""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from core.agent.graph import answering
from core.assistant.asking.ask import ask
from core.domain.model import Evidence, Scope
from core.domain.ports import Filters
from core.domain.request_context import RequestContext
from tests.core.agent.small_library import ALL, NOON, SCOPE, THREAD, Heard, SmallLibrary, dependencies, library

TWO = "Which cultivar kept its grain yield under drought, and which senior lawyers decided on the final label?"


class Meeting(SmallLibrary):
    """Answers a search only once a second search has begun, so that branches one after the other would hang."""

    def __init__(self) -> None:
        plain = library()
        super().__init__(held=plain.held, texts=plain.texts)
        self.both = asyncio.Event()

    async def search(
        self,
        query: str,
        scope: Scope,
        *,
        k: int | None = None,
        filters: Filters = ALL,
        per_paper: int | None = None,
    ) -> Sequence[Evidence]:
        found = await super().search(query, scope, k=k, filters=filters, per_paper=per_paper)
        if len({asked for asked, _ in self.searches}) > 1:
            self.both.set()
        await asyncio.wait_for(self.both.wait(), timeout=20)
        return found


async def test_the_parts_of_a_question_are_investigated_side_by_side() -> None:
    held = Meeting()
    answer = await ask(
        TWO, RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard()), dependencies(held)
    )
    assert answer.outcome == "answered"
    said = [sentence.text for sentence in answer.sentences]
    first = next(index for index, text in enumerate(said) if "Halland" in text)
    second = next(index for index, text in enumerate(said) if "senior lawyers" in text)
    assert first < second


def test_the_graph_is_compiled_once() -> None:
    assert answering() is answering()


class Recorder(threading.Thread):
    """A server on loopback that counts who knocks."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.knocks = 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]

    def run(self) -> None:
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            self.knocks += 1
            connection.close()


def test_no_variable_switches_a_tracing_service_on() -> None:
    recorder = Recorder()
    recorder.start()
    address = f"http://127.0.0.1:{recorder.port}"
    tracing = {"TRACING": "true", "TRACING_V2": "true", "ENDPOINT": address, "API_KEY": "key", "PROJECT": "p"}
    variables = {f"{space}_{name}": value for space in ("LANGSMITH", "LANGCHAIN") for name, value in tracing.items()}
    root = Path(__file__).parents[3]
    program = (
        "import asyncio\n"
        "from langchain_core.tracers.langchain import wait_for_all_tracers\n"
        "from core.assistant.asking.ask import ask\n"
        "from tests.core.agent.small_library import *\n"
        "from core.domain.request_context import RequestContext\n"
        "request = RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id='t')\n"
        "answer = asyncio.run(ask('How many pages does DOCSPLIT contain?', request, dependencies()))\n"
        "wait_for_all_tracers()\n"
        "print(answer.outcome)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env={**os.environ, **variables, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    recorder.server.close()
    assert ran.stdout.strip() == "answered", ran.stderr
    assert recorder.knocks == 0
